//! Requests to a process that is replaced, or that cannot begin.

use std::{future::pending, sync::Arc};

use http::StatusCode;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::hosted::{Hosted, kinds};

#[tokio::test]
async fn a_request_waits_for_the_next_process() {
    let mut hosted = Hosted::new(Ok(None), true).await;
    let program = Arc::clone(&hosted.program);
    let mut request = Box::pin(hosted.modern(1, "tools/list", json!({})));
    tokio::select! {
        answered = &mut request => panic!("it does not wait: {answered:?}"),
        () = program.asked(1) => {}
    }
    drop(request);
    hosted.start_server().await;
    let (status, _) = hosted.modern(2, "tools/list", json!({})).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn a_request_that_finds_no_process_at_its_address_waits_for_the_next_one() {
    let address = {
        // A process that has just ended: nothing listens at its address.
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
        gone.local_addr().unwrap()
    };
    let mut hosted = Hosted::new(Ok(Some(format!("http://{address}/mcp"))), true).await;
    let program = Arc::clone(&hosted.program);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let next = listener.local_addr().unwrap();
    let service = hosted.tried.target.service();
    hosted.tasks.spawn(async move {
        program.asked(2).await;
        program.is(Ok(Some(format!("http://{next}/mcp"))));
        service.serve_listener(listener, pending()).await;
    });
    let (status, _) = hosted.modern(1, "tools/list", json!({})).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn a_host_reads_why_there_is_no_process() {
    let hosted = Hosted::new(Err("the program cannot be built: cannot find value `x`".to_owned()), true).await;
    let (status, response) = hosted.modern(3, "tools/list", json!({})).await;
    assert_eq!((status, &response.headers()["retry-after"]), (StatusCode::SERVICE_UNAVAILABLE, &"5".parse().unwrap()));
    let error: Value = serde_json::from_str(response.body()).unwrap();
    assert_eq!((&error["jsonrpc"], &error["id"]), (&json!("2.0"), &json!(3)));
    assert_eq!(error["error"]["message"], "the program cannot be built: cannot find value `x`");
    let log = hosted.logged(2).await;
    assert_eq!(kinds(&log), [("a-host", "tools/list"), ("a-host", "error")]);
    assert_eq!(log[1].status, Some(503));
}
