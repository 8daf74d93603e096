//! The routes for a page.

use std::time::Duration;

use axum::{
    Router,
    body::{Body, Bytes},
    extract::Request,
    http::{Method, StatusCode},
    middleware::{Next, from_fn},
    response::Response,
};
use http_body_util::BodyExt as _;
use mcp_runtime::{
    Principal,
    plugin::{PluginHost, PluginLimits},
    tools,
};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::plugin::support::{Kitchen, Order, host, keep, server};

/// The user is in a header.
async fn identify(mut request: Request, next: Next) -> Response {
    if let Some(user) = request.headers().get("x-user").and_then(|user| user.to_str().ok()) {
        let user = Principal::new(user);
        request.extensions_mut().insert(user);
    }
    next.run(request).await
}

struct Page {
    router: Router,
    user: &'static str,
}

impl Page {
    fn of(host: &PluginHost, user: &'static str) -> Self {
        Self { router: Router::new().nest("/plugins", host.router().layer(from_fn(identify))), user }
    }

    async fn response(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Option<Value>) -> Response {
        let mut request = Request::builder().method(method).uri(format!("/plugins{path}")).header("x-user", self.user);
        request = request.header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap()
    }

    async fn json(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let response = self.response(method, path, &[], body).await;
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&body).unwrap())
    }

    async fn get(&self, path: &str) -> Value {
        self.json(Method::GET, path, None).await.1
    }

    async fn start(&self) -> String {
        let body = json!({ "tool": "order", "arguments": { "dishes": 2 } });
        let (status, call) = self.json(Method::POST, "/calls", Some(body)).await;
        assert_eq!(status, StatusCode::CREATED, "{call}");
        call["id"].as_str().unwrap().to_owned()
    }

    async fn answer(&self, id: &str, answer: Value) -> (StatusCode, Value) {
        self.json(Method::POST, &format!("/calls/{id}/answers"), Some(answer)).await
    }

    async fn question(&self, id: &str, seq: u32) -> Value {
        loop {
            let call = self.get(&format!("/calls/{id}")).await;
            if call["question"]["seq"] == seq {
                assert_eq!(call["status"], "input_required");
                return call["question"].clone();
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Returns the id, the name and the data of each event, until the stream ends.
    async fn events(&self, id: &str, after: Option<&str>) -> Vec<(String, String, Value)> {
        let headers: Vec<_> = after.map(|after| ("last-event-id", after)).into_iter().collect();
        let response = self.response(Method::GET, &format!("/calls/{id}/events"), &headers, None).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let text = response.into_body().collect().await.unwrap().to_bytes();
        read_events(&text)
    }
}

fn read_events(text: &Bytes) -> Vec<(String, String, Value)> {
    let text = str::from_utf8(text).unwrap();
    let member = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or_else(|| panic!("no {name} in {block}")).to_owned()
    };
    let blocks = text.split("\n\n").filter(|block| !block.trim().is_empty() && !block.starts_with(':'));
    blocks
        .map(|block| {
            let data = serde_json::from_str(&member(block, "data")).unwrap();
            (member(block, "id"), member(block, "event"), data)
        })
        .collect()
}

fn code(body: &Value) -> &str {
    body["error"]["code"].as_str().unwrap()
}

#[tokio::test]
async fn a_page_runs_a_call_to_its_end() {
    let host = host(&Kitchen::default()).await;
    let page = Page::of(&host, "ann");
    let tools = page.get("/tools").await;
    assert_eq!(tools["tools"][0]["name"], "order");
    assert_eq!(tools["tools"][0]["forms"][1]["key"], "confirm");
    assert!(tools["tools"][0]["inputSchema"]["properties"]["dishes"].is_object());

    let id = page.start().await;
    let asked = page.question(&id, 1).await;
    assert_eq!(asked["form"], "pick");
    assert_eq!(page.get("/calls").await["calls"][0]["id"], json!(id));

    let (status, refused) =
        page.answer(&id, json!({ "seq": 1, "action": "accept", "content": { "dish": "fish" } })).await;
    assert_eq!((status, code(&refused)), (StatusCode::UNPROCESSABLE_ENTITY, "invalid_answer"));
    assert_eq!(refused["error"]["problems"][0]["field"], "dish");
    let good = json!({ "seq": 1, "action": "accept", "content": { "dish": "soup", "portions": 2 } });
    assert_eq!(page.answer(&id, good.clone()).await, (StatusCode::OK, json!({})));
    let (status, refused) = page.answer(&id, good).await;
    assert_eq!((status, code(&refused)), (StatusCode::CONFLICT, "already_answered"));

    page.question(&id, 2).await;
    let following = page.events(&id, None);
    let answering = page.answer(&id, json!({ "seq": 2, "action": "accept", "content": { "confirmed": true } }));
    let (events, answered) = tokio::join!(following, answering);
    assert_eq!(answered.0, StatusCode::OK);
    let names: Vec<_> = events.iter().map(|(_, name, _)| &**name).collect();
    assert_eq!(names, ["started", "log", "progress", "elicit", "answered", "elicit", "answered", "finished"]);
    assert!(events.iter().all(|(id, name, data)| data["id"].as_u64() == id.parse().ok() && data["type"] == **name));
    let call = page.get(&format!("/calls/{id}")).await;
    assert_eq!((&call["status"], &call["lastEvent"].to_string()), (&json!("finished"), &events[7].0));
    assert_eq!(page.get("/calls").await["calls"], json!([]));

    // A broken connection goes on behind the last event, and a finished one does not come again.
    assert_eq!(page.events(&id, Some(&events[3].0)).await, events[4..]);
    let path = format!("/calls/{id}/events");
    let over = page.response(Method::GET, &path, &[("last-event-id", &events[7].0)], None).await;
    assert_eq!(over.status(), StatusCode::NO_CONTENT);
    let path = format!("/calls/{id}/events?after={}", events[6].0);
    let rest = page.response(Method::GET, &path, &[], None).await.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(read_events(&rest), events[7..]);
}

#[tokio::test]
async fn a_call_is_cancelled() {
    let host = host(&Kitchen::default()).await;
    let page = Page::of(&host, "ann");
    let id = page.start().await;
    page.question(&id, 1).await;
    assert_eq!(page.json(Method::DELETE, &format!("/calls/{id}"), None).await, (StatusCode::ACCEPTED, json!({})));
    assert_eq!(page.events(&id, None).await.last().unwrap().1, "cancelled");
}

#[tokio::test]
async fn nobody_reaches_the_call_of_another_user() {
    let host = host(&Kitchen::default()).await;
    let (ann, bob) = (Page::of(&host, "ann"), Page::of(&host, "bob"));
    let id = ann.start().await;
    ann.question(&id, 1).await;
    let decline = || Some(json!({ "seq": 1, "action": "decline" }));
    for (method, path, body) in [
        (Method::GET, format!("/calls/{id}"), None),
        (Method::GET, format!("/calls/{id}/events"), None),
        (Method::DELETE, format!("/calls/{id}"), None),
        (Method::POST, format!("/calls/{id}/answers"), decline()),
        (Method::GET, "/calls/no-such-call".to_owned(), None),
    ] {
        let (status, refused) = bob.json(method.clone(), &path, body).await;
        assert_eq!((status, code(&refused)), (StatusCode::NOT_FOUND, "unknown_call"), "{method} {path}");
    }
    assert_eq!(bob.get("/calls").await["calls"], json!([]));
    let router = Router::new().nest("/plugins", host.router());
    let nobody =
        router.oneshot(Request::get("/plugins/calls").header("host", "localhost").body(Body::empty()).unwrap());
    let nobody = nobody.await.unwrap();
    assert_eq!(nobody.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(ann.question(&id, 1).await["seq"], 1);
}

#[tokio::test]
async fn bodies_that_cannot_be_read_are_refused() {
    let host = host(&Kitchen::default()).await;
    let page = Page::of(&host, "ann");
    let unknown = Some(json!({ "tool": "ordr", "arguments": {} }));
    let (status, refused) = page.json(Method::POST, "/calls", unknown).await;
    assert_eq!((status, code(&refused)), (StatusCode::NOT_FOUND, "unknown_tool"));
    for body in [json!({}), json!([]), json!({ "tool": "order" }), json!({ "tool": "order", "arguments": {}, "x": 1 })]
    {
        let (status, refused) = page.json(Method::POST, "/calls", Some(body.clone())).await;
        assert_eq!((status, code(&refused)), (StatusCode::BAD_REQUEST, "unreadable"), "{body}");
    }
    let (status, refused) = page.json(Method::POST, "/calls", Some(json!({ "tool": "order", "arguments": 1 }))).await;
    assert_eq!((status, code(&refused)), (StatusCode::BAD_REQUEST, "invalid_arguments"));
    // What another web page can send without a preflight.
    let plain = page.response(Method::POST, "/calls", &[("content-type", "text/plain")], None).await;
    assert_eq!(plain.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let large = json!({ "tool": "order", "arguments": { "text": "x".repeat(1024 * 1024) } });
    let (status, refused) = page.json(Method::POST, "/calls", Some(large)).await;
    assert_eq!((status, code(&refused)), (StatusCode::PAYLOAD_TOO_LARGE, "too_large"));
}

#[tokio::test]
async fn a_user_with_too_many_calls_gets_429() {
    let builder = PluginHost::builder(server(&Kitchen::default()).tool(Order));
    let host =
        builder.limits(PluginLimits::default().max_open_calls_per_owner(1).max_open_calls(2)).start().await.unwrap();
    let body = || Some(json!({ "tool": "order", "arguments": { "dishes": 1 } }));
    for (user, status, code_of) in
        [("ann", 201, ""), ("ann", 429, "too_many_calls"), ("bob", 201, ""), ("eve", 503, "full")]
    {
        let (got, reply) = Page::of(&host, user).json(Method::POST, "/calls", body()).await;
        assert_eq!((got.as_u16(), reply["error"]["code"].as_str().unwrap_or_default()), (status, code_of), "{user}");
    }
}

#[tokio::test]
async fn streams_end_for_a_shutdown() {
    let host = host(&Kitchen::default()).await;
    let page = Page::of(&host, "ann");
    let id = page.start().await;
    page.question(&id, 1).await;
    let (events, ()) = tokio::join!(page.events(&id, None), async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        host.end_streams();
    });
    assert_eq!(events.last().unwrap().1, "elicit");
}

async fn follow(page: &Page, id: &str) -> Response {
    page.response(Method::GET, &format!("/calls/{id}/events"), &[], None).await
}

async fn refusal(response: Response) -> (StatusCode, Value) {
    assert_eq!(response.headers()["retry-after"], "1");
    let status = response.status();
    (status, serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap())
}

#[tokio::test]
async fn event_streams_have_a_bound_per_call_per_user_and_in_all() {
    let limits = PluginLimits::default().max_followers_per_call(2).max_followers_per_owner(3).max_followers(4);
    let host = PluginHost::builder(server(&Kitchen::default()).tool(Order)).limits(limits).start().await.unwrap();
    let (ann, bob) = (Page::of(&host, "ann"), Page::of(&host, "bob"));
    let (first, second, third) = (ann.start().await, ann.start().await, bob.start().await);
    let oldest = follow(&ann, &first).await;
    let mut open = vec![follow(&ann, &first).await];
    let (status, refused) = refusal(follow(&ann, &first).await).await;
    assert_eq!((status, code(&refused)), (StatusCode::TOO_MANY_REQUESTS, "too_many_followers"));
    assert!(refused["error"]["message"].as_str().unwrap().contains("this call has 2 open event streams"), "{refused}");
    open.push(follow(&ann, &second).await);
    let (status, refused) = refusal(follow(&ann, &second).await).await;
    assert_eq!((status, code(&refused)), (StatusCode::TOO_MANY_REQUESTS, "too_many_followers"));
    assert!(refused["error"]["message"].as_str().unwrap().contains("you have 3 open event streams"), "{refused}");
    // The host is full: the oldest stream of the user who has most ends.
    open.extend([follow(&bob, &third).await, follow(&bob, &third).await]);
    assert!(open.iter().all(|stream| stream.status() == StatusCode::OK));
    oldest.into_body().collect().await.unwrap();
    // A stream that was closed makes room.
    open.clear();
    assert_eq!(follow(&ann, &first).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_long_event_is_sent_in_pieces() {
    let host = PluginHost::builder(server(&Kitchen::default()).tools(tools![keep])).start().await.unwrap();
    let page = Page::of(&host, "ann");
    let note = "line\nline ".repeat(5_000);
    let body = json!({ "tool": "keep", "arguments": { "note": note } });
    let (_, call) = page.json(Method::POST, "/calls", Some(body)).await;
    let id = call["id"].as_str().unwrap();
    page.question(id, 1).await;
    let mut stream = follow(&page, id).await.into_body();
    let first = stream.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(first.len() < 8_192, "{}", first.len());
    page.json(Method::DELETE, &format!("/calls/{id}"), None).await;
    let events = page.events(id, None).await;
    assert_eq!(events[0].2["arguments"]["note"], json!(note));
    assert_eq!(events.last().unwrap().1, "cancelled");
}

#[tokio::test]
async fn arguments_on_several_lines_are_one_line_of_the_stream() {
    let host = host(&Kitchen::default()).await;
    let page = Page::of(&host, "ann");
    let request = Request::post("/plugins/calls").header("host", "localhost").header("x-user", "ann");
    let request = request.header("content-type", "application/json");
    let body = "{\"tool\": \"order\", \"arguments\": {\r\n  \"dishes\":\n 1}}";
    let response = page.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    let call: Value = serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap();
    let id = call["id"].as_str().unwrap();
    page.question(id, 1).await;
    page.json(Method::DELETE, &format!("/calls/{id}"), None).await;
    assert_eq!(page.events(id, None).await[0].2["arguments"], json!({ "dishes": 1 }));
}
