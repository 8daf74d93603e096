//! Mounted servers that answer wrongly, or not at all, take nothing else with them.

use std::time::Duration;

use axum::{Router, body::Bytes, http::header::CONTENT_TYPE, routing::post};
use mcp_runtime::{
    Service,
    prelude::*,
    remote::{MountStatus, Remote},
    testing::Client,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::{Instant, sleep, timeout},
};

use super::servers::{Kind, Started, serve, under_mcp};

/// Answers requests since 2026-07-28 with the result that a function returns for the method and the params.
async fn server(answer: fn(&str, &Value) -> Value) -> Remote {
    let handle = move |body: Bytes| async move {
        let request: Value = serde_json::from_slice(&body).unwrap();
        let mut result = match request["method"].as_str().unwrap() {
            "server/discover" => json!({
                "supportedVersions": ["2026-07-28"],
                "capabilities": { "tools": {} },
            }),
            method => answer(method, &request["params"]),
        };
        result["resultType"] = "complete".into();
        let reply = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
        ([(CONTENT_TYPE, "application/json")], reply.to_string())
    };
    Remote::http(serve(Router::new().route("/", post(handle))).await)
}

/// Mounts a good server and a bad one, and lists the tools. Returns the service.
async fn mount_both(bad: &Remote) -> Service {
    let shop = Started::new(Kind::Service).await;
    let server = Server::new("gateway", "1").mount("bad", bad).mount("shop", &shop.remote);
    let service = server.build().unwrap();
    let mut client = Client::modern(&service);
    let tools = client.tools().await;
    assert!(tools.iter().any(|tool| tool["name"] == "shop_stock"), "{tools:?}");
    assert_eq!(client.call("shop_stock", json!({ "of": "tea" })).await.structured::<Value>()["left"], 3);
    service
}

/// Does the same, and also returns the status of the bad server after its first answer.
async fn beside_a_good_one(bad: &Remote) -> (Service, MountStatus) {
    let service = mount_both(bad).await;
    let answered = async {
        loop {
            let status = service.mounts().swap_remove(0);
            if status.is_loaded || status.failure.is_some() {
                return status;
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    // On a busy machine it can come later than the client waits for it.
    let status = timeout(Duration::from_secs(60), answered).await.unwrap();
    (service, status)
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object" } })
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_shown() {
    let (service, status) = beside_a_good_one(&Remote::http("http://127.0.0.1:1/mcp")).await;
    let failure = status.failure.unwrap();
    assert!(failure.starts_with("the server `bad` cannot be reached"), "{failure}");
    // Its tools are not known, but may come.
    let refused = Client::modern(&service).call("bad_book", json!({})).await;
    let error = refused.error().unwrap();
    assert_eq!(error.data, json!({ "retryAfterMs": 1000 }), "{error:?}");
    assert!(error.message.contains("the tool `bad_book` is not known yet, because the server `bad` has not answered"));
    assert!(!status.is_loaded);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_delays_only_the_first_request() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let began = Instant::now();
    let service = mount_both(&Remote::http(url)).await;
    assert_eq!(began.elapsed().as_secs(), 5);
    let status = service.mounts().swap_remove(0);
    assert_eq!((status.is_loaded, status.tools), (false, 0));
    let began = Instant::now();
    Client::modern(&service).tools().await;
    assert_eq!(began.elapsed(), Duration::ZERO);
}

#[tokio::test]
async fn endless_pages_end() {
    fn answer(_: &str, params: &Value) -> Value {
        let page = params["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap()) + 1;
        json!({ "tools": [], "nextCursor": page.to_string() })
    }
    let remote = server(answer).await;
    let error = remote.tools().await.unwrap_err().to_string();
    assert!(error.contains("more than 2000 pages"), "{error}");
    let (_, status) = beside_a_good_one(&remote).await;
    assert_eq!(status.tools, 0);
}

#[tokio::test]
async fn a_page_that_names_itself_is_an_error() {
    let (_, status) = beside_a_good_one(&server(|_, _| json!({ "tools": [], "nextCursor": "a" })).await).await;
    assert!(status.failure.unwrap().contains("a page names itself as the next one"));
}

#[tokio::test]
async fn a_list_of_something_else_is_an_error() {
    for wrong in ["{}", r#"{"tools":7}"#, r#"{"tools":{}}"#] {
        let result = match wrong {
            "{}" => server(|_, _| json!({})).await,
            r#"{"tools":7}"# => server(|_, _| json!({ "tools": 7 })).await,
            _ => server(|_, _| json!({ "tools": {} })).await,
        };
        let (_, status) = beside_a_good_one(&result).await;
        let failure = status.failure.unwrap();
        assert!(failure.starts_with("the server `bad` has answered `tools/list` wrongly"), "{wrong}: {failure}");
    }
}

#[tokio::test]
async fn a_wrong_tool_is_left_out() {
    fn answer(_: &str, _: &Value) -> Value {
        json!({ "tools": [
            tool("good"),
            { "name": "no_schema" },
            { "name": "not_an_object", "inputSchema": { "type": "string" } },
            { "name": 7, "inputSchema": { "type": "object" } },
            "text",
            tool("good"),
            { "name": "odd/name with spaces", "inputSchema": { "type": "object" }, "icons": "none", "annotations": { "readOnlyHint": "yes" } },
        ] })
    }
    let (service, status) = beside_a_good_one(&server(answer).await).await;
    let names: Vec<_> = service.tools().names().into_iter().filter(|name| name.starts_with("bad_")).collect();
    assert_eq!(names.len(), 2, "{names:?} {status:?}");
    assert_eq!(names[0], "bad_good");
    assert!(names[1].starts_with("bad_odd_name_with_spaces_"));
    assert_eq!((status.failure, status.warnings.len()), (None, 5), "{:?}", status.warnings);
}

#[tokio::test]
async fn a_wrong_result_is_an_error_of_its_call() {
    fn answer(method: &str, params: &Value) -> Value {
        match (method, params["name"].as_str()) {
            ("tools/list", _) => json!({ "tools": [tool("text"), tool("number"), tool("asks")] }),
            (_, Some("text")) => json!({ "content": "text" }),
            (_, Some("number")) => json!({ "content": [7] }),
            _ => json!({ "content": [{ "type": "hologram", "beams": 2 }], "more": true }),
        }
    }
    let (service, _) = beside_a_good_one(&server(answer).await).await;
    let mut client = Client::modern(&service);
    for name in ["bad_text", "bad_number"] {
        let reply = client.call(name, json!({})).await;
        assert!(reply.is_error());
        assert!(reply.text().starts_with("the server `bad` has answered `tools/call` wrongly"), "{}", reply.text());
    }
    let unknown = client.call("bad_asks", json!({})).await;
    assert_eq!(unknown.result()["content"], json!([{ "type": "hologram", "beams": 2 }]));
}

#[tokio::test]
async fn a_server_that_ends_keeps_its_tools_for_a_while() {
    let shop = Started::new(Kind::Service).await;
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let remote = Remote::http(format!("http://{}/mcp", listener.local_addr().unwrap()));
    let router = under_mcp(shop.service.router());
    let serving = tokio::spawn(async move {
        tokio::select! {
            served = axum::serve(listener, router).into_future() => served.unwrap(),
            _ = ended => {}
        }
    });
    let (service, _) = beside_a_good_one(&remote).await;
    end.send(()).unwrap();
    serving.await.unwrap();
    let mut client = Client::modern(&service);
    assert_eq!(client.tools().await.len(), 6);
    let reply = client.call("bad_stock", json!({ "of": "tea" })).await;
    assert!(reply.text().contains("the server `bad`"), "{}", reply.text());
    assert!(reply.is_error());
}

/// Answers each request with a reply of one gigabyte.
async fn gigabytes() -> Remote {
    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1073741824\r\n\r\n\"";
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                let mut written = stream.write_all(HEAD).await;
                while written.is_ok() {
                    written = stream.write_all(&[b'x'; 64 * 1024]).await;
                }
            });
        }
    });
    Remote::http(url)
}

#[tokio::test]
async fn a_reply_of_a_gigabyte_is_not_read_to_its_end() {
    let (_, status) = beside_a_good_one(&gigabytes().await).await;
    let failure = status.failure.unwrap();
    assert!(failure.contains("16777216 bytes"), "{failure}");
}
