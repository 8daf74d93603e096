//! What client and server say to each other during a call.
//!
//! The person's side runs on a thread of its own: it shows what comes, and hears Ctrl-C, while a tool keeps the
//! runtime's thread busy. The other side hands its messages to the service, on the author's runtime.

use std::{
    future::{pending, poll_fn},
    io,
    pin::pin,
    task::Poll,
    time::Duration,
};

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use tokio::{
    runtime::Builder,
    sync::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        oneshot,
    },
    time::timeout,
};

use super::{
    INTERRUPTED,
    screen::{Log, Progress, Screen},
};
use crate::{
    cli::terminal::tell,
    server::Service,
    wire::{frame::Frame, level::Level, revision::Revision},
};

/// A call to be made.
pub(super) struct Request {
    pub(super) tool: String,
    pub(super) arguments: Box<RawValue>,
    /// The least severe log message to be sent; `None` for none at all.
    pub(super) log: Option<Level>,
}

/// How a call ended.
pub(super) enum Ending {
    /// With a `CallToolResult`.
    Result(Box<RawValue>),
    /// With an error of the protocol.
    Refused(String),
    /// Cancelled from the keyboard.
    Interrupted,
}

/// Calls the tool as a client of the newest revision does, and shows what it says on the way.
pub(super) async fn hold(service: &Service, request: Request) -> io::Result<Ending> {
    let mut client = service.memory();
    let heard = client.take_messages();
    let (say, mut said) = unbounded_channel();
    let (end, ended) = oneshot::channel();
    let runtime = Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("mcp-terminal".into()).spawn(move || {
        runtime.block_on(async {
            let ending = Terminal { heard, say }.talk(&request).await;
            let again = matches!(ending, Ending::Interrupted);
            // Nobody waits any more if the program has dropped the server.
            let _ = end.send(ending);
            if again {
                interrupted_again().await;
                std::process::exit(INTERRUPTED.into());
            }
        });
    })?;
    // Ends when the other side has no more to say.
    while let Some(message) = said.recv().await {
        client.send(&message).await;
    }
    ended.await.map_err(|_| io::Error::other("the thread that talks to the terminal panicked"))
}

/// The person's side.
struct Terminal {
    heard: UnboundedReceiver<Frame>,
    say: UnboundedSender<String>,
}

/// A message of the server.
#[derive(Deserialize)]
struct Message {
    method: Option<String>,
    params: Option<Value>,
    result: Option<Box<RawValue>>,
    error: Option<RpcError>,
}

#[derive(Deserialize)]
struct RpcError {
    message: String,
}

impl Terminal {
    async fn talk(mut self, request: &Request) -> Ending {
        let mut screen = Screen::new(&request.tool);
        let mut interrupt = pin!(interrupted());
        self.say(call(request));
        loop {
            let heard = poll_fn(|cx| match interrupt.as_mut().poll(cx) {
                Poll::Ready(()) => Poll::Ready(None),
                Poll::Pending => self.heard.poll_recv(cx),
            });
            let Some(frame) = heard.await else {
                self.say(cancel());
                drop(screen);
                tell("cancelled");
                return Ending::Interrupted;
            };
            let message: Message = match serde_json::from_str(&frame.to_string()) {
                Ok(message) => message,
                Err(error) => return Ending::Refused(format!("the server sent what cannot be read: {error}")),
            };
            match message {
                Message { result: Some(result), .. } => return Ending::Result(result),
                Message { error: Some(error), .. } => return Ending::Refused(error.message),
                Message { method: Some(method), params: Some(params), .. } => show(&mut screen, &method, params),
                _ => {}
            }
        }
    }

    fn say(&self, message: String) {
        // Where nobody listens any more, nobody will answer: `heard` ends as well.
        let _ = self.say.send(message);
    }
}

/// Waits for another Ctrl-C, if the program lives long enough: a tool that keeps its thread cannot be dropped.
async fn interrupted_again() {
    if timeout(Duration::from_millis(500), interrupted()).await.is_err() {
        tell("the tool is still busy; Ctrl-C again ends the program at once");
        interrupted().await;
    }
}

/// Waits for Ctrl-C; for ever where it cannot be heard.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        pending::<()>().await;
    }
}

fn show(screen: &mut Screen, method: &str, params: Value) {
    match method {
        "notifications/progress" => {
            if let Ok(progress) = serde_json::from_value::<Progress>(params) {
                screen.progress(&progress);
            }
        }
        "notifications/message" => {
            if let Ok(log) = serde_json::from_value::<Log>(params) {
                screen.log(&log);
            }
        }
        _ => {}
    }
}

fn call(request: &Request) -> String {
    let mut meta = meta();
    meta["progressToken"] = json!(ID);
    if let Some(level) = request.log {
        meta["io.modelcontextprotocol/logLevel"] = json!(level);
    }
    // The arguments go as they were written: large numbers stay what they are.
    let (tool, arguments) = (json!(request.tool), &request.arguments);
    let params = format!(r#"{{"name":{tool},"arguments":{arguments},"_meta":{meta}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":{ID},"method":"tools/call","params":{params}}}"#)
}

fn cancel() -> String {
    let params = json!({ "requestId": ID, "reason": "interrupted at the terminal", "_meta": meta() });
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }).to_string()
}

/// The one request there is.
const ID: u8 = 1;

/// What every message of a modern client says of itself.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": Revision::LATEST.as_str(),
        "io.modelcontextprotocol/clientInfo": { "name": "mcp-runtime-cli", "version": env!("CARGO_PKG_VERSION") },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}
