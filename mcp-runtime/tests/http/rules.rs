//! Rules that hold for any input of a client. They are used by the property test here and the fuzz target in `fuzz/`.

use std::{future::poll_fn, pin::Pin, sync::LazyLock, time::Duration};

use axum::{
    Router,
    body::Body,
    http::{HeaderName, HeaderValue, Method, Request, StatusCode},
    response::Response,
};
use http_body::Body as _;
use mcp_runtime::{
    Elicited, Result, Server, Service,
    complete::CompletionRequest,
    http::HttpLimits,
    prelude::*,
    resource::{ListRequest, ResourceEntry},
};
use serde_json::{Value, json};
use tower::ServiceExt;

#[elicits]
enum Trip {
    Seat { seat: String },
}

/// Adds two numbers.
#[mcp_tool(read_only)]
async fn add(a: i64, b: i64) -> Text<i64> {
    Text(a.wrapping_add(b))
}

/// Says something before it is done.
#[mcp_tool(read_only)]
async fn speak(ctx: &Ctx, text: String) -> String {
    ctx.log(Level::Info, &text);
    ctx.progress(0.5).message("half");
    text
}

/// Asks for a seat.
#[mcp_tool(replayable)]
async fn book(ctx: &Ctx<Trip>) -> Result<String> {
    match ctx.elicit::<Seat>("Which seat?").await? {
        Elicited::Accept(Seat { seat }) => Ok(format!("booked {seat}")),
        Elicited::Decline | Elicited::Cancel => Ok("not booked".to_owned()),
    }
}

/// The latest news.
#[mcp_resource("news://latest")]
async fn news() -> &'static str {
    "nothing new"
}

/// A note.
#[mcp_resource("notes://{folder}/{+path}{#part}", list = notes)]
async fn note(folder: String, #[complete(words)] path: String, part: Option<u8>) -> String {
    format!("{folder} {path} {part:?}")
}

async fn notes(request: ListRequest) -> Result<Vec<ResourceEntry>> {
    let entry = |path| ResourceEntry::new(request.uri([("folder", "a"), ("path", path)]), path);
    Ok(["b", "c/d", "e"].map(entry).into())
}

/// Plan a trip.
#[mcp_prompt]
async fn plan(
    ctx: &Ctx<Trip>,
    /// Where to go.
    #[complete(words)]
    to: String,
    /// How long, in days.
    days: Option<u8>,
) -> Result<String> {
    let is_booked = matches!(ctx.elicit::<Seat>("Which seat?").await?, Elicited::Accept(_));
    Ok(format!("Plan {days:?} days in {to}. Seat: {is_booked}."))
}

async fn words(request: CompletionRequest) -> Result<Vec<String>> {
    Ok(vec!["b".to_owned(), "c/d".to_owned(), request.value().to_owned()])
}

pub(crate) static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let limits = HttpLimits::default().max_sessions(3);
    let server = Server::new("anything", "1").http_limits(limits).max_message_size(64 * 1024).page_size(2);
    let server = server.tools(tools![add, speak, book]).resources(resources![news, note]).prompts(prompts![plan]);
    server.dynamic_tools().dynamic_resources().build().unwrap()
});

/// Creates a new endpoint.
pub(crate) fn app() -> Router {
    SERVICE.mount("/mcp")
}

/// The answer to a request.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) status: StatusCode,
    pub(crate) messages: Vec<Value>,
}

/// Creates a request from bytes. The first byte selects how the other bytes are used. With `h`, they contain the
/// request line and the headers. With `a`, they are the body of a request without a session, with matching headers.
/// With `2` and `3`, they are the body of a request in a session of 2025-03-26 and 2025-11-25.
pub(crate) async fn request(app: &Router, data: &[u8]) -> Option<Request<Body>> {
    let (how, data) = data.split_first()?;
    match how {
        b'h' => with_head(data),
        b'a' => Some(alone(data)),
        b'2' => Some(in_session(app, "2025-03-26", data).await),
        b'3' => Some(in_session(app, "2025-11-25", data).await),
        _ => None,
    }
}

/// Sends the request and checks the answer.
///
/// # Panics
/// Panics if a rule is broken.
pub(crate) async fn holds(app: &Router, request: Request<Body>) -> Seen {
    let (parts, body) = request.into_parts();
    let sent = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let (method, id) = (parts.method.clone(), id_of(&sent));
    let response = app.clone().oneshot(Request::from_parts(parts, Body::from(sent)));
    let response = tokio::time::timeout(Duration::from_secs(60), response).await.expect("it is answered").unwrap();
    let status = response.status();
    let allowed = [200, 202, 204, 400, 403, 404, 405, 406, 413, 415, 429, 503];
    assert!(allowed.contains(&status.as_u16()), "{status}");
    assert_eq!(status == 405, response.headers().contains_key("allow"));
    assert_eq!(matches!(status.as_u16(), 429 | 503), response.headers().contains_key("retry-after"));
    let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    let read = read(response).await;
    let messages: Vec<Value> = match kind.as_deref() {
        Some(_) if method == Method::HEAD => {
            assert_eq!(read, "");
            Vec::new()
        }
        None => {
            assert!(read.is_empty() && status != 200, "{status} with {read:?}");
            Vec::new()
        }
        Some("application/json") => match serde_json::from_str(&read).unwrap() {
            Value::Array(messages) => messages,
            message => vec![message],
        },
        Some("text/event-stream") => {
            assert_eq!(status, 200);
            let events = read.split_terminator("\n\n").filter_map(data_of);
            events.map(|event| serde_json::from_str(event).unwrap()).collect()
        }
        Some(other) => panic!("it is {other}"),
    };
    for message in &messages {
        is_message(message);
        if !status.is_success() {
            assert!(message.get("error").is_some(), "{status} with {message}");
        }
        // A rejection before the message is read, or because of the client, has no id.
        if let (Some(answered), Some(id)) = (message.get("id").filter(|_| message.get("method").is_none()), &id) {
            assert_eq!(answered, id, "{status}");
        }
    }
    if method == Method::POST && status == 200 && id.is_some() && kind.as_deref() == Some("application/json") {
        assert!(messages[0].get("id").is_some(), "an answer without its id: {messages:?}");
    }
    Seen { status, messages }
}

/// Reads the body until no more data arrives.
async fn read(response: Response) -> String {
    let mut body = response.into_body();
    let (mut bytes, mut quiet) = (Vec::new(), 0);
    while quiet < 8 {
        let next = poll_fn(|cx| std::task::Poll::Ready(Pin::new(&mut body).poll_frame(cx))).await;
        match next {
            std::task::Poll::Ready(Some(frame)) => bytes.extend(frame.unwrap().into_data().unwrap()),
            std::task::Poll::Ready(None) => break,
            std::task::Poll::Pending => {
                quiet += 1;
                tokio::task::yield_now().await;
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Returns the data of an event, if any.
fn data_of(event: &str) -> Option<&str> {
    event.lines().find_map(|line| line.strip_prefix("data: "))
}

fn is_message(message: &Value) {
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    let has = |member| message.get(member).is_some();
    let kinds = [has("method"), has("result"), has("error")].into_iter().filter(|is| *is).count();
    assert_eq!(kinds, 1, "{message}");
    assert!(!has("result") || has("id"), "{message}");
    assert!(message.get("id").is_none_or(|id| id.is_string() || id.is_number()), "{message}");
    if let Some(error) = message.get("error") {
        assert!(error["code"].is_i64() && error["message"].as_str().is_some_and(|text| !text.is_empty()), "{message}");
    }
}

/// Returns the id of the request in a body. Returns `None` if the body is not a request whose id is a string or an
/// integer.
fn id_of(body: &[u8]) -> Option<Value> {
    let Value::Object(members) = serde_json::from_slice(body).ok()? else { return None };
    let id = members.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64())?;
    let is_request =
        members.get("jsonrpc") == Some(&json!("2.0")) && members.get("method").is_some_and(Value::is_string);
    is_request.then(|| id.clone())
}

fn with_head(data: &[u8]) -> Option<Request<Body>> {
    let end = data.windows(2).position(|window| window == b"\n\n")?;
    let mut lines = data[..end].split(|byte| *byte == b'\n');
    let mut first = lines.next()?.split(|byte| *byte == b' ');
    let mut request = Request::builder();
    request = request.method(Method::from_bytes(first.next()?).ok()?).uri(str::from_utf8(first.next()?).ok()?);
    for line in lines {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let (name, value) = (&line[..colon], &line[colon + 1..]);
        request = request.header(HeaderName::from_bytes(name).ok()?, HeaderValue::from_bytes(value).ok()?);
    }
    request.body(Body::from(data[end + 2..].to_owned())).ok()
}

/// Creates a POST request with these headers and the headers that every client sends.
fn posted(body: &[u8], headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::post("/mcp").header("host", "localhost").header("content-type", "application/json");
    request = request.header("accept", "application/json, text/event-stream");
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(value) {
            request = request.header(*name, value);
        }
    }
    request.body(Body::from(body.to_owned())).unwrap()
}

fn alone(body: &[u8]) -> Request<Body> {
    let message: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let version = text(&message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]);
    let params = &message["params"];
    let named = params.get("name").or_else(|| params.get("uri")).unwrap_or_default();
    let (method, name) = (text(&message["method"]), text(named));
    posted(body, &[("mcp-protocol-version", &*version), ("mcp-method", &*method), ("mcp-name", &*name)])
}

async fn in_session(app: &Router, revision: &str, body: &[u8]) -> Request<Body> {
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": revision,
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "c", "version": "1" },
    }});
    let response = app.clone().oneshot(posted(hello.to_string().as_bytes(), &[])).await.unwrap();
    let id = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    posted(body, &[("mcp-session-id", &*id), ("mcp-protocol-version", revision)])
}
