//! The operations on the rows of the database. Each is one statement, because concurrent operations share a connection.

use tokio_postgres::{Row, types::ToSql};

use super::connection::{PostgresConnection, PostgresError};
use crate::runs::{InstanceBeat, RunFilter, RunRecord, RunStatus};

type SqlParameter<'a> = &'a (dyn ToSql + Sync);

const COLUMNS: &str = "id, tool, action, owner, status, instance, created_at, updated_at, version, details";

/// Creates the tables and indexes that do not exist, and the function. The lock prevents processes that start at the
/// same time from creating them twice. The details are text, because `jsonb` does not accept all characters of JSON.
/// Runs are inserted by a function, so that the open runs are counted after the function has taken the lock. A single
/// statement would count the runs that existed before it took the lock.
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
    CREATE INDEX IF NOT EXISTS mcp_run_by_time ON mcp_run (tool, created_at, id);
    CREATE INDEX IF NOT EXISTS mcp_run_by_instance ON mcp_run (instance, status);
    CREATE INDEX IF NOT EXISTS mcp_run_by_owner ON mcp_run (tool, owner, status);
    CREATE TABLE IF NOT EXISTS mcp_run_beat (instance text NOT NULL PRIMARY KEY, count bigint NOT NULL);
    CREATE OR REPLACE FUNCTION mcp_run_insert(run mcp_run, most_open bigint) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('mcp_run:' || run.tool || ':' || coalesce(run.owner, '')));
        IF (SELECT count(*) FROM mcp_run AS other WHERE other.tool = run.tool
                AND other.owner IS NOT DISTINCT FROM run.owner
                AND other.status IN ('working', 'input_required')) >= most_open THEN
            RETURN false;
        END IF;
        INSERT INTO mcp_run SELECT run.*;
        RETURN true;
    END $$;"#;

pub(super) async fn create(connection: &PostgresConnection) -> Result<(), PostgresError> {
    Ok(connection.client().await?.batch_execute(CREATE).await?)
}

pub(super) async fn insert(
    connection: &PostgresConnection,
    run: &RunRecord,
    most_open: usize,
) -> Result<bool, PostgresError> {
    let sql = "SELECT mcp_run_insert(ROW($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint, \
               $8::bigint, $9::bigint, $10::text)::mcp_run, $11)";
    let (created_at, updated_at, version) = (number(run.created_at), number(run.updated_at), number(run.version));
    let (status, details) = (run.status.as_str(), run.details.to_string());
    let most_open = i64::try_from(most_open).unwrap_or(i64::MAX);
    let parameters: [SqlParameter<'_>; 11] = [
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
        &most_open,
    ];
    Ok(connection.client().await?.query_one(sql, &parameters).await?.try_get(0)?)
}

pub(super) async fn load(connection: &PostgresConnection, id: &str) -> Result<Option<RunRecord>, PostgresError> {
    let sql = format!("SELECT {COLUMNS} FROM mcp_run WHERE id = $1");
    connection.client().await?.query_opt(&sql, &[&id]).await?.as_ref().map(record).transpose()
}

pub(super) async fn replace(connection: &PostgresConnection, run: &RunRecord) -> Result<bool, PostgresError> {
    let sql = "UPDATE mcp_run SET status = $3, instance = $4, updated_at = $5, details = $6, version = version + 1 \
               WHERE id = $1 AND version = $2";
    let (version, updated_at) = (number(run.version), number(run.updated_at));
    let (status, details) = (run.status.as_str(), run.details.to_string());
    let parameters: [SqlParameter<'_>; 6] = [&run.id, &version, &status, &run.instance, &updated_at, &details];
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
    let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
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

pub(super) async fn remove_ended(
    connection: &PostgresConnection,
    tool: &str,
    before: u64,
    keep: usize,
) -> Result<usize, PostgresError> {
    let sql = "DELETE FROM mcp_run WHERE tool = $1 AND status NOT IN ('working', 'input_required') \
               AND (updated_at < $2 OR id IN (SELECT id FROM mcp_run WHERE tool = $1 \
                   AND status NOT IN ('working', 'input_required') ORDER BY created_at DESC, id DESC OFFSET $3))";
    let (before, keep) = (number(before), i64::try_from(keep).unwrap_or(i64::MAX));
    let removed = connection.client().await?.execute(sql, &[&tool, &before, &keep]).await?;
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
        details: serde_json::from_str(details).map_err(|_| PostgresError::Row("the details of a run are not JSON"))?,
    })
}

fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn unsigned(row: &Row, column: usize) -> Result<u64, PostgresError> {
    Ok(row.try_get::<_, i64>(column)?.cast_unsigned())
}
