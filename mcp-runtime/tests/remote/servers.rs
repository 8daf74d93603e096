//! Servers that other servers call.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{Result, prelude::*};
use tokio::{net::TcpListener, time::sleep};

use crate::support::remote_servers::{Book, Done};

/// Writes a line to the log.
#[mcp_tool]
async fn note(done: &Done, line: String) -> Text<usize> {
    done.add(format!("note {line}"));
    Text(line.len())
}

/// Asks the model of the client.
#[mcp_tool(replayable, requires(sampling))]
async fn describe(ctx: &Ctx, what: String) -> Result<String> {
    Ok(ctx.sample(format!("Describe a {what}.")).await?.text)
}

/// Works for a while, and says so.
#[mcp_tool]
async fn work(ctx: &Ctx, steps: u32) -> String {
    ctx.log(Level::Info, "works");
    for step in 1..=steps {
        sleep(Duration::from_millis(300)).await;
        ctx.progress(f64::from(step)).total(f64::from(steps)).message("a step");
    }
    format!("{steps} steps")
}

/// Never ends. Notes that it has begun and that it was cancelled.
#[mcp_tool]
async fn wait(done: &Done, ctx: &Ctx) {
    struct Cancelled(Done);
    impl Drop for Cancelled {
        fn drop(&mut self) {
            self.0.add("cancelled");
        }
    }
    done.add("wait");
    let _cancelled = Cancelled(done.clone());
    ctx.progress(0.1);
    std::future::pending::<()>().await;
}

/// Needs a header that repeats its argument.
#[mcp_tool]
async fn regional(#[schemars(extend("x-mcp-header" = "Region"))] region: String) -> String {
    region
}

/// Sets the lights, which can be done twice. The shop does not have it.
#[mcp_tool(idempotent)]
pub(super) async fn light(done: &Done, line: String) -> Text<usize> {
    done.add("light");
    Text(line.len())
}

pub(super) fn shop(done: &Done) -> Server {
    Server::new("shop", "1").state(done.clone()).tool(Book).tools(tools![note, describe, work, wait, regional])
}

/// Counts the connections of a server that does with each what `act` says.
pub(super) struct BadServer {
    pub(super) url: String,
    pub(super) connections: Arc<AtomicUsize>,
}

impl BadServer {
    /// Answers each connection with these bytes, and then closes it. `None` never answers.
    pub(super) async fn new(answer: Option<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let connections = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            let mut open = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                let answer = answer.clone();
                open.push(tokio::spawn(async move {
                    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
                    let mut request = vec![0; 64 * 1024];
                    let _ = stream.read(&mut request).await;
                    match answer {
                        Some(answer) => drop(stream.write_all(&answer).await),
                        None => std::future::pending().await,
                    }
                }));
            }
        });
        Self { url, connections }
    }
}
