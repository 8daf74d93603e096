//! What is made of an ask when it is awaited.

use std::pin::Pin;

use serde_json::{Map, Value};

use super::{
    builder::Setup,
    error::SampleError,
    expected::{Expected, SampleValue, in_words},
    guaranteed::{sure_schema, sure_tools},
    offer::{Offer, Read},
    reply::{GuaranteedSchema, GuaranteedTools, SampledSchema, SampledTools},
    strategy::Wants,
    tools::SampleTools,
};
use crate::{
    call::AskError,
    protocol::sampling::{Sampled, SamplingTool},
};

/// A model at work, for a tool.
pub type SampleFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A kind of ask that can be awaited.
pub trait Mode {
    /// What awaiting it gives.
    type Output;

    #[doc(hidden)]
    fn run(self, setup: Setup<'_>) -> SampleFuture<'_, Self::Output>;
}

/// What an ask does, chosen where its types are named: there a type that cannot be asked for is an error, and awaiting
/// the ask is no second one.
type Run<T> = for<'a> fn(Setup<'a>) -> SampleFuture<'a, T>;

/// A reply as it comes.
pub struct AsText(Run<Result<Sampled, AskError>>);

/// A reply that is to be a `T`.
pub struct AsSchema<T>(Run<Result<SampledSchema<T>, AskError>>);

/// A reply that may call tools: those of an enum, or of a list.
pub struct AsTools<E>(Run<Result<SampledTools<E>, AskError>>);

/// A reply that is a `T`.
pub struct SureSchema<T>(Run<Result<GuaranteedSchema<T>, SampleError>>);

/// A reply that calls a tool of `E`.
pub struct SureTools<E>(Run<Result<GuaranteedTools<E>, SampleError>>);

/// Replies until one is an answer, that may call the tools of `E`.
pub struct AsLoop<E> {
    pub(super) tools: fn() -> Vec<SamplingTool>,
    pub(super) read: Read<E>,
}

impl AsText {
    pub(super) fn new() -> Self {
        Self(|setup| {
            Box::pin(async {
                let Setup { mut asker, prompt, .. } = setup.open();
                let reply = asker.ask(&prompt, Wants::Text).await?;
                asker.remember(prompt.messages, &reply);
                Ok(reply)
            })
        })
    }
}

impl<T: SampleValue> AsSchema<T> {
    pub(super) fn new() -> Self {
        Self(|setup| {
            Box::pin(async {
                let Setup { mut asker, prompt, .. } = setup.open();
                let expected = Expected::of::<T>()?;
                let reply = asker.ask(&prompt, Wants::Value(&expected)).await?;
                let parsed = expected.parse(&reply, prompt.max_tokens);
                let reply = in_words(reply);
                asker.remember(prompt.messages, &reply);
                Ok(SampledSchema { parsed, reply })
            })
        })
    }
}

impl<E: Callable> AsTools<E> {
    pub(super) fn new() -> Self {
        Self(|setup| {
            Box::pin(async {
                let Setup { mut asker, prompt, tools, tool_choice, .. } = setup.open();
                let offer = Offer::new(tools)?;
                let reply = offer.with_written_calls(asker.ask(&prompt, Wants::Calls(&offer, tool_choice)).await?);
                let calls = offer.calls(&reply, prompt.max_tokens, E::READ);
                asker.remember(prompt.messages, &reply);
                Ok(SampledTools { calls, reply })
            })
        })
    }
}

impl<T: SampleValue> SureSchema<T> {
    pub(super) fn new() -> Self {
        Self(|setup| Box::pin(sure_schema(setup.open())))
    }
}

impl<E: SampleTools> SureTools<E> {
    pub(super) fn new() -> Self {
        Self(|setup| Box::pin(sure_tools(setup.open())))
    }
}

impl<E: SampleTools> AsLoop<E> {
    pub(super) fn new() -> Self {
        Self { tools: E::tools, read: E::read }
    }
}

macro_rules! mode {
    ($mode:ty => $output:ty $(, $param:ident)?) => {
        impl$(<$param>)? Mode for $mode {
            type Output = $output;

            fn run(self, setup: Setup<'_>) -> SampleFuture<'_, Self::Output> {
                (self.0)(setup)
            }
        }
    };
}
mode!(AsText => Result<Sampled, AskError>);
mode!(AsSchema<T> => Result<SampledSchema<T>, AskError>, T);
mode!(AsTools<E> => Result<SampledTools<E>, AskError>, E);
mode!(SureSchema<T> => Result<GuaranteedSchema<T>, SampleError>, T);
mode!(SureTools<E> => Result<GuaranteedTools<E>, SampleError>, E);

/// What a call is read as: a variant, or its input where nobody knows more.
pub trait Callable: Sized + Send + 'static {
    #[doc(hidden)]
    const READ: Read<Self>;
}

impl<E: SampleTools> Callable for E {
    const READ: Read<Self> = E::read;
}

impl Callable for Map<String, Value> {
    const READ: Read<Self> = |_, input| Ok(input);
}
