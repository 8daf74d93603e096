//! A dropped future and a timeout end the request.

use std::time::Duration;

use mcp_runtime::{providers::Model, sample::SamplingRequest};
use tokio::{
    io::AsyncReadExt,
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::providers::support::sample;

const PATIENCE: Duration = Duration::from_secs(10);

/// Reads until the other end closes the connection.
async fn drained(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A connection reset counts as closed.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("the connection is closed");
    bytes
}

#[tokio::test]
async fn dropping_the_future_closes_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let asking = tokio::spawn(async move {
        let model = Model::openai_compatible(&url, "m");
        // It never answers.
        let _ = sample(&model, &SamplingRequest::new("Hi", 9)).await;
    });
    let (stream, _) = timeout(PATIENCE, listener.accept()).await.unwrap().unwrap();
    let mut first = [0; 4];
    stream.readable().await.unwrap();
    assert_eq!(stream.peek(&mut first).await.unwrap(), 4);
    assert!(!asking.is_finished());
    asking.abort();
    let bytes = drained(stream).await;
    assert!(bytes.starts_with(b"POST /v1/chat/completions"));
    assert!(timeout(Duration::from_secs(1), listener.accept()).await.is_err(), "it is not asked again");
}

#[tokio::test]
async fn a_timeout_closes_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let model = Model::openai_compatible(&url, "m").timeout(Duration::from_millis(200));
    let asking = tokio::spawn(async move { sample(&model, &SamplingRequest::new("Hi", 9)).await });
    let (stream, _) = timeout(PATIENCE, listener.accept()).await.unwrap().unwrap();
    drained(stream).await;
    asking.await.unwrap().unwrap_err();
}
