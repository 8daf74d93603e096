//! The data of the protocol: messages, and the schemas of arguments and results.

pub(crate) mod protocol;
pub(crate) mod schema;
