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
    servers::{light, shop},
};
use crate::support::remote_servers::{Done, serve};

const REFUSED: &str = "the server `shop` refuses `tools/call`: closed for a moment (code -32603)";

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
    let service = shop(&done).tools(tools![light]).layer(layer::admit_fn(admit)).build().unwrap();
    let remote = if is_http { Remote::http(serve(service.router()).await) } else { Remote::service(&service) };
    (remote.named("shop"), done)
}

/// Calls a tool of the server, and returns what the client reads.
async fn call(remote: &Remote, tool: &str) -> String {
    let service = planner(remote).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST);
    client.call("forward", json!({ "tool": tool, "arguments": { "line": "tea" } })).await.text()
}

#[tokio::test]
async fn a_request_that_is_refused_for_now_is_sent_again_if_it_may_run_twice() {
    for is_http in [false, true] {
        let (remote, done) = busy(2, Duration::from_millis(1), is_http).await;
        assert_eq!(call(&remote, "light").await, "3");
        assert_eq!(done.take(), ["light"]);
        let (remote, done) = busy(2, Duration::from_millis(1), is_http).await;
        assert_eq!(call(&remote, "note").await, REFUSED);
        assert!(done.take().is_empty());
    }
}

#[tokio::test]
async fn a_server_that_is_busy_for_too_long_is_quoted() {
    for is_http in [false, true] {
        for (pause, is_repeated) in [(1, true), (u64::MAX, false)] {
            let (remote, done) = busy(usize::MAX, Duration::from_millis(pause), is_http).await;
            let text = call(&remote.timeout(Duration::from_secs(2)), "light").await;
            assert_eq!(text != REFUSED, is_repeated, "{text}");
            assert_eq!(text.contains("it may still run an earlier request of this call"), is_repeated, "{text}");
            assert!(done.take().is_empty());
        }
    }
}
