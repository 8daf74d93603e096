//! The database: a SQLite file.

mod todos;
mod users;

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::{Connection, TransactionBehavior};

use crate::TodoError;

/// The todos and the users. Cheap to clone.
#[derive(Clone)]
pub struct Store(Arc<Mutex<Database>>);

/// The connection, which one thread at a time uses.
pub(crate) struct Database(Connection);

/// The steps from an empty file to the present tables. A step that was published never changes.
const MIGRATIONS: [&str; 2] = [
    "CREATE TABLE users (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE todos (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            done INTEGER NOT NULL DEFAULT FALSE
        ) STRICT;",
    "ALTER TABLE todos ADD COLUMN assignee INTEGER REFERENCES users (id) ON DELETE SET NULL;",
];

impl Store {
    /// Opens the file, or creates it. The path `:memory:` keeps nothing.
    pub fn open(path: impl AsRef<Path>) -> rusqlite::Result<Self> {
        let mut connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrate(&mut connection)?;
        Ok(Self(Arc::new(Mutex::new(Database(connection)))))
    }

    /// Runs work on a thread that may block.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Database) -> Result<T, TodoError> + Send + 'static,
    ) -> Result<T, TodoError> {
        let database = Arc::clone(&self.0);
        let work = move || work(&mut database.lock().unwrap_or_else(PoisonError::into_inner));
        // The task fails only if it panics or the program ends.
        tokio::task::spawn_blocking(work).await.unwrap_or(Err(TodoError::Database))
    }
}

/// Runs the steps that the file has not had yet. Its `user_version` counts them.
fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    // Another process that opens the same file waits for the end.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let had: u32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    MIGRATIONS.iter().skip(had as usize).try_for_each(|step| transaction.execute_batch(step))?;
    transaction.pragma_update(None, "user_version", had.max(MIGRATIONS.len() as u32))?;
    transaction.commit()
}
