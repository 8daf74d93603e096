//! A server whose methods have requirements, behind every endpoint.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, request::Parts},
    response::Response,
};
use http_body_util::BodyExt as _;
use mcp_runtime::{
    Principal, Result, Server, Service,
    auth::{Authorization, BearerToken, TokenError, TokenFuture, TokenVerifier},
    contract,
    contract::{Contract, jsonrpc, rest},
    http::HttpLimits,
    layer::{self, CallInfo, Rejection},
    plugin::PluginHost,
    prelude::*,
    search::Search,
};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

/// How often the body of a method or tool has run.
#[derive(Clone, Default)]
pub(crate) struct Runs(Arc<AtomicUsize>);

impl Runs {
    pub(crate) fn run(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

struct Vault {
    runs: Runs,
    /// What `slow` waits for.
    released: Arc<Semaphore>,
}

/// The vault.
#[contract(resource = "vault")]
impl Vault {
    /// Opens the vault.
    #[method(scopes("admin"))]
    async fn open(&self) -> usize {
        self.runs.run()
    }

    /// Needs a user who answers.
    #[method(requires(elicitation))]
    async fn asks(&self) -> usize {
        self.runs.run()
    }

    /// Is rejected by a layer, unless the caller is an admin.
    async fn layered(&self) -> usize {
        self.runs.run()
    }

    /// Needs nothing.
    async fn plain(&self) -> usize {
        self.runs.run()
    }

    /// Returns a text of so many bytes.
    async fn long(&self, bytes: usize) -> String {
        "x".repeat(bytes)
    }

    /// Waits.
    async fn slow(&self) -> usize {
        drop(self.released.acquire().await);
        self.runs.run()
    }
}

/// Opens the vault, as a task.
#[mcp_tool(task, scopes("admin"))]
async fn task_open(runs: &Runs) -> Text<usize> {
    Text(runs.run())
}

/// Needs a user who answers, as a task.
#[mcp_tool(task, requires(elicitation))]
async fn task_asks(runs: &Runs) -> Text<usize> {
    Text(runs.run())
}

/// Is rejected by a layer, as a task.
#[mcp_tool(task)]
async fn task_layered(runs: &Runs) -> Text<usize> {
    Text(runs.run())
}

/// Needs nothing, as a task.
#[mcp_tool(task)]
async fn task_plain(runs: &Runs) -> Text<usize> {
    Text(runs.run())
}

async fn reject(call: CallInfo) -> Result<()> {
    let is_admin = call.principal().is_some_and(|principal| principal.has_scope("admin"));
    if call.tool().ends_with("layered") && !is_admin {
        return Err(Rejection::forbidden("the layer rejects this call").into());
    }
    Ok(())
}

/// Accepts the tokens `user` and `admin`.
struct Tokens;

impl TokenVerifier for Tokens {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
        Box::pin(async move {
            match token.secret() {
                name @ ("user" | "admin") => Ok(principal(name)),
                _ => Err(TokenError::invalid("this token is not known")),
            }
        })
    }
}

/// Returns the principal with this name. Only `admin` has a scope.
pub(crate) fn principal(name: &str) -> Principal {
    let principal = Principal::new(name);
    if name == "admin" { principal.scopes(["admin"]) } else { principal }
}

/// The server, its endpoints, and its host for an application.
pub(crate) struct Fixture {
    pub(crate) runs: Runs,
    pub(crate) released: Arc<Semaphore>,
    pub(crate) contract: Contract,
    pub(crate) service: Service,
    pub(crate) host: PluginHost,
    pub(crate) app: Router,
}

impl Fixture {
    /// Creates a server that needs tokens.
    pub(crate) async fn new() -> Self {
        Self::with(|server| server.authorization(authorization())).await
    }

    pub(crate) async fn with(configure: impl Fn(Server) -> Server) -> Self {
        let (runs, released) = (Runs::default(), Arc::new(Semaphore::new(0)));
        let vault = Vault { runs: runs.clone(), released: Arc::clone(&released) };
        let contract = Contract::builder("vault").resource(vault.into_resource()).build().unwrap();
        let server = || {
            let server = Server::new("vault", "1.0.0").contract(&contract).state(runs.clone());
            let server = server.tools(tools![task_open, task_asks, task_layered, task_plain]).searchable(Search::new());
            let limits = HttpLimits::default().queue_timeout(Duration::ZERO);
            configure(server.layer(layer::admit_fn(reject)).http_limits(limits))
        };
        let service = server().build().unwrap();
        // The host runs the tools of a server of its own, with the same settings.
        let host = PluginHost::builder(server()).start().await.unwrap();
        let contract = contract.served_by(&service).unwrap();
        let finds = |parts: &Parts| parts.extensions.get::<Principal>().cloned();
        let app = service.mount("/mcp").nest("/plugins", host.router());
        let rpc = jsonrpc::Options::new().principal(finds);
        let app = jsonrpc::mount(app, "/rpc", contract.clone(), rpc).unwrap();
        let app = rest::mount(app, contract.clone(), rest::Options::new().principal(finds)).unwrap();
        Self { runs, released, contract, service, host, app }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        Reply::of(self.app.clone().oneshot(request).await.unwrap()).await
    }
}

pub(crate) fn authorization() -> Authorization {
    Authorization::new("https://vault.example/mcp", Tokens).authorization_servers(["https://auth.example"])
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) async fn of(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        Self { status: parts.status.as_u16(), headers: parts.headers, text }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// Creates a request with a JSON body. The caller is the one of the token.
pub(crate) fn post(path: &str, token: Option<&str>, body: &Value) -> Request<Body> {
    let mut request = Request::post(path).header("host", "localhost");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    request.header("content-type", "application/json").body(body).unwrap()
}

/// Creates a request of the newest revision.
pub(crate) fn modern(token: Option<&str>, method: &str, mut params: Value, capabilities: &Value) -> Request<Body> {
    let name = params["name"].as_str().or(params["uri"].as_str()).unwrap_or_default().to_owned();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut request = post("/mcp", token, &body);
    let headers = request.headers_mut();
    headers.insert("mcp-protocol-version", "2026-07-28".parse().unwrap());
    headers.insert("mcp-method", method.parse().unwrap());
    if !name.is_empty() {
        headers.insert("mcp-name", name.parse().unwrap());
    }
    request
}
