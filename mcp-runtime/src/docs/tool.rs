//! Parts of tools that are known only at run time, and the list of a running server.
//!
//! The trait [`Tool`](crate::Tool) stands at the root of the crate, as does all that annotated functions need.

pub use crate::{
    base::error::IntoToolError,
    engine::tool::{
        Arguments, ArgumentsError, AsksWith, DynamicTool, IntoTool, IntoTools, Renamed, State, StateNeed, Structured,
        ToolDefinition,
    },
    serve::server::{ListChanges, ServiceList, ToolChanges, ToolList},
    wire::schema::portable::SchemaStyle,
};
