-- The store of studies: one SQLite file, to be read with any SQLite. Opened in WAL mode, so that readers (the study page,
-- `status`, `export`) never wait for a writer. PRAGMA user_version holds the version of this schema.

-- Who computes: one row a process (or thread) that has claimed cells. Its heartbeat says that it still lives; on the
-- same host its process id does, with the time at which the process was born, because ids are used again.
CREATE TABLE runner (
    id         INTEGER PRIMARY KEY,
    host       TEXT    NOT NULL,
    pid        INTEGER NOT NULL,
    born       TEXT    NOT NULL,            -- empty where the system does not tell
    started    REAL    NOT NULL,            -- seconds since 1970, as all times here
    heartbeat  REAL    NOT NULL
) STRICT;

-- What is to be computed. A cell is a row from the moment it is planned, and stays one: `waiting` until a runner claims
-- it, `claimed` until that runner says what became of it, then `done` or `failed`. A claim whose runner is dead goes
-- back to `waiting`.
CREATE TABLE cell (
    position   INTEGER PRIMARY KEY,         -- order of planning, and of computing
    key        TEXT    NOT NULL UNIQUE,     -- SHA-256 of `json`: the same cell is never here twice
    share      TEXT    NOT NULL,            -- cells of equal share differ in the classifier only and are claimed together
    json       TEXT    NOT NULL,            -- the whole cell, canonical: what its key is made of
    corpus     TEXT    NOT NULL,            -- these seven repeat parts of `json`, to be asked for
    class_name TEXT    NOT NULL,
    weighting  TEXT    NOT NULL,
    learner    TEXT    NOT NULL,
    grid       TEXT    NOT NULL,
    seed       INTEGER NOT NULL,
    settings   TEXT    NOT NULL,            -- digest of all that a table's figures must have in common (no versions)
    state      TEXT    NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'claimed', 'done', 'failed')),
    runner     INTEGER REFERENCES runner (id),
    claimed    REAL,
    finished   REAL,
    deaths     INTEGER NOT NULL DEFAULT 0,  -- times that a worker process died while it had this cell
    error      TEXT    NOT NULL DEFAULT '', -- of a failed cell: a sentence, or a traceback's end
    CHECK ((state = 'claimed') = (runner IS NOT NULL)),
    CHECK ((state IN ('done', 'failed')) = (finished IS NOT NULL)),
    CHECK ((state = 'failed') = (error <> ''))
) STRICT;

CREATE INDEX cell_by_state ON cell (state, deaths, position);
CREATE INDEX cell_by_share ON cell (share, state);
CREATE INDEX cell_by_runner ON cell (runner) WHERE runner IS NOT NULL;

-- What came out. The primary key lets a cell have one result; it is written in the transaction that makes the cell done.
CREATE TABLE result (
    key               TEXT PRIMARY KEY REFERENCES cell (key),
    tp                INTEGER NOT NULL CHECK (tp >= 0),  -- test documents
    fp                INTEGER NOT NULL CHECK (fp >= 0),
    fn                INTEGER NOT NULL CHECK (fn >= 0),
    tn                INTEGER NOT NULL CHECK (tn >= 0),
    validation_f1     REAL    NOT NULL,                  -- of the setting that was chosen
    parameters        TEXT    NOT NULL,                  -- that setting, JSON
    warnings          TEXT    NOT NULL,                  -- sentences, a JSON list
    seconds           REAL    NOT NULL,                  -- tuning, refitting and testing the learner
    weighting_seconds REAL    NOT NULL,                  -- the vectors, which all learners of the cell's share used
    host              TEXT    NOT NULL,                  -- where it was recorded
    without_terms     TEXT    NOT NULL DEFAULT '',       -- documents without a known term, JSON; '' where not known
    predicted         TEXT    NOT NULL DEFAULT ''        -- rows of test documents predicted positive, JSON; '' likewise
) STRICT, WITHOUT ROWID;
