//! The macros, documented where they are used from.

/// Turns an `async fn` into a tool.
pub use mcp_macros::mcp_tool;

/// The tools of a server, for [`Server::tools`](crate::Server::tools).
#[macro_export]
macro_rules! tools {
    ($($tools:tt)*) => { $crate::__private::expand_tools! { ($crate) $($tools)* } };
}
