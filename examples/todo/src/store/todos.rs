//! The table `todos`.

use rusqlite::{ErrorCode, OptionalExtension as _, Row, named_params, params};

use super::Database;
use crate::{
    TodoError,
    todos::{CreateTodo, ListTodos, Todo, TodoPage, UpdateTodo},
};

const FILTER: &str = "(:done IS NULL OR done = :done) AND (:assignee IS NULL OR assignee = :assignee)";

impl Database {
    pub(crate) fn create(&mut self, CreateTodo { title, assignee }: CreateTodo) -> Result<Todo, TodoError> {
        self.0
            .execute("INSERT INTO todos (title, assignee) VALUES (?1, ?2)", params![title, assignee])
            .map_err(|error| unknown_assignee(error, assignee))?;
        Ok(Todo { id: self.0.last_insert_rowid(), title, done: false, assignee })
    }

    pub(crate) fn list(&mut self, input: &ListTodos) -> Result<TodoPage, TodoError> {
        let per_page = input.per_page.unwrap_or(20);
        let skip = i64::from(per_page) * i64::from(input.page.unwrap_or(1).saturating_sub(1));
        // One transaction: the number fits the page.
        let read = self.0.transaction()?;
        let filter = named_params! { ":done": input.done, ":assignee": input.assignee };
        let total = read.query_row(&format!("SELECT count(*) FROM todos WHERE {FILTER}"), filter, |row| row.get(0))?;
        let page = named_params! {
            ":done": input.done, ":assignee": input.assignee, ":limit": per_page, ":skip": skip,
        };
        let sql = format!("SELECT * FROM todos WHERE {FILTER} ORDER BY id DESC LIMIT :limit OFFSET :skip");
        let items = read.prepare(&sql)?.query_map(page, todo)?.collect::<Result<_, _>>()?;
        Ok(TodoPage { items, total })
    }

    pub(crate) fn get(&mut self, id: i64) -> Result<Todo, TodoError> {
        let found = self.0.query_row("SELECT * FROM todos WHERE id = ?1", [id], todo).optional()?;
        found.ok_or(TodoError::NoTodo(id))
    }

    pub(crate) fn update(&mut self, input: UpdateTodo) -> Result<Todo, TodoError> {
        let UpdateTodo { id, title, done, assignee } = input;
        let changed = self
            .0
            .execute(
                "UPDATE todos SET title = ?2, done = ?3, assignee = ?4 WHERE id = ?1",
                params![id, title, done, assignee],
            )
            .map_err(|error| unknown_assignee(error, assignee))?;
        if changed == 0 { Err(TodoError::NoTodo(id)) } else { Ok(Todo { id, title, done, assignee }) }
    }

    pub(crate) fn delete(&mut self, id: i64) -> Result<(), TodoError> {
        let deleted = self.0.execute("DELETE FROM todos WHERE id = ?1", [id])?;
        if deleted == 0 { Err(TodoError::NoTodo(id)) } else { Ok(()) }
    }

    pub(crate) fn search(&mut self, text: &str) -> Result<Vec<Todo>, TodoError> {
        // No character of the text has a meaning of its own, as it would have in `LIKE`.
        let sql = "SELECT * FROM todos WHERE instr(lower(title), lower(?1)) > 0 ORDER BY id DESC";
        Ok(self.0.prepare(sql)?.query_map([text], todo)?.collect::<Result<_, _>>()?)
    }
}

fn todo(row: &Row<'_>) -> rusqlite::Result<Todo> {
    Ok(Todo { id: row.get("id")?, title: row.get("title")?, done: row.get("done")?, assignee: row.get("assignee")? })
}

fn unknown_assignee(error: rusqlite::Error, assignee: Option<i64>) -> TodoError {
    match (error.sqlite_error_code(), assignee) {
        (Some(ErrorCode::ConstraintViolation), Some(assignee)) => TodoError::NoAssignee(assignee),
        _ => error.into(),
    }
}
