//! Accounts and bookings, in SQLite.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use rusqlite::{Connection, OptionalExtension as _, Row, TransactionBehavior};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{amount::Amount, error::BankError};

/// The maximum amount that can leave an account within 24 hours.
pub(crate) const DAILY: Amount = Amount::euros(10_000);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How long to wait for another program that has locked the database.
const PATIENCE: Duration = Duration::from_secs(10);

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS accounts (
        name TEXT PRIMARY KEY,
        holder TEXT NOT NULL,
        number TEXT NOT NULL,
        own INTEGER NOT NULL,
        balance INTEGER NOT NULL CHECK (balance >= 0)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS bookings (
        number INTEGER PRIMARY KEY,
        source TEXT NOT NULL REFERENCES accounts,
        target TEXT NOT NULL REFERENCES accounts,
        amount INTEGER NOT NULL,
        fee INTEGER NOT NULL,
        purpose TEXT NOT NULL,
        booked INTEGER NOT NULL
    ) STRICT;
    INSERT OR IGNORE INTO accounts VALUES
        ('household', 'Ada Example', '7300 1181', 1, 250000),
        ('savings', 'Ada Example', '7300 2044', 1, 1850000),
        ('landlord', 'Lea Brandt', '5512 9037', 0, 0),
        ('club', 'Rowing Club North', '8020 4416', 0, 0);";

/// The bank, as one user sees it.
pub(crate) struct Bank(Arc<Mutex<Connection>>);

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Account {
    pub(crate) name: String,
    /// The holder of the account.
    pub(crate) holder: String,
    #[serde(skip)]
    pub(crate) number: String,
    /// Whether the account belongs to the user.
    pub(crate) own: bool,
    pub(crate) balance: Amount,
}

/// A transfer that is not booked yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) amount: Amount,
    pub(crate) fee: Amount,
}

/// What was booked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Booking {
    pub(crate) number: i64,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) amount: Amount,
    pub(crate) fee: Amount,
    pub(crate) purpose: String,
}

impl Bank {
    /// Opens the bank in this file, or in memory. A new bank has four accounts.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, BankError> {
        let connection = path.map_or_else(Connection::open_in_memory, Connection::open)?;
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch(TABLES)?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    pub(crate) async fn account(&self, name: &str) -> Result<Account, BankError> {
        let name = name.trim().to_lowercase();
        self.run(move |connection| account(connection, &name)).await
    }

    /// Checks whether the order can be booked now.
    pub(crate) async fn check(&self, order: &Order) -> Result<(), BankError> {
        let order = order.clone();
        self.run(move |connection| check(connection, &order)).await
    }

    /// Moves the money and writes the booking, in one transaction.
    pub(crate) async fn book(&self, order: &Order, purpose: &str) -> Result<Booking, BankError> {
        let (order, purpose) = (order.clone(), purpose.to_owned());
        self.run(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // The balances can have changed while the user was asked.
            check(&transaction, &order)?;
            let Order { from, to, amount, fee } = &order;
            let change = "UPDATE accounts SET balance = balance + ?2 WHERE name = ?1";
            transaction.execute(change, (from, -(amount.cents + fee.cents)))?;
            transaction.execute(change, (to, amount.cents))?;
            let booking = transaction.query_one(
                "INSERT INTO bookings (source, target, amount, fee, purpose, booked) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                 RETURNING *",
                (from, to, amount.cents, fee.cents, purpose, now()),
                booking,
            )?;
            transaction.commit()?;
            Ok(booking)
        })
        .await
    }

    /// Returns the latest bookings of an account, newest first.
    pub(crate) async fn bookings(&self, account: &str) -> Result<Vec<Booking>, BankError> {
        let account = account.to_owned();
        self.run(move |connection| {
            let query = "SELECT * FROM bookings WHERE source = ?1 OR target = ?1 ORDER BY number DESC LIMIT 5";
            let mut statement = connection.prepare_cached(query)?;
            let bookings = statement.query_map([account], booking)?.collect::<Result<_, _>>()?;
            Ok(bookings)
        })
        .await
    }

    /// Runs `work` on a blocking thread, so that waiting for the disk does not block other calls.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, BankError> + Send + 'static,
    ) -> Result<T, BankError> {
        let connection = Arc::clone(&self.0);
        let work = move || work(&mut connection.lock().unwrap_or_else(PoisonError::into_inner));
        tokio::task::spawn_blocking(work).await.expect("the work does not panic")
    }
}

fn account(connection: &Connection, name: &str) -> Result<Account, BankError> {
    let read = |row: &Row<'_>| {
        let (name, holder, number, own) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        Ok(Account { name, holder, number, own, balance: Amount { cents: row.get(4)? } })
    };
    let found = connection.query_one("SELECT * FROM accounts WHERE name = ?1", [name], read).optional()?;
    found.map_or_else(|| Err(BankError::NoAccount { given: name.into(), accounts: names(connection, false)? }), Ok)
}

fn check(connection: &Connection, Order { from, to, amount, fee }: &Order) -> Result<(), BankError> {
    let account = account(connection, from)?;
    if !account.own {
        return Err(BankError::NotOwn { account: account.name, own: names(connection, true)? });
    }
    if from == to {
        return Err(BankError::SameAccount { account: account.name });
    }
    if amount.cents == 0 {
        return Err(BankError::NoAmount);
    }
    let needed = Amount { cents: amount.cents + fee.cents };
    if account.balance < needed {
        return Err(BankError::TooLittle { account: account.name, balance: account.balance, needed });
    }
    let sent = "SELECT coalesce(sum(amount), 0) FROM bookings WHERE source = ?1 AND ?2 < booked";
    let sent: i64 = connection.query_one(sent, (from, now() - DAY.as_secs().cast_signed()), |row| row.get(0))?;
    let left = Amount { cents: (DAILY.cents - sent).max(0) };
    if left < *amount { Err(BankError::TooMuch { account: account.name, most: DAILY, left }) } else { Ok(()) }
}

fn names(connection: &Connection, own: bool) -> Result<Vec<String>, BankError> {
    let mut statement = connection.prepare_cached("SELECT name FROM accounts WHERE ?1 <= own ORDER BY rowid")?;
    let names = statement.query_map([own], |row| Ok(format!("`{}`", row.get::<_, String>(0)?)))?;
    Ok(names.collect::<Result<_, _>>()?)
}

fn booking(row: &Row<'_>) -> rusqlite::Result<Booking> {
    let (amount, fee) = (Amount { cents: row.get(3)? }, Amount { cents: row.get(4)? });
    Ok(Booking { number: row.get(0)?, from: row.get(1)?, to: row.get(2)?, amount, fee, purpose: row.get(5)? })
}

/// Returns the time in seconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs().cast_signed()
}
