//! The runs in the file.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use rusqlite::{
    Connection, OptionalExtension as _, Result, Row, ToSql, TransactionBehavior, params, params_from_iter, types::Type,
};
use tokio::time::sleep;

use super::{SharedWorker, SqliteStore, error::of_runs};
use crate::engine::{
    runs::{
        InstanceBeat, RunChanges, RunFilter, RunInsertion, RunLimits, RunQuota, RunRecord, RunStatus, RunStore,
        RunStoreFuture,
    },
    store::sql::{self, COLUMNS, number},
};

/// How often a process reads what other processes have written.
const POLL: Duration = Duration::from_millis(250);
const IS_OPEN: &str = "status IN ('working', 'input_required')";

impl RunStore for SqliteStore {
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        let run = run.clone();
        self.operate(move |connection| insert(connection, &run, limits))
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        let id = id.to_owned();
        self.operate(move |connection| {
            let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM run WHERE id = ?1"))?;
            statement.query_one([id], record).optional()
        })
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        let run = run.clone();
        self.operate(move |connection| {
            let written = connection
                .prepare_cached(
                    "UPDATE run SET status = ?3, instance = ?4, updated_at = ?5, details = ?6, bytes = ?7, \
                         version = version + 1 \
                     WHERE id = ?1 AND version = ?2",
                )?
                .execute(params![
                    run.id,
                    number(run.version),
                    run.status.as_str(),
                    run.instance,
                    number(run.updated_at),
                    run.details,
                    number(run.bytes),
                ])?;
            Ok(written == 1)
        })
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        let filter = filter.clone();
        self.operate(move |connection| {
            let (mut conditions, mut values): (Vec<String>, Vec<Box<dyn ToSql>>) = (vec!["1".to_owned()], Vec::new());
            let mut is = |column: &str, value: &Option<String>| {
                if let Some(value) = value {
                    values.push(Box::new(value.clone()));
                    conditions.push(format!("{column} = ?"));
                }
            };
            is("tool", &filter.tool);
            is("action", &filter.action);
            is("instance", &filter.instance);
            if let Some(owner) = &filter.owner {
                values.push(Box::new(owner.clone()));
                conditions.push("owner IS ?".to_owned());
            }
            if !filter.statuses.is_empty() {
                // The names contain no quotes.
                let names: Vec<_> = filter.statuses.iter().map(|status| format!("'{status}'")).collect();
                conditions.push(format!("status IN ({})", names.join(", ")));
            }
            if let Some((created_at, id)) = &filter.after {
                values.push(Box::new(number(*created_at)));
                values.push(Box::new(id.clone()));
                conditions.push("(created_at, id) < (?, ?)".to_owned());
            }
            values.push(Box::new(number(filter.limit)));
            let sql = format!(
                "SELECT {COLUMNS} FROM run WHERE {} ORDER BY created_at DESC, id DESC LIMIT ?",
                conditions.join(" AND ")
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params_from_iter(values), record)?;
            rows.collect()
        })
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        let instance = instance.to_owned();
        self.operate(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction
                .prepare_cached(
                    "INSERT INTO beat (instance, count) VALUES (?1, 1) \
                     ON CONFLICT (instance) DO UPDATE SET count = count + 1",
                )?
                .execute([instance])?;
            let mut statement = transaction.prepare_cached("SELECT instance, count FROM beat")?;
            let beats =
                statement.query_map([], |row| Ok(InstanceBeat { instance: row.get(0)?, count: unsigned(row, 1)? }))?;
            let beats = beats.collect::<Result<_>>()?;
            drop(statement);
            transaction.commit()?;
            Ok(beats)
        })
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        let instance = instance.to_owned();
        self.operate(move |connection| {
            connection.prepare_cached("DELETE FROM beat WHERE instance = ?1")?.execute([instance]).map(drop)
        })
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        let tool = tool.to_owned();
        self.operate(move |connection| {
            let RunLimits { per_owner, total } = limits;
            connection.prepare_cached(&sql::remove_ended("run"))?.execute(params![
                tool,
                number(before),
                number(per_owner.runs),
                number(per_owner.bytes),
                number(total.runs),
                number(total.bytes)
            ])
        })
    }

    fn changes(&self) -> Option<&RunChanges> {
        let worker = Arc::downgrade(&self.0);
        Some(self.0.listener.changes(move |changes| listen(worker.clone(), changes)))
    }
}

impl SqliteStore {
    fn operate<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    ) -> RunStoreFuture<'_, T> {
        Box::pin(async move { self.0.worker.run(move |store| store.with_connection(operation)).await.map_err(of_runs) })
    }
}

/// Reads again and again what was written, because SQLite tells other processes nothing.
async fn listen(worker: Weak<SharedWorker>, changes: RunChanges) -> Result<(), String> {
    let mut last = -1;
    while let Some(store) = worker.upgrade().map(SqliteStore) {
        let changes = changes.clone();
        let reported = store.operate(move |connection| report_written(connection, last, &changes)).await;
        last = reported.map_err(|error| error.to_string())?;
        drop(store);
        sleep(POLL).await;
    }
    Ok(())
}

/// Reports the runs that were written after the write with the number `last`. If some of these writes are not known any
/// more, reports that any run may have been written. Returns the number of the newest write.
fn report_written(connection: &Connection, last: i64, changes: &RunChanges) -> Result<i64> {
    let sql = "SELECT number, id, version FROM written_run WHERE number >= ?1 ORDER BY number";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([last], |row| Ok((row.get(0)?, row.get(1)?, unsigned(row, 2)?)))?;
    let writes: Vec<(i64, String, u64)> = rows.collect::<Result<_>>()?;
    let [oldest, newest] = [writes.first(), writes.last()].map(|write| write.map_or(0, |(number, ..)| *number));
    // The write with the number `last` is still there, or nothing was written before.
    if oldest == last || last == 0 && oldest == 1 {
        for (_, id, version) in writes.iter().filter(|(number, ..)| *number > last) {
            changes.written(id, *version);
        }
    } else {
        changes.any_written();
    }
    Ok(newest)
}

fn insert(connection: &mut Connection, run: &RunRecord, limits: RunLimits) -> Result<RunInsertion> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let quota = |row: &Row<'_>, column: usize| {
        let runs = usize::try_from(unsigned(row, column)?).unwrap_or(usize::MAX);
        Ok::<_, rusqlite::Error>(RunQuota { runs, bytes: unsigned(row, column + 1)? })
    };
    let (owner, total) = transaction
        .prepare_cached(&format!(
            "SELECT count(*) FILTER (WHERE owner IS ?2), coalesce(sum(bytes) FILTER (WHERE owner IS ?2), 0), \
                 count(*), coalesce(sum(bytes), 0) \
             FROM run WHERE tool = ?1 AND {IS_OPEN}"
        ))?
        .query_one(params![run.tool, run.owner], |row| Ok((quota(row, 0)?, quota(row, 2)?)))?;
    let insertion = limits.admit(run.bytes, owner, total);
    if insertion != RunInsertion::Stored {
        return Ok(insertion);
    }
    transaction
        .prepare_cached(&format!("INSERT INTO run ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"))?
        .execute(params![
            run.id,
            run.tool,
            run.action,
            run.owner,
            run.status.as_str(),
            run.instance,
            number(run.created_at),
            number(run.updated_at),
            number(run.version),
            run.details,
            number(run.bytes),
        ])?;
    transaction.commit()?;
    Ok(RunInsertion::Stored)
}

fn record(row: &Row<'_>) -> Result<RunRecord> {
    let status: String = row.get(4)?;
    let unknown = || rusqlite::Error::FromSqlConversionFailure(4, Type::Text, "the status of a run is unknown".into());
    Ok(RunRecord {
        id: row.get(0)?,
        tool: row.get(1)?,
        action: row.get(2)?,
        owner: row.get(3)?,
        status: RunStatus::from_name(&status).ok_or_else(unknown)?,
        instance: row.get(5)?,
        created_at: unsigned(row, 6)?,
        updated_at: unsigned(row, 7)?,
        version: unsigned(row, 8)?,
        details: row.get(9)?,
        bytes: unsigned(row, 10)?,
    })
}

fn unsigned(row: &Row<'_>, column: usize) -> Result<u64> {
    Ok(row.get::<_, i64>(column)?.cast_unsigned())
}
