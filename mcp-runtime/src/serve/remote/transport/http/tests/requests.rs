//! What a client does with connections, failures, sessions and streams.

use super::*;

#[tokio::test]
async fn requests_share_a_connection() {
    let server = TestServer::start().await;
    let mut client = server.client(Revision::LATEST);
    call(&mut client, 1).await;
    let mut connection = server.accept().await;
    for id in 1..4 {
        let request = connection.read().await;
        assert!(request.contains("mcp-method: tools/call\r\n") && request.contains("mcp-name: a\r\n"), "{request}");
        connection.answer(&result(id)).await;
        assert_eq!(received(&mut client).await.unwrap().request, Some(id));
        call(&mut client, id + 1).await;
    }
    assert_eq!(client.open.len(), 1);
    assert!(client.tasks.len() < 3, "tasks that have ended are forgotten");
}

#[tokio::test]
async fn a_cancelled_request_closes_its_connection() {
    let server = TestServer::start().await;
    let mut client = server.client(Revision::LATEST);
    call(&mut client, 1).await;
    let mut connection = server.accept().await;
    assert!(!connection.read().await.is_empty());
    assert!(client.cancel(1));
    assert_eq!(timeout(LONG, connection.read()).await.unwrap(), "");
}

#[tokio::test]
async fn errors_say_whether_the_server_can_have_got_the_request() {
    let server = TestServer::start().await;
    let mut client = server.client(Revision::LATEST);
    call(&mut client, 1).await;
    let mut connection = server.accept().await;
    connection.read().await;
    drop(connection);
    let error = received(&mut client).await.unwrap_err();
    assert!(matches!(error, ReceiveError { request: Some(1), error: TransferError::Broken(_) }), "{error:?}");

    call(&mut client, 2).await;
    let mut connection = server.accept().await;
    connection.read().await;
    connection.reply("503 Service Unavailable", "", "try later").await;
    let error = received(&mut client).await.unwrap_err();
    assert!(matches!(error, ReceiveError { request: Some(2), error: TransferError::Refused { status: 503, .. } }));
    assert_eq!(error.to_string(), "the server has answered with HTTP 503 Service Unavailable: try later");
    drop((connection, client));

    let mut client = server.client(Revision::LATEST);
    drop(server);
    call(&mut client, 3).await;
    let error = received(&mut client).await.unwrap_err();
    assert!(matches!(error, ReceiveError { request: Some(3), error: TransferError::Unreachable(_) }), "{error:?}");
    assert!(error.to_string().contains("cannot connect to `127.0.0.1:"), "{error}");
}

#[tokio::test]
async fn a_session_that_is_over_is_told_from_an_error_of_the_request() {
    let server = TestServer::start().await;
    let mut client = server.client(Revision::V2025_11_25);
    call(&mut client, 1).await;
    let mut connection = server.accept().await;
    connection.read().await;
    connection.reply("200 OK", "mcp-session-id: s1\r\n", &result(1).to_string()).await;
    received(&mut client).await.unwrap();
    call(&mut client, 2).await;
    assert!(connection.read().await.contains("mcp-session-id: s1\r\n"));
    let over = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32001, "message": "Session not found" } });
    connection.reply("404 Not Found", "", &over.to_string()).await;
    let error = received(&mut client).await.unwrap_err().error;
    assert!(matches!(error, TransferError::Refused { status: 404, .. }), "{error:?}");
    let ((), ended) = tokio::join!(client.close(), async {
        let ended = connection.read().await;
        connection.reply("200 OK", "", "").await;
        ended
    });
    assert!(ended.starts_with("DELETE /mcp ") && ended.contains("mcp-session-id: s1\r\n"), "{ended}");
}

#[tokio::test]
async fn the_stream_of_a_session_is_opened_again() {
    let server = TestServer::start().await;
    let mut client = server.client(Revision::V2025_11_25);
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    let (sent, mut connection) = tokio::join!(client.send(&initialized), async {
        let mut connection = server.accept().await;
        connection.read().await;
        connection.reply("202 Accepted", "", "").await;
        connection
    });
    sent.unwrap();
    assert!(connection.read().await.starts_with("GET /mcp "));
    connection.write(&format!("{EVENTS}id: 7\nretry: 1\n{}id: 8\ndata: half", notification("a"))).await;
    drop(connection);
    assert_eq!(received(&mut client).await.unwrap().request, None);
    let mut connection = server.accept().await;
    assert!(connection.read().await.contains("last-event-id: 7\r\n"));
    connection.write(&format!("{EVENTS}{}", notification("b"))).await;
    assert!(received(&mut client).await.unwrap().text.contains("\"b\""));
}

#[tokio::test]
async fn headers_repeat_arguments_and_are_encoded() {
    let server = TestServer::start().await;
    let mut client = server.client(Revision::LATEST);
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "a" } }).to_string();
    let headers = [(HeaderName::from_static("mcp-param-city"), "Zürich".to_owned())];
    client.send_with_headers(&message, &headers).await.unwrap();
    let request = server.accept().await.read().await;
    assert!(request.contains("mcp-param-city: =?base64?WsO8cmljaA==?=\r\n"), "{request}");
}
