//! Trimmed lists: the fields that summaries skip are left out of them.

use serde_json::json;

use crate::actions::pipelines::{Team, pipelines};

#[tokio::test]
async fn lists_leave_out_what_summaries_skip() {
    let pipelines = pipelines().state(Team("red"));
    let list = pipelines.handle(json!({ "action": "runs" })).await;
    assert_eq!(list["result"], json!([{ "id": 1, "pipeline": "research", "depth": "m" }]));
    let one = pipelines.handle(json!({ "action": "result", "params": { "id": 1 } })).await;
    assert_eq!(one["result"]["trace"], json!(["read", "sorted"]));
}
