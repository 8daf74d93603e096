//! The kinds of requests to a model, how each runs when it is awaited, and which options each can have.

use std::pin::Pin;

use serde_json::{Map, Value};

use super::{
    expected::{ExpectedSchema, SampleValue, in_words},
    offer::{Offer, ReadCall},
    reply::{GuaranteedSchema, GuaranteedTools, SampleError, SampledSchema, SampledTools},
    retry::{guaranteed_schema, guaranteed_tools},
    setup::Setup,
    strategy::ReplyKind,
    tools::SampleTools,
};
use crate::{
    engine::call::AskError,
    wire::protocol::sampling::{Sampled, SamplingTool},
};

/// The future of a request to a model.
pub type SampleFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A kind of request to a model.
pub trait AskMode {
    /// The result of awaiting the request.
    type Output;

    #[doc(hidden)]
    fn run(self, setup: Setup<'_>) -> SampleFuture<'_, Self::Output>;
}

/// The function that runs a request. It is stored when the author names the type `T`. So an unsuitable type causes one
/// compile error at that place, and no second error at the `.await`.
type Run<T> = for<'a> fn(Setup<'a>) -> SampleFuture<'a, T>;

/// A request for any reply.
pub struct AsText(Run<Result<Sampled, AskError>>);

/// A request whose reply is read as a `T`.
pub struct AsSchema<T>(Run<Result<SampledSchema<T>, AskError>>);

/// A request whose reply can call tools: the variants of an enum, or tools known only at run time.
pub struct AsTools<E>(Run<Result<SampledTools<E>, AskError>>);

/// A request that is repeated until the reply is a `T`.
pub struct GuaranteedSchemaFuture<T>(Run<Result<GuaranteedSchema<T>, SampleError>>);

/// A request that is repeated until the reply calls a tool of `E`.
pub struct GuaranteedToolsFuture<E>(Run<Result<GuaranteedTools<E>, SampleError>>);

/// A loop in which a model can call the tools of `E`, and which ends with the model's answer.
pub struct AsLoop<E> {
    pub(super) tools: fn() -> Vec<SamplingTool>,
    pub(super) read: ReadCall<E>,
}

impl AsText {
    pub(super) fn new() -> Self {
        Self(|setup| {
            Box::pin(async {
                let Setup { mut asker, prompt, .. } = setup.open();
                let reply = asker.ask(&prompt, ReplyKind::Text).await?;
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
                let expected = ExpectedSchema::of::<T>()?;
                let reply = asker.ask(&prompt, ReplyKind::Value(&expected)).await?;
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
                let Setup { mut asker, mut prompt, .. } = setup.open();
                let offer = Offer::new(std::mem::take(&mut prompt.tools))?;
                let choice = prompt.tool_choice.take().unwrap_or_default();
                let reply = offer.with_written_calls(asker.ask(&prompt, ReplyKind::Calls(&offer, choice)).await?);
                let calls = offer.calls(&reply, prompt.max_tokens, E::READ);
                asker.remember(prompt.messages, &reply);
                Ok(SampledTools { calls, reply })
            })
        })
    }
}

impl<T: SampleValue> GuaranteedSchemaFuture<T> {
    pub(super) fn new() -> Self {
        Self(|setup| Box::pin(guaranteed_schema(setup.open())))
    }
}

impl<E: SampleTools> GuaranteedToolsFuture<E> {
    pub(super) fn new() -> Self {
        Self(|setup| Box::pin(guaranteed_tools(setup.open())))
    }
}

impl<E: SampleTools> AsLoop<E> {
    pub(super) fn new() -> Self {
        Self { tools: E::tools, read: E::read }
    }
}

macro_rules! mode {
    ($mode:ty => $output:ty $(, $param:ident)?) => {
        impl$(<$param>)? AskMode for $mode {
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
mode!(GuaranteedSchemaFuture<T> => Result<GuaranteedSchema<T>, SampleError>, T);
mode!(GuaranteedToolsFuture<E> => Result<GuaranteedTools<E>, SampleError>, E);

/// A tool call as the author gets it: a variant of an enum, or the input of a tool known only at run time.
pub trait Callable: Sized + Send + 'static {
    #[doc(hidden)]
    const READ: ReadCall<Self>;
}

impl<E: SampleTools> Callable for E {
    const READ: ReadCall<Self> = E::read;
}

impl Callable for Map<String, Value> {
    const READ: ReadCall<Self> = |_, input| Ok(input);
}

/// A kind of request that has neither a schema nor tools yet.
#[diagnostic::on_unimplemented(
    message = "a request can have one schema or one set of tools, not both",
    label = "`.schema()` or `.tools()` was already called",
    note = "call `.schema::<T>()`, `.tools::<E>()` or `.tools_dyn(…)` once, and not after `ctx.sample_schema` \
            or `ctx.sample_tools`",
    note = "to get both, ask the model twice, or make the schema the input of a tool"
)]
pub trait Unshaped {}

impl Unshaped for AsText {}

/// A kind of request that offers tools.
#[diagnostic::on_unimplemented(
    message = "`.tool_choice(…)` works only after `.tools::<E>()` or `.tools_dyn(…)`",
    label = "this request has no tools that the model can choose",
    note = "write `.tools::<E>()` or `.tools_dyn(…)` before `.tool_choice(…)`",
    note = "with `ctx.sample_tools` the model must always call a tool: remove `.tool_choice(…)`"
)]
pub trait OffersTools {}

impl<E> OffersTools for AsTools<E> {}

/// A kind of request that is repeated until its reply is valid.
#[diagnostic::on_unimplemented(
    message = "`.retries(…)` works only with `sample_schema` and `sample_tools`",
    label = "this request is not retried",
    note = "write `ctx.sample_schema::<T>(…)` or `ctx.sample_tools::<E>(…)`, which return a valid reply or an error"
)]
pub trait Guaranteed {}

impl<T> Guaranteed for GuaranteedSchemaFuture<T> {}

impl<E> Guaranteed for GuaranteedToolsFuture<E> {}

/// A kind of request that lets the model take several turns.
#[diagnostic::on_unimplemented(
    message = "`.max_turns(…)` works only with `sample_loop`",
    label = "this request has only one turn",
    note = "write `ctx.sample_loop::<E>(…)`, which lets the model call tools turn by turn"
)]
pub trait TakesTurns {}

impl<E> TakesTurns for AsLoop<E> {}
