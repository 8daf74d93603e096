//! Other MCP servers, whose tools a server calls.

pub use crate::serve::remote::{
    ClientCredentials, ReadRemote, Remote, RemoteCall, RemoteCallWithin, RemoteError, RemoteTool, RemoteToolCall,
    RemoteToolCallWithin,
};
