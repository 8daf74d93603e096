//! An endpoint for hosts, and the processes behind it.

use std::{future::pending, sync::Arc, time::Duration};

use axum::Router;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::edge::dev::{
    forward::{HostEndpoint, connection::RequestConnection},
    page::ServedPage,
    session::{api::message::MessageSummary, tests::Tried},
    target::{HttpProgram, TargetFuture},
};

pub(super) const TOKEN: &str = "0f0f0f";
pub(super) const LONG: Duration = Duration::from_secs(20);
pub(super) const BOTH: &str = "application/json, text/event-stream";

/// The URL of the process, `None` while it is built, or the reason why there is none.
pub(super) type ProcessUrl = Result<Option<String>, String>;

pub(super) struct FakeProgram {
    url: watch::Sender<ProcessUrl>,
    /// How often the endpoint has asked for the URL.
    asked: watch::Sender<usize>,
}

impl FakeProgram {
    fn new(url: ProcessUrl) -> Self {
        Self { url: watch::Sender::new(url), asked: watch::Sender::new(0) }
    }

    /// Changes the process.
    pub(super) fn is(&self, url: ProcessUrl) {
        self.url.send_modify(|known| *known = url);
    }

    /// Waits until the endpoint has asked for the URL this often.
    pub(super) async fn asked(&self, times: usize) {
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

pub(super) struct Hosted {
    pub(super) tried: Tried,
    pub(super) program: Arc<FakeProgram>,
    pub(super) address: String,
    /// The processes.
    pub(super) tasks: JoinSet<()>,
}

impl Hosted {
    pub(super) async fn new(url: ProcessUrl, has_page: bool) -> Self {
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
    pub(super) async fn server() -> Self {
        let mut hosted = Self::new(Ok(None), true).await;
        hosted.start_server().await;
        hosted
    }

    pub(super) async fn start_server(&mut self) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = self.tried.target.service();
        self.tasks.spawn(async move { service.serve_listener(listener, pending()).await });
        self.program.is(Ok(Some(format!("http://{address}/mcp"))));
    }

    /// With a process that answers each request in this way.
    pub(super) async fn start_router(&mut self, router: Router) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        self.tasks.spawn(async move { drop(axum::serve(listener, router).await) });
        self.program.is(Ok(Some(format!("http://{address}/own/path"))));
    }

    pub(super) async fn send(&self, request: Request<Full<Bytes>>) -> (JoinSet<()>, Response<Incoming>) {
        let connection = RequestConnection::open(&self.address).await.unwrap();
        timeout(LONG, connection.send(request)).await.unwrap().unwrap()
    }

    pub(super) async fn post(&self, headers: &[(&str, &str)], body: &Value) -> (StatusCode, Response<String>) {
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
    pub(super) async fn modern(&self, id: u64, method: &str, mut params: Value) -> (StatusCode, Response<String>) {
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

    pub(super) fn log(&self) -> Vec<MessageSummary> {
        self.tried.session.messages_after(0)
    }

    /// Waits until the log has this many messages.
    pub(super) async fn logged(&self, count: usize) -> Vec<MessageSummary> {
        let waiting = async {
            while self.log().len() < count {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(LONG, waiting).await.unwrap_or_else(|_| panic!("{:#?}", self.log()));
        self.log()
    }
}

pub(super) fn kinds(log: &[MessageSummary]) -> Vec<(&str, &str)> {
    log.iter().map(|message| (message.host.as_deref().unwrap_or_default(), &*message.kind)).collect()
}

pub(super) fn initialize() -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "editor", "version": "1" },
    } })
}
