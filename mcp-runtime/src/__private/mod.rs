//! All that generated code may name. No part of the public interface: it changes without notice.

mod argument;
mod definition;
mod form;
mod imported;
mod phase;
mod reference;
mod sample;
mod tools;
mod variant;
mod verdict;

pub(crate) use self::tools::same;
pub use mcp_macros::tools as expand_tools;
pub use serde_json::Value;
pub use {schemars, serde};

pub use self::{
    argument::{
        DescribeAny, DescribeOwned, MakeAny, MakeDefault, NoArguments, NoFields, Probe, ReadAny, ReadOwned, WriteAny,
        WriteSerialize, WriteVariant, may_be_absent,
    },
    definition::definition,
    form::{
        AForm, Draft, FlatField, HandleForm, HandleNoForm, NotABorrow, NotABox, NotAList, NotAMap, NotASet, NotATuple,
        NotTwiceOptional, OfChoices, ReadField, ReadNoField, WriteField, WriteNoField,
    },
    imported::{ErrorIsKnown, Nowhere, std_result},
    phase::{
        Asking, AskingNobody, FetchThis, FromBefore, FromClient, Handoff, Keeping, RunContext, RunOther, TakeContext,
        TakeHandoff, TakeNothing, Taking, Travel, phase,
    },
    reference::{FetchContext, FetchMute, FetchNothing, FetchState, Lend, Need},
    sample::{SampleVariant, read_variant},
    tools::{Entry, Registered, text, tools},
    verdict::{
        BoxedError, Defaulted, Described, DescribedToModel, FromModel, NotTheContext, OfBytes, OfChrono, OfDecimal,
        OfJiff, OfSemver, OfUrl, OfUuid, Readable, ReadableFromModel, Shared, TakenByReference,
        TakenByReferenceInPhase,
    },
};
pub use crate::{
    __mcp_argument as argument, __mcp_default as default, __mcp_fallback as fallback,
    __mcp_fallback_handoff as fallback_handoff, __mcp_handled as handled, __mcp_read as read,
    __mcp_reference as reference, __mcp_runs_once as runs_once, __mcp_taken as taken, __mcp_this as this,
    __mcp_write as write,
    call::Call,
    elicit::{
        Answers, Asked, Choice, ChoiceEntry, Content, Declared, Elicits, Field, FieldKey, FieldType, Form, FormEntry,
        FormField, FormOf, FormSchema, Format, Handled, HandledBy, Handling, Includes, Literal, Problem, Shape,
        TypeOfField, Unfit, read_choice, write_choice,
    },
    error::ToolError,
    sample::SampleTools,
    tool::{
        Arguments, ArgumentsError, CallToolResult, Calling, Capability, State, Tool, ToolDefinition, ToolInput,
        ToolOutput, output::OutputFunctions,
    },
};

/// `Some`, but only as a function: as a type the author's `Some` is left alone.
#[allow(non_snake_case)]
pub fn Some<T>(value: T) -> Option<T> {
    Option::Some(value)
}

/// The future of one call. The bound stands here and nowhere else, so that a future that is not `Send` is one error.
pub fn boxed<F>(future: F) -> Calling
where
    F: Future<Output = Result<CallToolResult, ToolError>> + Send + 'static,
{
    Box::pin(future)
}
