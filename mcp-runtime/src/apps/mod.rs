//! Other ways to offer tools, and to use them.

#[cfg(feature = "actions")]
pub mod actions;
pub mod contract;
#[cfg(feature = "remote")]
pub(crate) mod gather;
#[cfg(feature = "openapi")]
pub mod openapi;
#[cfg(feature = "plugin")]
pub mod plugin;
#[cfg(feature = "search")]
pub mod search;
