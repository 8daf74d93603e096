//! What hosts get through the endpoint, from servers that are replaced.

use std::{
    convert::Infallible,
    future::pending,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{Router, body::Body, routing::any};
use bytes::Bytes;
use http::{Request, Response, StatusCode, header::CONTENT_TYPE};
use http_body::Frame;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::super::{HostEndpoint, ServedPage};
use crate::edge::dev::{
    forward::connection::RequestConnection,
    session::{api::message::MessageSummary, tests::Tried},
    target::{HttpProgram, TargetFuture},
};

const TOKEN: &str = "0f0f0f";
const LONG: Duration = Duration::from_secs(20);
const BOTH: &str = "application/json, text/event-stream";

/// The URL of the process, `None` while it is built, or the reason why there is none.
type ProcessUrl = Result<Option<String>, String>;

struct FakeProgram {
    url: watch::Sender<ProcessUrl>,
    /// How often the endpoint has asked for the URL.
    asked: watch::Sender<usize>,
}

impl FakeProgram {
    fn new(url: ProcessUrl) -> Self {
        Self { url: watch::Sender::new(url), asked: watch::Sender::new(0) }
    }

    /// Changes the process.
    fn is(&self, url: ProcessUrl) {
        self.url.send_modify(|known| *known = url);
    }

    /// Waits until the endpoint has asked for the URL this often.
    async fn asked(&self, times: usize) {
        let mut asked = self.asked.subscribe();
        timeout(LONG, asked.wait_for(|asked| times <= *asked)).await.unwrap().unwrap();
    }
}

impl HttpProgram for FakeProgram {
    fn newest_url(&self, patience: Duration) -> TargetFuture<'_, String> {
        self.asked.send_modify(|asked| *asked += 1);
        let mut url = self.url.subscribe();
        Box::pin(async move {
            let known = timeout(patience, url.wait_for(|url| *url != Ok(None))).await.map_err(|_| "late")?;
            known.map_err(|error| error.to_string())?.clone().map(Option::unwrap)
        })
    }
}

struct Hosted {
    tried: Tried,
    program: Arc<FakeProgram>,
    address: String,
    /// The processes.
    tasks: JoinSet<()>,
}

impl Hosted {
    async fn new(url: ProcessUrl, has_page: bool) -> Self {
        let (tried, program) = (Tried::new(), Arc::new(FakeProgram::new(url)));
        let page = ServedPage::new(Arc::clone(&tried.session), 0).await.unwrap();
        let hosts = HostEndpoint::new(Arc::clone(&program) as _, TOKEN.to_owned(), &tried.session);
        let page = ServedPage { has_page, hosts: Some(Arc::new(hosts)), ..page };
        let address = page.address.to_string();
        assert_eq!(page.host_url(), Some(format!("http://{address}/mcp/{TOKEN}")));
        let mut tasks = JoinSet::new();
        tasks.spawn(page.run(pending()));
        Self { tried, program, address, tasks }
    }

    /// With a process that is a real server.
    async fn server() -> Self {
        let mut hosted = Self::new(Ok(None), true).await;
        hosted.start_server().await;
        hosted
    }

    async fn start_server(&mut self) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = self.tried.target.service();
        self.tasks.spawn(async move { service.serve_listener(listener, pending()).await });
        self.program.is(Ok(Some(format!("http://{address}/mcp"))));
    }

    /// With a process that answers each request in this way.
    async fn start_router(&mut self, router: Router) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        self.tasks.spawn(async move { drop(axum::serve(listener, router).await) });
        self.program.is(Ok(Some(format!("http://{address}/own/path"))));
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> (JoinSet<()>, Response<Incoming>) {
        let connection = RequestConnection::open(&self.address).await.unwrap();
        timeout(LONG, connection.send(request)).await.unwrap().unwrap()
    }

    async fn post(&self, headers: &[(&str, &str)], body: &Value) -> (StatusCode, Response<String>) {
        let mut request = Request::post(format!("/mcp/{TOKEN}"));
        for (name, value) in [("host", &*self.address), ("content-type", "application/json"), ("accept", BOTH)] {
            request = request.header(name, value);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (_connection, response) = self.send(request.body(Full::from(body.to_string())).unwrap()).await;
        let (parts, body) = response.into_parts();
        let body = timeout(LONG, body.collect()).await.unwrap().unwrap().to_bytes();
        (parts.status, Response::from_parts(parts, String::from_utf8(body.to_vec()).unwrap()))
    }

    /// Makes a request of the current revision.
    async fn modern(&self, id: u64, method: &str, mut params: Value) -> (StatusCode, Response<String>) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "a-host\n", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
        let name = params["name"].as_str().map(str::to_owned);
        let headers: Vec<_> = headers.into_iter().chain(name.as_deref().map(|name| ("mcp-name", name))).collect();
        self.post(&headers, &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await
    }

    fn log(&self) -> Vec<MessageSummary> {
        self.tried.session.messages_after(0)
    }

    /// Waits until the log has this many messages.
    async fn logged(&self, count: usize) -> Vec<MessageSummary> {
        let waiting = async {
            while self.log().len() < count {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(LONG, waiting).await.unwrap_or_else(|_| panic!("{:#?}", self.log()));
        self.log()
    }
}

fn kinds(log: &[MessageSummary]) -> Vec<(&str, &str)> {
    log.iter().map(|message| (message.host.as_deref().unwrap_or_default(), &*message.kind)).collect()
}

fn initialize() -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "editor", "version": "1" },
    } })
}

#[tokio::test]
async fn a_reply_passes_as_it_is_and_its_messages_are_logged() {
    let hosted = Hosted::server().await;
    let (status, response) = hosted.modern(7, "tools/list", json!({})).await;
    assert_eq!(status, StatusCode::OK, "{response:?}");
    assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
    let body: Value = serde_json::from_str(response.body()).unwrap();
    assert!(body["id"] == 7 && body["result"]["tools"].is_array(), "{body}");
    let log = hosted.logged(2).await;
    assert_eq!(kinds(&log), [("a-host", "tools/list"), ("a-host", "result")]);
    assert_eq!((log[1].request.as_deref(), log[1].status, &log[1].call), (Some("7"), Some(200), &None));
    assert_eq!(log[1].length, response.body().trim().len());
    let sent = hosted.tried.session.message(log[0].n).unwrap();
    let url = sent.url.unwrap();
    assert!(url.ends_with("/mcp") && !url.contains(TOKEN), "{url}");
    assert!(sent.headers.unwrap().iter().any(|(name, value)| name == "mcp-method" && value == "tools/list"));
}

#[tokio::test]
async fn a_session_has_its_client_and_its_stream() {
    let mut hosted = Hosted::server().await;
    let (status, begun) = hosted.post(&[], &initialize()).await;
    assert_eq!(status, StatusCode::OK, "{begun:?}");
    let session = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let of_session = [("mcp-session-id", &*session), ("mcp-protocol-version", "2025-11-25")];
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let (status, accepted) = hosted.post(&of_session, &initialized).await;
    assert_eq!((status, &**accepted.body()), (StatusCode::ACCEPTED, ""));
    let get = Request::get(format!("/mcp/{TOKEN}")).header("host", &*hosted.address).header("accept", BOTH);
    let get = get.header("mcp-session-id", &*session).header("mcp-protocol-version", "2025-11-25");
    let (_connection, stream) = hosted.send(get.body(Full::default()).unwrap()).await;
    assert_eq!(
        (stream.status(), &stream.headers()[CONTENT_TYPE]),
        (StatusCode::OK, &"text/event-stream".parse().unwrap())
    );
    let log = hosted.logged(3).await;
    assert_eq!(kinds(&log), [("editor", "initialize"), ("editor", "result"), ("editor", "notifications/initialized")]);

    // Another process does not know the session, and says so itself.
    hosted.tried.target.change_code("Which seat now?");
    hosted.start_server().await;
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let (status, refused) = hosted.post(&of_session, &list).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{refused:?}");
    assert_eq!(hosted.log().last().unwrap().status, Some(404));
    let (status, _) = hosted.post(&[], &initialize()).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn a_stream_arrives_piece_by_piece_and_ends_with_its_host() {
    let mut hosted = Hosted::new(Ok(None), true).await;
    let (events, pieces) = mpsc::channel(8);
    let pieces = Arc::new(std::sync::Mutex::new(Some(pieces)));
    let router = Router::new().route(
        "/own/path",
        any(move |request: axum::extract::Request| async move {
            let seen = format!("{} {:?}", request.uri(), request.headers().get("authorization"));
            let pieces = pieces.lock().unwrap().take().unwrap();
            let body = Body::new(Received(pieces));
            Response::builder().header(CONTENT_TYPE, "text/event-stream").header("x-seen", seen).body(body).unwrap()
        }),
    );
    hosted.start_router(router).await;
    let request = Request::post(format!("/mcp/{TOKEN}?a=b")).header("host", &*hosted.address);
    let request = request.header("authorization", "Bearer t").header("content-type", "application/json");
    let call = r#"{"jsonrpc":"2.0","id":"x","method":"tools/call"}"#;
    let (connection, mut response) = hosted.send(request.body(Full::from(call)).unwrap()).await;
    assert_eq!(response.headers()["x-seen"], "/own/path?a=b Some(\"Bearer t\")");
    for (piece, logged) in
        [("data: {\"method\":\"notifications/progress\"}\n\ndata: {\"id\":\"x\",", 2), ("\"result\":{}}\n\n", 3)]
    {
        events.send(Bytes::from(piece)).await.unwrap();
        let frame = timeout(LONG, response.body_mut().frame()).await.unwrap().unwrap().unwrap();
        assert_eq!(frame.into_data().unwrap(), piece);
        hosted.logged(logged).await;
    }
    assert_eq!(
        kinds(&hosted.log()),
        [("a host", "tools/call"), ("a host", "notifications/progress"), ("a host", "result")]
    );
    assert!(!events.is_closed());
    drop((connection, response));
    timeout(LONG, events.closed()).await.expect("the process notices that the host is gone");
}

/// A body whose pieces are received.
struct Received(mpsc::Receiver<Bytes>);

impl http_body::Body for Received {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(cx).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

#[tokio::test]
async fn a_host_that_goes_away_before_the_response_ends_the_request() {
    let mut hosted = Hosted::new(Ok(None), true).await;
    let (begun, mut begins) = mpsc::channel::<mpsc::Sender<()>>(1);
    let router = Router::new().route(
        "/own/path",
        any(move || async move {
            let (alive, mut dropped) = mpsc::channel::<()>(1);
            begun.send(alive).await.unwrap();
            dropped.recv().await;
        }),
    );
    hosted.start_router(router).await;
    let request = Request::post(format!("/mcp/{TOKEN}")).header("host", &*hosted.address).body(Full::from("{}"));
    let connection = RequestConnection::open(&hosted.address).await.unwrap();
    let alive = tokio::select! {
        _ = connection.send(request.unwrap()) => panic!("it was answered"),
        alive = begins.recv() => alive.unwrap(),
    };
    timeout(LONG, alive.closed()).await.expect("the process notices that the host is gone");
}

#[tokio::test]
async fn a_request_waits_for_the_next_process() {
    let mut hosted = Hosted::new(Ok(None), true).await;
    let program = Arc::clone(&hosted.program);
    let mut request = Box::pin(hosted.modern(1, "tools/list", json!({})));
    tokio::select! {
        answered = &mut request => panic!("it does not wait: {answered:?}"),
        () = program.asked(1) => {}
    }
    drop(request);
    hosted.start_server().await;
    let (status, _) = hosted.modern(2, "tools/list", json!({})).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn a_request_that_finds_no_process_at_its_address_waits_for_the_next_one() {
    let address = {
        // A process that has just ended: nothing listens at its address.
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
        gone.local_addr().unwrap()
    };
    let mut hosted = Hosted::new(Ok(Some(format!("http://{address}/mcp"))), true).await;
    let program = Arc::clone(&hosted.program);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let next = listener.local_addr().unwrap();
    let service = hosted.tried.target.service();
    hosted.tasks.spawn(async move {
        program.asked(2).await;
        program.is(Ok(Some(format!("http://{next}/mcp"))));
        service.serve_listener(listener, pending()).await;
    });
    let (status, _) = hosted.modern(1, "tools/list", json!({})).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn a_host_reads_why_there_is_no_process() {
    let hosted = Hosted::new(Err("the program cannot be built: cannot find value `x`".to_owned()), true).await;
    let (status, response) = hosted.modern(3, "tools/list", json!({})).await;
    assert_eq!((status, &response.headers()["retry-after"]), (StatusCode::SERVICE_UNAVAILABLE, &"5".parse().unwrap()));
    let error: Value = serde_json::from_str(response.body()).unwrap();
    assert_eq!((&error["jsonrpc"], &error["id"]), (&json!("2.0"), &json!(3)));
    assert_eq!(error["error"]["message"], "the program cannot be built: cannot find value `x`");
    let log = hosted.logged(2).await;
    assert_eq!(kinds(&log), [("a-host", "tools/list"), ("a-host", "error")]);
    assert_eq!(log[1].status, Some(503));
}

#[tokio::test]
async fn each_message_of_a_batch_is_logged() {
    let hosted = Hosted::new(Err("no".to_owned()), true).await;
    let batch = json!([{ "id": 1, "method": "ping" }, { "method": "notifications/initialized" }]);
    let (_, response) = hosted.post(&[], &batch).await;
    assert!(response.body().contains(r#""id":null"#), "{response:?}");
    let log = hosted.logged(3).await;
    assert_eq!(kinds(&log), [("a host", "ping"), ("a host", "notifications/initialized"), ("a host", "error")]);
}

#[tokio::test]
async fn nothing_is_forwarded_without_the_token_or_for_another_site() {
    let hosted = Hosted::server().await;
    let own = format!("http://{}", hosted.address);
    let evil = "http://evil.example";
    let right = format!("/mcp/{TOKEN}");
    for (path, name, value, status) in [
        ("/mcp", "x-a", "b", StatusCode::UNAUTHORIZED),
        ("/mcp/", "x-a", "b", StatusCode::UNAUTHORIZED),
        ("/mcp/0f0f0e", "x-a", "b", StatusCode::NOT_FOUND),
        ("/mcp/0f0f0f0", "authorization", "Bearer 0f0f0f", StatusCode::NOT_FOUND),
        (&right, "host", "evil.example", StatusCode::FORBIDDEN),
        (&right, "origin", evil, StatusCode::FORBIDDEN),
        (&right, "origin", "null", StatusCode::FORBIDDEN),
        (&right, "sec-fetch-site", "cross-site", StatusCode::FORBIDDEN),
        (&right, "origin", &own, StatusCode::OK),
    ] {
        let mut request = Request::post(path).header("content-type", "application/json").header("accept", BOTH);
        if name != "host" {
            request = request.header("host", &*hosted.address);
        }
        let request = request.header(name, value).body(Full::from(initialize().to_string())).unwrap();
        let (_connection, response) = hosted.send(request).await;
        assert_eq!(response.status(), status, "{path} {name}: {value}");
    }
    assert_eq!(hosted.logged(2).await.len(), 2, "only the last request");
}

#[tokio::test]
async fn without_a_page_only_hosts_are_served() {
    let mut hosted = Hosted::new(Ok(None), false).await;
    hosted.start_server().await;
    for path in ["/", "/api/state", "/api/messages"] {
        let request = Request::get(path).header("host", &*hosted.address).body(Full::default()).unwrap();
        assert_eq!(hosted.send(request).await.1.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(hosted.post(&[], &initialize()).await.0, StatusCode::OK);
}
