-- What has been trained: one SQLite file, to be read with any SQLite. WAL mode, so that pages that read never wait for a
-- training that writes. PRAGMA user_version holds the version of this schema. Times are seconds since 1970.

-- Server processes. A training whose process is gone has died with it: on the same host its process id tells, with the
-- time at which the process was born, because ids are used again; elsewhere the heartbeat does.
CREATE TABLE server (
    id         INTEGER PRIMARY KEY,
    host       TEXT    NOT NULL,
    pid        INTEGER NOT NULL,
    born       TEXT    NOT NULL,             -- empty where the system does not tell
    started    REAL    NOT NULL,
    heartbeat  REAL    NOT NULL
) STRICT;

-- What was learned on: a class of a corpus with its selected terms. Many training runs share one.
CREATE TABLE problem (
    fingerprint  TEXT PRIMARY KEY,           -- of the binary task: content, class, selection and split
    corpus       TEXT    NOT NULL,
    corpus_title TEXT    NOT NULL,
    class_name   TEXT    NOT NULL,
    class_title  TEXT    NOT NULL,
    ratio        REAL,                       -- share of the vocabulary; NULL where an imported file does not say
    prevalence   REAL    NOT NULL,
    n_documents  INTEGER NOT NULL,
    n_terms      INTEGER NOT NULL,
    terms        BLOB    NOT NULL            -- safetensors: the terms and their tp, fp, fn, tn
) STRICT;

-- A training, a row from the moment it is asked for. Its end, its weighting and the last of its curve are written in one
-- transaction; what it was before that it was at the last point of its curve.
CREATE TABLE training (
    id          INTEGER PRIMARY KEY,         -- order of asking
    token       TEXT    NOT NULL UNIQUE,     -- names it in addresses; cannot be guessed
    identity    TEXT,                        -- SHA-256 of all that determines the result; NULL for an imported file
    problem     TEXT    NOT NULL REFERENCES problem (fingerprint),
    origin      TEXT    NOT NULL DEFAULT 'computed' CHECK (origin IN ('computed', 'imported')),
    variant     TEXT    NOT NULL,
    parameters  TEXT    NOT NULL,            -- JSON: all of LearnedWeighting's
    changed     TEXT    NOT NULL,            -- JSON: those that are not the paper's, as they are shown
    seed        INTEGER NOT NULL,
    versions    TEXT    NOT NULL,            -- JSON: libraries and our own method code
    server      INTEGER REFERENCES server (id),
    status      TEXT    NOT NULL CHECK (status IN ('queued', 'running', 'done', 'stopped', 'failed', 'died')),
    asked       REAL    NOT NULL,
    started     REAL,
    finished    REAL,
    seconds     REAL    NOT NULL DEFAULT 0,  -- of training, without waiting and pauses
    steps       INTEGER NOT NULL DEFAULT 0,
    best_step   INTEGER,
    best_f1     REAL,                        -- on validation, at best_step
    stop_code   TEXT    NOT NULL DEFAULT '',
    stop_reason TEXT    NOT NULL DEFAULT '', -- a sentence
    error       TEXT    NOT NULL DEFAULT '', -- a sentence, where it failed or died
    engine      TEXT    NOT NULL DEFAULT '',
    device      TEXT    NOT NULL DEFAULT '',
    CHECK ((status IN ('queued', 'running')) = (finished IS NULL)),
    CHECK (status <> 'running' OR started IS NOT NULL)
) STRICT;

CREATE INDEX training_by_identity ON training (identity, status);
CREATE INDEX training_by_problem ON training (problem);
CREATE INDEX training_unfinished ON training (server) WHERE finished IS NULL;

-- The curve: a point at every validation.
CREATE TABLE point (
    training INTEGER NOT NULL REFERENCES training (id) ON DELETE CASCADE,
    step     INTEGER NOT NULL,
    loss     REAL,                           -- mean training loss since the point before; NULL for "not a number"
    f1       REAL,                           -- on validation
    PRIMARY KEY (training, step)
) STRICT, WITHOUT ROWID;

-- What it had learned at some steps, evenly spaced over the logarithm of steps; their number and bytes are bounded.
CREATE TABLE snapshot (
    training INTEGER NOT NULL REFERENCES training (id) ON DELETE CASCADE,
    step     INTEGER NOT NULL,
    loss     REAL,
    f1       REAL,
    arrays   BLOB    NOT NULL,               -- safetensors, float32: the network of a local variant, else cd of the terms
    PRIMARY KEY (training, step)
) STRICT;

-- The result, at the best step.
CREATE TABLE weighting (
    training INTEGER PRIMARY KEY REFERENCES training (id) ON DELETE CASCADE,
    file     BLOB    NOT NULL                -- what LearnedWeighting.save writes
) STRICT;

-- Whose it is. The same training may be several people's, each with a name of their own for it.
CREATE TABLE holding (
    owner    TEXT    NOT NULL,               -- digest of a browser's secret
    training INTEGER NOT NULL REFERENCES training (id) ON DELETE CASCADE,
    asked    REAL    NOT NULL,
    name     TEXT    NOT NULL DEFAULT '',
    pinned   INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    deleted  REAL,                           -- when its owner deleted it; gone for good a while later
    PRIMARY KEY (owner, training)
) STRICT, WITHOUT ROWID;

CREATE INDEX holding_by_training ON holding (training);
