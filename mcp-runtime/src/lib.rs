//! Author MCP tools as annotated async functions.

extern crate self as mcp_runtime;

mod call;
mod error;
mod macros;
mod server;
mod tool;
mod transport;
mod wire;

#[doc(hidden)]
pub mod __private;
pub mod prelude;

pub use self::{
    call::{Call, Client, Ctx, NoForms, Progress, Talk},
    error::{Result, ToolError},
    macros::mcp_tool,
    server::{BuildError, Icon, Server, Service, Theme},
    tool::{
        Arguments, ArgumentsError, CallToolResult, Calling, Capability, IntoToolError, Json, State, StateNeed,
        Structured, Text, Tool, ToolDefinition, ToolInput, ToolOutput,
    },
    transport::MemoryClient,
    wire::{
        content::{Annotations, Audience, Content, EmbeddedResource, ResourceLink},
        level::Level,
        revision::Revision,
    },
};

/// Tells the operator what went wrong on the server's side: to `tracing` where that is on, else to standard error.
macro_rules! report {
    ($($message:tt)*) => {{
        #[cfg(feature = "tracing")]
        tracing::error!($($message)*);
        #[cfg(not(feature = "tracing"))]
        eprintln!($($message)*);
    }};
}
pub(crate) use report;
