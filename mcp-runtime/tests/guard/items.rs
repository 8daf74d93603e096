//! Prompts, resources, completions, lists and subscriptions need the scopes of their items.

use axum::Router;
use mcp_runtime::{
    Result, Server,
    complete::CompletionRequest,
    prelude::*,
    resource::{ListRequest, ResourceEntry},
};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::guard::support::{Reply, Runs, authorization, modern};

/// The secrets of a topic.
#[mcp_prompt(scopes("admin"))]
async fn secrets(
    runs: &Runs,
    /// The topic.
    #[complete(topics)]
    topic: String,
) -> String {
    runs.run();
    topic
}

/// The plan.
#[mcp_resource("vault://plan", scopes("admin"))]
async fn plan(runs: &Runs) -> String {
    runs.run();
    "the plan".to_owned()
}

/// The papers.
#[mcp_resource("vault://papers/{paper}", list = papers, scopes("admin"))]
async fn paper(runs: &Runs, #[complete(topics)] paper: String) -> String {
    runs.run();
    paper
}

async fn topics(request: CompletionRequest) -> Result<Vec<String>> {
    request.state::<Runs>()?.run();
    Ok(vec!["gold".to_owned()])
}

async fn papers(request: ListRequest) -> Result<Vec<ResourceEntry>> {
    request.state::<Runs>()?.run();
    Ok(vec![ResourceEntry::new(request.uri([("paper", "deed")]), "the deed")])
}

/// A request for an item, and a part of the reply that only an admin gets.
fn requests() -> [(&'static str, Value, &'static str); 7] {
    [
        ("prompts/get", json!({ "name": "secrets", "arguments": { "topic": "gold" } }), "gold"),
        ("resources/read", json!({ "uri": "vault://plan" }), "the plan"),
        ("resources/read", json!({ "uri": "vault://papers/deed" }), "deed"),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "secrets" }, "argument": { "name": "topic", "value": "" } }),
            "gold",
        ),
        (
            "completion/complete",
            json!({
                "ref": { "type": "ref/resource", "uri": "vault://papers/{paper}" },
                "argument": { "name": "paper", "value": "" },
            }),
            "gold",
        ),
        ("resources/list", json!({}), "vault://papers/deed"),
        ("subscriptions/listen", json!({ "notifications": { "resourceSubscriptions": ["vault://plan"] } }), ""),
    ]
}

#[tokio::test]
async fn every_item_needs_its_scopes() {
    let runs = Runs::default();
    let server = Server::new("vault", "1.0.0").state(runs.clone()).prompts(prompts![secrets]).dynamic_resources();
    let service = server.resources(resources![plan, paper]).authorization(authorization()).build().unwrap();
    let app: Router = service.mount("/mcp");
    let send = |token: &'static str, method: &'static str, params: Value| {
        let app = app.clone();
        async move { app.oneshot(modern(Some(token), method, params, &json!({}))).await.unwrap() }
    };
    for (method, params, secret) in requests() {
        let before = runs.count();
        let refused = Reply::of(send("user", method, params.clone()).await).await;
        assert_eq!(runs.count(), before, "{method}: {}", refused.text);
        if method == "resources/list" {
            assert!(refused.status == 200 && !refused.text.contains(secret), "{}", refused.text);
            assert!(refused.text.contains(r#""cacheScope":"private""#), "{}", refused.text);
        } else {
            assert_eq!(refused.status, 403, "{method}: {}", refused.text);
            let challenge = refused.headers["www-authenticate"].to_str().unwrap();
            assert!(challenge.contains(r#"scope="admin""#), "{method}: {challenge}");
        }
        let admitted = send("admin", method, params).await;
        assert_eq!(admitted.status(), 200, "{method}");
        // A subscription does not end.
        if method != "subscriptions/listen" {
            let admitted = Reply::of(admitted).await;
            assert!(admitted.text.contains(secret), "{method}: {}", admitted.text);
            assert_eq!(runs.count(), before + 1, "{method}");
        }
    }
}

#[tokio::test]
async fn every_skill_needs_its_scopes() {
    let skills = skills!["../skills/files/refunds"].scope("admin");
    let service = Server::new("vault", "1.0.0").skills(skills).authorization(authorization()).build().unwrap();
    let app: Router = service.mount("/mcp");
    let send = |token: &'static str, method: &'static str, params: Value| {
        let app = app.clone();
        async move { Reply::of(app.oneshot(modern(Some(token), method, params, &json!({}))).await.unwrap()).await }
    };
    let skill = json!({ "uri": "skill://refunds/SKILL.md" });
    for (method, params) in [
        ("skills/get", skill.clone()),
        ("resources/read", skill),
        ("resources/directory/read", json!({ "uri": "skill://refunds" })),
    ] {
        let refused = send("user", method, params.clone()).await;
        assert_eq!(refused.status, 403, "{method}: {}", refused.text);
        let challenge = refused.headers["www-authenticate"].to_str().unwrap();
        assert!(challenge.contains(r#"scope="admin""#), "{method}: {challenge}");
        let admitted = send("admin", method, params).await;
        assert!(admitted.status == 200 && admitted.text.contains("refunds"), "{method}: {}", admitted.text);
    }
    for method in ["skills/list", "resources/list"] {
        let user = send("user", method, json!({})).await;
        assert!(user.status == 200 && !user.text.contains("refunds"), "{method}: {}", user.text);
        let admin = send("admin", method, json!({})).await;
        assert!(admin.text.contains("refunds"), "{method}: {}", admin.text);
        for reply in [user, admin] {
            assert!(reply.text.contains(r#""cacheScope":"private""#), "{method}: {}", reply.text);
        }
    }
}
