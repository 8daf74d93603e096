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

/// A book that is held for a reader, and its free copies.
#[derive(Debug, Serialize, serde::Deserialize)]
pub struct Hold {
    pub book: i64,
    pub title: String,
    pub reader: i64,
    /// The numbers of the copies and their editions.
    pub copies: Vec<(i64, String)>,
}

/// A loan.
pub struct Loan {
    pub id: i64,
    /// The day on which the copy must be back.
    pub due: String,
}

impl Desk {
    /// Holds one copy of a book for an hour. Holding it again changes nothing.
    pub fn hold(&self, book: i64, reader: i64) -> Result<Hold> {
        let connection = self.lock();
        let title = connection
            .query_row("SELECT title FROM books WHERE id = ?1", [book], |row| {
                row.get(0)
            })
            .map_err(|_| format!("there is no book {book}; `search_books` finds the numbers"))?;
        connection
            .query_row("SELECT id FROM readers WHERE id = ?1", [reader], |_| Ok(()))
            .map_err(|_| format!("there is no reader {reader}; `register_reader` adds one"))?;
        let mut query = connection.prepare_cached(
            "SELECT id, edition FROM copies
             WHERE book = ?1 AND id NOT IN (SELECT copy FROM loans) ORDER BY id",
        )?;
        let copies = query.query_map([book], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let copies: Vec<_> = copies.collect::<Result<_, _>>()?;
        let others: u32 = connection.query_row(
            "SELECT count(*) FROM holds WHERE book = ?1 AND reader != ?2 AND unixepoch() < until",
            (book, reader),
            |row| row.get(0),
        )?;
        if copies.len() <= others as usize {
            return Err(format!("all copies of `{title}` are lent or held; try later").into());
        }
        connection.execute(
            "INSERT OR REPLACE INTO holds VALUES (?1, ?2, unixepoch() + 3600)",
            (book, reader),
        )?;
        Ok(Hold {
            book,
            title,
            reader,
            copies,
        })
    }

    /// Ends a hold without a loan.
    pub fn release(&self, hold: &Hold) -> Result<()> {
        let delete = "DELETE FROM holds WHERE book = ?1 AND reader = ?2";
        self.lock().execute(delete, (hold.book, hold.reader))?;
        Ok(())
    }

    /// Records a loan for this number of days, and ends the hold.
    pub fn record_loan(&self, hold: &Hold, copy: i64, days: u16) -> Result<Loan> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let loan = transaction
            .query_row(
                "INSERT INTO loans (copy, reader, due) VALUES (?1, ?2, date('now', ?3))
                 RETURNING id, due",
                (copy, hold.reader, format!("{days} days")),
                |row| {
                    Ok(Loan {
                        id: row.get(0)?,
                        due: row.get(1)?,
                    })
                },
            )
            .map_err(|error| format!("copy {copy} cannot be lent: {error}"))?;
        let delete = "DELETE FROM holds WHERE book = ?1 AND reader = ?2";
        transaction.execute(delete, (hold.book, hold.reader))?;
        transaction.commit()?;
        Ok(loan)
    }
}

// ANCHOR: list
impl Desk {
    /// Returns the whole catalogue as text, a line for each book.
    pub fn list(&self) -> Result<String> {
        let connection = self.lock();
        let mut query = connection.prepare_cached(
            "SELECT id || '. ' || title || ', ' || author || ', ' || year FROM books ORDER BY id",
        )?;
        let lines = query.query_map((), |row| row.get(0))?;
        Ok(lines.collect::<Result<Vec<String>, _>>()?.join("\n"))
    }

    /// Returns the title of a book.
    pub fn title(&self, book: i64) -> Result<String> {
        let query = "SELECT title FROM books WHERE id = ?1";
        let title = self.lock().query_row(query, [book], |row| row.get(0));
        title.map_err(|_| {
            format!("there is no book {book}; `search_books` finds the numbers").into()
        })
    }
}
// ANCHOR_END: list
