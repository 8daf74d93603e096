//! Failing servers: retries, and the operator's error messages.

use std::time::{Duration, Instant};

use mcp_runtime::{
    providers::Model,
    sample::{SamplingProvider, SamplingRequest},
};
use serde_json::json;
use tokio::net::{TcpListener, TcpSocket};
use wiremock::ResponseTemplate;

use crate::providers::support::*;

fn error(message: &str, code: &str) -> serde_json::Value {
    json!({ "error": { "message": message, "type": "invalid_request_error", "param": null, "code": code } })
}

#[tokio::test]
async fn a_rejected_key_error_names_where_to_set_it() {
    let refusal = error(&format!("Incorrect API key provided: {KEY}."), "invalid_api_key");
    let server = server(status(401, refusal)).await;
    let at = server.uri();
    assert_eq!(
        failed(&openai(&server)).await,
        format!("the model `gpt-x` at {at}: the key is rejected (401); set a valid one in `OPENAI_API_KEY`")
    );
    assert_eq!(
        failed(&anthropic(&server)).await,
        format!("the model `claude-x` at {at}: the key is rejected (401); set a valid one in `ANTHROPIC_API_KEY`")
    );
    assert_eq!(
        failed(&compatible(&server)).await,
        format!(
            "the model `small` at {at}: the key is missing or rejected (401); set `MCP_MODEL_KEY` or \
             `.api_key(…)`"
        )
    );
    assert_eq!(requests(&server).await.len(), 3, "nothing is tried again");
}

#[tokio::test]
async fn reports_an_unknown_model() {
    let server = server(status(404, error("The model `gpt-x` does not exist", "model_not_found"))).await;
    let text = failed(&openai(&server)).await;
    assert!(
        text.ends_with("there is no such model, or the URL is wrong (404): The model `gpt-x` does not exist"),
        "{text}"
    );
    let server = crate::providers::support::server(status(404, json!({ "error": "model 'llama' not found" }))).await;
    let text = failed(&ollama(&server)).await;
    assert!(
        text.ends_with(
            "the model is not installed (404): model 'llama' not found; install it with `ollama pull llama`"
        ),
        "{text}"
    );
}

#[tokio::test]
async fn quotes_the_error_of_the_server_on_one_line() {
    let server = server(status(400, error("max_tokens is\n too large", "x"))).await;
    let text = failed(&compatible(&server)).await;
    assert!(text.ends_with("the request is rejected (400): max_tokens is too large"), "{text}");
    let long = "x".repeat(5000);
    let server = crate::providers::support::server(ResponseTemplate::new(422).set_body_string(long)).await;
    let text = failed(&compatible(&server)).await;
    assert!(text.ends_with("xxx…") && text.len() < 500, "{text}");
}

#[tokio::test]
async fn does_not_follow_redirects() {
    let elsewhere = server(ok(said("gotcha"))).await;
    let moved = ResponseTemplate::new(307).insert_header("location", elsewhere.uri().as_str());
    let text = failed(&openai(&server(moved).await)).await;
    assert!(text.ends_with("the server redirects (307); set the URL that it redirects to"), "{text}");
    assert!(requests(&elsewhere).await.is_empty());
}

#[tokio::test]
async fn retries_a_busy_server_after_retry_after() {
    let busy = status(429, error("slow down", "rate_limit_exceeded")).insert_header("retry-after", "1");
    let server = server_then(busy, ok(said("Hello!"))).await;
    let began = Instant::now();
    let reply = sample(&openai(&server), &SamplingRequest::new("Hi", 9)).await.unwrap();
    assert_eq!(reply.text, "Hello!");
    assert!(Duration::from_secs(1) <= began.elapsed(), "{:?}", began.elapsed());
    let sent = requests(&server).await;
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[0].body, sent[1].body);
}

#[tokio::test]
async fn does_not_retry_after_a_long_retry_after() {
    let busy = status(429, error("slow down", "rate_limit_exceeded")).insert_header("retry-after", "3600");
    let server = server(busy).await;
    let text = failed(&openai(&server)).await;
    assert!(text.ends_with("the server asks for a delay of 3600s (429): slow down; retry after this delay"), "{text}");
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn does_not_retry_without_credit() {
    let server = server(status(429, error("You exceeded your current quota", "insufficient_quota"))).await;
    let text = failed(&openai(&server)).await;
    assert!(text.ends_with("there is no credit left (429): You exceeded your current quota"), "{text}");
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn retries_a_server_error() {
    for failure in [500, 503, 529, 408] {
        let server = server_then(ResponseTemplate::new(failure), ok(said("Hello!"))).await;
        assert_eq!(sample(&openai(&server), &SamplingRequest::new("Hi", 9)).await.unwrap().text, "Hello!");
    }
}

#[tokio::test]
async fn stops_after_the_configured_retries() {
    let server =
        server(ResponseTemplate::new(500).set_body_string("<h1>oops</h1>").insert_header("retry-after", "0")).await;
    let text = failed(&openai(&server).retries(3)).await;
    assert!(text.ends_with("the server failed (500), tried 4 times: <h1>oops</h1>"), "{text}");
    assert_eq!(requests(&server).await.len(), 4);
    let text = failed(&openai(&server).retries(0)).await;
    assert!(text.ends_with("the server failed (500): <h1>oops</h1>"), "{text}");
    assert_eq!(requests(&server).await.len(), 5);
}

#[tokio::test]
async fn times_out_a_slow_reply() {
    let server = server(ok(said("late")).set_delay(Duration::from_secs(30))).await;
    let began = Instant::now();
    let text = failed(&openai(&server).timeout(Duration::from_millis(300))).await;
    assert!(
        text.ends_with("no reply within 300ms; set a longer `.timeout(…)` or a smaller `.max_tokens(…)`"),
        "{text}"
    );
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn the_timeout_includes_all_retries() {
    let server = server(ResponseTemplate::new(500)).await;
    let began = Instant::now();
    let text = failed(&openai(&server).retries(1000).timeout(Duration::from_millis(900))).await;
    assert!(text.contains("no reply within 900ms"), "{text}");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn an_unreadable_answer_is_an_error() {
    for (garbage, why) in [
        ("<html>Welcome to nginx</html>", "in `<html>Welcome to nginx</html>`"),
        ("", "EOF while parsing"),
        ("[]", "in `[]`"),
        (r#"{"choices":[]}"#, "it contains no message"),
        (r#"{"error":{"message":"upstream died"}}"#, "the answer cannot be read: upstream died;"),
        (&format!(r#"{{"error":{}"#, "[".repeat(100_000)), "recursion limit exceeded"),
    ] {
        let server = server(ResponseTemplate::new(200).set_body_string(garbage)).await;
        let text = failed(&openai(&server)).await;
        assert!(text.contains(why) && text.ends_with("; check the URL") && text.len() < 700, "{text}");
        assert_eq!(requests(&server).await.len(), 1);
    }
    let server = server(ResponseTemplate::new(200).set_body_string("{}")).await;
    assert!(failed(&anthropic(&server)).await.contains("missing field `content`"));
    assert!(failed(&ollama(&server)).await.contains("missing field `message`"));
}

#[tokio::test]
async fn names_an_address_that_refuses_connections() {
    // Bound, so that no other test gets the port, but not listening.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    let text = failed(&Model::openai_compatible(&url, "m").retries(1)).await;
    assert!(text.starts_with(&format!("the model `m` at {url}: cannot connect, tried 2 times: ")), "{text}");
    assert!(text.ends_with("; check that the server runs and that the URL is right"), "{text}");
    let text = failed(&Model::ollama("m").url(&url).retries(0)).await;
    assert!(text.ends_with("; start the server with `ollama serve`"), "{text}");
}

#[tokio::test]
async fn retries_a_broken_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let accepting = tokio::spawn(async move {
        for _ in 0..2 {
            drop(listener.accept().await.unwrap());
        }
    });
    let text = failed(&Model::openai_compatible(&url, "m").retries(1)).await;
    assert!(text.contains(": the connection was lost, tried 2 times: "), "{text}");
    accepting.await.unwrap();
}

#[tokio::test]
async fn reports_configuration_errors_in_build_and_in_sample() {
    let build = |model: Model| mcp_runtime::Server::new("s", "1.0.0").sampling_provider(model).build().map(drop);
    for (model, problem) in [
        (Model::openai("m").api_key(""), "the model `m` has no key; set `OPENAI_API_KEY`, or call `.api_key(…)`"),
        (
            Model::anthropic("m").api_key("one\ntwo"),
            "the key of the model `m` contains invalid characters; write it in ASCII, without line breaks and spaces",
        ),
        (
            Model::openai_compatible("127.0.0.1:8000/v1", "m"),
            "the URL of the model `m` is not a URL; write it with its scheme, such as `http://127.0.0.1:8000/v1`",
        ),
        (
            Model::openai_compatible("http://me:secret@127.0.0.1/v1", "m"),
            "the URL of the model `m` contains a user or a password; leave them out, and set a key with `.api_key(…)`",
        ),
    ] {
        assert_eq!(model.problem().as_deref(), Some(problem));
        assert_eq!(failed(&model).await, problem);
        assert!(build(model).unwrap_err().to_string().contains(problem));
    }
    let fine = server(ok(said(""))).await;
    build(openai(&fine)).unwrap();
}
