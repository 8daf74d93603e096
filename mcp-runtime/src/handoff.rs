//! The macro for conversations, documented where it is used from.

/// Turns an `impl` block with three phases into a tool.
pub use mcp_macros::handoff;
