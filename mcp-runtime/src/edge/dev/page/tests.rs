//! Who may see the page.

mod hosts;

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use super::ServedPage;
use crate::edge::dev::session::tests::{MODERN, Tried, setup};

struct Browser {
    address: String,
    token: String,
    tried: Tried,
}

struct Answer {
    status: StatusCode,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Browser {
    async fn open() -> Self {
        let tried = Tried::new();
        let served = ServedPage::new(std::sync::Arc::clone(&tried.session), 0).await.unwrap();
        let (address, token) = (served.address.to_string(), served.token.text().to_owned());
        assert_eq!(served.url(), Some(format!("http://{address}/?token={token}")));
        tokio::spawn(served.run(std::future::pending()));
        Self { address, token, tried }
    }

    /// Sends a request with exactly these headers.
    async fn raw(&self, start: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let mut text = format!("{start} HTTP/1.1\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str(&format!("content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len()));
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // The end of a refused request's connection can be a reset.
        let _ = timeout(Duration::from_secs(10), stream.read_to_end(&mut answer)).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or_default();
        let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        let body = if chunked { unchunked(body) } else { body.to_owned() };
        Answer { status, head: head.to_lowercase(), body }
    }

    async fn get(&self, path: &str) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        self.raw(&format!("GET {path}"), &[("host", &self.address), ("authorization", &bearer)], "").await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("host", &*self.address), ("authorization", &bearer), ("content-type", "application/json")];
        self.raw(&format!("POST {path}"), &headers, &body.to_string()).await
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let Ok(length @ 1..) = usize::from_str_radix(length, 16) else { break };
        whole.push_str(&rest[..length.min(rest.len())]);
        body = rest.get(length + 2..).unwrap_or_default();
    }
    whole
}

#[tokio::test]
async fn the_document_loads_nothing_and_is_shown_with_its_token_only() {
    let browser = Browser::open().await;
    let page = browser.raw(&format!("GET /?token={}", browser.token), &[("host", &browser.address)], "").await;
    assert_eq!(page.status, StatusCode::OK);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'sha256-",
        "x-frame-options: deny",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "x-content-type-options: nosniff",
    ] {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    assert!(!page.body.contains(&browser.token));
    for path in ["/", "/?token=", "/?token=0000", "/views?uri=a&setup=b&token=1"] {
        let refused = browser.raw(&format!("GET {path}"), &[("host", &browser.address)], "").await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{path}");
    }
}

#[tokio::test]
async fn every_route_needs_the_token_in_its_header() {
    let browser = Browser::open().await;
    let wrong = format!("Bearer {}", "0".repeat(64));
    let query = format!("/api/state?token={}", browser.token);
    for path in ["/api/state", "/api/events", "/api/recording", "/api/messages", "/api/nothing", &query] {
        for headers in [vec![], vec![("authorization", &*wrong)], vec![("authorization", "Basic x")]] {
            let headers: Vec<_> = [("host", &*browser.address)].into_iter().chain(headers).collect();
            let refused = browser.raw(&format!("GET {path}"), &headers, "").await;
            assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{path}");
            assert_eq!(refused.json()["error"]["code"], "no_token");
            assert!(refused.head.contains("cache-control: no-store"));
        }
    }
    assert_eq!(browser.get("/api/nothing").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get("/api/state").await.json()["program"], "bank");
}

#[tokio::test]
async fn other_hosts_and_other_pages_are_refused_even_with_the_token() {
    let browser = Browser::open().await;
    let bearer = format!("Bearer {}", browser.token);
    let port = browser.address.rsplit_once(':').unwrap().1.to_owned();
    let (own, local) = (format!("http://{}", browser.address), format!("http://localhost:{port}"));
    let (other_port, evil_host) = ("http://127.0.0.1:1".to_owned(), format!("evil.example:{port}"));
    let hosts = ["evil.example", &evil_host, "127.0.0.1:1", "localhost"];
    for host in hosts {
        let refused = browser.raw("GET /api/state", &[("host", host), ("authorization", &bearer)], "").await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{host}");
    }
    for (name, value, status) in [
        ("origin", &*own, StatusCode::OK),
        ("origin", &*local, StatusCode::OK),
        ("origin", "http://evil.example", StatusCode::FORBIDDEN),
        ("origin", &*other_port, StatusCode::FORBIDDEN),
        ("origin", "null", StatusCode::FORBIDDEN),
        ("sec-fetch-site", "same-origin", StatusCode::OK),
        ("sec-fetch-site", "none", StatusCode::OK),
        ("sec-fetch-site", "same-site", StatusCode::FORBIDDEN),
        ("sec-fetch-site", "cross-site", StatusCode::FORBIDDEN),
    ] {
        let headers = [("host", &*browser.address), ("authorization", &bearer), (name, value)];
        let answer = browser.raw("GET /api/state", &headers, "").await;
        assert_eq!(answer.status, status, "{name}: {value}");
        assert!(!answer.head.contains("access-control-allow-origin: http://evil"), "{}", answer.head);
    }
}

#[tokio::test]
async fn bodies_are_json_and_limited() {
    let browser = Browser::open().await;
    let bearer = format!("Bearer {}", browser.token);
    let headers = [("host", &*browser.address), ("authorization", &bearer), ("content-type", "text/plain")];
    assert_eq!(browser.raw("POST /api/calls", &headers, "{}").await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(browser.post("/api/calls", &json!({ "request": 1 })).await.status, StatusCode::BAD_REQUEST);
    let large = json!({ "a": "x".repeat(2 * 1024 * 1024) });
    assert_eq!(browser.post("/api/calls", &large).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let wrong = browser.get("/api/messages?direction=up").await;
    assert!(wrong.status == StatusCode::BAD_REQUEST && wrong.body.contains("`sent` or `received`"), "{}", wrong.body);
}

#[tokio::test]
async fn a_call_is_made_and_answered_over_the_interface() {
    let browser = Browser::open().await;
    let items = browser.post("/api/items", &json!({ "setup": setup(MODERN) })).await.json();
    assert!(items["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "send_money"));
    let request = json!({ "kind": "tool", "name": "send_money", "arguments": { "to": "Ada" } });
    let new = json!({ "request": request, "setup": setup(MODERN) });
    let before = browser.post("/api/commands", &new).await.json();
    assert_eq!(before, json!({ "cli": "bank call send_money --to Ada" }));
    let begun = browser.post("/api/calls", &new).await;
    assert_eq!(begun.status, StatusCode::CREATED);
    let id = begun.json()["id"].as_str().unwrap().to_owned();
    let question = browser.tried.question(&id).await;
    let answer = json!({ "seq": question.seq(), "action": "accept", "content": { "confirmed": true } });
    let answers = format!("/api/calls/{id}/answers");
    assert_eq!(browser.post(&answers, &answer).await.status, StatusCode::OK);
    assert_eq!(browser.post(&answers, &answer).await.status, StatusCode::CONFLICT);
    browser.tried.ended(&id).await;
    let call = browser.get(&format!("/api/calls/{id}")).await.json();
    assert_eq!((&call["status"], &call["events"][0]["type"]), (&json!("finished"), &json!("started")));
    assert_eq!(browser.get("/api/calls").await.json()["calls"][0]["id"], json!(id));
    let record = browser.get(&format!("/api/calls/{id}/record")).await.json();
    assert_eq!((&record["record"]["status"], &record["ran"]["`after`"]), (&json!("done"), &json!(1)));
    let commands = browser.get(&format!("/api/calls/{id}/commands")).await.json();
    assert!(commands["cli"].as_str().unwrap().starts_with("bank call send_money"));
    let test = browser.get(&format!("/api/calls/{id}/test")).await.json();
    assert!(test["source"].as_str().unwrap().contains("#[tokio::test]"));
    let page = browser.get(&format!("/api/messages?call={id}&count=2")).await.json();
    assert_eq!((page["matching"].as_u64(), page["messages"].as_array().unwrap().len()), (Some(5), 2));
    let n = page["messages"][0]["n"].as_u64().unwrap();
    assert!(browser.get(&format!("/api/messages/{n}")).await.json()["text"].is_string());
    assert_eq!(browser.get("/api/messages/999999").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get("/api/calls/c99").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get("/api/check").await.json()["findings"][0]["level"], "note");
    assert!(browser.get("/api/recording").await.body.starts_with("{\"format\":"));
}

#[tokio::test]
async fn the_stream_begins_with_the_state_and_resumes_after_the_last_event() {
    let browser = Browser::open().await;
    let id = browser.tried.call(MODERN, "greet", &json!({ "name": "Ann" }), None);
    browser.tried.ended(&id).await;
    let first = browser.events(None, r#""type":"call""#).await;
    assert!(first.contains(r#""type":"state""#), "{first}");
    let last: u64 = browser.tried.session.hub.last();
    let resumed = browser.events(Some(last - 1), "\n\n").await;
    assert!(resumed.starts_with(&format!("id: {last}\n")), "{resumed}");
    browser.events(Some(last + 1000), r#""type":"state""#).await;
}

impl Browser {
    /// Returns what the stream of events sends until this text is there.
    async fn events(&self, last: Option<u64>, awaited: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let last = last.map(|last| format!("last-event-id: {last}\r\n")).unwrap_or_default();
        let request = format!(
            "GET /api/events HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n{last}\r\n",
            self.address, self.token
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut read = Vec::new();
        let reading = async {
            loop {
                assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0, "the stream has ended");
                let text = String::from_utf8_lossy(&read);
                if let Some((_, body)) = text.split_once("\r\n\r\n")
                    && body.contains(awaited)
                {
                    return unchunked(body);
                }
            }
        };
        timeout(Duration::from_secs(30), reading).await.expect(awaited)
    }
}
