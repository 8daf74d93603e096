//! All endpoints of one contract agree, whatever comes through which of them.

use std::collections::BTreeMap;

use axum::{Router, body::Body, http::Request};
use http_body_util::BodyExt as _;
use mcp_runtime::{
    Revision, Server,
    contract::{jsonrpc, rest},
    testing::Client,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::contract::notes::contract;

#[derive(Clone, Copy, Debug)]
enum Endpoint {
    Mcp(Revision),
    JsonRpc,
    Rest,
}

#[derive(Clone, Debug)]
enum Operation {
    Create { title: String, tags: Vec<String> },
    Get { id: u64 },
    Update { id: u64, title: String },
    Patch { id: u64, title: Option<String> },
    Delete { id: u64 },
    Search { text: String },
    ByTitle { title: String },
    Clear,
}

/// The output of a method, or the text of its error.
type Outcome = Result<Value, String>;

/// The three endpoints of one contract.
struct Endpoints {
    clients: Vec<(Revision, Client)>,
    app: Router,
}

/// What the contract must do.
#[derive(Default)]
struct Model(BTreeMap<u64, Value>);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_operations_through_random_doors_do_what_the_model_does(
        operations in prop::collection::vec((operation(), endpoint()), 1..30),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut endpoints, mut model) = (Endpoints::new(), Model::default());
            for (operation, endpoint) in operations {
                let expected = model.run(&operation);
                let got = endpoints.run(endpoint, &operation).await;
                prop_assert_eq!(got, expected, "{:?} through {:?}", operation, endpoint);
            }
            Ok(())
        })?;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_writers_through_all_doors_lose_nothing() {
    const WRITES: usize = 1_000;
    let Endpoints { mut clients, app } = Endpoints::new();
    let (_, mut client) = clients.pop().unwrap();
    let through_mcp = async {
        for number in 0..WRITES {
            let reply = client.call("notes_create", json!({ "title": format!("mcp {number}") })).await;
            assert!(!reply.is_error(), "{}", reply.text());
        }
    };
    let writer = |endpoint: Endpoint, name: &'static str| {
        let app = app.clone();
        tokio::spawn(async move {
            for number in 0..WRITES {
                let operation = Operation::Create { title: format!("{name} {number}"), tags: Vec::new() };
                over_http(&app, endpoint, &operation).await.unwrap();
            }
        })
    };
    let (rpc, rest) = (writer(Endpoint::JsonRpc, "rpc"), writer(Endpoint::Rest, "rest"));
    through_mcp.await;
    rpc.await.unwrap();
    rest.await.unwrap();
    let all = over_http(&app, Endpoint::Rest, &Operation::Search { text: String::new() }).await.unwrap();
    let ids: std::collections::BTreeSet<_> =
        all.as_array().unwrap().iter().map(|note| note["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (1..=3 * WRITES as u64).collect());
}

fn operation() -> impl Strategy<Value = Operation> {
    let id = || 0_u64..6;
    // Few titles, so that they clash; and some that paths, queries and JSON escape.
    let title = || prop_oneof![Just("a"), Just("b/ c?"), Just("é\"\\%41"), Just("…")].prop_map(str::to_owned);
    prop_oneof![
        3 => (title(), prop::collection::vec(title(), 0..3)).prop_map(|(title, tags)| Operation::Create { title, tags }),
        2 => id().prop_map(|id| Operation::Get { id }),
        1 => (id(), title()).prop_map(|(id, title)| Operation::Update { id, title }),
        1 => (id(), prop::option::of(title())).prop_map(|(id, title)| Operation::Patch { id, title }),
        1 => id().prop_map(|id| Operation::Delete { id }),
        1 => title().prop_map(|text| Operation::Search { text }),
        1 => title().prop_map(|title| Operation::ByTitle { title }),
        1 => Just(Operation::Clear),
    ]
}

fn endpoint() -> impl Strategy<Value = Endpoint> {
    prop_oneof![
        (0..Revision::ALL.len()).prop_map(|index| Endpoint::Mcp(Revision::ALL[index])),
        Just(Endpoint::JsonRpc),
        Just(Endpoint::Rest),
    ]
}

impl Operation {
    /// Returns the name of the method, and its input.
    fn call(&self) -> (&'static str, Value) {
        match self {
            Self::Create { title, tags } => ("create", json!({ "title": title, "tags": tags })),
            Self::Get { id } => ("get", json!({ "id": id })),
            Self::Update { id, title } => ("update", json!({ "id": id, "title": title })),
            Self::Patch { id, title } => ("patch", json!({ "id": id, "title": title })),
            Self::Delete { id } => ("delete", json!({ "id": id })),
            Self::Search { text } => ("search", json!({ "text": text })),
            Self::ByTitle { title } => ("by_title", json!({ "title": title })),
            Self::Clear => ("clear", json!({})),
        }
    }

    /// Returns the request of the REST endpoint: a verb, a path, and a body.
    fn request(&self) -> (&'static str, String, Value) {
        let (_, input) = self.call();
        match self {
            Self::Create { .. } => ("POST", "/notes".to_owned(), input),
            Self::Get { id } => ("GET", format!("/notes/{id}"), Value::Null),
            Self::Update { id, .. } => ("PUT", format!("/notes/{id}"), input),
            Self::Patch { id, title } => ("PATCH", format!("/notes/{id}"), json!({ "title": title })),
            Self::Delete { id } => ("DELETE", format!("/notes/{id}"), Value::Null),
            Self::Search { .. } => ("POST", "/notes/search".to_owned(), input),
            Self::ByTitle { title } => ("GET", format!("/notes/by-title/{}", encoded(title)), Value::Null),
            Self::Clear => ("POST", "/notes/clear".to_owned(), Value::Null),
        }
    }
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

impl Endpoints {
    fn new() -> Self {
        let contract = contract();
        let service = Server::new("notes", "1.0.0").contract(&contract).build().unwrap();
        let clients = Revision::ALL.iter().map(|revision| (*revision, Client::new(&service, *revision))).collect();
        let app = rest::mount(Router::new(), contract.clone(), rest::Options::new()).unwrap();
        Self { clients, app: jsonrpc::mount(app, "/rpc", contract, jsonrpc::Options::new()).unwrap() }
    }

    async fn run(&mut self, endpoint: Endpoint, operation: &Operation) -> Outcome {
        let Endpoint::Mcp(revision) = endpoint else { return over_http(&self.app, endpoint, operation).await };
        let (_, client) = self.clients.iter_mut().find(|(of, _)| *of == revision).unwrap();
        let (method, input) = operation.call();
        let reply = client.call(&format!("notes_{method}"), input).await;
        if reply.is_error() { Err(reply.text()) } else { Ok(serde_json::from_str(&reply.text()).unwrap()) }
    }
}

async fn over_http(app: &Router, endpoint: Endpoint, operation: &Operation) -> Outcome {
    let (verb, path, body) = match endpoint {
        Endpoint::Rest => operation.request(),
        _ => {
            let (method, params) = operation.call();
            let request = json!({ "jsonrpc": "2.0", "id": 1, "method": format!("notes.{method}"), "params": params });
            ("POST", "/rpc".to_owned(), request)
        }
    };
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = Request::builder().method(verb).uri(path).header("host", "localhost");
    let request = request.header("content-type", "application/json");
    let response = app.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    let status = response.status();
    let text = response.into_body().collect().await.unwrap().to_bytes();
    let mut reply: Value = if text.is_empty() { Value::Null } else { serde_json::from_slice(&text).unwrap() };
    match endpoint {
        Endpoint::Rest if status.is_success() => Ok(reply),
        Endpoint::Rest => Err(reply["detail"].as_str().unwrap().to_owned()),
        _ => match reply["error"]["message"].as_str() {
            Some(message) => Err(message.to_owned()),
            None => Ok(reply["result"].take()),
        },
    }
}

impl Model {
    fn run(&mut self, operation: &Operation) -> Outcome {
        let notes = &mut self.0;
        let missing = |id: &u64| format!("there is no note {id}");
        match operation {
            Operation::Create { title, .. } if notes.values().any(|note| note["title"] == **title) => {
                Err(format!("the title `{title}` is taken"))
            }
            Operation::Create { title, tags } => {
                let id = notes.keys().last().map_or(1, |last| last + 1);
                notes.insert(id, json!({ "id": id, "title": title, "tags": tags }));
                Ok(notes[&id].clone())
            }
            Operation::Get { id } => notes.get(id).cloned().ok_or_else(|| missing(id)),
            Operation::Update { id, title } => {
                let note = notes.get_mut(id).ok_or_else(|| missing(id))?;
                *note = json!({ "id": id, "title": title, "tags": [] });
                Ok(note.clone())
            }
            Operation::Patch { id, title } => {
                let note = notes.get_mut(id).ok_or_else(|| missing(id))?;
                if let Some(title) = title {
                    note["title"] = json!(title);
                }
                Ok(note.clone())
            }
            Operation::Delete { id } => notes.remove(id).map(|_| Value::Null).ok_or_else(|| missing(id)),
            Operation::Search { text: part } | Operation::ByTitle { title: part } => {
                let found = notes.values().filter(|note| note["title"].as_str().unwrap().contains(part));
                Ok(found.cloned().collect())
            }
            Operation::Clear => {
                notes.clear();
                Ok(Value::Null)
            }
        }
    }
}
