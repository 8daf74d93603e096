//! Shutting down a service that is mounted in an application with its own listener.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Mutex,
    time::Duration,
};

use axum::Router;
use mcp_runtime::{Result, Service, http::HttpLimits, prelude::*};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::oneshot,
    task::JoinHandle,
    time::{Instant, timeout},
};

use crate::http::limits::{self, socket::Client};

/// The names of the calls of `work` that have begun.
static BEGUN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Works for a while.
#[mcp_tool(read_only)]
async fn work(name: String, milliseconds: u64) -> &'static str {
    BEGUN.lock().unwrap().push(name);
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "worked"
}

#[elicits]
enum Work {
    Begin { sure: bool },
}

/// Asks whether to begin, and then works for ten minutes.
#[mcp_tool]
async fn work_after_a_question(ctx: &Ctx<Work>, name: String) -> Result<String> {
    let Begin { sure } = ctx.elicit::<Begin>("Begin?").strict().await?;
    BEGUN.lock().unwrap().push(name);
    tokio::time::sleep(Duration::from_secs(600)).await;
    Ok(format!("worked: {sure}"))
}

async fn begun(name: &str) {
    let begun = async {
        while !BEGUN.lock().unwrap().iter().any(|begun| begun == name) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(10), begun).await.expect("it begins");
}

/// An application that serves `service` until it gets a signal, and then shuts down as `axum` does.
struct Application {
    address: SocketAddr,
    tell: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Application {
    async fn of<F>(service: &Service, told: impl FnOnce() -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let app = Router::new().merge(service.mount("/mcp"));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, to_end) = oneshot::channel();
        let shutdown = async move {
            let _ = to_end.await;
            told().await;
        };
        let served = tokio::spawn(async move {
            axum::serve(listener, app).with_graceful_shutdown(shutdown).await.unwrap();
        });
        Self { address, tell, served }
    }

    /// Ends the application, and returns how long this took. Returns `None` if it took longer than `limit`.
    async fn end(self, limit: Duration) -> Option<Duration> {
        let start = Instant::now();
        self.tell.send(()).unwrap();
        timeout(limit, self.served).await.ok()?.unwrap();
        Some(start.elapsed())
    }
}

/// A client of 2025-11-25, and its session.
pub(crate) struct Session {
    address: SocketAddr,
    id: String,
}

impl Session {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let (status, session) = Self::open_from([127, 0, 0, 1].into(), address).await;
        session.unwrap_or_else(|| panic!("refused with {status}"))
    }

    /// Opens a session from this address of the machine. Returns the status, and the session if the server accepts it.
    pub(crate) async fn open_from(from: IpAddr, address: SocketAddr) -> (u16, Option<Self>) {
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "c", "version": "1" },
        }});
        let mut client = Client::from(from, address).await;
        client.send(posted("", &hello)).await;
        let opened = client.answer().await;
        let id = opened.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        (opened.status, id.map(|id| Self { address, id: id.to_owned() }))
    }

    pub(crate) async fn delete(&self) {
        let mut client = Client::at(self.address).await;
        client.send(format!("DELETE /mcp HTTP/1.1\r\nhost: localhost\r\n{}\r\n", self.header())).await;
        assert_eq!(client.answer().await.status, 204);
    }

    /// Opens the stream of the session that belongs to no request.
    pub(crate) async fn listen(&self) -> Client {
        self.get("").await
    }

    /// Resumes a stream after the event with the id `last`.
    pub(crate) async fn come_back(&self, last: &str) -> Client {
        self.get(&format!("last-event-id: {last}\r\n")).await
    }

    async fn get(&self, header: &str) -> Client {
        let mut client = Client::at(self.address).await;
        let headers = format!("host: localhost\r\naccept: text/event-stream\r\n{}{header}", self.header());
        client.send(format!("GET /mcp HTTP/1.1\r\n{headers}\r\n")).await;
        client
    }

    pub(crate) async fn post(&self, message: &Value) -> Client {
        post(self.address, &self.header(), message).await
    }

    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Client {
        let params = json!({ "name": name, "arguments": arguments });
        self.post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await
    }

    fn header(&self) -> String {
        format!("mcp-session-id: {}\r\n", self.id)
    }
}

async fn post(address: SocketAddr, headers: &str, message: &Value) -> Client {
    let mut client = Client::at(address).await;
    client.send(posted(headers, message)).await;
    client
}

/// Returns an HTTP request that contains the message.
fn posted(headers: &str, message: &Value) -> String {
    let body = message.to_string();
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    format!("{head}{headers}content-length: {}\r\n\r\n{body}", body.len())
}

fn service() -> Service {
    limits::server(HttpLimits::default()).tools(tools![work, work_after_a_question]).build().unwrap()
}

#[tokio::test]
async fn retire_ends_the_idle_streams_of_a_mounted_service() {
    let service = service();
    let retiring = service.clone();
    let application = Application::of(&service, move || async move { retiring.retire() }).await;
    let session = Session::open(application.address).await;
    let mut listening = session.listen().await;
    assert_eq!(listening.answer().await.status, 200);
    let took = application.end(Duration::from_secs(5)).await;
    assert!(took.is_some(), "it did not end within 5 s");
    assert_eq!(listening.next_message().await, None);
}

/// Creates an application that calls `shutdown` as its documentation shows.
async fn ending_within(grace: Duration) -> Application {
    let service = service();
    let ending = service.clone();
    Application::of(&service, move || async move { ending.shutdown(grace).await }).await
}

/// Sends a call of the newest revision. The answer is a stream, because the tool sends a log message first.
async fn call_of_newest(address: SocketAddr, name: &str, arguments: &Value) -> Client {
    let mut client = Client::at(address).await;
    client.send(limits::request(name, arguments)).await;
    client
}

pub(crate) fn answer_to(question: &Value, seat: &str) -> Value {
    let result = json!({ "action": "accept", "content": { "seat": seat } });
    json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })
}

pub(crate) async fn question(client: &mut Client) -> Value {
    loop {
        let message = client.next_message().await.expect("it asks");
        if message["method"] == "elicitation/create" {
            return message;
        }
    }
}

pub(crate) fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{message}"))
}

#[tokio::test]
async fn shutdown_ends_five_clients_of_both_eras_within_its_grace_and_loses_no_call() {
    let application = ending_within(Duration::from_secs(10)).await;
    let address = application.address;
    // Listens, and does nothing else.
    let idle = Session::open(address).await;
    let mut idle_stream = idle.listen().await;
    // Listens, and has a call that runs.
    let running = Session::open(address).await;
    let mut running_stream = running.listen().await;
    let mut running_call = running.call("work", json!({ "name": "running", "milliseconds": 600 })).await;
    // Listens, and has a call that asks its user, who takes time.
    let asked = Session::open(address).await;
    let mut asked_stream = asked.listen().await;
    let mut asked_call = asked.call("book", json!({})).await;
    let question = question(&mut asked_call).await;
    // Requests that stand alone: one whose answer is a stream, and one whose answer is not.
    let mut speaking_call = call_of_newest(address, "murmur", &json!({ "milliseconds": 600 })).await;
    let mut silent_call = call_of_newest(address, "work", &json!({ "name": "silent", "milliseconds": 600 })).await;
    for stream in [&mut idle_stream, &mut running_stream, &mut asked_stream, &mut speaking_call] {
        assert_eq!(stream.answer().await.status, 200);
    }
    begun("running").await;
    begun("silent").await;

    let ended = tokio::spawn(application.end(Duration::from_secs(10)));
    for stream in [&mut idle_stream, &mut running_stream, &mut asked_stream] {
        assert_eq!(stream.next_message().await, None, "an idle stream ends at once");
    }
    let refused = idle.call("nap", json!({ "milliseconds": 0 })).await.answer().await;
    assert_eq!((refused.status, refused.code()), (503, -32603));
    assert!(refused.head.contains("retry-after: 1") && refused.head.contains("connection: close"), "{refused:?}");
    assert_eq!(idle.listen().await.answer().await.status, 503, "no other idle stream begins");
    assert_eq!(asked.post(&answer_to(&question, "12A")).await.answer().await.status, 202);

    assert_eq!(text(&asked_call.next_message().await.unwrap()), "booked 12A");
    assert_eq!(text(&running_call.answer().await.json()), "worked");
    assert_eq!(text(&silent_call.answer().await.json()), "worked");
    assert_eq!(speaking_call.next_message().await.unwrap()["params"]["data"], "listen");
    assert_eq!(text(&speaking_call.next_message().await.unwrap()), "said");
    let took = ended.await.unwrap().expect("it ends within its grace");
    assert!(took < Duration::from_secs(8), "nothing was left to wait for: {took:?}");
}

#[tokio::test]
async fn shutdown_cancels_calls_that_exceed_its_grace_with_an_error() {
    let application = ending_within(Duration::from_millis(400)).await;
    let address = application.address;
    let session = Session::open(address).await;
    let mut asked = session.call("book", json!({})).await;
    question(&mut asked).await;
    let other = Session::open(address).await;
    let mut running = other.call("work", json!({ "name": "running too long", "milliseconds": 600_000 })).await;
    let mut speaking = call_of_newest(address, "murmur", &json!({ "milliseconds": 600_000 })).await;
    assert_eq!(speaking.answer().await.status, 200);
    let mut silent =
        call_of_newest(address, "work", &json!({ "name": "silent too long", "milliseconds": 600_000 })).await;
    begun("running too long").await;
    begun("silent too long").await;

    let took = application.end(Duration::from_secs(5)).await.expect("it ends");
    assert!(took >= Duration::from_millis(400), "the calls have their time: {took:?}");
    assert_eq!(speaking.next_message().await.unwrap()["params"]["data"], "listen");
    for client in [&mut asked, &mut speaking] {
        let mut last = client.next_message().await.expect("its last message");
        if last["method"] == "notifications/cancelled" {
            last = client.next_message().await.expect("its last message");
        }
        assert_eq!(last["error"]["code"], -32603, "{last}");
    }
    for client in [&mut running, &mut silent] {
        let last = client.answer().await;
        assert_eq!((last.status, last.code()), (200, -32603), "{last:?}");
        assert!(!last.head.contains("retry-after"), "it may have taken effect: {last:?}");
    }
}

#[tokio::test]
async fn shutdown_answers_a_resumed_call_with_an_error() {
    let application = ending_within(Duration::from_millis(400)).await;
    let arguments = json!({ "name": "resumed" });
    let mut client = call_of_newest(application.address, "work_after_a_question", &arguments).await;
    let asked = client.answer().await.json();
    let (headers, body) = limits::call("work_after_a_question", &arguments);
    let mut message: Value = serde_json::from_str(&body).unwrap();
    message["params"]["requestState"] = asked["result"]["requestState"].clone();
    message["params"]["inputResponses"] = json!({ "begin": { "action": "accept", "content": { "sure": true } } });
    let body = message.to_string();
    client.send(format!("POST /mcp HTTP/1.1\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())).await;
    begun("resumed").await;

    application.end(Duration::from_secs(5)).await.expect("it ends");
    let last = client.answer().await;
    assert_eq!((last.status, last.code()), (200, -32603), "{last:?}");
}

#[tokio::test]
async fn shutdown_of_a_service_without_clients_returns_at_once() {
    let service = service();
    let start = Instant::now();
    service.shutdown(Duration::from_secs(60)).await;
    let application = Application::of(&service, || async {}).await;
    let session_refused = {
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
        }});
        post(application.address, "", &hello).await.answer().await
    };
    assert_eq!(session_refused.status, 503, "no session opens any more");
    assert!(start.elapsed() < Duration::from_secs(10));
}
