//! A cancelled call counts no more.

use std::time::Duration;

use mcp_runtime::{
    Result,
    plugin::{CallStatus, PluginCall, PluginHost, PluginOutcome},
    prelude::*,
    store::{KeyRing, SqliteStore},
};
use serde_json::json;

use crate::plugin::support::question;

#[elicits]
#[derive(Debug)]
enum Wish {
    Sit { seat: String },
}

/// Waits for a seat, and then for ever.
#[mcp_tool]
async fn sit(ctx: &Ctx<Wish>) -> Result<String> {
    let Sit { seat } = ctx.elicit::<Sit>("Which seat?").strict().await?;
    std::future::pending::<()>().await;
    Ok(seat)
}

/// As `sit`, but can be rebuilt.
#[mcp_tool(replayable)]
async fn sit_again(ctx: &Ctx<Wish>) -> Result<String> {
    sit(ctx).await
}

/// Returns a server that lets each user have one waiting call.
fn server() -> Server {
    Server::new("seats", "1").tools(tools![sit, sit_again]).max_open_calls_per_client(1)
}

async fn begin(host: &PluginHost, tool: &str) -> PluginCall {
    let call = host.call_as("ann", tool, json!({})).await.unwrap();
    question(&call, 1).await;
    call
}

async fn check(host: &PluginHost) {
    for tool in ["sit", "sit_again"] {
        let waits = begin(host, tool).await;
        let refused = host.call_as("ann", tool, json!({})).await.unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert_eq!(refused.status(), CallStatus::Working, "it waits until ann has room");
        refused.cancel();
        assert_eq!(refused.outcome().await, PluginOutcome::Cancelled);
        waits.cancel();
        assert_eq!(waits.outcome().await, PluginOutcome::Cancelled);
        // Also a call that runs again after an answer.
        let runs = begin(host, tool).await;
        runs.answer(1, Elicited::Accept(Sit { seat: "12A".into() })).await.unwrap();
        runs.cancel();
        assert_eq!(runs.outcome().await, PluginOutcome::Cancelled);
        let last = begin(host, tool).await;
        last.cancel();
        assert_eq!(last.outcome().await, PluginOutcome::Cancelled);
    }
}

#[tokio::test]
async fn a_user_with_all_waiting_calls_can_begin_one_after_cancelling_one() {
    check(&PluginHost::builder(server()).start().await.unwrap()).await;
}

#[tokio::test]
async fn a_user_with_all_stored_calls_can_begin_one_after_cancelling_one() {
    let path = std::env::temp_dir().join(format!("plugin-cancelled-{}.sqlite", std::process::id()));
    let server = server().store(SqliteStore::open(&path).unwrap()).state_keys(KeyRing::new([7; 32]));
    check(&PluginHost::builder(server).start().await.unwrap()).await;
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
}
