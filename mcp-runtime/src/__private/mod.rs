//! The items that generated code uses. They are not part of the public interface and can change without notice.

#[cfg(feature = "openapi")]
mod api;
mod default;
mod definition;
mod described;
mod form;
mod functions;
mod imported;
mod phase;
mod probe;
mod reference;
mod sample;
mod set;
#[cfg(feature = "settings")]
mod settings;
mod task;
mod tools;
mod variant;
mod verdict;
mod view;

#[cfg(feature = "openapi")]
pub use mcp_macros::openapi as expand_openapi;
#[cfg(feature = "remote")]
pub use mcp_macros::remote_tools as expand_remote_tools;
#[cfg(feature = "skills")]
pub use mcp_macros::skills as expand_skills;
pub use mcp_macros::{prompts as expand_prompts, resources as expand_resources, tools as expand_tools};
pub use serde_json::Value;
pub use {schemars, serde};

#[cfg(feature = "settings")]
pub use self::settings::{ReadNoSetting, ReadSetting};
pub use self::{
    default::{WriteAny, WriteSerialize, WriteVariant},
    definition::{definition, prompt_definition, resource_definition, view_definition},
    described::{DescribeNothing, DescribeStruct},
    form::{
        AForm, Draft, FlatField, HandleForm, HandleNoForm, NotABorrow, NotABox, NotAList, NotAMap, NotASet, NotATuple,
        NotTwiceOptional, OfChoices, ReadField, ReadNoField, WriteField, WriteNoField,
    },
    functions::{Completes, Lists, completed_by, listed_by, lists},
    imported::{ErrorIsKnown, Nowhere, std_result},
    phase::{
        AskingPhase, CannotAsk, FetchThis, FromBefore, FromClient, Handoff, Keeping, RunContext, RunOther, TakeContext,
        TakeHandoff, TakeNothing, Taking, Travel, after, before,
    },
    probe::Probe,
    reference::{FetchContext, FetchNothing, FetchState, Lend, Need},
    sample::{fill_variant, read_variant},
    set::{IsContext, SetOf},
    tools::{Entry, Registered, RegisteredPrompt, RegisteredResource, are_distinct, tools},
    verdict::{
        BoxedError, Defaulted, Described, DescribedToModel, FromModel, MethodInput, NotTheContext, OfBytes, OfChrono,
        OfDecimal, OfJiff, OfSemver, OfUrl, OfUuid, Readable, ReadableFromModel, Shared, TakenByMethod,
        TakenByReference, TakenByReferenceInPhase,
    },
};
#[cfg(feature = "openapi")]
pub use crate::__mcp_needs_actions as needs_actions;
#[cfg(feature = "actions")]
pub use crate::apps::actions::{Action, ActionSet, Actions};
pub use crate::apps::contract::{
    ErrorProbe, Method, MethodOutput, MethodResult, Resource as RestResource, Route, WithError, WithoutError,
};
#[cfg(feature = "openapi")]
pub use crate::apps::openapi::table::{
    ApiBody, ApiBodyArguments, ApiBodyKind, ApiDocument, ApiGroup, ApiOperation, ApiParameter, ApiPlace, ApiScheme,
    ApiSchemeKind, ApiStyle, api_setting,
};
#[cfg(feature = "skills")]
pub use crate::serve::skill::{EmbeddedFile, EmbeddedSkill, embedded_skills};
pub use crate::{
    __mcp_as_task as as_task, __mcp_default as default, __mcp_described as described, __mcp_entry as entry,
    __mcp_fallback as fallback, __mcp_form_with_view as form_with_view, __mcp_handled as handled,
    __mcp_into_tool as into_tool, __mcp_read as read, __mcp_reference as reference, __mcp_runs_once as runs_once,
    __mcp_set_of as set_of, __mcp_taken as taken, __mcp_this as this, __mcp_write as write,
    base::error::ToolError,
    engine::{
        call::{Call, NoForms, once::PartFuture, running::CallFuture},
        compose::{PreparedCall, ToArgument},
        elicit::{
            Answers, Asked, Choice, ChoiceEntry, Declared, Elicits, Field, FieldKey, FieldType, Form, FormField,
            FormOf, FormSchema, Format, Handled, HandledBy, Handling, Includes, Literal, Problem, Shape, TypeOfField,
            Unfit, handled_url, read_choice, write_choice,
        },
        sample::{SampleTools, tools::SampleVariant},
        tool::{
            Arguments, ArgumentsError, AsksWith, FormEntry, State, Tool, ToolDefinition, ToolInput, ToolOutput, View,
            ViewDefinition, ViewOutput, into_tool::HasActions, output::OutputFunctions,
        },
    },
    serve::{
        complete::{FromText, TextArgument, TextArguments, TextInput, TextKind},
        prompt::{GetPromptFuture, GetPromptResult, Prompt, PromptDefinition, PromptOutput},
        resource::{
            CacheScope, ListRequest, ListResourcesFuture, ReadRequest, ReadResourceFuture, ReadResourceResult,
            Resource, ResourceDefinition, ResourceOutput, ViewState, boxed_resource, fill_page,
        },
    },
    wire::{
        protocol::{
            capability::Capability,
            content::{Annotations, Audience},
            result::CallToolResult,
            view::{ToolVisibility, ViewPermission},
        },
        schema::parameter::{Fill, Input, Parameter, Slot, Takes, Whole},
    },
};
#[cfg(feature = "settings")]
pub use crate::{
    __mcp_read_setting as read_setting,
    serve::settings::{SettingDefinition, SettingDraft, SettingKind, SettingType, SettingValues, Settings},
};

/// Boxes the future of a call or of a phase. Only this function requires `Send`, so a future that is not `Send` causes
/// one error.
pub fn boxed<'a, F, T>(future: F) -> PartFuture<'a, T>
where
    F: Future<Output = Result<T, ToolError>> + Send + 'a,
{
    Box::pin(future)
}
