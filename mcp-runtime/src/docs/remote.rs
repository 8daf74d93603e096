//! Other MCP servers, whose tools a server calls.

pub use crate::serve::remote::{Remote, RemoteCall, RemoteCallWithin, RemoteError};
