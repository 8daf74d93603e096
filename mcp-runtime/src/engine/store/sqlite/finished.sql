-- The tables of format 2: an index of evictable entries, oldest first, and a row for each group of finished calls.
ALTER TABLE entry ADD COLUMN finished INTEGER NOT NULL DEFAULT 0; -- whether it can be evicted
CREATE INDEX entry_by_end ON entry (version) WHERE finished;
CREATE TABLE finished (
    calls INTEGER PRIMARY KEY, -- the group
    marks BLOB NOT NULL,
    expires INTEGER NOT NULL -- with the last call of the group
) STRICT;
CREATE INDEX finished_by_expiry ON finished (expires);
