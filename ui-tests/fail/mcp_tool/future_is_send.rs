use mcp_runtime::prelude::*;

use std::rc::Rc;

/// Waits a moment.
#[mcp_tool]
async fn wait(turns: u32) {
    let turns = Rc::new(turns);
    std::future::ready(()).await;
    drop(turns);
}

fn main() {}
