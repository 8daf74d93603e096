//! Routes follow from the names of methods, or from the attributes of the author.

use axum::{
    Router,
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    routing::get,
};
use mcp_runtime::contract::{Contract, rest};
use serde_json::json;

use super::{app, send};
use crate::contract::notes::contract;

#[tokio::test]
async fn methods_create_read_update_and_delete() {
    let app = app();
    let created = send(&app, "POST /notes", r#"{"title": "milk", "tags": ["shop"]}"#).await;
    assert_eq!((created.status, created.header("location")), (201, Some("/notes/1")), "{}", created.body);
    assert_eq!(created.header("content-type"), Some("application/json"));
    assert_eq!(created.json(), json!({ "id": 1, "title": "milk", "tags": ["shop"] }));
    let got = send(&app, "GET /notes/1", "").await;
    assert_eq!((got.status, got.json()), (200, created.json()));
    let updated = send(&app, "PUT /notes/1", r#"{"title": "tea"}"#).await;
    assert_eq!((updated.status, updated.json()), (200, json!({ "id": 1, "title": "tea", "tags": [] })));
    let patched = send(&app, "PATCH /notes/1", r#"{"title": "coffee"}"#).await;
    assert_eq!((patched.status, &patched.json()["title"]), (200, &json!("coffee")));
    let unchanged = send(&app, "PATCH /notes/1", "").await;
    assert_eq!((unchanged.status, &unchanged.json()["title"]), (200, &json!("coffee")));
    let found = send(&app, "POST /notes/search", r#"{"text": "cof"}"#).await;
    assert_eq!((found.status, &found.json()[0]["id"]), (200, &json!(1)));
    let deleted = send(&app, "DELETE /notes/1", "").await;
    assert_eq!((deleted.status, &*deleted.body, deleted.header("content-type")), (204, "", None));
    assert_eq!(send(&app, "GET /notes/1", "").await.problem(404), "there is no note 1");
}

#[tokio::test]
async fn a_method_without_output_has_an_empty_body() {
    let reply = send(&app(), "POST /notes/clear", "").await;
    assert_eq!((reply.status, &*reply.body), (204, ""));
}

#[tokio::test]
async fn a_method_without_an_id_is_named_in_the_path() {
    let reply = send(&app(), "GET /server_status/get", "").await;
    assert_eq!((reply.status, reply.json()), (200, json!("fine")));
}

#[tokio::test]
async fn the_author_sets_the_verb_the_path_and_the_status() {
    let app = app();
    send(&app, "POST /notes", r#"{"title": "a b/c"}"#).await;
    let found = send(&app, "GET /notes/by-title/a%20b%2Fc", "").await;
    assert_eq!((found.status, &found.json()[0]["id"]), (200, &json!(1)));
    let sent = send(&app, "POST /notes/7/copies/ann", r#"{"urgent": true}"#).await;
    assert_eq!((sent.status, sent.json()), (202, json!("7 to ann, true")));
}

#[tokio::test]
async fn another_verb_gets_the_list_of_verbs() {
    let reply = send(&app(), "DELETE /notes", "").await;
    assert_eq!(
        reply.problem(405),
        "the route does not accept `DELETE`; the `Allow` header lists the verbs that it accepts"
    );
    let mut allowed: Vec<_> = reply.header("allow").unwrap().split(',').map(str::trim).collect();
    allowed.sort_unstable();
    assert_eq!(allowed, ["GET", "HEAD", "POST"]);
}

#[tokio::test]
async fn an_unknown_route_is_a_problem_too() {
    assert_eq!(send(&app(), "GET /nothing", "").await.problem(404), "there is no route `/nothing`");
}

#[tokio::test]
async fn routes_work_inside_of_another_application() {
    let api = rest::mount(Router::new(), contract(), rest::Options::new()).unwrap();
    let app = Router::new().route("/", get(|| async { "home" })).nest("/teams/{team}/api", api);
    let created = send(&app, "POST /teams/x/api/notes", r#"{"title": "milk"}"#).await;
    assert_eq!(created.header("location"), Some("/teams/x/api/notes/1"));
    let got = send(&app, "GET /teams/x/api/notes/1", "").await;
    assert_eq!(got.json()["id"], 1, "the parameter of the outer path is not that of the method");
    assert_eq!(send(&app, "GET /", "").await.body, "home");
}

#[tokio::test]
async fn routes_stand_beside_handlers_with_state_and_below_layers() {
    let counted = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = |State(counted): State<Counted>, request: Request, next: Next| async move {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        next.run(request).await
    };
    let own =
        |State(counted): State<Counted>| async move { counted.load(std::sync::atomic::Ordering::Relaxed).to_string() };
    let app: Router<Counted> = Router::new().route("/count", get(own));
    let app = rest::mount(app, contract(), rest::Options::new())
        .unwrap()
        .layer(from_fn_with_state(counted.clone(), count))
        .with_state(counted);
    assert_eq!(send(&app, "POST /notes", r#"{"title": "milk"}"#).await.status, 201);
    assert_eq!(send(&app, "GET /notes/1", "").await.status, 200);
    assert_eq!(send(&app, "GET /count", "").await.body, "3");
}

type Counted = std::sync::Arc<std::sync::atomic::AtomicUsize>;

#[test]
fn two_methods_with_one_route_are_an_error_of_the_build() {
    struct Both;

    #[mcp_runtime::contract(resource = "both")]
    impl Both {
        /// Gets one.
        async fn get(&self, id: u64) -> u64 {
            id
        }

        /// Gets one by its key.
        #[method(verb = "GET", path = "/both/{key}")]
        async fn by_key(&self, key: String) -> String {
            key
        }

        /// Has a parameter of the path that its input does not have.
        #[method(verb = "GET", path = "/keys/{missing}")]
        async fn missing(&self, input: Key) -> String {
            input.key
        }
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Key {
        key: String,
    }

    let error = Contract::builder("both").resource(Both.into_resource()).build().unwrap_err();
    let expected = [
        "the methods `both.get` and `both.by_key` both have the route `GET /both/{key}`; change one: \
         `#[method(path = \"…\")]`",
        "method `both.missing`: the path `/keys/{missing}` has `{missing}`, but the input has no field `missing`; add \
         it, or change the path: `#[method(path = \"…\")]`",
    ];
    assert_eq!(error.problems(), expected);
}
