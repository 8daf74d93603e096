//! The phases are methods like any other: a test calls them.
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mcp_runtime::prelude::*;

struct Add(u32);

/// Adds two numbers.
#[handoff(description = "Adds two numbers.")]
impl Add {
    pub async fn before(
        &self,
        /// The first.
        #[serde(rename = "first")]
        #[schemars(range(min = 1))]
        a: u32,
        b: Option<u32>,
    ) -> u32 {
        self.0 + a + b.unwrap_or_default()
    }

    async fn client(ctx: &Ctx, _sum: &u32) -> bool {
        drop(ctx.clone());
        true
    }

    async fn after(&self, sum: u32, certain: bool) -> Text<u32> {
        Text(if certain { sum } else { 0 })
    }
}

fn main() {
    let add = Add(1);
    let mut before = pin!(add.before(2, Some(3)));
    assert!(matches!(before.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(6)));
    let mut after = pin!(add.after(6, true));
    assert!(matches!(after.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Text(6))));
}
