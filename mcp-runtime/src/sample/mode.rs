//! What is made of an ask when it is awaited.

use std::pin::Pin;

use serde_json::{Map, Value};

use super::{
    builder::{AsSchema, AsText, AsTools, Setup, SureSchema, SureTools},
    error::SampleError,
    expected::{Expected, SampleValue},
    offer::{Offer, Read},
    reply::{GuaranteedSchema, GuaranteedTools, Sampled, SampledSchema, SampledTools},
    sure::{sure_schema, sure_tools},
    tools::SampleTools,
    wants::Wants,
};
use crate::call::AskError;

/// A model at work, for a tool.
pub type SampleFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A kind of ask that can be awaited.
pub trait Mode {
    /// What awaiting it gives.
    type Output;

    #[doc(hidden)]
    fn run(setup: Setup<'_>) -> SampleFuture<'_, Self::Output>;
}

impl Mode for AsText {
    type Output = Result<Sampled, AskError>;

    fn run(setup: Setup<'_>) -> SampleFuture<'_, Self::Output> {
        Box::pin(async {
            let Setup { mut asker, prompt, .. } = setup.open();
            let reply = asker.ask(&prompt, Wants::Text).await?;
            asker.remember(prompt.messages, &reply);
            Ok(reply)
        })
    }
}

impl<T: SampleValue> Mode for AsSchema<T> {
    type Output = Result<SampledSchema<T>, AskError>;

    fn run(setup: Setup<'_>) -> SampleFuture<'_, Self::Output> {
        Box::pin(async {
            let Setup { mut asker, prompt, .. } = setup.open();
            let expected = Expected::of::<T>()?;
            let reply = asker.ask(&prompt, Wants::Value(&expected)).await?;
            let parsed = expected.parse(&reply, prompt.max_tokens);
            asker.remember(prompt.messages, &reply);
            Ok(SampledSchema { parsed, reply })
        })
    }
}

impl<E: Callable> Mode for AsTools<E> {
    type Output = Result<SampledTools<E>, AskError>;

    fn run(setup: Setup<'_>) -> SampleFuture<'_, Self::Output> {
        Box::pin(async {
            let Setup { mut asker, prompt, tools, tool_choice, .. } = setup.open();
            let offer = Offer::new(tools)?;
            let reply = offer.with_written_calls(asker.ask(&prompt, Wants::Calls(&offer, tool_choice)).await?);
            let calls = offer.calls(&reply, prompt.max_tokens, E::READ);
            asker.remember(prompt.messages, &reply);
            Ok(SampledTools { calls, reply })
        })
    }
}

impl<T: SampleValue> Mode for SureSchema<T> {
    type Output = Result<GuaranteedSchema<T>, SampleError>;

    fn run(setup: Setup<'_>) -> SampleFuture<'_, Self::Output> {
        Box::pin(sure_schema(setup.open()))
    }
}

impl<E: SampleTools> Mode for SureTools<E> {
    type Output = Result<GuaranteedTools<E>, SampleError>;

    fn run(setup: Setup<'_>) -> SampleFuture<'_, Self::Output> {
        Box::pin(sure_tools(setup.open()))
    }
}

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
