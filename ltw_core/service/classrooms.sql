-- Classes of students: one SQLite file, which several server processes share. WAL mode, so that pages that read never wait
-- for a student who writes. PRAGMA user_version holds the version of this schema. Times are seconds since 1970. No names,
-- no addresses of machines: whoever takes part is known by digests of random tokens.

CREATE TABLE classroom (
    id         INTEGER PRIMARY KEY,
    code       TEXT    NOT NULL UNIQUE,           -- what students type
    screen     TEXT    NOT NULL,                  -- random key to the projected view, which has no answer before its reveal
    phrase     BLOB    NOT NULL,                  -- scrypt of the words that let a teacher in from another browser
    lesson     TEXT    NOT NULL,                  -- its name
    n_steps    INTEGER NOT NULL,
    dataset    TEXT    NOT NULL,
    class_name TEXT    NOT NULL,                  -- the class of documents that all work on
    step       INTEGER NOT NULL DEFAULT 1,        -- where everybody is held; the last such where they are let go
    together   INTEGER NOT NULL DEFAULT 1 CHECK (together IN (0, 1)),
    shown      TEXT    NOT NULL DEFAULT '',       -- what is projected: label of a question, '' for how to join
    starred    INTEGER,                           -- the participant whose guess is pointed out there
    changed    INTEGER NOT NULL DEFAULT 0,        -- counts what the teacher does: whoever looks on sees that there is news
    created    REAL    NOT NULL
) STRICT;

-- Browsers that may lead a class.
CREATE TABLE teacher (
    classroom  INTEGER NOT NULL REFERENCES classroom (id) ON DELETE CASCADE,
    browser    TEXT    NOT NULL,                  -- digest of its secret
    PRIMARY KEY (classroom, browser)
) STRICT, WITHOUT ROWID;

-- Questions whose answer everybody has been shown.
CREATE TABLE revealed (
    classroom  INTEGER NOT NULL REFERENCES classroom (id) ON DELETE CASCADE,
    question   TEXT    NOT NULL,
    PRIMARY KEY (classroom, question)
) STRICT, WITHOUT ROWID;

CREATE TABLE participant (
    id         INTEGER PRIMARY KEY,
    classroom  INTEGER NOT NULL REFERENCES classroom (id) ON DELETE CASCADE,
    token      TEXT    NOT NULL UNIQUE,           -- digest of the token in their address
    browser    TEXT,                              -- digest of their browser's secret; NULL where it takes no cookies
    nickname   TEXT    NOT NULL,                  -- two words
    step       INTEGER NOT NULL DEFAULT 1,
    seen       REAL    NOT NULL,
    UNIQUE (classroom, nickname)
) STRICT;

CREATE INDEX participant_by_browser ON participant (classroom, browser);

-- One row an answer, written in one statement.
CREATE TABLE answer (
    classroom   INTEGER NOT NULL REFERENCES classroom (id) ON DELETE CASCADE,
    question    TEXT    NOT NULL,
    participant INTEGER NOT NULL REFERENCES participant (id) ON DELETE CASCADE,
    first       TEXT    NOT NULL,                 -- JSON: the first guess, and the last
    guess       TEXT    NOT NULL,
    trials      INTEGER NOT NULL DEFAULT 1,
    seen        INTEGER NOT NULL DEFAULT 0 CHECK (seen IN (0, 1)),  -- its participant was shown the answer, alone
    given       REAL    NOT NULL,
    PRIMARY KEY (classroom, question, participant)
) STRICT, WITHOUT ROWID;

-- Codes and phrases that were wrong, for a while: they are counted, so that nobody finds one by trying.
CREATE TABLE wrong (
    who        TEXT    NOT NULL,
    at         REAL    NOT NULL
) STRICT;

CREATE INDEX wrong_by_time ON wrong (at);
