//! Sends one request to a model, either through the client or through the server's own provider.

use std::{
    borrow::Cow,
    future::poll_fn,
    sync::{Arc, Once},
    time::Duration,
};

use tokio::time::timeout;

use super::{
    branch_state::BranchState,
    messages::Messages,
    provider::{ProviderAbilities, Sampling, SamplingOrder, SamplingProvider},
    strategy::ReplyKind,
};
use crate::{
    engine::call::{
        AskError, Call, CallState, Ctx,
        ask::{Ask, Asking},
        ask_error::BranchLimit,
        conversation::{Answer, Answerer, Fingerprint, fingerprint},
    },
    wire::protocol::{
        capability::Capability,
        revision::Revision,
        sampling::{
            Sampled, SamplingMessage, SamplingRequest, create_message_params, read_create_message, read_own_reply,
            write_own_reply,
        },
    },
};

const METHOD: &str = "sampling/createMessage";

/// Whether the operator was warned that revision 2026-07-28 deprecates sampling through clients.
static WARNED: Once = Once::new();

/// Sends the requests of one sampling operation. An operation can need several requests.
#[derive(Debug)]
pub(super) struct ModelAsker<'a> {
    call: &'a Call,
    /// The first request. Its key was reserved when the author created the operation.
    first: Option<Asking<'a>>,
    key: Cow<'static, str>,
    /// How many times a model was asked.
    pub(super) asked: u32,
    pub(super) within: Duration,
    /// Whether the operation needs several requests. Each request through a client can take a round, and rounds are
    /// limited.
    pub(super) needs_turns: bool,
    branch: Option<&'a BranchState<'a>>,
}

/// The source of replies: the client's model, or the server's provider.
enum Backend {
    Client(ProviderAbilities),
    Provider(Arc<dyn SamplingProvider>),
}

impl<S, P> Ctx<S, P> {
    /// Returns whether a model can be [sampled](Self::sample): the client declared sampling, or the server has a
    /// [provider](crate::Server::sampling_provider). With [`ProviderOnly`](super::SamplingOrder::ProviderOnly) only the
    /// provider counts.
    ///
    /// Call this method in a tool that can also work without a model. Most tools need no check: without a model,
    /// sampling fails at once with [`AskError::Capability`], and a tool that `requires(sampling)` is not called at all.
    /// Sampling can still fail later, for example if the user refuses.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// /// Lists the news, in one sentence if a model can write it.
    /// #[mcp_tool(read_only, optional(sampling))]
    /// async fn news(ctx: &Ctx) -> Result<String> {
    ///     let all = "- it is faster\n- it is smaller";
    ///     if !ctx.can_sample() {
    ///         return Ok(all.to_owned());
    ///     }
    ///     Ok(ctx.sample(format!("Say it in one sentence:\n{all}")).await?.text)
    /// }
    /// ```
    pub fn can_sample(&self) -> bool {
        answering(self.state(), false).is_some()
    }
}

impl<'a> ModelAsker<'a> {
    pub(super) fn new(
        call: &'a Call,
        branch: Option<&'a BranchState<'a>>,
        name: &'static str,
        within: Duration,
    ) -> Self {
        let first = match branch {
            Some(branch) => Asking::after(call, branch.key_of(name)),
            None => Asking::new(call, name.into()),
        };
        let key = first.key.clone();
        Self { call, first: Some(first), key, asked: 0, within, needs_turns: false, branch }
    }

    /// Changes the key of the operation's requests. Must be called before the first request.
    pub(super) fn rename(&mut self, name: Cow<'static, str>) {
        if let Some(first) = &mut self.first {
            match self.branch {
                Some(branch) => first.rename_after(branch.key_of(&name).into()),
                None => first.rename(name),
            }
            self.key = first.key.clone();
        }
    }

    /// Returns the messages of the branch, if there is one, followed by `messages`.
    pub(super) fn after(&self, messages: Vec<SamplingMessage>) -> Vec<SamplingMessage> {
        match self.branch {
            Some(branch) => [branch.messages().0, messages].concat(),
            None => messages,
        }
    }

    /// Appends the exchange to the conversation of the branch, if there is one.
    pub(super) fn remember(&self, messages: Vec<SamplingMessage>, reply: &Sampled) {
        if let Some(branch) = self.branch {
            branch.append(Messages(messages), reply);
        }
    }

    /// Returns how many times the model can still be asked. The client can be asked once in each remaining round. A
    /// provider can be asked without limit.
    pub(super) fn rounds_left(&self) -> u32 {
        match answering(&self.call.0, self.needs_turns) {
            Some(Backend::Client(_)) => self.call.0.rounds_left(),
            _ => u32::MAX,
        }
    }

    /// Asks the model once.
    ///
    /// # Errors
    /// Fails if no model is available, or if the model's reply cannot be read.
    pub(super) async fn ask(&mut self, prompt: &SamplingRequest, wants: ReplyKind<'_>) -> Result<Sampled, AskError> {
        if prompt.messages.is_empty() {
            return Err(AskError::Question("the request to the model has no messages; add one".to_owned()));
        }
        let mut prompt = Cow::Borrowed(prompt);
        let (mut within, mut limit) = (self.within, None);
        if let Some(branch) = self.branch {
            let left = branch.begin(&self.call.0)?;
            if left.time < within {
                (within, limit) = (left.time, Some(BranchLimit::Time(left.of)));
            }
            let tokens = u32::try_from(left.tokens).unwrap_or(u32::MAX);
            if tokens < prompt.max_tokens {
                prompt.to_mut().max_tokens = tokens;
            }
        }
        self.asked += 1;
        let fingerprint = of_question(&prompt, wants);
        let answer =
            match answering(&self.call.0, self.needs_turns).ok_or(AskError::Capability(Capability::Sampling))? {
                Backend::Client(can) => {
                    let answer = self.ask_client(wants.request(&prompt, can), fingerprint, within).await;
                    match (answer, &sampling(&self.call.0).provider) {
                        // Since 2026-07-28 a client cannot report that the user refused.
                        (Err(AskError::Unanswered), Some(provider)) => {
                            let asking = Asking::after(self.call, format!("{}/provider", self.name()));
                            ask_provider(asking, &**provider, wants, &prompt, fingerprint, within).await
                        }
                        (answer, _) => answer,
                    }
                }
                Backend::Provider(provider) => {
                    ask_provider(self.asking(), &*provider, wants, &prompt, fingerprint, within).await
                }
            };
        let reply = answer.and_then(|answer| {
            let read = match answer.by {
                Answerer::Client => read_create_message(&answer),
                Answerer::Server => read_own_reply(&answer),
            };
            read.map_err(AskError::Invalid)
        });
        let reply = reply.map_err(|error| match (error, limit) {
            (AskError::Timeout(_), Some(limit)) => AskError::Limit(limit),
            // The journal does not record how long the time was.
            (AskError::Timeout(_), None) => AskError::Timeout(within),
            (error, _) => error,
        })?;
        if let Some(branch) = self.branch {
            branch.end(&reply);
        }
        Ok(reply)
    }

    async fn ask_client(&mut self, request: SamplingRequest, fingerprint: Fingerprint, within: Duration) -> Answer {
        let needs = if request.tools.is_empty() { Capability::Sampling } else { Capability::SamplingTools };
        if self.call.0.revision.is_modern() {
            warn_of_deprecation();
        }
        let mut ask = Ask::new(self.asking(), METHOD, needs, within);
        poll_fn(|cx| ask.poll(cx, |call| Ok((fingerprint, create_message_params(call.revision, &request))))).await
    }

    /// Returns the handle of the current request in the call's conversation.
    fn asking(&mut self) -> Asking<'a> {
        match self.first.take() {
            Some(first) => first,
            None => Asking::after(self.call, self.name().into_owned()),
        }
    }

    /// Returns the key of the current request. For example, the second request of an operation has the key `sample/2`.
    fn name(&self) -> Cow<'_, str> {
        match self.asked {
            0 | 1 => Cow::Borrowed(&self.key),
            number => Cow::Owned(format!("{}/{number}", self.key)),
        }
    }
}

fn sampling(call: &CallState) -> &Sampling {
    call.server.get().expect("every server has sampling settings")
}

/// Returns the source of replies for this call, or `None` if there is no model.
fn answering(call: &CallState, needs_turns: bool) -> Option<Backend> {
    let sampling = sampling(call);
    let client = call.client();
    let by_client = || {
        let can = ProviderAbilities { schema: false, tools: client.supports(Capability::SamplingTools) };
        client.supports(Capability::Sampling).then_some(Backend::Client(can))
    };
    let by_provider = || sampling.provider.clone().map(Backend::Provider);
    let is_short_of_rounds = call.revision.is_modern() && (needs_turns || call.rounds_left() == 0);
    match sampling.order {
        SamplingOrder::ProviderOnly => by_provider(),
        SamplingOrder::ClientFirst if !is_short_of_rounds => by_client().or_else(by_provider),
        SamplingOrder::ClientFirst | SamplingOrder::ProviderFirst => by_provider().or_else(by_client),
    }
}

/// Asks the server's provider. If the journal of a rebuilt call has the provider's answer, returns that answer instead.
async fn ask_provider(
    asking: Asking<'_>,
    provider: &dyn SamplingProvider,
    wants: ReplyKind<'_>,
    prompt: &SamplingRequest,
    fingerprint: Fingerprint,
    within: Duration,
) -> Answer {
    if asking.seek(asking.question(METHOD, Arc::default(), Capability::Sampling, fingerprint)) {
        let request = wants.request(prompt, provider.abilities());
        let outcome = match timeout(within, provider.sample(&request)).await {
            Ok(Ok(reply)) => Ok(write_own_reply(&reply).to_string().into()),
            Ok(Err(error)) => Err(AskError::Provider(error.report(asking.call.target().name()).into_owned())),
            Err(_) => Err(AskError::Timeout(within)),
        };
        asking.found(outcome);
    }
    poll_fn(|cx| asking.poll_answer(false, cx)).await
}

/// Returns the fingerprint of the author's request. It does not depend on whether the client or the provider replies.
fn of_question(prompt: &SamplingRequest, wants: ReplyKind<'_>) -> Fingerprint {
    let form = match wants {
        ReplyKind::Text => String::new(),
        ReplyKind::Value(expected) => expected.published.to_string(),
        ReplyKind::Calls(offer, choice) => format!("{} {}", choice.as_str(), offer.schema()),
    };
    let everything = ProviderAbilities::new().schema().tools();
    let mut request = ReplyKind::Text.request(prompt, everything);
    let messages = std::mem::take(&mut request.messages);
    let options = create_message_params(Revision::LATEST, &request);
    let messages = create_message_params(Revision::LATEST, &SamplingRequest { messages, ..request });
    Fingerprint { form: fingerprint([&*form]), message: fingerprint([&*messages]), choices: fingerprint([&*options]) }
}

/// Suppresses the deprecation warning on the command line, where the terminal answers in place of a client.
pub(crate) fn no_client_is_deprecated() {
    WARNED.call_once(|| {});
}

/// Logs the deprecation warning once per process.
fn warn_of_deprecation() {
    WARNED.call_once(|| {
        crate::report!(
            "a tool uses the model of a client, but revision 2026-07-28 deprecates this, and clients may stop \
             supporting it from 2027-07-28 on; use `Server::sampling_provider` to set a \
             model that the server calls directly; the tool does not have to change"
        );
    });
}
