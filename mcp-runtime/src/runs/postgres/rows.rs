//! The operations on the rows of the database. Each is one statement, because concurrent operations share a connection.

use tokio_postgres::{Row, types::ToSql};

use super::connection::{PostgresConnection, PostgresError};
use crate::runs::{InstanceBeat, RunFilter, RunInsertion, RunLimits, RunRecord, RunStatus};

type SqlParameter<'a> = &'a (dyn ToSql + Sync);

const COLUMNS: &str = "id, tool, action, owner, status, instance, created_at, updated_at, version, details, bytes";

/// Creates the tables, columns and indexes that do not exist, and the function. Tables of an earlier version have no
/// number of bytes; see `RunRecord::bytes`. The lock prevents processes that start
/// at the same time from creating them twice. The details are text, because `jsonb` does not accept all characters of
/// JSON. Runs are inserted by a function, so that the open runs are counted after the function has taken the lock. A
/// single statement would count the runs that existed before it took the lock.
const CREATE: &str = r#"
    SELECT pg_advisory_xact_lock(hashtext('mcp_run'));
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
    ALTER TABLE mcp_run ADD COLUMN IF NOT EXISTS bytes bigint NOT NULL DEFAULT 0;
    UPDATE mcp_run SET bytes = 1024 + coalesce(octet_length(owner), 0) + octet_length(details) WHERE bytes = 0;
    CREATE INDEX IF NOT EXISTS mcp_run_by_time ON mcp_run (tool, created_at, id);
    CREATE INDEX IF NOT EXISTS mcp_run_by_instance ON mcp_run (instance, status);
    CREATE INDEX IF NOT EXISTS mcp_run_by_owner ON mcp_run (tool, owner, status);
    CREATE TABLE IF NOT EXISTS mcp_run_beat (instance text NOT NULL PRIMARY KEY, count bigint NOT NULL);
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
    END $$;"#;

pub(super) async fn create(connection: &PostgresConnection) -> Result<(), PostgresError> {
    Ok(connection.client().await?.batch_execute(CREATE).await?)
}

pub(super) async fn insert(
    connection: &PostgresConnection,
    run: &RunRecord,
    limits: RunLimits,
) -> Result<RunInsertion, PostgresError> {
    let sql = "SELECT mcp_run_insert(ROW($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint, \
               $8::bigint, $9::bigint, $10::text, $11::bigint)::mcp_run, $12, $13, $14, $15)";
    let (created_at, updated_at, version) = (number(run.created_at), number(run.updated_at), number(run.version));
    let (status, details, bytes) = (run.status.as_str(), &*run.details, number(run.bytes));
    let RunLimits { per_owner, total } = limits;
    let (owner_runs, owner_bytes) = (limit(per_owner.runs), number(per_owner.bytes));
    let (total_runs, total_bytes) = (limit(total.runs), number(total.bytes));
    let parameters: [SqlParameter<'_>; 15] = [
        &run.id,
        &run.tool,
        &run.action,
        &run.owner,
        &status,
        &run.instance,
        &created_at,
        &updated_at,
        &version,
        &details,
        &bytes,
        &owner_runs,
        &owner_bytes,
        &total_runs,
        &total_bytes,
    ];
    match connection.client().await?.query_one(sql, &parameters).await?.try_get(0)? {
        "stored" => Ok(RunInsertion::Stored),
        "owner_runs" => Ok(RunInsertion::OwnerRuns),
        "owner_bytes" => Ok(RunInsertion::OwnerBytes),
        "total_runs" => Ok(RunInsertion::TotalRuns),
        "total_bytes" => Ok(RunInsertion::TotalBytes),
        _ => Err(PostgresError::Row("the function `mcp_run_insert` is not that of this version")),
    }
}

pub(super) async fn load(connection: &PostgresConnection, id: &str) -> Result<Option<RunRecord>, PostgresError> {
    let sql = format!("SELECT {COLUMNS} FROM mcp_run WHERE id = $1");
    connection.client().await?.query_opt(&sql, &[&id]).await?.as_ref().map(record).transpose()
}

pub(super) async fn replace(connection: &PostgresConnection, run: &RunRecord) -> Result<bool, PostgresError> {
    let sql = "UPDATE mcp_run SET status = $3, instance = $4, updated_at = $5, details = $6, bytes = $7, \
               version = version + 1 WHERE id = $1 AND version = $2";
    let (version, updated_at) = (number(run.version), number(run.updated_at));
    let (status, details, bytes) = (run.status.as_str(), &*run.details, number(run.bytes));
    let parameters: [SqlParameter<'_>; 7] = [&run.id, &version, &status, &run.instance, &updated_at, &details, &bytes];
    Ok(connection.client().await?.execute(sql, &parameters).await? == 1)
}

pub(super) async fn list(connection: &PostgresConnection, filter: &RunFilter) -> Result<Vec<RunRecord>, PostgresError> {
    // A parameter that is null filters nothing.
    let sql = format!(
        "SELECT {COLUMNS} FROM mcp_run WHERE ($1::text IS NULL OR tool = $1) AND ($2::text IS NULL OR action = $2) \
         AND ($3::text IS NULL OR instance = $3) AND (NOT $4::bool OR owner IS NOT DISTINCT FROM $5::text) \
         AND (cardinality($6::text[]) = 0 OR status = ANY($6)) \
         AND ($7::bigint IS NULL OR (created_at, id) < ($7, $8::text COLLATE \"C\")) \
         ORDER BY created_at DESC, id DESC LIMIT $9"
    );
    let (is_of_owner, owner) = (filter.owner.is_some(), filter.owner.clone().flatten());
    let statuses: Vec<_> = filter.statuses.iter().map(|status| status.as_str()).collect();
    let (created_at, id) = match &filter.after {
        Some((created_at, id)) => (Some(number(*created_at)), Some(&**id)),
        None => (None, None),
    };
    let limit = limit(filter.limit);
    let parameters: [SqlParameter<'_>; 9] =
        [&filter.tool, &filter.action, &filter.instance, &is_of_owner, &owner, &statuses, &created_at, &id, &limit];
    connection.client().await?.query(&sql, &parameters).await?.iter().map(record).collect()
}

pub(super) async fn beat(connection: &PostgresConnection, instance: &str) -> Result<Vec<InstanceBeat>, PostgresError> {
    // The last `SELECT` sees the table as it was before the insert. The row of this instance comes from `own`.
    let sql = "WITH own AS (INSERT INTO mcp_run_beat VALUES ($1, 1) \
               ON CONFLICT (instance) DO UPDATE SET count = mcp_run_beat.count + 1 RETURNING instance, count) \
               SELECT instance, count FROM own \
               UNION ALL SELECT instance, count FROM mcp_run_beat WHERE instance <> $1";
    let rows = connection.client().await?.query(sql, &[&instance]).await?;
    let beat = |row: &Row| -> Result<_, PostgresError> {
        Ok(InstanceBeat { instance: row.try_get(0)?, count: unsigned(row, 1)? })
    };
    rows.iter().map(beat).collect()
}

pub(super) async fn forget(connection: &PostgresConnection, instance: &str) -> Result<(), PostgresError> {
    connection.client().await?.execute("DELETE FROM mcp_run_beat WHERE instance = $1", &[&instance]).await?;
    Ok(())
}

/// `held` ranks a run by the runs of its owner from the newest to this one. See `RunLimits::excess`.
pub(super) async fn remove_ended(
    connection: &PostgresConnection,
    tool: &str,
    before: u64,
    limits: RunLimits,
) -> Result<usize, PostgresError> {
    // A run that ends meanwhile is not seen by the statement, and is kept.
    let sql = "WITH ended AS ( \
                   SELECT id, owner, updated_at, bytes FROM mcp_run \
                   WHERE tool = $1 AND status NOT IN ('working', 'input_required')), \
               held AS ( \
                   SELECT *, row_number() OVER own AS runs_held, sum(bytes) OVER own AS bytes_held \
                   FROM ended WHERE updated_at >= $2 \
                   WINDOW own AS (PARTITION BY owner ORDER BY updated_at DESC, id DESC ROWS UNBOUNDED PRECEDING)), \
               fewest AS ( \
                   SELECT * FROM held WHERE runs_held <= $3 AND bytes_held <= $4::bigint \
                   ORDER BY runs_held, updated_at DESC, id DESC LIMIT $5), \
               smallest AS ( \
                   SELECT id, sum(bytes) OVER ( \
                       ORDER BY bytes_held, updated_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS total \
                   FROM fewest) \
               DELETE FROM mcp_run WHERE id IN ( \
                   SELECT id FROM ended EXCEPT SELECT id FROM smallest WHERE total <= $6::bigint)";
    let RunLimits { per_owner, total } = limits;
    let (before, owner_runs, owner_bytes) = (number(before), limit(per_owner.runs), number(per_owner.bytes));
    let (total_runs, total_bytes) = (limit(total.runs), number(total.bytes));
    let parameters: [SqlParameter<'_>; 6] = [&tool, &before, &owner_runs, &owner_bytes, &total_runs, &total_bytes];
    let removed = connection.client().await?.execute(sql, &parameters).await?;
    Ok(usize::try_from(removed).unwrap_or(usize::MAX))
}

fn record(row: &Row) -> Result<RunRecord, PostgresError> {
    let (status, details): (&str, &str) = (row.try_get(4)?, row.try_get(9)?);
    Ok(RunRecord {
        id: row.try_get(0)?,
        tool: row.try_get(1)?,
        action: row.try_get(2)?,
        owner: row.try_get(3)?,
        status: RunStatus::from_name(status).ok_or(PostgresError::Row("the status of a run is unknown"))?,
        instance: row.try_get(5)?,
        created_at: unsigned(row, 6)?,
        updated_at: unsigned(row, 7)?,
        version: unsigned(row, 8)?,
        details: details.into(),
        bytes: unsigned(row, 10)?,
    })
}

fn limit(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn unsigned(row: &Row, column: usize) -> Result<u64, PostgresError> {
    Ok(row.try_get::<_, i64>(column)?.cast_unsigned())
}
