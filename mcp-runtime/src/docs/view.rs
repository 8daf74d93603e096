//! Views: pages that hosts show beside the results of a tool, or in place of a form (the extension MCP Apps).
//!
//! [`mcp_view`] turns a struct into a view. Name the struct where the view is used: `#[mcp_tool(view = SeatMap)]`. The types
//! here are views that other code generates ([`View`], [`ViewDefinition`]), and who can call a tool ([`ToolVisibility`]). See
//! the guide [`views`](crate::guide::views).

pub use crate::{
    docs::macros::mcp_view,
    engine::tool::{View, ViewDefinition, ViewOutput},
    serve::resource::ViewState,
    wire::protocol::view::{ToolVisibility, ViewPermission},
};
