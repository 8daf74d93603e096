//! What every endpoint over HTTP checks before anything of a request runs.

use std::{
    convert::Infallible,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::ConnectInfo,
    http::{HeaderValue, Request},
    routing::{get, post as route},
};
use http_body::Frame;
use mcp_runtime::{
    Principal, Server,
    contract::{Contract, jsonrpc, rest},
    http::{AllowedHosts, HttpLimits},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tower::ServiceExt as _;

use crate::guard::support::{Fixture, Reply, authorization, post};

/// An endpoint, with a request to it that changes something if it runs.
#[derive(Clone, Copy, Debug)]
enum Endpoint {
    Mcp,
    Rest,
    JsonRpc,
    Plugin,
    /// A route of the author's own, behind `Service::guard`.
    Own,
}

const ENDPOINTS: [Endpoint; 5] = [Endpoint::Mcp, Endpoint::Rest, Endpoint::JsonRpc, Endpoint::Plugin, Endpoint::Own];

const CLOSE: HeaderValue = HeaderValue::from_static("close");

impl Endpoint {
    fn path(self) -> &'static str {
        match self {
            Self::Mcp => "/mcp",
            Self::Rest => "/vault/plain",
            Self::JsonRpc => "/rpc",
            Self::Plugin => "/plugins/calls",
            Self::Own => "/own",
        }
    }

    fn body(self) -> Value {
        match self {
            Self::Mcp => json!({
                "jsonrpc": "2.0", "id": 1, "method": "initialize",
                "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } },
            }),
            Self::Rest | Self::Own => json!({}),
            Self::JsonRpc => json!({ "jsonrpc": "2.0", "id": 1, "method": "vault.plain" }),
            Self::Plugin => json!({ "tool": "vault_plain", "arguments": {} }),
        }
    }

    fn request(self, token: Option<&str>) -> Request<Body> {
        post(self.path(), token, &self.body())
    }

    /// A request whose body ends only if the client ends it.
    fn unfinished(self, token: Option<&str>, bytes: usize) -> Request<Body> {
        let mut request = self.request(token);
        *request.body_mut() = Body::new(Unfinished(vec![bytes / 2, bytes - bytes / 2]));
        request
    }
}

/// A body of some pieces, whose end never comes.
struct Unfinished(Vec<usize>);

impl http_body::Body for Unfinished {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.0.pop() {
            Some(bytes) => Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![b' '; bytes]))))),
            None => Poll::Pending,
        }
    }
}

/// Returns the server with all its endpoints.
async fn fixture(configure: impl Fn(Server) -> Server) -> Fixture {
    let mut fixture = Fixture::with(configure).await;
    let own = Router::new().route("/own", route(async |body: String| body)).layer(fixture.service.guard());
    fixture.app = fixture.app.merge(own);
    fixture
}

#[tokio::test]
async fn every_endpoint_refuses_other_hosts_and_pages_of_other_origins() {
    let fixture = fixture(|server| server.authorization(authorization())).await;
    let runs = fixture.runs.count();
    for endpoint in ENDPOINTS {
        let refused = [
            ("host", "evil.example", "`evil.example`"),
            ("origin", "https://evil.example", "`https://evil.example`"),
            ("origin", "null", "`null`"),
            ("sec-fetch-site", "cross-site", "another site"),
        ];
        for (name, value, reason) in refused {
            let mut request = endpoint.request(Some("admin"));
            request.headers_mut().insert(name, HeaderValue::from_static(value));
            let reply = fixture.send(request).await;
            assert_eq!(reply.status, 403, "{endpoint:?}, {name}: {value}: {}", reply.text);
            assert!(reply.text.contains(reason), "{endpoint:?}, {name}: {value}: {}", reply.text);
            assert!(!reply.headers.contains_key("access-control-allow-origin"), "{endpoint:?}");
        }
        let mut missing = endpoint.request(Some("admin"));
        missing.headers_mut().remove("host");
        assert_eq!(fixture.send(missing).await.status, 403, "{endpoint:?}");
    }
    // A page can send a `POST` without a body, and without a preflight request.
    let mut bare = post("/vault/plain", Some("admin"), &Value::Null);
    bare.headers_mut().remove("content-type");
    bare.headers_mut().insert("origin", HeaderValue::from_static("https://evil.example"));
    assert_eq!(fixture.send(bare).await.status, 403);
    assert_eq!(fixture.runs.count(), runs);
}

#[tokio::test]
async fn every_endpoint_answers_pages_of_allowed_origins() {
    let hosts = || AllowedHosts::default().origins(["https://app.example"]);
    let fixture = fixture(|server| server.authorization(authorization()).allowed_hosts(hosts())).await;
    for endpoint in ENDPOINTS {
        let preflight = Request::options(endpoint.path())
            .header("host", "localhost")
            .header("origin", "https://app.example")
            .header("access-control-request-method", "POST");
        let reply = fixture.send(preflight.body(Body::empty()).unwrap()).await;
        assert_eq!(reply.headers["access-control-allow-methods"], "POST", "{endpoint:?}");
        let mut request = endpoint.request(Some("admin"));
        request.headers_mut().insert("origin", HeaderValue::from_static("https://app.example"));
        let reply = fixture.send(request).await;
        assert!(reply.status < 300, "{endpoint:?}: {}", reply.text);
        assert_eq!(reply.headers["access-control-allow-origin"], "https://app.example", "{endpoint:?}");
    }
}

#[tokio::test]
async fn every_endpoint_asks_for_a_token_and_says_where_to_get_it() {
    let fixture = fixture(|server| server.authorization(authorization())).await;
    let metadata = r#"resource_metadata="https://vault.example/.well-known/oauth-protected-resource/mcp""#;
    for endpoint in ENDPOINTS {
        for (token, status, error) in [(None, 401, ""), (Some("forged"), 401, r#"error="invalid_token""#)] {
            let reply = fixture.send(endpoint.request(token)).await;
            assert_eq!(reply.status, status, "{endpoint:?}: {}", reply.text);
            let challenge = reply.headers["www-authenticate"].to_str().unwrap();
            assert!(challenge.contains(metadata) && challenge.contains(error), "{endpoint:?}: {challenge}");
        }
    }
    for path in ["/openapi.json", "/openrpc.json", "/docs/"] {
        let document = Request::get(path).header("host", "localhost").body(Body::empty()).unwrap();
        assert_eq!(fixture.send(document).await.status, 401, "{path}");
    }
    // A known caller who lacks a scope.
    for request in [post("/vault/open", Some("user"), &Value::Null), post("/rpc", Some("user"), &open())] {
        let reply = fixture.send(request).await;
        let challenge = reply.headers["www-authenticate"].to_str().unwrap();
        assert_eq!(reply.status, 403, "{}", reply.text);
        assert!(
            challenge.contains(r#"error="insufficient_scope""#) && challenge.contains(r#"scope="admin""#),
            "{challenge}"
        );
    }
}

fn open() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "vault.open" })
}

#[tokio::test(start_paused = true)]
async fn every_endpoint_gives_up_a_body_that_does_not_arrive() {
    let fixture = fixture(|server| server.authorization(authorization())).await;
    for endpoint in ENDPOINTS {
        let sent = fixture.send(endpoint.unfinished(Some("user"), 1000));
        let reply = timeout(Duration::from_secs(31), sent).await.unwrap_or_else(|_| panic!("{endpoint:?} waits"));
        assert_eq!((reply.status, &reply.headers["connection"]), (408, &CLOSE), "{endpoint:?}");
    }
}

#[tokio::test]
async fn every_endpoint_refuses_a_body_that_is_too_large() {
    let fixture = fixture(|server| server.authorization(authorization())).await;
    for endpoint in ENDPOINTS {
        let reply = fixture.send(endpoint.unfinished(Some("user"), 1024 * 1024 + 1)).await;
        assert_eq!((reply.status, &reply.headers["connection"]), (413, &CLOSE), "{endpoint:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn all_endpoints_of_a_server_share_the_large_bodies_of_a_client() {
    let limits = || HttpLimits::default().max_large_bodies_per_client(2);
    let fixture = fixture(|server| server.authorization(authorization()).http_limits(limits())).await;
    for [one, other] in [[Endpoint::Mcp, Endpoint::Rest], [Endpoint::JsonRpc, Endpoint::Own]] {
        let waiting = [one, other].map(|endpoint| fixture.send(endpoint.unfinished(Some("user"), 100_000)));
        let refused = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            for endpoint in [Endpoint::Mcp, Endpoint::Rest, Endpoint::JsonRpc, Endpoint::Own] {
                let reply = fixture.send(endpoint.unfinished(Some("user"), 100_000)).await;
                assert_eq!(reply.status, 429, "{endpoint:?}: {}", reply.text);
                assert!(reply.headers.contains_key("retry-after"), "{endpoint:?}");
                let another = fixture.send(endpoint.request(Some("admin"))).await;
                assert_eq!(another.status, 200, "{endpoint:?}: {}", another.text);
            }
        };
        let [one, other] = waiting;
        let (one, other, ()) = tokio::join!(one, other, refused);
        assert_eq!((one.status, other.status), (408, 408));
    }
}

#[tokio::test]
async fn a_client_that_reads_no_replies_gets_no_more() {
    const BYTES: usize = 450_000;
    let limits = HttpLimits::default().max_unread_replies(2_000_000);
    let fixture = fixture(|server| server.authorization(authorization()).http_limits(limits)).await;
    let long = || post("/vault/long", Some("user"), &json!({ "bytes": BYTES }));
    let mut unread = Vec::new();
    for _ in 0..3 {
        let response = fixture.app.clone().oneshot(long()).await.unwrap();
        assert_eq!(response.status(), 200);
        unread.push(response);
    }
    for endpoint in [Endpoint::Mcp, Endpoint::Rest, Endpoint::JsonRpc, Endpoint::Own] {
        let refused = fixture.send(endpoint.request(Some("user"))).await;
        assert_eq!(refused.status, 429, "{endpoint:?}: {}", refused.text);
        assert!(refused.text.contains("earlier replies"), "{endpoint:?}: {}", refused.text);
        assert_eq!(fixture.send(endpoint.request(Some("admin"))).await.status, 200, "{endpoint:?}");
    }
    let read = Reply::of(unread.pop().unwrap()).await;
    assert_eq!(read.text.len(), BYTES + 2);
    assert_eq!(fixture.send(Endpoint::Rest.request(Some("user"))).await.status, 200);
}

#[tokio::test]
async fn a_reply_that_is_too_large_is_not_sent() {
    let fixture = Fixture::with(|server| server).await;
    let contract = || fixture.contract.clone();
    let app =
        rest::mount(Router::new(), contract(), rest::Options::new().principal(|_| None).max_reply_size(100)).unwrap();
    let rpc = jsonrpc::Options::new().principal(|_| None).max_reply_size(150);
    let app = jsonrpc::mount(app, "/rpc", contract(), rpc).unwrap();
    let send = |path: &'static str, body: Value| {
        let app = app.clone();
        async move { Reply::of(app.oneshot(post(path, None, &body)).await.unwrap()).await }
    };
    let long =
        |bytes: usize| json!({ "jsonrpc": "2.0", "id": 1, "method": "vault.long", "params": { "bytes": bytes } });
    assert_eq!(send("/vault/long", json!({ "bytes": 98 })).await.status, 200);
    let reply = send("/vault/long", json!({ "bytes": 99 })).await;
    assert_eq!(
        (reply.status, &reply.json()["detail"]),
        (500, &json!("the reply has 101 bytes, but this server sends at most 100; ask for less"))
    );
    assert_eq!(send("/rpc", long(100)).await.json()["result"].as_str().unwrap().len(), 100);
    assert_eq!(send("/rpc", long(200)).await.json()["error"]["code"], -32603);
    let reply = send("/rpc", json!([long(100), long(100)])).await.json();
    assert_eq!(reply["error"]["code"], -32603, "{reply}");
}

#[tokio::test]
async fn a_contract_with_scopes_is_mounted_only_where_callers_are_known() {
    struct Safe;

    /// A safe.
    #[mcp_runtime::contract(resource = "safe")]
    impl Safe {
        /// Opens the safe.
        #[method(scopes("admin"))]
        async fn open(&self) {}
    }

    let contract = Contract::builder("safe").resource(Safe.into_resource()).build().unwrap();
    let rest = |contract, options| rest::mount(Router::<()>::new(), contract, options);
    let rpc = |contract, options| jsonrpc::mount(Router::<()>::new(), "/rpc", contract, options);
    for problems in [
        rest(contract.clone(), rest::Options::new()).unwrap_err(),
        rpc(contract.clone(), jsonrpc::Options::new()).unwrap_err(),
    ] {
        let problem = problems.problems()[0].clone();
        assert!(problem.starts_with("the method `safe.open` needs the scopes `admin`"), "{problem}");
        assert!(problem.contains("Options::principal") && problem.contains("Server::authorization"), "{problem}");
    }
    let finds = |_: &_| Some(Principal::new("ann"));
    drop(rest(contract.clone(), rest::Options::new().principal(finds)).unwrap());
    drop(rpc(contract.clone(), jsonrpc::Options::new().principal(finds)).unwrap());
    let service = Server::new("safe", "1").contract(&contract).authorization(authorization()).build().unwrap();
    drop(rest(contract.served_by(&service).unwrap(), rest::Options::new()).unwrap());
    drop(rpc(contract.served_by(&service).unwrap(), jsonrpc::Options::new()).unwrap());

    let other = Server::new("other", "1").build().unwrap();
    let missing = contract.served_by(&other).unwrap_err();
    assert!(missing.problems()[0].contains("no tools `safe_open`"), "{missing}");
}

#[tokio::test]
async fn an_application_on_the_servers_listener_has_the_limits_of_its_connections() {
    let limits = HttpLimits::default().request_timeout(Duration::from_millis(50));
    let service = Server::new("app", "1").http_limits(limits).build().unwrap();
    let who = async |ConnectInfo(address): ConnectInfo<SocketAddr>| address.to_string();
    let app = Router::new().route("/who", get(who)).merge(service.mount("/mcp"));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let served = tokio::spawn(async move { service.serve_app(listener, app, async { drop(stopped.await) }).await });

    // A head that never ends is not waited for.
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"GET /who HTTP/1.1\r\nhost: localhost\r\n").await.unwrap();
    let mut rest = Vec::new();
    timeout(Duration::from_secs(10), slow.read_to_end(&mut rest)).await.expect("the connection is closed").unwrap();

    let mut client = TcpStream::connect(address).await.unwrap();
    client.write_all(b"GET /who HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut reply = String::new();
    client.read_to_string(&mut reply).await.unwrap();
    assert!(reply.ends_with(&client.local_addr().unwrap().to_string()), "{reply}");

    stop.send(()).unwrap();
    timeout(Duration::from_secs(10), served).await.expect("the server ends").unwrap();
}
