//! Other MCP servers: a server calls their tools, or offers what they have.

pub use crate::{
    apps::gather::{Mount, MountStatus},
    serve::remote::{Remote, RemoteCall, RemoteCallWithin, RemoteError},
};
