//! Tasks: calls that continue after their request has ended.
//!
//! A tool that works for minutes keeps its client waiting, and the work is lost when the connection breaks. With the
//! [tasks extension](https://modelcontextprotocol.io) (`io.modelcontextprotocol/tasks`, for revision 2026-07-28), the
//! server answers such a call at once with a task. The client asks for its status, answers its questions, and gets the
//! result when the task has ended. A client that does not declare the extension gets the result as the answer of its
//! call, as from any other tool.
//!
//! ```
//! use std::time::Duration;
//!
//! use mcp_runtime::{Server, prelude::*};
//!
//! /// Renders a film, which takes minutes.
//! #[mcp_tool(task)]
//! async fn render(ctx: &Ctx, frames: u32) -> String {
//!     for frame in 0..frames {
//!         ctx.progress(frame.into()).total(frames.into());
//!         tokio::time::sleep(Duration::from_secs(1)).await;
//!     }
//!     format!("rendered {frames} frames")
//! }
//!
//! let server = Server::new("films", "1.0.0").tools(tools![render]);
//! # server.build().unwrap();
//! ```
//!
//! # What is a task
//!
//! | item | the task |
//! | --- | --- |
//! | `#[mcp_tool(task)]` | the whole function. Its questions are asked in the task |
//! | `#[handoff(task)]` | the phase `after`. The client is asked before the task begins, as without tasks |
//! | an action marked `run`, called with `wait` | the [run](crate::runs) |
//!
//! If a tool makes no sense without tasks, write `requires(tasks)`: `#[mcp_tool(task, requires(tasks))]`. A client
//! without the extension then gets the error -32021. A task has no timeout.
//!
//! Tasks are stored where [`Server::tasks`](crate::Server::tasks) says, by default in memory. See
//! [`runs`](crate::runs#stores) for stores that several processes share. A task belongs to the principal that called
//! the tool. For all other principals, the task does not exist.
//!
//! Tasks are [limited](crate::runs#limits) in number and in bytes. A call that would begin one task too many gets the
//! error -32603, which says which limit is reached and what to do: over HTTP, with the status 429 if its principal has
//! reached a limit, and 503 if all principals together have.
//!
//! # Methods
//!
//! | method | answer |
//! | --- | --- |
//! | `tasks/get` | the status, and the result, the error or the open questions |
//! | `tasks/update` | takes answers to questions. Answers under the key of an unknown or an answered question are ignored |
//! | `tasks/cancel` | cancels the task. A task that has ended does not change |
//!
//! A task whose tool returns an error result is `completed`, and its result says so. A task is `failed` if the call
//! ended with a JSON-RPC error, or if its server process stopped. Then its `statusMessage` says why.
//!
//! A question that is asked again, for example because the answer was invalid, has another key in `inputRequests`:
//! `confirm`, and then `confirm#2`. Each such change sets `lastUpdatedAt`. The `ttlMs` of a task counts from its creation
//! and grows with each change, because a task is kept for the [retention](crate::runs::Runs::retention) after its end.
//!
//! A client asks for the status every second, as `pollIntervalMs` says, or it names the task in the `taskIds` of
//! `subscriptions/listen`, which is the error -32021 for a client without the extension. In the second case, the client gets a `notifications/tasks` with the whole task after each
//! change of its status, its questions or its progress message. Changes that follow each other closely become one
//! notice, and a client that reads slowly gets the last notice. The server checks a task of another server process once
//! a second. Notices of more than 16 KiB that a principal has not read yet can have 4 MiB together, and those of all
//! principals 64 MiB. Further such notices wait until the client has read others.

mod as_task;
mod followed;
mod methods;
mod shown;
mod task_runs;
mod unread;

pub use self::as_task::as_task;
#[cfg(feature = "remote")]
pub(crate) use self::as_task::can_be_task;
pub(crate) use self::shown::TaskCreated;
use self::{followed::follow, task_runs::Tasks};
use crate::{
    engine::{call::observer::Runtime, runs::Runs},
    serve::server::{AddTasks, Extensions, Server, subscriptions::Subscriptions},
};

impl Server {
    /// Sets the limits of tasks. Default: [`Runs::default`], which stores them in the [store](Self::store) of the server.
    /// See [`tasks`](crate::tasks).
    pub fn tasks(mut self, settings: Runs) -> Self {
        self.extension::<Tasks>().settings = settings;
        self
    }
}

impl AddTasks for Runtime {
    fn add_tasks(extensions: &Extensions) {
        extensions.get_or_add(Tasks::default);
        let subscriptions = extensions.get_or_add(Subscriptions::default);
        subscriptions.follow_tasks.get_or_init(|| |call, ids, subscriber| Box::pin(follow(call, ids, subscriber)));
    }
}
