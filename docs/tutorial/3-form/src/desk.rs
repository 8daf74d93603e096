//! The database of the library: books, copies, readers and loans.

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use mcp_runtime::Result;
use rusqlite::Connection;
use schemars::JsonSchema;
use serde::Serialize;

/// The state that all tools share.
#[derive(Clone)]
pub struct Desk(Arc<Mutex<Connection>>);

/// A book of the catalogue.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Book {
    /// The number of the book. Other tools take it as `book`.
    id: i64,
    title: String,
    author: String,
    year: u16,
    topic: String,
}

impl Desk {
    /// Opens the database in this file; `:memory:` is a new one in memory. A new database has eight books.
    pub fn open(path: impl AsRef<Path>) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        connection.execute_batch(include_str!("schema.sql"))?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    /// Finds books by a part of the title or of the author's name, oldest first.
    pub fn search(&self, text: &str, topic: Option<&str>, since: Option<u16>) -> Result<Vec<Book>> {
        let connection = self.lock();
        let mut query = connection.prepare_cached(
            "SELECT id, title, author, year, topic FROM books
             WHERE (instr(lower(title), lower(?1)) OR instr(lower(author), lower(?1)))
                AND (?2 IS NULL OR topic = ?2) AND (?3 IS NULL OR ?3 <= year)
             ORDER BY year",
        )?;
        let books = query.query_map((text, topic, since), |row| {
            Ok(Book {
                id: row.get(0)?,
                title: row.get(1)?,
                author: row.get(2)?,
                year: row.get(3)?,
                topic: row.get(4)?,
            })
        })?;
        Ok(books.collect::<Result<_, _>>()?)
    }

    /// Returns the topics of all books, in the order of the alphabet.
    pub fn topics(&self) -> Result<Vec<String>> {
        let connection = self.lock();
        let mut query =
            connection.prepare_cached("SELECT DISTINCT topic FROM books ORDER BY topic")?;
        let topics = query.query_map((), |row| row.get(0))?;
        Ok(topics.collect::<Result<_, _>>()?)
    }

    /// A panic in another call leaves the database as it is, so the poison is ignored.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// ANCHOR: register
impl Desk {
    /// Registers a reader. Returns the number of the card.
    pub fn register(&self, reader: &crate::register::NewReader) -> Result<i64> {
        let connection = self.lock();
        let email = reader.email.as_str();
        let added = connection.execute(
            "INSERT INTO readers (name, email, born, card, newsletter)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (email) DO NOTHING",
            (
                &reader.name,
                email,
                reader.born,
                format!("{:?}", reader.card),
                reader.newsletter,
            ),
        )?;
        if added == 0 {
            return Err(format!("{email} has a card already; ask for another address").into());
        }
        Ok(connection.last_insert_rowid())
    }
}
// ANCHOR_END: register
