//! Lists that leave out what the caller's scopes do not allow, and how long clients can cache a list.

use std::time::Duration;

use axum::{Router, http::Request};
use mcp_runtime::{
    Principal, Result, Server, Service,
    prelude::*,
    resource::{ListRequest, ResourceEntry},
};
use serde_json::{Value, json};

use crate::http::{
    session::Session,
    wire::{Reply, add, modern, request, send},
};

/// Deletes everything.
#[mcp_tool(scopes("admin"))]
async fn delete_all() {}

/// Reads the mail.
#[mcp_tool(scopes("mail:read", "mail:list"))]
async fn mail() {}

/// Greets.
#[mcp_prompt]
async fn greet() -> String {
    String::new()
}

/// Fires everyone.
#[mcp_prompt(scopes("admin"))]
async fn fire() -> String {
    String::new()
}

/// The news.
#[mcp_resource("news://latest")]
async fn news() -> &'static str {
    "news"
}

/// The salaries.
#[mcp_resource("salaries://all", scopes("admin"))]
async fn salaries() -> &'static str {
    "salaries"
}

/// A page.
#[mcp_resource("pages://{name}", list = pages)]
async fn page(name: String) -> String {
    name
}

async fn pages(request: ListRequest) -> Result<Vec<ResourceEntry>> {
    Ok(vec![ResourceEntry::new(request.uri([("name", "a")]), "a")])
}

/// A file of an employee.
#[mcp_resource("people://{name}", scopes("admin"))]
async fn person(name: String) -> String {
    name
}

fn server() -> Server {
    Server::new("s", "1")
        .tools(tools![add, delete_all, mail])
        .prompts(prompts![greet, fire])
        .resources(resources![news, salaries])
}

/// Serves callers whose scopes are the words of the header `x-scopes`. Without this header, the caller is not known.
fn app(service: &Service) -> Router {
    service.mount("/mcp").layer(axum::middleware::map_request(async |mut request: Request<_>| {
        if let Some(scopes) = request.headers().get("x-scopes") {
            let principal = Principal::new("ann").scopes(scopes.to_str().unwrap().split(' '));
            request.extensions_mut().insert(principal);
        }
        request
    }))
}

async fn list(app: &Router, method: &str, scopes: Option<&str>, cursor: Option<&str>) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "_meta": meta, "cursor": cursor } });
    let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
    headers.extend(scopes.map(|scopes| ("x-scopes", scopes)));
    send(app, request("POST", &headers, &body.to_string())).await.json()["result"].take()
}

fn names(list: &Value, member: &str) -> Vec<String> {
    list[member].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

const LISTS: [(&str, &str, &[&str], &[&str]); 4] = [
    ("tools/list", "tools", &["add"], &["add", "delete_all"]),
    ("prompts/list", "prompts", &["greet"], &["greet", "fire"]),
    ("resources/list", "resources", &["news"], &["news", "salaries"]),
    ("resources/templates/list", "resourceTemplates", &[], &["person"]),
];

#[tokio::test]
async fn a_list_leaves_out_what_the_scopes_do_not_allow() {
    let service = server().resources(resources![person]).hide_unauthorized(true).build().unwrap();
    let app = app(&service);
    // Each twice and in both orders, because pages are cached.
    for _ in 0..2 {
        for (method, member, open, of_admin) in LISTS {
            for (scopes, expected) in [(None, open), (Some("admin"), of_admin), (Some("other"), open)] {
                let list = list(&app, method, scopes, None).await;
                assert_eq!(names(&list, member), expected, "{method} {scopes:?}");
                assert_eq!(list["cacheScope"], "private", "{method} {scopes:?}");
            }
        }
        for (scopes, expected) in [
            ("mail:list", &["add"][..]),
            ("mail:read", &["add"]),
            ("mail:read mail:list", &["add", "mail"]),
            ("admin mail:list", &["add", "delete_all"]),
            ("mail:list admin mail:read", &["add", "delete_all", "mail"]),
        ] {
            let list = list(&app, "tools/list", Some(scopes), None).await;
            assert_eq!(names(&list, "tools"), expected, "{scopes}");
        }
    }
    let mut client = service.memory();
    client
        .send(
            &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            }}})
            .to_string(),
        )
        .await;
    let list: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
    assert_eq!(names(&list["result"], "tools"), ["add", "delete_all", "mail"], "a local caller has every scope");
}

#[tokio::test]
async fn sessions_and_changed_lists_leave_out_the_same_items() {
    let service = server().hide_unauthorized(true).dynamic_tools().build().unwrap();
    let session = Session::of(app(&service), "2025-11-25").await;
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    assert_eq!(names(&session.post(&message).await.json()["result"], "tools"), ["add"]);
    assert!(service.tools().remove("add"));
    assert_eq!(names(&session.post(&message).await.json()["result"], "tools"), [] as [&str; 0]);
    let app = app(&service);
    assert_eq!(names(&list(&app, "tools/list", Some("admin"), None).await, "tools"), ["delete_all"]);
}

#[tokio::test]
async fn pages_and_lists_with_templates_leave_out_the_same_items() {
    let service = server().resources(resources![page, person]).page_size(1).hide_unauthorized(true).build().unwrap();
    let app = app(&service);
    for (scopes, expected) in [(None, &["news", "a"][..]), (Some("admin"), &["news", "salaries", "a"])] {
        let (mut found, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let page = list(&app, "resources/list", scopes, cursor.as_deref()).await;
            assert_eq!(page["cacheScope"], "private");
            found.extend(names(&page, "resources"));
            cursor = page["nextCursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(found, expected, "{scopes:?}");
    }
    let first = list(&app, "tools/list", Some("mail:list mail:read"), None).await;
    assert_eq!(names(&first, "tools"), ["add"]);
    let second = list(&app, "tools/list", Some("mail:list mail:read"), first["nextCursor"].as_str()).await;
    assert_eq!((names(&second, "tools"), &second["nextCursor"]), (vec!["mail".to_owned()], &Value::Null));
}

#[tokio::test]
async fn by_default_a_list_is_the_same_for_all_callers() {
    let app = app(&server().build().unwrap());
    for scopes in [None, Some("admin")] {
        let list = list(&app, "tools/list", scopes, None).await;
        assert_eq!(names(&list, "tools"), ["add", "delete_all", "mail"]);
        assert_eq!(list["cacheScope"], "public");
    }
    let open = Server::new("s", "1").tools(tools![add]).hide_unauthorized(true).build().unwrap();
    assert_eq!(modern(&open.mount("/mcp"), "tools/list", json!({})).await.json()["result"]["cacheScope"], "public");
}

#[tokio::test]
async fn a_list_that_can_change_is_not_cached_unless_the_author_sets_a_time() {
    const HOUR: u64 = 3_600_000;
    let ttl = async |service: &Service| {
        let app = service.mount("/mcp");
        let mut times = Vec::new();
        for (method, ..) in LISTS {
            times.push(modern(&app, method, json!({})).await.json()["result"]["ttlMs"].as_u64().unwrap());
        }
        times
    };
    let fixed = server().build().unwrap();
    assert_eq!(ttl(&fixed).await, [HOUR, HOUR, HOUR, HOUR]);
    // The list can change from the first use of its handle.
    let _ = fixed.tools();
    assert_eq!(ttl(&fixed).await, [0, HOUR, HOUR, HOUR]);
    assert_eq!(ttl(&server().dynamic_tools().build().unwrap()).await, [0, HOUR, HOUR, HOUR]);
    assert_eq!(ttl(&server().dynamic_prompts().build().unwrap()).await, [HOUR, 0, HOUR, HOUR]);
    assert_eq!(ttl(&server().dynamic_resources().build().unwrap()).await, [HOUR, HOUR, 0, 0]);
    assert_eq!(ttl(&server().resources(resources![person]).dynamic_resources().build().unwrap()).await[2], 0);
    let set = server().dynamic_tools().ttl(Duration::from_secs(5)).build().unwrap();
    assert_eq!(ttl(&set).await, [5000; 4]);
    let reply: Reply = modern(&set.mount("/mcp"), "server/discover", json!({})).await;
    assert_eq!(reply.json()["result"]["ttlMs"], 5000);
}
