//! The resource `todos`.

use mcp_runtime::contract;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Store, TodoError};

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Todo {
    /// The number of the todo.
    pub id: i64,
    /// What is to be done.
    pub title: String,
    /// Whether it is done.
    pub done: bool,
    /// The number of the user who does it.
    pub assignee: Option<i64>,
}

/// A new todo.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateTodo {
    /// What is to be done.
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
    /// The number of the user who does it.
    pub assignee: Option<i64>,
}

/// The new content of a todo.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateTodo {
    /// The number of the todo.
    pub id: i64,
    /// What is to be done.
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
    /// Whether it is done.
    pub done: bool,
    /// The number of the user who does it.
    pub assignee: Option<i64>,
}

/// Which todos are listed.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListTodos {
    /// Only those that are done, or only those that are not.
    pub done: Option<bool>,
    /// Only those of this user.
    pub assignee: Option<i64>,
    /// The page, from 1. Default: 1.
    #[schemars(range(min = 1))]
    pub page: Option<u32>,
    /// The number of todos on a page. Default: 20.
    #[schemars(range(min = 1, max = 100))]
    pub per_page: Option<u32>,
}

/// A page of todos, the newest first.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TodoPage {
    /// The todos on this page.
    pub items: Vec<Todo>,
    /// The number of todos on all pages.
    pub total: u32,
}

/// The todos of a team.
#[contract(resource = "todos")]
pub trait TodoApi {
    /// Creates a todo.
    async fn create(&self, input: CreateTodo) -> Result<Todo, TodoError>;

    /// Lists todos, page by page.
    async fn list(&self, input: ListTodos) -> Result<TodoPage, TodoError>;

    /// Returns a todo.
    async fn get(&self, id: i64) -> Result<Todo, TodoError>;

    /// Replaces the content of a todo.
    async fn update(&self, input: UpdateTodo) -> Result<Todo, TodoError>;

    /// Deletes a todo.
    async fn delete(&self, id: i64) -> Result<(), TodoError>;

    /// Searches todos by a part of their title. Upper and lower case are the same.
    #[method(verb = "GET")]
    async fn search(
        &self,
        /// A part of the title.
        #[schemars(length(min = 1, max = 200))]
        text: String,
    ) -> Result<Vec<Todo>, TodoError>;
}

impl TodoApi for Store {
    async fn create(&self, input: CreateTodo) -> Result<Todo, TodoError> {
        self.run(|db| db.create(input)).await
    }

    async fn list(&self, input: ListTodos) -> Result<TodoPage, TodoError> {
        self.run(move |db| db.list(&input)).await
    }

    async fn get(&self, id: i64) -> Result<Todo, TodoError> {
        self.run(move |db| db.get(id)).await
    }

    async fn update(&self, input: UpdateTodo) -> Result<Todo, TodoError> {
        self.run(|db| db.update(input)).await
    }

    async fn delete(&self, id: i64) -> Result<(), TodoError> {
        self.run(move |db| db.delete(id)).await
    }

    async fn search(&self, text: String) -> Result<Vec<Todo>, TodoError> {
        self.run(move |db| db.search(&text)).await
    }
}
