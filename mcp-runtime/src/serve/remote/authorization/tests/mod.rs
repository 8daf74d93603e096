//! Clients with credentials, and a server that is its own authorization server.

mod fake;

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::{Duration, timeout};

use self::fake::FakeServer;
use super::{ClientCredentials, FixedBearer};
use crate::{
    serve::remote::transport::{
        TransferError, Transport as _,
        http::{Authorizes, HttpTransport, url::Endpoint},
    },
    wire::protocol::revision::Revision,
};

const LONG: Duration = Duration::from_secs(20);
const SECRET: &str = "s3cr3t&=";

fn credentials() -> ClientCredentials {
    ClientCredentials::new("gateway", SECRET.to_owned())
}

struct TestClient(HttpTransport);

impl TestClient {
    fn new(server: &FakeServer, authorization: impl Authorizes + 'static) -> Self {
        let endpoint = Endpoint::parse(&server.url("/v1/mcp")).unwrap().authorized_by(Arc::new(authorization)).unwrap();
        assert!(!format!("{endpoint:?}").contains("s3cr3t"));
        Self(HttpTransport::new(Arc::new(endpoint), Revision::LATEST))
    }

    async fn send(&mut self, id: u64) {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {} });
        self.0.send(&message.to_string()).await.unwrap();
    }

    async fn received(&mut self) -> Result<String, TransferError> {
        let received = timeout(LONG, self.0.receive()).await.unwrap();
        received.map(|message| message.text).map_err(|failed| failed.error)
    }

    async fn request(&mut self, id: u64) -> Result<String, TransferError> {
        self.send(id).await;
        self.received().await
    }

    /// Returns why a request is not authorized.
    async fn refused(&mut self) -> String {
        match self.request(1).await {
            Err(error @ TransferError::Unauthorized(_)) => {
                let text = error.to_string();
                assert!(!text.contains("s3cr3t") && !format!("{error:?}").contains("s3cr3t"), "{text}");
                text
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_fixed_token_is_sent_with_each_request() {
    let server = FakeServer::start(|_| {}).await;
    server.issue();
    let mut client = TestClient::new(&server, FixedBearer::new("token-1".to_owned()).unwrap());
    client.request(1).await.unwrap();
    client.request(2).await.unwrap();
    server.issue();
    let error = client.request(3).await.unwrap_err();
    assert!(matches!(error, TransferError::Refused { status: 401, .. }), "{error:?}");
    assert_eq!(server.log(), ["POST /v1/mcp"; 3]);
    let error = FixedBearer::new("s3cr3t\n".to_owned()).unwrap_err();
    assert!(error.contains("is not valid") && !error.contains("s3cr3t"));
}

#[tokio::test]
async fn credentials_are_not_sent_where_others_can_read_them() {
    let endpoint = Endpoint::parse("http://example.com/mcp").unwrap();
    let error = endpoint.authorized_by(Arc::new(credentials())).unwrap_err();
    assert_eq!(error, "`http://example.com/mcp` gets no credentials, because others could read them; use `https`");
}

#[tokio::test]
async fn a_token_is_requested_once_and_used_again() {
    let server = FakeServer::start(|_| {}).await;
    let mut client = TestClient::new(&server, credentials());
    assert_eq!(client.request(1).await.unwrap(), json!({ "jsonrpc": "2.0", "id": 1, "result": {} }).to_string());
    client.request(2).await.unwrap();
    assert_eq!(
        server.log(),
        [
            "POST /v1/mcp",
            "GET /metadata",
            "GET /.well-known/oauth-authorization-server/tenant",
            "POST /token",
            "POST /v1/mcp",
            "POST /v1/mcp",
        ]
    );
    let form = server.forms().remove(0);
    assert_eq!(form["grant_type"], "client_credentials");
    assert_eq!((&*form["resource"], &*form["scope"]), (&*server.url("/v1"), "read"));
    assert_eq!(form["basic"], "gateway:s3cr3t%26%3D");
}

#[tokio::test]
async fn a_token_that_is_refused_is_replaced_once_for_all_requests() {
    let server = FakeServer::start(|_| {}).await;
    let mut client = TestClient::new(&server, credentials());
    client.request(1).await.unwrap();
    server.revoke();
    for id in 2..10 {
        client.send(id).await;
    }
    for _ in 2..10 {
        client.received().await.unwrap();
    }
    assert_eq!(server.forms().len(), 2);
}

#[tokio::test]
async fn an_expired_token_is_replaced_before_the_request() {
    let server = FakeServer::start(|server| server.expires_in = json!(0)).await;
    let mut client = TestClient::new(&server, credentials());
    client.request(1).await.unwrap();
    client.request(2).await.unwrap();
    assert_eq!(server.forms().len(), 2);
    assert_eq!(server.log()[4..], ["POST /v1/mcp", "POST /token", "POST /v1/mcp"]);
}

#[tokio::test]
async fn well_known_paths_are_tried_without_a_challenge() {
    let change = |server: &mut fake::Behavior| {
        server.challenge = String::new();
        server.paths = ["/.well-known/oauth-protected-resource", "/tenant/.well-known/openid-configuration"];
    };
    let server = FakeServer::start(change).await;
    let mut client = TestClient::new(&server, credentials().scope("a").scope("b"));
    client.request(1).await.unwrap();
    assert_eq!(
        server.log()[1..7],
        [
            "GET /.well-known/oauth-protected-resource/v1/mcp",
            "GET /.well-known/oauth-protected-resource",
            "GET /.well-known/oauth-authorization-server/tenant",
            "GET /.well-known/openid-configuration/tenant",
            "GET /tenant/.well-known/openid-configuration",
            "POST /token",
        ]
    );
    assert_eq!(server.forms()[0]["scope"], "a b");
}

#[tokio::test]
async fn credentials_are_in_the_body_if_the_authorization_server_requires_it() {
    let server = FakeServer::start(|server| server.methods = json!(["client_secret_post"])).await;
    TestClient::new(&server, credentials()).request(1).await.unwrap();
    let form = server.forms().remove(0);
    assert_eq!((&*form["client_id"], &*form["client_secret"]), ("gateway", SECRET));
    assert!(!form.contains_key("basic"));

    let server = FakeServer::start(|server| server.methods = json!(["private_key_jwt"])).await;
    let error = TestClient::new(&server, credentials()).refused().await;
    assert!(error.contains("accepts no client secret, only [\"private_key_jwt\"]"), "{error}");
    assert_eq!(server.forms().len(), 0);
}

#[tokio::test]
async fn a_token_url_needs_no_metadata() {
    let server = FakeServer::start(|_| {}).await;
    let mut client = TestClient::new(&server, credentials().token_url(server.url("/token")));
    client.request(1).await.unwrap();
    assert_eq!(server.log(), ["POST /token", "POST /v1/mcp"]);
    assert_eq!(server.forms()[0]["resource"], server.url("/v1/mcp"));
}

#[tokio::test]
async fn the_secret_is_sent_to_the_named_issuer_only() {
    let server = FakeServer::start(|_| {}).await;
    TestClient::new(&server, credentials().issuer(server.url("/tenant/"))).request(1).await.unwrap();
    let mut client = TestClient::new(&server, credentials().issuer("https://auth.example.com"));
    let error = client.refused().await;
    assert!(error.contains("but the credentials are for `https://auth.example.com`"), "{error}");
    assert_eq!(server.forms().len(), 1);
}

#[tokio::test]
async fn metadata_about_others_is_not_believed() {
    let server = FakeServer::start(|server| server.resource = "https://other.example.com".to_owned()).await;
    let error = TestClient::new(&server, credentials()).refused().await;
    assert!(error.contains("is about `https://other.example.com`, and not about"), "{error}");

    let server = FakeServer::start(|server| server.issuer = "https://other.example.com".to_owned()).await;
    let error = TestClient::new(&server, credentials()).refused().await;
    assert!(error.contains("is that of `https://other.example.com`"), "{error}");
    assert_eq!(server.forms().len(), 0);
}

#[tokio::test]
async fn a_missing_scope_is_named() {
    let server = FakeServer::start(|_| {}).await;
    let mut client = TestClient::new(&server, credentials());
    client.request(1).await.unwrap();
    server.require("admin");
    let error = client.refused().await;
    assert_eq!(
        error,
        "not authorized: the server requires the scope `admin`; request it with `ClientCredentials::scope`"
    );
    assert_eq!(server.forms().len(), 1);
}

#[tokio::test]
async fn errors_of_the_authorization_server_are_shown_without_secrets() {
    for (reply, expected) in [
        (json!({ "error": "invalid_client", "error_description": "unknown" }), "invalid_client: unknown"),
        (json!({ "error": "invalid_client", "error_description": SECRET }), "invalid_client"),
        (json!({ "access_token": "s3cr3t", "token_type": "mac" }), "the type of the token is `mac`"),
        (json!({ "access_token": "s3cr3t\n", "token_type": "bearer" }), "cannot be sent in a header"),
        (json!({ "access_token": ["s3cr3t"] }), "without a valid reply"),
        (json!({ "token_type": "bearer" }), "without a token"),
        (Value::Null, "without a valid reply"),
    ] {
        let server = FakeServer::start(|server| server.token = Some(reply)).await;
        let error = TestClient::new(&server, credentials()).refused().await;
        assert!(error.contains("gave no token: ") && error.contains(expected), "{error}");
    }
}
