//! All that generated code may name. No part of the public interface: it changes without notice.

mod argument;
mod definition;
mod reference;
mod tools;
mod verdict;

pub use mcp_macros::tools as expand_tools;
pub use {schemars, serde};

pub use self::{
    argument::{
        DescribeAny, DescribeOwned, MakeAny, MakeDefault, Probe, ReadAny, ReadOwned, WriteAny, WriteSerialize,
        may_be_absent,
    },
    definition::definition,
    reference::{FetchContext, FetchNothing, FetchState},
    tools::{Entry, Registered, text, tools},
    verdict::{Defaulted, Described, Readable, TakenByReference},
};
pub use crate::{
    __mcp_argument as argument, __mcp_default as default, __mcp_fallback as fallback, __mcp_reference as reference,
    call::Call,
    error::ToolError,
    tool::{
        Arguments, ArgumentsError, CallToolResult, Calling, Capability, State, Tool, ToolDefinition, ToolInput,
        ToolOutput, output::OutputFunctions,
    },
};

/// The future of one call. The bound stands here and nowhere else, so that a future that is not `Send` is one error.
pub fn boxed(future: impl Future<Output = Result<CallToolResult, ToolError>> + Send + 'static) -> Calling {
    Box::pin(future)
}
