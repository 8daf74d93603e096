//! Asking a model: through the client, or through a provider of the server's own.

mod asking;
mod branch;
mod builder;
mod deprecation;
mod error;
mod expected;
mod find;
mod message;
mod messages;
mod mode;
mod offer;
mod provider;
#[cfg(feature = "providers")]
pub mod providers;
mod reply;
mod request;
mod state;
mod sure;
#[cfg(test)]
mod tests;
mod tools;
mod turns;
mod wants;
mod within;

#[doc(hidden)]
pub use self::builder::Setup;
#[cfg(feature = "cli")]
pub(crate) use self::deprecation::not_here as no_client_is_deprecated;
#[cfg(feature = "testing")]
pub(crate) use self::expected::ANSWER;
pub use self::{
    branch::{Branch, BranchLimits, ElicitsInBranch},
    builder::Sample,
    error::{BranchLimit, SampleError, SampleValidation},
    expected::SampleValue,
    message::{Role, SamplingContent, SamplingMessage, ToolResult, ToolUse},
    messages::{IntoBlocks, Messages, MessagesError},
    mode::{AsLoop, AsSchema, AsText, AsTools, Callable, Mode, SampleFuture, SureSchema, SureTools},
    provider::{ProviderAbilities, ProviderError, SamplingFuture, SamplingOrder, SamplingProvider},
    reply::{
        GuaranteedSchema, GuaranteedTools, ParseError, Sampled, SampledSchema, SampledTools, StopReason, TokenUsage,
        ToolCall,
    },
    request::{ModelPreferences, ResponseSchema, SamplingRequest, SamplingTool, ToolChoice},
    state::{Guaranteed, OffersTools, TakesTurns, Unshaped},
    tools::SampleTools,
    turns::SampledLoop,
};
