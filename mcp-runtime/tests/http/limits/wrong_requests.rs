//! Well-formed requests to the wrong method, path or content type.

use mcp_runtime::http::HttpLimits;
use serde_json::{Value, json};

use super::{
    server,
    socket::{Answer, Served},
};

const JSON: &str = "content-type: application/json\r\n";

async fn ask(served: &Served, first_line: &str, headers: &str, body: &[u8]) -> Answer {
    let mut client = served.connect().await;
    let head = format!("{first_line} HTTP/1.1\r\nhost: localhost\r\n{headers}content-length: {}\r\n\r\n", body.len());
    client.send([head.as_bytes(), body].concat()).await;
    client.answer().await
}

#[tokio::test]
async fn distinguishes_methods_paths_and_content_types() {
    let served = Served::of(server(HttpLimits::default())).await;
    for (method, allow) in
        [("GET", "post"), ("DELETE", "post"), ("PUT", "post, get, delete"), ("OPTIONS", "post, get, delete")]
    {
        let answer = ask(&served, &format!("{method} /mcp"), "", b"").await;
        assert_eq!(answer.status, 405, "{method}");
        assert!(answer.head.contains(&format!("allow: {allow}\r\n")), "{answer:?}");
    }
    for path in ["/", "/mcp/x", "/mcpx", "/..", "/%2e%2e/mcp", "//mcp"] {
        assert_eq!(ask(&served, &format!("POST {path}"), JSON, b"{}").await.status, 404, "{path}");
    }
    for (headers, status) in [
        ("", 415),
        ("content-type: text/plain\r\n", 415),
        ("content-type: application/jsonp\r\n", 415),
        ("content-type: \u{7f}\r\n", 400),
        ("content-type: application/json; charset=utf-8\r\n", 400),
        (JSON, 400),
    ] {
        assert_eq!(ask(&served, "POST /mcp", headers, b"{}").await.status, status, "{headers:?}");
    }
    let answer = ask(&served, "POST /mcp", "content-type: application/json\r\nhost: evil.example\r\n", b"{}").await;
    assert_eq!(answer.status, 403, "with a second host");
}

#[tokio::test]
async fn answers_an_invalid_message_with_an_error() {
    let served = Served::of(server(HttpLimits::default())).await;
    let deep = "[".repeat(100_000);
    let deep_object = "{\"a\":".repeat(100_000);
    let huge = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}}", "9".repeat(10_000));
    let bodies: Vec<(&[u8], u16, Option<i64>)> = vec![
        (b"", 400, Some(-32700)),
        (b" \n ", 400, Some(-32700)),
        (b"{", 400, Some(-32700)),
        (b"nul", 400, Some(-32700)),
        (b"\xff\xfe\x00", 400, Some(-32700)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xc3\x28\"}", 400, Some(-32700)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} trailing", 400, Some(-32700)),
        (b"null", 400, Some(-32600)),
        (b"42", 400, Some(-32600)),
        (b"\"text\"", 400, Some(-32600)),
        (b"{}", 400, Some(-32600)),
        (b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", 400, Some(-32600)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", 400, Some(-32600)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"ping\"}", 400, Some(-32600)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", 400, Some(-32600)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":[]}", 200, Some(-32602)),
        (b"[]", 400, None),
        (b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 400, None),
        (deep.as_bytes(), 400, None),
        (deep_object.as_bytes(), 400, Some(-32700)),
        (huge.as_bytes(), 200, None),
    ];
    for (body, status, code) in bodies {
        let shown = String::from_utf8_lossy(&body[..body.len().min(80)]);
        let answer = ask(&served, "POST /mcp", JSON, body).await;
        assert_eq!(answer.status, status, "{shown}: {}", answer.head);
        if let Some(code) = code {
            assert!(!answer.body.is_empty(), "{shown}");
            assert_eq!(answer.code(), code, "{shown}: {answer:?}");
        }
    }
    let unknown = ask(&served, "POST /mcp", JSON, br#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#).await;
    assert_eq!((unknown.status, &unknown.json()["id"]), (400, &json!("a")), "it names no revision");
    assert_eq!(unknown.json()["error"]["data"]["supported"].as_array().map(Vec::is_empty), Some(false));
    let Value::Object(members) = unknown.json() else { panic!("{unknown:?}") };
    assert_eq!(members.len(), 3);
}
