use mcp_runtime::prelude::*;

use std::rc::Rc;

pub struct Pipelines;

/// Runs pipelines.
#[mcp_actions]
impl Pipelines {
    /// Lists the pipelines.
    #[action]
    async fn list(&self) {
        let names = Rc::new(1);
        std::future::ready(()).await;
        drop(names);
    }
}

fn main() {}
