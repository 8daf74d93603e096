//! One call, from its beginning to its end.

pub(crate) mod call;
pub(crate) mod durable;
pub(crate) mod elicit;
pub mod layer;
#[cfg_attr(not(feature = "actions"), allow(dead_code, unused_imports, reason = "parts of it only actions need"))]
pub mod runs;
pub mod sample;
pub mod store;
pub(crate) mod tool;
