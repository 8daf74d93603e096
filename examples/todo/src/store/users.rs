//! The table `users`.

use rusqlite::{ErrorCode, OptionalExtension as _, Row};

use super::Database;
use crate::{TodoError, users::User};

impl Database {
    pub(crate) fn create_user(&mut self, name: String) -> Result<User, TodoError> {
        match self.0.execute("INSERT INTO users (name) VALUES (?1)", [&name]) {
            Ok(_) => Ok(User { id: self.0.last_insert_rowid(), name }),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                Err(TodoError::NameTaken(name))
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn users(&mut self) -> Result<Vec<User>, TodoError> {
        Ok(self.0.prepare("SELECT * FROM users ORDER BY id")?.query_map([], user)?.collect::<Result<_, _>>()?)
    }

    pub(crate) fn user(&mut self, id: i64) -> Result<User, TodoError> {
        let found = self.0.query_row("SELECT * FROM users WHERE id = ?1", [id], user).optional()?;
        found.ok_or(TodoError::NoUser(id))
    }

    pub(crate) fn delete_user(&mut self, id: i64) -> Result<(), TodoError> {
        let deleted = self.0.execute("DELETE FROM users WHERE id = ?1", [id])?;
        if deleted == 0 { Err(TodoError::NoUser(id)) } else { Ok(()) }
    }
}

fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User { id: row.get("id")?, name: row.get("name")? })
}
