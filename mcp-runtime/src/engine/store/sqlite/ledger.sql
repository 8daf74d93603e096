-- The tables of format 1: one has a single row for the ledger, the other has a row for each entry.
CREATE TABLE ledger (
    one INTEGER PRIMARY KEY CHECK (one = 1), -- there is one row
    id BLOB NOT NULL,
    last_version INTEGER NOT NULL,
    time INTEGER NOT NULL -- of the last write
) STRICT;
CREATE TABLE entry (
    name TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    expires INTEGER NOT NULL, -- by the time of the ledger, in milliseconds
    value BLOB NOT NULL
) STRICT;
CREATE INDEX entry_by_expiry ON entry (expires);
