//! Views on a page.

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderMap, StatusCode},
    middleware::{Next, from_fn},
    response::Response,
};
use http_body_util::BodyExt as _;
use mcp_runtime::{
    Principal, Result,
    plugin::{ModelApi, PluginHost, TypeScript},
    prelude::*,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// A map of the menu.
#[mcp_view("ui://kitchen/menu", html = "menu.html", csp(connect = "https://api.example"), permissions(clipboard_write))]
struct MenuMap;

#[derive(Serialize, JsonSchema)]
struct Dishes {
    dishes: Vec<String>,
}

#[elicits]
enum Asking {
    /// Which dish.
    #[elicit(view = MenuMap)]
    PickDish { dish: String },
}

/// Shows the menu.
#[mcp_tool(view = MenuMap)]
async fn menu(ctx: &Ctx<Asking>, day: String) -> Result<Json<Dishes>> {
    let pick = ctx.elicit::<PickDish>(format!("Which dish on {day}?")).choices(PickDish::DISH, ["soup", "cake"]);
    Ok(Json(Dishes { dishes: vec![pick.strict().await?.dish] }))
}

/// Returns the dishes of today, for the map.
#[mcp_tool(visibility = "app")]
async fn count_dishes() -> Json<Dishes> {
    Json(Dishes { dishes: Vec::new() })
}

/// Ends the orders of today. Use it when the last guest has gone.
#[mcp_tool(visibility = "model")]
async fn close_kitchen() -> &'static str {
    "closed"
}

/// The prices.
#[mcp_resource("kitchen://prices", scopes("prices"))]
async fn prices() -> &'static str {
    "soup: 3"
}

async fn host() -> PluginHost {
    let server = Server::new("kitchen", "1").tools(tools![menu, count_dishes, close_kitchen]);
    PluginHost::builder(server.resources(resources![prices])).start().await.unwrap()
}

/// The user is in a header, with the scopes.
async fn identify(mut request: Request, next: Next) -> Response {
    if let Some(scopes) = request.headers().get("x-scopes").and_then(|scopes| scopes.to_str().ok()) {
        let user = Principal::new("ann").scopes(scopes.split_whitespace());
        request.extensions_mut().insert(user);
    }
    next.run(request).await
}

async fn get(host: &PluginHost, path: &str, scopes: Option<&str>) -> (StatusCode, HeaderMap, String) {
    let router = Router::new().nest("/plugins", host.router().layer(from_fn(identify)));
    let mut request = Request::get(format!("/plugins{path}")).header("host", "localhost");
    if let Some(scopes) = scopes {
        request = request.header("x-scopes", scopes);
    }
    let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    (parts.status, parts.headers, String::from_utf8(body.to_vec()).unwrap())
}

async fn json(host: &PluginHost, path: &str, scopes: Option<&str>) -> (StatusCode, Value) {
    let (status, _, body) = get(host, path, scopes).await;
    (status, serde_json::from_str(&body).unwrap())
}

const MENU: &str = "uri=ui%3A%2F%2Fkitchen%2Fmenu";

#[tokio::test]
async fn a_frame_has_the_policy_of_its_view_and_no_origin() {
    let (status, headers, frame) = get(&host().await, &format!("/views?{MENU}"), Some("")).await;
    assert_eq!(status, StatusCode::OK, "{frame}");
    let policy = headers["content-security-policy"].to_str().unwrap();
    for directive in [
        "default-src 'none'",
        "connect-src https://api.example",
        "frame-src 'none'",
        "frame-ancestors 'self'",
        "form-action 'none'",
        "sandbox allow-scripts",
    ] {
        assert!(policy.split("; ").any(|part| part == directive), "{directive} is not in {policy}");
    }
    assert_eq!(headers["content-type"], "text/html; charset=utf-8");
    assert!(frame.contains(r#"sandbox="allow-scripts" allow="clipboard-write" srcdoc="<!doctype html>"#), "{frame}");
    // The client of the view is in the page, without an end of its script.
    assert!(frame.contains("connectView") && !frame.contains("mcp-view.js&quot;"), "{frame}");
}

#[tokio::test]
async fn a_page_reads_resources_with_the_rights_of_its_user() {
    let host = host().await;
    let prices = "/resources?uri=kitchen%3A%2F%2Fprices";
    let (status, read) = json(&host, prices, Some("prices")).await;
    assert_eq!((status, &read["contents"][0]["text"]), (StatusCode::OK, &json!("soup: 3")));
    let (status, refused) = json(&host, prices, Some("other")).await;
    assert_eq!((status, &refused["error"]["code"]), (StatusCode::FORBIDDEN, &json!("refused")));
    let (status, _) = json(&host, prices, None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn what_is_not_a_view_has_no_frame() {
    let host = host().await;
    for (path, status, code) in [
        ("/views?uri=kitchen%3A%2F%2Fprices", StatusCode::NOT_FOUND, "not_a_view"),
        ("/views?uri=ui%3A%2F%2Fkitchen%2Fother", StatusCode::NOT_FOUND, "unknown_resource"),
        ("/views?uri=%ff", StatusCode::BAD_REQUEST, "unreadable"),
        ("/views?uri=", StatusCode::BAD_REQUEST, "unreadable"),
        ("/views", StatusCode::BAD_REQUEST, "unreadable"),
        ("/resources", StatusCode::BAD_REQUEST, "unreadable"),
    ] {
        let (got, body) = json(&host, path, Some("prices")).await;
        assert_eq!((got, &body["error"]["code"]), (status, &json!(code)), "{path}");
    }
    let (status, _) = json(&host, &format!("/views?{MENU}"), None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_question_names_its_view() {
    let host = host().await;
    let mut call = host.call("menu", json!({ "day": "Monday" })).await.unwrap();
    while call.question().is_none() {
        call.next_event().await.unwrap();
    }
    let question = call.question().unwrap();
    assert_eq!(question.view.as_deref(), Some("ui://kitchen/menu"));
    assert!(question.schema.is_some());
    call.cancel();
}

#[tokio::test]
async fn a_model_does_not_get_the_tools_of_views() {
    let host = host().await;
    let names: Vec<_> = host.sampling_tools().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["menu", "close_kitchen"]);
    for api in [ModelApi::OpenAi, ModelApi::Anthropic, ModelApi::Ollama] {
        let tools = json!(host.tools_for(api)).to_string();
        assert!(tools.contains("close_kitchen") && !tools.contains("count_dishes"), "{tools}");
    }
    // The page gets all of them, with what says who can call them.
    let (_, shown) = json(&host, "/tools", Some("")).await;
    let visibility: Vec<_> =
        shown["tools"].as_array().unwrap().iter().map(|tool| &tool["_meta"]["ui"]["visibility"]).collect();
    assert_eq!(json!(visibility), json!([null, ["app"], ["model"]]));
}

#[tokio::test]
async fn the_types_of_views_name_what_they_show_and_call() {
    let TypeScript { view_types, view_host, .. } = host().await.typescript();
    assert!(view_host.is_some());
    for line in [
        "type ViewTools = Pick<ServerTools, \"menu\" | \"count_dishes\">;",
        "  \"ui://kitchen/menu\": {",
        "    tools: Pick<ServerTools, \"menu\">;",
        "    forms: { dish: string };",
    ] {
        assert!(view_types.contains(line), "{line} is not in {view_types}");
    }
    assert!(!view_types.contains("close_kitchen"));
    let without = PluginHost::builder(Server::new("kitchen", "1").tools(tools![close_kitchen])).start().await.unwrap();
    assert_eq!(without.typescript().view_host, None);
}
