//! Servers that other servers call.

use std::sync::{Arc, Mutex};

use mcp_runtime::{Result, prelude::*, remote::Remote};

pub(super) const YES: Confirm = Confirm { confirmed: true };

/// How a server is reached, and its era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Service,
    Http,
}

/// A server that runs, and what its tools have done.
pub(super) struct Started {
    pub(super) remote: Remote,
    pub(super) done: Done,
}

impl Started {
    pub(super) async fn new(kind: Kind) -> Self {
        let done = Done::default();
        let service = shop(&done).build().unwrap();
        let remote = match kind {
            Kind::Service => Remote::service(&service),
            Kind::Http => {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                let url = format!("http://{}/mcp", listener.local_addr().unwrap());
                tokio::spawn(async move { axum::serve(listener, service.router()).await });
                Remote::http(url)
            }
        };
        Self { remote: remote.named("shop"), done }
    }
}

/// What the tools have done, in order.
#[derive(Clone, Default)]
pub(super) struct Done(Arc<Mutex<Vec<String>>>);

impl Done {
    pub(super) fn add(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[elicits]
pub(super) enum Booking {
    Confirm { confirmed: bool },
}

struct Book;

/// Books a room or a table, if the user confirms it.
#[handoff]
impl Book {
    async fn before(&self, done: &Done, what: String) -> String {
        done.add(format!("hold {what}"));
        what
    }

    async fn client(ctx: &Ctx<Booking>, what: &String) -> Result<bool> {
        Ok(ctx.elicit::<Confirm>(format!("Book {what}?")).strict().await?.confirmed)
    }

    async fn after(&self, done: &Done, what: String, confirmed: bool) -> Result<String> {
        if !confirmed {
            return Err(format!("{what} is not wanted").into());
        }
        done.add(format!("book {what}"));
        Ok(format!("{what} booked"))
    }
}

/// Writes a line to the log.
#[mcp_tool]
async fn note(done: &Done, line: String) -> Text<usize> {
    done.add(format!("note {line}"));
    Text(line.len())
}

pub(super) fn shop(done: &Done) -> Server {
    Server::new("shop", "1").state(done.clone()).tool(Book).tools(tools![note])
}
