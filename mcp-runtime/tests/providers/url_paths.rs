//! Errors and logs contain no path of a URL.

use mcp_runtime::{providers::Model, sample::SamplingRequest};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use tracing_subscriber::filter::LevelFilter;
use wiremock::ResponseTemplate;

use crate::providers::{support::*, watched::Log};

/// A token in the path of a URL, as some gateways use it.
const TOKEN: &str = "t0ken-9f8e7d6c";

fn models(url: &str) -> [Model; 4] {
    let models = [
        Model::openai("m").api_key(KEY),
        Model::anthropic("m").api_key(KEY),
        Model::ollama("m"),
        Model::openai_compatible("http://h", "m"),
    ];
    models.map(|model| model.retries(0).url(url))
}

#[tokio::test]
async fn hides_a_token_in_the_path_of_the_url() {
    let (log, guard) = Log::start(LevelFilter::TRACE);
    let check = async |url: &str| {
        for model in models(url) {
            let error = sample(&model, &SamplingRequest::new("hi", 9)).await.unwrap_err();
            for shown in [format!("{error} {error:?}"), format!("{model:?} {model:#?}")] {
                assert!(!shown.contains(&TOKEN[..8]), "{shown}");
            }
        }
    };
    let repeated = format!("no POST /gate/{TOKEN}/v1/messages here");
    for answer in [
        ResponseTemplate::new(404).set_body_string(&repeated),
        ResponseTemplate::new(302).insert_header("location", format!("http://h/{TOKEN}")),
        ResponseTemplate::new(200).set_body_string(&repeated),
        // The limit would cut the token in the middle.
        ResponseTemplate::new(400).set_body_string(format!("{} {TOKEN}", "x".repeat(290))),
        status(500, json!({ "error": { "message": repeated, "code": TOKEN } })),
    ] {
        let server = server(answer).await;
        check(&format!("{}/gate/{TOKEN}", server.uri())).await;
    }
    // A server that closes the connection in the middle of its reply, and then one that refuses connections.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/gate/{TOKEN}", listener.local_addr().unwrap());
    let closing = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 64];
            let _ = stream.read(&mut head).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{").await;
        }
    });
    check(&url).await;
    closing.abort();
    let _ = closing.await;
    check(&url).await;
    check(&format!("http://127.0.0.1:1/{TOKEN}")).await;
    drop(guard);
    assert!(!log.text().contains(&TOKEN[..8]), "{}", log.text());
}

#[tokio::test]
async fn hides_user_and_query_of_an_invalid_url() {
    for url in [format!("http://user:{TOKEN}@h/v1"), format!("http://h/v1?key={TOKEN}"), format!("h/{TOKEN}")] {
        for model in models(&url) {
            let error = sample(&model, &SamplingRequest::new("hi", 9)).await.unwrap_err();
            let problem = mcp_runtime::Server::new("s", "1").sampling_provider(model.clone()).build().unwrap_err();
            for shown in [format!("{error} {error:?}"), format!("{model:?}"), format!("{problem} {problem:?}")] {
                assert!(!shown.contains(&TOKEN[..8]), "{shown}");
            }
        }
    }
}
