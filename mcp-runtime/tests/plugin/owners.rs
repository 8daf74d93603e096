//! Property: whatever several users do at once, each sees only the user's own calls.

use std::collections::{HashMap, HashSet};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{Method, StatusCode},
    middleware::{Next, from_fn},
    response::Response,
};
use http_body_util::BodyExt as _;
use mcp_runtime::{Principal, plugin::PluginHost};
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::plugin::support::{Kitchen, Order, server};

const USERS: usize = 4;

/// What a user does. Calls are named by their order among the calls of all users.
#[derive(Clone, Debug)]
enum Act {
    Start,
    List,
    Show(usize),
    Follow(usize),
    Answer(usize, u32),
    Cancel(usize),
}

fn act() -> impl Strategy<Value = (usize, Act)> {
    let act = prop_oneof![
        3 => Just(Act::Start),
        2 => Just(Act::List),
        2 => (0..8_usize).prop_map(Act::Show),
        2 => (0..8_usize).prop_map(Act::Follow),
        4 => (0..8_usize, 1..3_u32).prop_map(|(call, seq)| Act::Answer(call, seq)),
        1 => (0..8_usize).prop_map(Act::Cancel),
    ];
    (0..USERS, act)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nobody_sees_the_calls_of_another_user(acts in vec(act(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Users::new()).run(&runtime, acts);
    }
}

struct Users {
    router: Router,
    /// The owner of each call, by its id.
    owners: HashMap<String, usize>,
    ids: Vec<String>,
}

async fn identify(mut request: Request, next: Next) -> Response {
    let user = request.headers()["x-user"].to_str().unwrap().to_owned();
    request.extensions_mut().insert(Principal::new(user));
    next.run(request).await
}

impl Users {
    async fn new() -> Self {
        let host = PluginHost::builder(server(&Kitchen::default()).tool(Order)).start().await.unwrap();
        let router = Router::new().nest("/plugins", host.router().layer(from_fn(identify)));
        Self { router, owners: HashMap::new(), ids: Vec::new() }
    }

    fn run(mut self, runtime: &tokio::runtime::Runtime, acts: Vec<(usize, Act)>) {
        for (user, act) in acts {
            runtime.block_on(async {
                self.act(user, act).await;
                // Lets the calls go on.
                tokio::task::yield_now().await;
            });
        }
        for user in 0..USERS {
            runtime.block_on(self.check_list(user));
        }
    }

    async fn act(&mut self, user: usize, act: Act) {
        match act {
            Act::Start => {
                let body = json!({ "tool": "order", "arguments": { "dishes": 1 } });
                let (_, call) = self.request(user, Method::POST, "/calls", Some(body)).await;
                let id = call["id"].as_str().unwrap().to_owned();
                assert!(self.owners.insert(id.clone(), user).is_none(), "the id is new");
                self.ids.push(id);
            }
            Act::List => self.check_list(user).await,
            Act::Show(call) => self.check(user, call, Method::GET, "", None).await,
            Act::Follow(call) => self.check_events(user, call).await,
            Act::Answer(call, seq) => {
                let content = if seq == 1 { json!({ "dish": "soup" }) } else { json!({ "confirmed": true }) };
                let answer = json!({ "seq": seq, "action": "accept", "content": content });
                self.check(user, call, Method::POST, "/answers", Some(answer)).await;
            }
            Act::Cancel(call) => self.check(user, call, Method::DELETE, "", None).await,
        }
    }

    /// Sends a request about a call. It reaches the call only if the call is the user's own.
    async fn check(&self, user: usize, call: usize, method: Method, path: &str, body: Option<Value>) {
        let Some(id) = self.ids.get(call) else { return };
        let (status, reply) = self.request(user, method, &format!("/calls/{id}{path}"), body).await;
        if self.owners[id] == user {
            assert_ne!(status, StatusCode::NOT_FOUND, "{reply}");
        } else {
            assert_eq!(status, StatusCode::NOT_FOUND, "{reply}");
            assert!(!reply.to_string().contains(id.as_str()), "{reply}");
        }
    }

    /// Reads the first part of a timeline.
    async fn check_events(&self, user: usize, call: usize) {
        let Some(id) = self.ids.get(call) else { return };
        let response = self.response(user, Method::GET, &format!("/calls/{id}/events"), None).await;
        assert_eq!(response.status() == StatusCode::OK, self.owners[id] == user);
        if response.status() == StatusCode::OK {
            let first = response.into_body().frame().await.unwrap().unwrap().into_data().unwrap();
            assert!(str::from_utf8(&first).unwrap().contains("event: started"));
        }
    }

    /// The list of a user has only own calls, each once.
    async fn check_list(&self, user: usize) {
        let (_, reply) = self.request(user, Method::GET, "/calls", None).await;
        let listed: Vec<_> =
            reply["calls"].as_array().unwrap().iter().map(|call| call["id"].as_str().unwrap()).collect();
        assert!(listed.iter().all(|id| self.owners[*id] == user), "{reply}");
        assert_eq!(listed.iter().collect::<HashSet<_>>().len(), listed.len(), "{reply}");
    }

    async fn request(&self, user: usize, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let response = self.response(user, method, path, body).await;
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    async fn response(&self, user: usize, method: Method, path: &str, body: Option<Value>) -> Response {
        let request =
            Request::builder().method(method).uri(format!("/plugins{path}")).header("x-user", user.to_string());
        let request = request.header("host", "localhost").header("content-type", "application/json");
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap()
    }
}
