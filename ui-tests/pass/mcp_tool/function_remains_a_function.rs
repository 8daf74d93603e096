//! The function is called as ever: by unit tests, by other tools.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64_text::Output {
    i64_text::text(a + b)
}

/// Adds three numbers.
#[mcp_tool]
async fn add_three(a: i64, b: i64, c: i64) -> Text<i64> {
    let Text(sum) = add(a, b).await;
    add(sum, c).await
}

mod i64_text {
    pub type Output = mcp_runtime::Text<i64>;

    pub fn text(number: i64) -> Output {
        mcp_runtime::Text(number)
    }
}

fn main() {
    let poll = pin!(add_three(1, 2, 3)).poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(poll, Poll::Ready(Text(6)));
    let _ = tools![add, add_three];
}
