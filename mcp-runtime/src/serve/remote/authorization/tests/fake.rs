//! A resource and its authorization server, at one address.

use std::{collections::HashMap, sync::Arc};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::State,
    http::{Method, Request, Response, header::AUTHORIZATION},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};

use crate::base::mutex::Mutex;

pub(super) struct FakeServer {
    state: Arc<Mutex<Behavior>>,
    base: String,
    _serving: JoinSet<()>,
}

/// What the server does, and what it has seen.
pub(super) struct Behavior {
    pub(super) challenge: String,
    /// The paths of the metadata of the resource, and of the authorization server.
    pub(super) paths: [&'static str; 2],
    pub(super) resource: String,
    pub(super) issuer: String,
    pub(super) methods: Value,
    pub(super) expires_in: Value,
    /// The reply to requests for tokens, if it is not a token.
    pub(super) token: Option<Value>,
    base: String,
    /// The number of the only valid token.
    issued: u32,
    required: Option<&'static str>,
    log: Vec<String>,
    forms: Vec<HashMap<String, String>>,
}

impl FakeServer {
    pub(super) async fn start(change: impl FnOnce(&mut Behavior)) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let mut behavior = Behavior {
            challenge: format!("Bearer resource_metadata=\"{base}/metadata\", scope=\"read\""),
            paths: ["/metadata", "/.well-known/oauth-authorization-server/tenant"],
            resource: format!("{base}/v1"),
            issuer: format!("{base}/tenant"),
            methods: Value::Null,
            expires_in: json!(3600),
            token: None,
            base: base.clone(),
            issued: 0,
            required: None,
            log: Vec::new(),
            forms: Vec::new(),
        };
        change(&mut behavior);
        let state = Arc::new(Mutex::new(behavior));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&state));
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { state, base, _serving: serving }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Makes the next token the only valid one, as if another client had requested it.
    pub(super) fn issue(&self) {
        self.state.lock().issued += 1;
    }

    /// Makes no token valid, until one is requested.
    pub(super) fn revoke(&self) {
        self.issue();
    }

    pub(super) fn require(&self, scope: &'static str) {
        self.state.lock().required = Some(scope);
    }

    /// Returns the requests so far.
    pub(super) fn log(&self) -> Vec<String> {
        self.state.lock().log.clone()
    }

    /// Returns the requests for tokens so far.
    pub(super) fn forms(&self) -> Vec<HashMap<String, String>> {
        self.state.lock().forms.clone()
    }
}

async fn answer(State(state): State<Arc<Mutex<Behavior>>>, request: Request<Body>) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 100_000).await.unwrap();
    let authorization = parts.headers.get(AUTHORIZATION).map(|value| value.to_str().unwrap().to_owned());
    let state = &mut *state.lock();
    let path = parts.uri.path();
    state.log.push(format!("{} {path}", parts.method));
    let json =
        |status: u16, body: &Value| Response::builder().status(status).body(Body::from(body.to_string())).unwrap();
    match (parts.method, path) {
        (Method::POST, "/v1/mcp") => {
            let message: Value = serde_json::from_slice(&body).unwrap();
            if authorization != Some(format!("Bearer token-{}", state.issued)) {
                return refused(401, &state.challenge);
            }
            match state.required {
                Some(scope) => refused(403, &format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"")),
                None => json(200, &json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} })),
            }
        }
        (Method::GET, path) if path == state.paths[0] => {
            let servers = [format!("{}/tenant", state.base)];
            json(200, &json!({ "resource": state.resource, "authorization_servers": servers }))
        }
        (Method::GET, path) if path == state.paths[1] => {
            let mut metadata = json!({ "issuer": state.issuer, "token_endpoint": format!("{}/token", state.base) });
            if !state.methods.is_null() {
                metadata["token_endpoint_auth_methods_supported"] = state.methods.clone();
            }
            json(200, &metadata)
        }
        (Method::POST, "/token") => {
            let mut form: HashMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
            let basic = authorization.and_then(|value| STANDARD.decode(value.strip_prefix("Basic ")?).ok());
            form.extend(basic.map(|pair| ("basic".to_owned(), String::from_utf8(pair).unwrap())));
            state.forms.push(form);
            if let Some(reply) = &state.token {
                return json(if reply.get("error").is_some() { 400 } else { 200 }, reply);
            }
            state.issued += 1;
            let token = format!("token-{}", state.issued);
            json(200, &json!({ "access_token": token, "token_type": "bearer", "expires_in": state.expires_in }))
        }
        _ => json(404, &Value::Null),
    }
}

fn refused(status: u16, challenge: &str) -> Response<Body> {
    let response = Response::builder().status(status);
    let response = if challenge.is_empty() { response } else { response.header("www-authenticate", challenge) };
    response.body(Body::empty()).unwrap()
}
