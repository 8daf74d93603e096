//! Creates the tables, if they do not exist.

use tokio_postgres::{Client, error::SqlState};

use super::{
    connection::PostgresConnections,
    error::{PostgresProblem, PostgresStoreError},
};

/// Creates and changes the tables. See the beginning of the script.
pub(super) const MIGRATION: &str = include_str!("schema.sql");
/// The version that the script writes into the table `mcp_store`.
pub(super) const VERSION: i32 = 1;
/// The latest version that this program can use: a script keeps what programs of the previous version need.
const LATEST: i32 = VERSION + 1;
/// How many times the script is run if the server undoes it, because it and a write waited for each other.
const TRIES: u32 = 5;

/// Checks the version of the tables. If they do not exist or are old, creates or changes them.
pub(super) async fn prepare(connections: &PostgresConnections) -> Result<(), PostgresStoreError> {
    let version = connections.run(async |client| version(&client).await).await?;
    match version {
        VERSION..=LATEST => Ok(()),
        ..VERSION => migrate(connections).await,
        _ => Err(PostgresStoreError::new(connections.name(), PostgresProblem::Newer)),
    }
}

/// Creates or changes the tables, unless another process has done so meanwhile.
pub(super) async fn migrate(connections: &PostgresConnections) -> Result<(), PostgresStoreError> {
    let mut tries = 0;
    loop {
        tries += 1;
        // Not on a shared connection, because a script that fails leaves its transaction open.
        let migrated = connections.run_alone(async |client| {
            let result = migrate_on(&client).await;
            // Ends the transaction, and with it the lock, before other processes wait for it.
            let _ = client.batch_execute("ROLLBACK").await;
            result
        });
        match migrated.await {
            Err(error) if error.is_undone() && tries < TRIES => {}
            migrated => return migrated,
        }
    }
}

async fn migrate_on(client: &Client) -> Result<(), PostgresProblem> {
    let lock = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('mcp_store')); SAVEPOINT before";
    client.batch_execute(lock).await?;
    if version(client).await? >= VERSION {
        return Ok(());
    }
    // The transaction has failed if there was no table to read the version from.
    client.batch_execute("ROLLBACK TO before").await?;
    client.batch_execute(MIGRATION).await.map_err(PostgresProblem::Migration)
}

/// Returns the version of the tables, or 0 if there are none.
async fn version(client: &Client) -> Result<i32, PostgresProblem> {
    match client.query_typed_opt("SELECT version FROM mcp_store", &[]).await {
        Ok(row) => Ok(row.map(|row| row.try_get(0)).transpose()?.unwrap_or_default()),
        Err(error) if error.code() == Some(&SqlState::UNDEFINED_TABLE) => Ok(0),
        Err(error) => Err(error.into()),
    }
}
