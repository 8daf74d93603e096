//! The memory of a call that waits for its user.

use mcp_runtime::plugin::{CallStatus, PluginHost};
use serde_json::json;

use crate::{
    floods::memory::Idle,
    plugin::support::{Kitchen, host, question},
    support::own_process::in_own_process,
};

const OWNERS: usize = 50;
const CALLS: usize = 1000;
/// The most bytes of one call: 2 KB are its future, from which it goes on at once.
const MOST: usize = 7_600;

#[tokio::test]
async fn a_thousand_waiting_calls_take_less_than_eight_kilobytes_each() {
    in_own_process!();
    let host = host(&Kitchen::default()).await;
    // What the first calls need once: tables, schemas.
    wait_for_users(&host, 1000).await;
    let idle = Idle::measure();
    wait_for_users(&host, CALLS).await;
    let each = idle.more() / CALLS;
    assert!(each < MOST, "{each} bytes for each waiting call");
}

/// Begins calls of 50 owners, and leaves them at their first question.
async fn wait_for_users(host: &PluginHost, calls: usize) {
    for number in 0..calls {
        let owner = format!("owner-{}", number % OWNERS);
        let call = host.call_as(owner, "order", json!({ "dishes": 3 })).await.unwrap();
        question(&call, 1).await;
        assert_eq!(call.status(), CallStatus::InputRequired);
    }
}
