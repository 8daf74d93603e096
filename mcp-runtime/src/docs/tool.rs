//! Parts of tools that are known only at run time, and the list of a running server.
//!
//! [`Tool`](crate::Tool), [`ToolDefinition`](crate::ToolDefinition) and [`DynamicTool`](crate::DynamicTool) stand at the
//! root of the crate, as does all that annotated functions need.

pub use crate::{
    base::error::IntoToolError,
    engine::tool::{Arguments, ArgumentsError, AsksWith, IntoTool, IntoTools, Renamed, State, StateNeed, Structured},
    serve::server::{ListChanges, ServiceList, ToolChanges, ToolList},
    wire::schema::portable::SchemaStyle,
};
