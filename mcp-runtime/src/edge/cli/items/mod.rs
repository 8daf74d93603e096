//! The tools and prompts of a server, as the command line shows them.

pub(crate) mod askable;
pub(crate) mod item;
pub(crate) mod json_error;
pub(crate) mod page;
pub(crate) mod parameter;
pub(crate) mod reading;
#[cfg(feature = "actions")]
pub(crate) mod runs;
pub(crate) mod table;
