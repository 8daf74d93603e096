//! The runs in the database. Each operation is one statement, because concurrent operations can share a connection.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_postgres::{Client, Row, types::ToSql};

use super::{PostgresStore, connection::PostgresConnections, error::PostgresProblem};
use crate::engine::{
    runs::{
        InstanceBeat, RunChanges, RunFilter, RunInsertion, RunLimits, RunRecord, RunStatus, RunStore, RunStoreFuture,
    },
    store::{
        listener::report,
        sql::{self, COLUMNS, number},
    },
};

type SqlParameter<'a> = &'a (dyn ToSql + Sync);

impl RunStore for PostgresStore {
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        self.run(move |client| insert(client, run, limits))
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        self.run(move |client| async move {
            let sql = format!("SELECT {COLUMNS} FROM mcp_run WHERE id = $1");
            client.query_opt(&sql, &[&id]).await?.as_ref().map(record).transpose()
        })
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        self.run(move |client| async move {
            // The transaction that writes also notifies, so that no notification comes before the write.
            let sql = "WITH written AS ( \
                           UPDATE mcp_run SET status = $3, instance = $4, updated_at = $5, details = $6, bytes = $7, \
                           version = version + 1 WHERE id = $1 AND version = $2 RETURNING id, version) \
                       SELECT pg_notify('mcp_run', version || ' ' || left(id, 1000)) FROM written";
            let (version, updated_at) = (number(run.version), number(run.updated_at));
            let (status, details, bytes) = (run.status.as_str(), &*run.details, number(run.bytes));
            let parameters: [SqlParameter<'_>; 7] =
                [&run.id, &version, &status, &run.instance, &updated_at, &details, &bytes];
            Ok(client.query_opt(sql, &parameters).await?.is_some())
        })
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        self.run(move |client| async move {
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
            let limit = number(filter.limit);
            let parameters: [SqlParameter<'_>; 9] =
                [&filter.tool, &filter.action, &filter.instance, &is_of_owner, &owner, &statuses, &created_at, &id, &limit];
            client.query(&sql, &parameters).await?.iter().map(record).collect()
        })
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        self.run(move |client| async move {
            // The last `SELECT` sees the table as it was before the insert. The row of this instance comes from `own`.
            let sql = "WITH own AS (INSERT INTO mcp_run_beat VALUES ($1, 1) \
                       ON CONFLICT (instance) DO UPDATE SET count = mcp_run_beat.count + 1 RETURNING instance, count) \
                       SELECT instance, count FROM own \
                       UNION ALL SELECT instance, count FROM mcp_run_beat WHERE instance <> $1";
            let rows = client.query(sql, &[&instance]).await?;
            let beat = |row: &Row| -> Result<_, PostgresProblem> {
                Ok(InstanceBeat { instance: row.try_get(0)?, count: unsigned(row, 1)? })
            };
            rows.iter().map(beat).collect()
        })
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        self.run(move |client| async move {
            client.execute("DELETE FROM mcp_run_beat WHERE instance = $1", &[&instance]).await?;
            Ok(())
        })
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        self.run(move |client| async move {
            let RunLimits { per_owner, total } = limits;
            let (before, owner_runs, owner_bytes) = (number(before), number(per_owner.runs), number(per_owner.bytes));
            let (total_runs, total_bytes) = (number(total.runs), number(total.bytes));
            let parameters: [SqlParameter<'_>; 6] =
                [&tool, &before, &owner_runs, &owner_bytes, &total_runs, &total_bytes];
            let removed = client.execute(&sql::remove_ended("mcp_run"), &parameters).await?;
            Ok(usize::try_from(removed).unwrap_or(usize::MAX))
        })
    }

    fn changes(&self) -> Option<&RunChanges> {
        let connections = Arc::clone(&self.0.connections);
        Some(self.0.listener.changes(move |changes| listen(Arc::clone(&connections), changes)))
    }
}

impl PostgresStore {
    fn run<'a, T, F>(&'a self, operation: impl Fn(Arc<Client>) -> F + Send + Sync + 'a) -> RunStoreFuture<'a, T>
    where
        T: Send + 'a,
        F: Future<Output = Result<T, PostgresProblem>> + Send + 'a,
    {
        Box::pin(async move { Ok(self.0.connections.run(operation).await?) })
    }
}

async fn insert(client: Arc<Client>, run: &RunRecord, limits: RunLimits) -> Result<RunInsertion, PostgresProblem> {
    let sql = "SELECT mcp_run_insert(ROW($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint, \
               $8::bigint, $9::bigint, $10::text, $11::bigint)::mcp_run, $12, $13, $14, $15)";
    let (created_at, updated_at, version) = (number(run.created_at), number(run.updated_at), number(run.version));
    let (status, details, bytes) = (run.status.as_str(), &*run.details, number(run.bytes));
    let RunLimits { per_owner, total } = limits;
    let (owner_runs, owner_bytes) = (number(per_owner.runs), number(per_owner.bytes));
    let (total_runs, total_bytes) = (number(total.runs), number(total.bytes));
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
    let insertion = RunInsertion::from_name(client.query_one(sql, &parameters).await?.try_get(0)?);
    insertion.ok_or(PostgresProblem::Row("the function `mcp_run_insert` is not that of this version"))
}

fn record(row: &Row) -> Result<RunRecord, PostgresProblem> {
    let (status, details): (&str, &str) = (row.try_get(4)?, row.try_get(9)?);
    Ok(RunRecord {
        id: row.try_get(0)?,
        tool: row.try_get(1)?,
        action: row.try_get(2)?,
        owner: row.try_get(3)?,
        status: RunStatus::from_name(status).ok_or(PostgresProblem::Row("the status of a run is unknown"))?,
        instance: row.try_get(5)?,
        created_at: unsigned(row, 6)?,
        updated_at: unsigned(row, 7)?,
        version: unsigned(row, 8)?,
        details: details.into(),
        bytes: unsigned(row, 10)?,
    })
}

fn unsigned(row: &Row, column: usize) -> Result<u64, PostgresProblem> {
    Ok(row.try_get::<_, i64>(column)?.cast_unsigned())
}

/// Listens on a connection of its own. Each write sends a notification.
async fn listen(connections: Arc<PostgresConnections>, changes: RunChanges) -> Result<(), String> {
    let (notified, mut notifications) = mpsc::unbounded_channel();
    let _client = connections.listening(notified, "LISTEN mcp_run").await.map_err(|error| error.to_string())?;
    changes.any_written();
    while let Some(notification) = notifications.recv().await {
        report(&changes, notification.payload());
    }
    Ok(())
}
