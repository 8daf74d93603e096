//! Servers that refuse a request for now.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{
    Result, Revision,
    layer::{self, CallInfo, Rejection},
    prelude::*,
    remote::Remote,
    testing::Client,
};
use serde_json::json;

use super::{
    planner,
    servers::{Done, serve, shop},
};

/// Returns the remote of a server that rejects this many calls, and asks to send them again after a time.
async fn busy(rejected: usize, pause: Duration, is_http: bool) -> (Remote, Done) {
    let (done, calls) = (Done::default(), Arc::<AtomicUsize>::default());
    let admit = move |_: CallInfo| {
        let is_busy = calls.fetch_add(1, Ordering::Relaxed) < rejected;
        async move {
            let rejection = || Rejection::unavailable("closed for a moment", pause).into();
            if is_busy { Err(rejection()) } else { Result::Ok(()) }
        }
    };
    let service = shop(&done).layer(layer::admit_fn(admit)).build().unwrap();
    let remote = if is_http { Remote::http(serve(service.router()).await) } else { Remote::service(&service) };
    (remote.named("shop"), done)
}

/// Takes a note at the server, and returns what the client reads.
async fn note(remote: &Remote) -> String {
    let service = planner(remote).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST);
    client.call("forward", json!({ "tool": "note", "arguments": { "line": "tea" } })).await.text()
}

#[tokio::test]
async fn a_request_that_is_refused_for_now_is_sent_again() {
    for is_http in [false, true] {
        let (remote, done) = busy(2, Duration::from_millis(1), is_http).await;
        assert_eq!(note(&remote).await, "3");
        assert_eq!(done.take(), ["note tea"]);
    }
}

#[tokio::test]
async fn a_server_that_is_busy_for_too_long_is_quoted() {
    for (pause, is_http) in [(1, false), (1, true), (u64::MAX, false), (u64::MAX, true)] {
        let (remote, done) = busy(usize::MAX, Duration::from_millis(pause), is_http).await;
        let text = note(&remote.timeout(Duration::from_millis(300))).await;
        assert_eq!(text, "the server `shop` refuses `tools/call`: closed for a moment (code -32603)");
        assert!(done.take().is_empty());
    }
}
