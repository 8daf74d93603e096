//! One call, from its beginning to its end.

pub(crate) mod call;
pub(crate) mod compose;
pub(crate) mod durable;
pub(crate) mod elicit;
pub mod layer;
pub mod runs;
pub mod sample;
pub mod store;
pub(crate) mod tool;
