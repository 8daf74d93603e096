-- The tables of format 3, for runs.
CREATE TABLE run (
    id TEXT NOT NULL PRIMARY KEY,
    tool TEXT NOT NULL,
    action TEXT NOT NULL,
    owner TEXT,
    status TEXT NOT NULL,
    instance TEXT NOT NULL,
    created_at INTEGER NOT NULL, -- milliseconds since 1970
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    details TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX run_by_time ON run (tool, created_at, id);
CREATE INDEX run_by_instance ON run (instance, status);
-- Has all that the limits need, so that large records are not read.
CREATE INDEX run_by_status ON run (tool, status, owner, updated_at, id, bytes);
CREATE TABLE beat (
    instance TEXT NOT NULL PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT;
-- The last writes of runs, for the other processes.
CREATE TABLE written_run (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE TRIGGER run_written AFTER UPDATE ON run BEGIN
    INSERT INTO written_run (id, version) VALUES (new.id, new.version);
    DELETE FROM written_run WHERE number <= last_insert_rowid() - 256;
END;
