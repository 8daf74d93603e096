//! The tasks extension: calls that go on after their request has ended.

mod actions;
mod calls;
mod http;
mod subscriptions;
mod tools;
pub(crate) mod wire;
