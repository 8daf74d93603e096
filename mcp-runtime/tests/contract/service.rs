//! A service like those that authors write.

use std::sync::Mutex;

use mcp_runtime::{Ctx, Level, contract, contract::Contract};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Todo {
    id: usize,
    title: String,
    tags: Vec<Tag>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Tag {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateTodo {
    /// What is to be done.
    #[schemars(length(min = 1))]
    title: String,
    #[serde(default)]
    tags: Vec<Tag>,
}

#[derive(Debug, thiserror::Error, PartialEq)]
#[error("there is no todo {0}")]
pub(crate) struct NoTodo(pub(crate) usize);

/// The todos of a team.
#[contract(resource = "todos")]
pub(crate) trait TodoApi {
    /// Creates a todo.
    async fn create(&self, input: CreateTodo) -> Todo;

    /// Returns a todo.
    async fn get(&self, id: usize) -> Result<Todo, NoTodo>;

    /// Changes the title of a todo.
    async fn update(&self, id: usize, title: String) -> Result<Todo, NoTodo>;

    /// Lists the todos.
    async fn list(
        &self,
        ctx: &Ctx,
        /// Only titles that contain this.
        #[serde(default)]
        filter: String,
    ) -> Vec<Todo>;

    /// Deletes a todo.
    async fn delete(&self, id: usize) -> Result<(), NoTodo>;

    /// Deletes all todos.
    async fn clear(&self) {
        self.reset();
    }

    #[method(hidden)]
    fn reset(&self);
}

#[derive(Default)]
pub(crate) struct Todos(Mutex<Vec<Option<Todo>>>);

impl TodoApi for Todos {
    async fn create(&self, input: CreateTodo) -> Todo {
        let mut todos = self.0.lock().unwrap();
        let todo = Todo { id: todos.len(), title: input.title, tags: input.tags };
        todos.push(Some(todo.clone()));
        todo
    }

    async fn get(&self, id: usize) -> Result<Todo, NoTodo> {
        self.0.lock().unwrap().get(id).cloned().flatten().ok_or(NoTodo(id))
    }

    async fn update(&self, id: usize, title: String) -> Result<Todo, NoTodo> {
        let mut todos = self.0.lock().unwrap();
        let todo = todos.get_mut(id).and_then(Option::as_mut).ok_or(NoTodo(id))?;
        todo.title = title;
        Ok(todo.clone())
    }

    async fn list(&self, ctx: &Ctx, filter: String) -> Vec<Todo> {
        ctx.log(Level::Info, "listed");
        let todos = self.0.lock().unwrap();
        todos.iter().flatten().filter(|todo| todo.title.contains(&filter)).cloned().collect()
    }

    async fn delete(&self, id: usize) -> Result<(), NoTodo> {
        self.0.lock().unwrap().get_mut(id).and_then(Option::take).map(drop).ok_or(NoTodo(id))
    }

    fn reset(&self) {
        self.0.lock().unwrap().clear();
    }
}

pub(crate) struct Clock;

/// The clock of the server.
#[contract(resource = "wall_clocks")]
impl Clock {
    /// Returns the time.
    async fn now(&self) -> u64 {
        1
    }

    /// Waits for ever.
    #[method(name = "wait_for_ever", timeout = "10ms")]
    async fn wait(&self) {
        std::future::pending::<()>().await;
    }

    /// Panics.
    async fn fail(&self) {
        panic!("as it must");
    }

    #[allow(dead_code, reason = "shows that a hidden function needs no `self`")]
    #[method(hidden)]
    fn new() -> Self {
        Self
    }
}

pub(crate) fn contract() -> Contract {
    Contract::builder("team")
        .description("Todos and the time.")
        .resource(Todos::default().into_resource())
        .resource(Clock.into_resource())
        .build()
        .unwrap()
}
