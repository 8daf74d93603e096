//! A tool that blocks its thread is reported to the operator.

use std::{thread::sleep, time::Duration};

use mcp_runtime::{Server, prelude::*, testing::Client};
use serde_json::json;

use crate::support::log::{Log, set_default};

/// Blocks its thread, at once or after it has waited.
#[mcp_tool]
async fn block(millis: u64, waits: bool) {
    if waits {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    sleep(Duration::from_millis(millis));
}

#[tokio::test]
async fn a_tool_that_blocks_its_thread_is_reported_once() {
    for waits in [false, true] {
        let log = Log::default();
        let guard = set_default(tracing_subscriber::fmt().with_ansi(false).with_writer(log.clone()).finish());
        let service = Server::new("test", "1.0.0").tools(tools![block]).build().unwrap();
        let mut client = Client::modern(&service);
        for millis in [0, 1100, 1100] {
            client.call("block", json!({ "millis": millis, "waits": waits })).await;
        }
        drop(guard);
        let log = log.text();
        assert_eq!(log.matches("the tool `block` ran for").count(), 1, "{log}");
        assert!(log.contains("`tokio::task::spawn_blocking`"), "{log}");
    }
}
