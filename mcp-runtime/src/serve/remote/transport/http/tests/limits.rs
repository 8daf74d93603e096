//! Limits of what a client keeps.

use tokio::time::sleep;

use super::*;

async fn fails_alone(begin: &str) {
    let server = TestServer::start().await;
    let mut client = server.client(Revision::LATEST);
    call(&mut client, 1).await;
    let mut connection = server.accept().await;
    connection.read().await;
    connection.write(begin).await;
    // The client does not wait for the end of the message.
    while connection.write(&"x".repeat(1000)).await {}
    let error = received(&mut client).await.unwrap_err();
    assert_eq!(error, ReceiveError { request: Some(1), error: TransferError::TooLong { limit: 10_000 } });
    call(&mut client, 2).await;
    let mut connection = server.accept().await;
    connection.read().await;
    connection.answer(&result(2)).await;
    assert_eq!(received(&mut client).await.unwrap().request, Some(2));
    assert!(client.open.is_empty());
}

#[tokio::test]
async fn a_body_above_the_limit_fails_only_its_request() {
    fails_alone("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n\"").await;
}

#[tokio::test]
async fn an_event_above_the_limit_fails_only_its_request() {
    fails_alone(&format!("{EVENTS}data: ")).await;
}

#[tokio::test]
async fn an_endless_stream_waits_for_the_client() {
    let server = TestServer::start().await;
    let mut client = server.client(Revision::LATEST);
    call(&mut client, 1).await;
    let mut connection = server.accept().await;
    connection.read().await;
    connection.write(EVENTS).await;
    let part = notification(&"x".repeat(1000)).repeat(100);
    let mut written = 0;
    // The buffers of the system take a part.
    while timeout(Duration::from_secs(1), connection.write(&part)).await == Ok(true) {
        written += part.len();
        assert!(written < 64 * 1024 * 1024, "the client reads without end");
    }
    for _ in 0..100 {
        assert_eq!(received(&mut client).await.unwrap().request, Some(1));
    }
    // Another request is not delayed: its response has a place in the same queue.
    assert!(client.cancel(1));
    call(&mut client, 2).await;
    let mut other = server.accept().await;
    other.read().await;
    other.answer(&result(2)).await;
    assert_eq!(received(&mut client).await.unwrap().request, Some(2));
    let is_closed = async {
        while connection.write(&part).await {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(LONG, is_closed).await.expect("cancelling closes the stream");
}
