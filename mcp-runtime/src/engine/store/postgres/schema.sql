-- The tables and functions that `PostgresStore` needs, for PostgreSQL 12 or newer.
--
-- This script can run any number of times: it creates what is missing. It uses the first schema of the `search_path`.
-- A server that may create tables runs it when it starts. Otherwise an operator runs it (`NAME store migrate`, or
-- `psql -f`), and the user of the server needs no more than this:
--
--     GRANT USAGE ON SCHEMA ... TO ...;
--     GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ... TO ...;
--     GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ... TO ...;
--
-- For those who change this script: programs of the previous version run with the new tables while a deployment is
-- updated. So a function never changes its parameters or its result; a new one gets another name.

BEGIN;
SET LOCAL client_min_messages = warning;
SET LOCAL statement_timeout = 0;
-- Processes that start at the same time create the tables once.
SELECT pg_advisory_xact_lock(hashtext('mcp_store'));

CREATE TABLE IF NOT EXISTS mcp_store (
    one boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one), -- there is one row
    version integer NOT NULL -- of this script
);
DO $$ BEGIN
    IF (SELECT version FROM mcp_store) > 1 THEN
        RAISE EXCEPTION 'the tables belong to a newer version of the program';
    END IF;
    -- In the order in which operations lock them, so that servers that run meanwhile wait and cause no deadlock.
    IF to_regclass(quote_ident(current_schema()) || '.mcp_ledger_slot') IS NOT NULL THEN
        LOCK TABLE mcp_ledger_entry, mcp_ledger, mcp_ledger_slot, mcp_ledger_finished, mcp_run, mcp_run_beat
            IN ACCESS EXCLUSIVE MODE;
    END IF;
END $$;

--- Runs

-- `details` is text, because `jsonb` does not accept all characters of JSON.
CREATE TABLE IF NOT EXISTS mcp_run (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    tool text NOT NULL,
    action text NOT NULL,
    owner text,
    status text NOT NULL,
    instance text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    version bigint NOT NULL,
    details text NOT NULL
);
-- The first tables had no number of bytes.
ALTER TABLE mcp_run ADD COLUMN IF NOT EXISTS bytes bigint NOT NULL DEFAULT 0;
UPDATE mcp_run SET bytes = 1024 + coalesce(octet_length(owner), 0) + octet_length(details) WHERE bytes = 0;
CREATE INDEX IF NOT EXISTS mcp_run_by_time ON mcp_run (tool, created_at, id);
CREATE INDEX IF NOT EXISTS mcp_run_by_instance ON mcp_run (instance, status);
CREATE INDEX IF NOT EXISTS mcp_run_by_owner ON mcp_run (tool, owner, status);
CREATE TABLE IF NOT EXISTS mcp_run_beat (instance text NOT NULL PRIMARY KEY, count bigint NOT NULL);

-- Runs are inserted by a function, so that the open runs are counted after the function has taken the lock. A single
-- statement would count the runs that existed before it took the lock.
DROP FUNCTION IF EXISTS mcp_run_insert(mcp_run, bigint);
CREATE OR REPLACE FUNCTION mcp_run_insert(
    run mcp_run, owner_runs bigint, owner_bytes bigint, total_runs bigint, total_bytes bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    own record;
    total record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('mcp_run:' || run.tool));
    SELECT count(*) AS runs, coalesce(sum(open.bytes), 0) AS bytes INTO total FROM mcp_run AS open
        WHERE open.tool = run.tool AND open.status IN ('working', 'input_required');
    SELECT count(*) AS runs, coalesce(sum(open.bytes), 0) AS bytes INTO own FROM mcp_run AS open
        WHERE open.tool = run.tool AND open.status IN ('working', 'input_required')
            AND open.owner IS NOT DISTINCT FROM run.owner;
    IF own.runs >= owner_runs THEN RETURN 'owner_runs'; END IF;
    IF own.bytes + run.bytes > owner_bytes THEN RETURN 'owner_bytes'; END IF;
    IF total.runs >= total_runs THEN RETURN 'total_runs'; END IF;
    IF total.bytes + run.bytes > total_bytes THEN RETURN 'total_bytes'; END IF;
    INSERT INTO mcp_run SELECT run.*;
    RETURN 'stored';
END $$;

--- The ledger

-- Where the ledger is. If the row is missing, or if it was written at another place, the ledger may have lost entries.
CREATE TABLE IF NOT EXISTS mcp_ledger (
    one boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
    id uuid NOT NULL,
    system text NOT NULL, -- the database cluster
    timeline text NOT NULL, -- changes when a replica takes over, and when a backup is restored
    written_by bigint NOT NULL -- the transaction that wrote this row, which a copy of the row does not have
);

-- The versions of all entries.
CREATE SEQUENCE IF NOT EXISTS mcp_ledger_version;

CREATE TABLE IF NOT EXISTS mcp_ledger_entry (
    ledger uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    expires bigint NOT NULL, -- by the time of the ledger, in milliseconds
    shrinks bigint, -- when a finished call becomes a bit in `mcp_ledger_finished`
    value bytea NOT NULL,
    PRIMARY KEY (ledger, name)
);
CREATE INDEX IF NOT EXISTS mcp_ledger_entry_by_expiry ON mcp_ledger_entry (expires);
CREATE INDEX IF NOT EXISTS mcp_ledger_entry_by_shrinking ON mcp_ledger_entry (shrinks) WHERE shrinks IS NOT NULL;

-- Finished calls whose replies are no longer kept. A row has a bit for each of 4,096 calls.
CREATE TABLE IF NOT EXISTS mcp_ledger_finished (
    ledger uuid NOT NULL,
    calls bigint NOT NULL,
    marks bytea NOT NULL,
    expires bigint NOT NULL, -- with the last of these calls
    PRIMARY KEY (ledger, calls)
);
CREATE INDEX IF NOT EXISTS mcp_ledger_finished_by_expiry ON mcp_ledger_finished (expires);

-- The time of the last write, and the bytes of all entries. There are several rows, so that writers rarely wait for each
-- other. The time of the ledger is the latest one, and its size is their sum.
CREATE TABLE IF NOT EXISTS mcp_ledger_slot (
    slot integer NOT NULL PRIMARY KEY,
    written_at bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0
);

-- Returns where this database is. With `fsync = off`, a restart can lose what was written, so it is another place.
CREATE OR REPLACE FUNCTION mcp_ledger_place(OUT system text, OUT timeline text) LANGUAGE sql AS $$
    SELECT (SELECT control.system_identifier FROM pg_control_system() AS control)::text,
        left(pg_walfile_name(pg_current_wal_lsn()), 8) || CASE current_setting('fsync')
            WHEN 'on' THEN '' ELSE ' ' || extract(epoch FROM pg_postmaster_start_time()) END;
$$;

-- Returns the id of the ledger. The id is a new one if entries may be lost: if there is no id, if its row was copied to
-- this place, if another place has taken over that is not said to be durable, or if the last write of the caller to the
-- same ledger is missing.
CREATE OR REPLACE FUNCTION mcp_ledger_id(new_id uuid, seen_id uuid, own_write bigint, is_durable boolean)
RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    place record;
    known record;
BEGIN
    LOCK TABLE mcp_ledger IN SHARE ROW EXCLUSIVE MODE;
    SELECT * INTO place FROM mcp_ledger_place();
    SELECT l.id, l.timeline INTO known FROM mcp_ledger AS l
        WHERE l.system = place.system AND l.xmin::text::bigint = l.written_by % 4294967296
            AND (l.id IS DISTINCT FROM seen_id OR own_write <= (SELECT max(s.written_at) FROM mcp_ledger_slot AS s));
    IF known.timeline = place.timeline THEN RETURN known.id; END IF;
    IF known.id IS NOT NULL AND is_durable THEN new_id := known.id; END IF;
    DELETE FROM mcp_ledger;
    INSERT INTO mcp_ledger (id, system, timeline, written_by)
        VALUES (new_id, place.system, place.timeline, txid_current());
    INSERT INTO mcp_ledger_slot (slot) SELECT generate_series(0, 31) ON CONFLICT DO NOTHING;
    UPDATE mcp_ledger_slot SET bytes = CASE WHEN slot > 0 THEN 0 ELSE
        (SELECT coalesce(sum(mcp_ledger_size(name, value)), 0) FROM mcp_ledger_entry) END;
    RETURN new_id;
END $$;

-- Returns why an operation on this ledger cannot run, or null if it can. `own_write` is when the caller last wrote to the
-- ledger, and `last_write` is when any caller did, as far as the database knows.
CREATE OR REPLACE FUNCTION mcp_ledger_refuses(of_ledger uuid, own_write bigint, last_write bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    place record;
    known record;
BEGIN
    SELECT * INTO place FROM mcp_ledger_place();
    SELECT l.id, l.system = place.system AND l.timeline = place.timeline
            AND l.xmin::text::bigint = l.written_by % 4294967296 AS is_here INTO known FROM mcp_ledger AS l;
    IF known.is_here IS NOT TRUE THEN RETURN 'moved'; END IF;
    IF known.id <> of_ledger THEN RETURN 'replaced'; END IF;
    IF own_write > last_write THEN RETURN 'moved'; END IF;
    RETURN NULL;
END $$;

-- Returns the time of the ledger, when it was last written, and how many bytes its entries have.
CREATE OR REPLACE FUNCTION mcp_ledger_now(
    seen_time bigint, OUT ledger_time bigint, OUT last_write bigint, OUT used bigint
) LANGUAGE sql AS $$
    SELECT greatest(max(s.written_at), seen_time, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint),
        coalesce(max(s.written_at), 0), coalesce(sum(s.bytes), 0)::bigint FROM mcp_ledger_slot AS s;
$$;

-- Stores the time of a write.
CREATE OR REPLACE FUNCTION mcp_ledger_wrote(ledger_time bigint, change bigint) RETURNS void LANGUAGE sql AS $$
    UPDATE mcp_ledger_slot SET written_at = greatest(written_at, ledger_time), bytes = bytes + change
        WHERE slot = pg_backend_pid() % 32;
$$;

-- Returns about how many bytes an entry takes in its table and in the indexes.
CREATE OR REPLACE FUNCTION mcp_ledger_size(name text, value bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT 256::bigint + octet_length(name) + octet_length(value);
$$;

-- Returns the position of a call in `mcp_ledger_finished`, or nulls if this is not the name of a call.
CREATE OR REPLACE FUNCTION mcp_ledger_call(name text, OUT calls bigint, OUT mark integer)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    number bit(64);
BEGIN
    IF name ~ '^[0-9a-f]{32}$' THEN
        number := ('x' || left(name, 16))::bit(64);
        calls := (number >> 12)::bigint;
        mark := (number << 52 >> 52)::bigint;
    END IF;
END $$;

-- Returns whether this is a finished call whose reply is no longer kept.
CREATE OR REPLACE FUNCTION mcp_ledger_is_finished(of_ledger uuid, of_name text, ledger_time bigint)
RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM mcp_ledger_call(of_name) AS call JOIN mcp_ledger_finished AS f USING (calls)
        WHERE f.ledger = of_ledger AND ledger_time < f.expires AND get_bit(f.marks, call.mark) = 1);
$$;

-- Removes up to `most` expired entries, and turns up to `most` finished calls into bits: those whose replies need not be
-- kept any longer, and the oldest ones until `wanted` bytes are free. Returns how many bytes are free now.
CREATE OR REPLACE FUNCTION mcp_ledger_sweep(ledger_time bigint, most integer, wanted bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    freed bigint;
    due record;
    place record;
BEGIN
    -- Entries that another transaction is writing are left to later writes, so that no transaction waits here.
    WITH gone AS (
        DELETE FROM mcp_ledger_entry WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM mcp_ledger_entry WHERE expires <= ledger_time
            ORDER BY expires LIMIT most FOR UPDATE SKIP LOCKED))
        RETURNING mcp_ledger_size(name, value) AS size)
    SELECT coalesce(sum(size), 0) INTO freed FROM gone;
    -- One transaction at a time changes the bits.
    IF NOT pg_try_advisory_xact_lock('mcp_ledger_finished'::regclass::oid::bigint) THEN RETURN freed; END IF;
    FOR due IN
        SELECT ledger, name, expires, shrinks, mcp_ledger_size(name, value) AS size FROM mcp_ledger_entry
        WHERE shrinks <= CASE WHEN freed < wanted THEN 9223372036854775807 ELSE ledger_time END
        ORDER BY shrinks LIMIT most FOR UPDATE SKIP LOCKED
    LOOP
        EXIT WHEN due.shrinks > ledger_time AND freed >= wanted;
        place := mcp_ledger_call(due.name);
        UPDATE mcp_ledger_finished AS f
            SET marks = set_bit(f.marks, place.mark, 1), expires = greatest(f.expires, due.expires)
            WHERE f.ledger = due.ledger AND f.calls = place.calls;
        IF NOT FOUND THEN
            INSERT INTO mcp_ledger_finished VALUES (
                due.ledger, place.calls, set_bit(decode(repeat('00', 512), 'hex'), place.mark, 1), due.expires);
        END IF;
        DELETE FROM mcp_ledger_entry WHERE ledger = due.ledger AND name = due.name;
        freed := freed + due.size;
    END LOOP;
    DELETE FROM mcp_ledger_finished WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM mcp_ledger_finished WHERE expires <= ledger_time ORDER BY expires LIMIT most));
    RETURN freed;
END $$;

-- Reads an entry.
CREATE OR REPLACE FUNCTION mcp_ledger_load(
    of_ledger uuid, of_name text, seen_time bigint, own_write bigint,
    OUT said text, OUT ledger_time bigint, OUT found_version bigint, OUT found_value bytea
) LANGUAGE plpgsql AS $$
DECLARE
    present record;
    clock record;
BEGIN
    -- Read before the time: an entry that is not found was removed at a time that is stored by now.
    SELECT e.version, e.value, e.expires INTO present FROM mcp_ledger_entry AS e
        WHERE e.ledger = of_ledger AND e.name = of_name;
    SELECT * INTO clock FROM mcp_ledger_now(seen_time);
    ledger_time := clock.ledger_time;
    said := mcp_ledger_refuses(of_ledger, own_write, clock.last_write);
    IF said IS NOT NULL THEN RETURN; END IF;
    IF ledger_time < present.expires THEN
        said := 'entry'; found_version := present.version; found_value := present.value;
    ELSIF mcp_ledger_is_finished(of_ledger, of_name, ledger_time) THEN
        said := 'entry'; found_version := 0; found_value := '';
    ELSE
        said := 'none';
    END IF;
END $$;

-- Writes an entry if its version is still `expected`, which is null if there must be no entry. `keep_reply` is null
-- unless this is the last value of the entry. New entries can use half of `most_bytes`.
CREATE OR REPLACE FUNCTION mcp_ledger_swap(
    of_ledger uuid, of_name text, seen_time bigint, own_write bigint,
    expected bigint, new_value bytea, keep bigint, before bigint, keep_reply bigint, most_bytes bigint,
    OUT said text, OUT ledger_time bigint, OUT found_version bigint, OUT found_value bytea
) LANGUAGE plpgsql AS $$
DECLARE
    present mcp_ledger_entry;
    is_there boolean;
    clock record;
    most bigint;
    change bigint;
    freed bigint := 0;
    until bigint;
    shrink bigint;
BEGIN
    LOOP
        SELECT * INTO present FROM mcp_ledger_entry AS e WHERE e.ledger = of_ledger AND e.name = of_name FOR UPDATE;
        is_there := FOUND;
        -- Read while the entry is locked, so that it is not earlier than the last write of the entry.
        SELECT * INTO clock FROM mcp_ledger_now(seen_time);
        ledger_time := clock.ledger_time; found_version := NULL; found_value := NULL;
        said := mcp_ledger_refuses(of_ledger, own_write, clock.last_write);
        IF said IS NOT NULL THEN EXIT; END IF;
        IF before <= ledger_time THEN said := 'late'; EXIT; END IF;
        IF ledger_time < present.expires THEN
            found_version := present.version; found_value := present.value;
        ELSIF mcp_ledger_is_finished(of_ledger, of_name, ledger_time) THEN
            found_version := 0; found_value := '';
        END IF;
        IF found_version IS DISTINCT FROM expected THEN
            said := CASE WHEN found_version IS NULL THEN 'none' ELSE 'entry' END;
            EXIT;
        END IF;
        change := mcp_ledger_size(of_name, new_value);
        IF is_there THEN change := change - mcp_ledger_size(present.name, present.value); END IF;
        most := CASE WHEN found_version IS NULL THEN most_bytes / 2 ELSE most_bytes END;
        IF (found_version IS NULL OR change > 0) AND clock.used - freed + change > most THEN
            freed := freed + mcp_ledger_sweep(ledger_time, 1024, clock.used - freed + change - most);
            IF clock.used - freed + change > most THEN said := 'full'; EXIT; END IF;
        END IF;
        found_version := nextval('mcp_ledger_version'); found_value := NULL;
        until := greatest(ledger_time + keep, before);
        IF keep_reply IS NOT NULL AND (mcp_ledger_call(of_name)).calls IS NOT NULL THEN
            shrink := ledger_time + keep_reply;
        END IF;
        IF is_there THEN
            UPDATE mcp_ledger_entry AS e
                SET version = found_version, value = new_value, expires = greatest(e.expires, until), shrinks = shrink
                WHERE e.ledger = of_ledger AND e.name = of_name;
        ELSE
            INSERT INTO mcp_ledger_entry AS e VALUES (of_ledger, of_name, found_version, until, shrink, new_value)
                ON CONFLICT DO NOTHING;
        END IF;
        -- Another transaction has inserted the entry, or this one has removed it, because it had expired.
        CONTINUE WHEN NOT FOUND;
        said := 'done';
        freed := freed - change;
        freed := freed + mcp_ledger_sweep(ledger_time, 8, clock.used - freed - most_bytes / 4);
        EXIT;
    END LOOP;
    IF said = 'done' OR freed <> 0 THEN PERFORM mcp_ledger_wrote(ledger_time, -freed); END IF;
END $$;

-- An emptied table is a lost one.
CREATE OR REPLACE FUNCTION mcp_ledger_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM mcp_ledger;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS mcp_ledger_emptied ON mcp_ledger_entry;
CREATE TRIGGER mcp_ledger_emptied BEFORE TRUNCATE ON mcp_ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION mcp_ledger_emptied();
DROP TRIGGER IF EXISTS mcp_ledger_emptied ON mcp_ledger_finished;
CREATE TRIGGER mcp_ledger_emptied BEFORE TRUNCATE ON mcp_ledger_finished
    FOR EACH STATEMENT EXECUTE FUNCTION mcp_ledger_emptied();
DROP TRIGGER IF EXISTS mcp_ledger_emptied ON mcp_ledger_slot;
CREATE TRIGGER mcp_ledger_emptied BEFORE TRUNCATE ON mcp_ledger_slot
    FOR EACH STATEMENT EXECUTE FUNCTION mcp_ledger_emptied();

INSERT INTO mcp_store (version) VALUES (1) ON CONFLICT (one) DO UPDATE SET version = excluded.version;
COMMIT;
