//! One question to a model, whoever answers: the client, or the server's own provider.

use std::{borrow::Cow, future::poll_fn, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::{json, value::to_raw_value};
use tokio::time::timeout;

use super::{
    branch_state::Within,
    deprecation,
    messages::Messages,
    provider::{ProviderAbilities, SamplingOrder, SamplingProvider},
    sampling::Sampling,
    strategy::{Prompt, Wants},
};
use crate::{
    call::{
        AskError, CallState, Ctx,
        asking::{Asking, Wording},
        conversation::Answer,
        journal::{Fingerprint, fingerprint},
        limited::Ask,
        limits::BranchLimit,
    },
    protocol::{
        capability::Capability,
        revision::Revision,
        sampling::{Sampled, SamplingRequest, create_message_params, read_create_message, write_create_message},
    },
};

const METHOD: &str = "sampling/createMessage";

/// Whoever asks a model in a call, as often as it takes.
#[derive(Debug)]
pub(super) struct Asker<'a> {
    call: &'a CallState,
    /// The place of the first question, taken when the author made it.
    first: Option<Asking<'a>>,
    key: Cow<'static, str>,
    asked: u32,
    pub(super) within: Duration,
    /// A round of its own for each turn is more than clients go along with.
    pub(super) takes_turns: bool,
    branch: Option<&'a Within<'a>>,
}

/// Who answers.
enum Answering {
    Client(ProviderAbilities),
    Provider(Arc<dyn SamplingProvider>),
}

impl<S, P> Ctx<S, P> {
    /// Whether there is anybody to [sample](Self::sample): the client said that it can, or the server has a
    /// [provider](crate::Server::sampling_provider); with
    /// [`ProviderOnly`](super::SamplingOrder::ProviderOnly) the provider alone counts.
    ///
    /// For tools that do another thing where there is nobody. Most need not look: what nobody answers is an error at
    /// once, [`AskError::Capability`], and a tool that `requires(sampling)` is not called then at all. Whether the model
    /// will answer is another question; a user may refuse.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Tells what is new, in few words where a model can find them.
    /// #[mcp_tool(read_only, optional(sampling))]
    /// async fn news(ctx: &Ctx) -> ToolResult<String> {
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

impl<'a> Asker<'a> {
    pub(super) fn new(call: &'a CallState, branch: Option<&'a Within<'a>>, name: &str, within: Duration) -> Self {
        let name = branch.map_or_else(|| name.to_owned(), |branch| branch.key_of(name));
        let first = Asking::new(call, name.into());
        let key = first.key().to_owned().into();
        Self { call, first: Some(first), key, asked: 0, within, takes_turns: false, branch }
    }

    /// Goes by another name. Only before it asks.
    pub(super) fn rename(&mut self, name: Cow<'static, str>) {
        if let Some(first) = &mut self.first {
            first.rename(match self.branch {
                Some(branch) => branch.key_of(&name).into(),
                None => name,
            });
            self.key = first.key().to_owned().into();
        }
    }

    /// What is asked, after what was said in its branch before.
    pub(super) fn after(&self, messages: Messages) -> Messages {
        match self.branch {
            Some(branch) => branch.messages().followed_by(messages),
            None => messages,
        }
    }

    /// In a branch the conversation goes on from here.
    pub(super) fn remember(&self, messages: Messages, reply: &Sampled) {
        if let Some(branch) = self.branch {
            branch.go_on(messages, reply);
        }
    }

    /// How often it has asked.
    pub(super) fn asked(&self) -> u32 {
        self.asked
    }

    /// In how many rounds it can still ask.
    pub(super) fn rounds_left(&self) -> u32 {
        match answering(self.call, self.takes_turns) {
            Some(Answering::Client(_)) => self.call.rounds_left(),
            _ => u32::MAX,
        }
    }

    /// Asks once.
    ///
    /// # Errors
    /// Nobody answers, or not in a form that can be read.
    pub(super) async fn ask(&mut self, prompt: &Prompt, wants: Wants<'_>) -> Result<Sampled, AskError> {
        if prompt.messages.iter().next().is_none() {
            return Err(AskError::Question("there is nothing to ask the model".to_owned()));
        }
        let mut prompt = Cow::Borrowed(prompt);
        let (mut within, mut limit) = (self.within, None);
        if let Some(branch) = self.branch {
            let left = branch.begin(self.call)?;
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
        let answer = match answering(self.call, self.takes_turns).ok_or(AskError::Capability(Capability::Sampling))? {
            Answering::Client(can) => {
                let answer = self.ask_client(wants.request(&prompt, can), fingerprint, within).await;
                match (answer, &sampling(self.call).provider) {
                    // Since 2026-07-28 a client cannot say no.
                    (Err(AskError::Unanswered), Some(provider)) => {
                        let asking = Asking::new(self.call, format!("{}/provider", self.name()).into());
                        ask_provider(asking, &**provider, wants, &prompt, fingerprint, within).await
                    }
                    (answer, _) => answer,
                }
            }
            Answering::Provider(provider) => {
                ask_provider(self.asking(), &*provider, wants, &prompt, fingerprint, within).await
            }
        };
        let reply = answer.and_then(|answer| read(answer.get(), within)).map_err(|error| match (error, limit) {
            (AskError::Timeout(_), Some(limit)) => AskError::Limit(limit),
            (error, _) => error,
        })?;
        if let Some(branch) = self.branch {
            branch.end(&reply);
        }
        Ok(reply)
    }

    async fn ask_client(&mut self, request: SamplingRequest, fingerprint: Fingerprint, within: Duration) -> Answer {
        let needs = if request.tools.is_empty() { Capability::Sampling } else { Capability::SamplingTools };
        if self.call.revision.is_modern() {
            deprecation::warn_once();
        }
        let mut ask = Ask::new(self.asking(), METHOD, needs, within);
        poll_fn(|cx| ask.poll(cx, |call| Ok((fingerprint, create_message_params(call.revision, &request))))).await
    }

    /// The place of the question that is asked now.
    fn asking(&mut self) -> Asking<'a> {
        match self.first.take() {
            Some(first) => first,
            None => Asking::new(self.call, self.name().into_owned().into()),
        }
    }

    /// Its name: a second question of the same ask is `sample/2`.
    fn name(&self) -> Cow<'_, str> {
        match self.asked {
            0 | 1 => Cow::Borrowed(&self.key),
            number => Cow::Owned(format!("{}/{number}", self.key)),
        }
    }
}

fn sampling(call: &CallState) -> &Sampling {
    call.server.get().expect("every server keeps who answers tools that sample")
}

/// Who answers in this call, if anybody does.
fn answering(call: &CallState, takes_turns: bool) -> Option<Answering> {
    let sampling = sampling(call);
    let client = call.client();
    let by_client = || {
        let can = ProviderAbilities { schema: false, tools: client.supports(Capability::SamplingTools) };
        client.supports(Capability::Sampling).then_some(Answering::Client(can))
    };
    let by_provider = || sampling.provider.clone().map(Answering::Provider);
    let is_short_of_rounds = call.revision.is_modern() && (takes_turns || call.rounds_left() == 0);
    match sampling.order {
        SamplingOrder::ProviderOnly => by_provider(),
        SamplingOrder::ClientFirst if !is_short_of_rounds => by_client().or_else(by_provider),
        SamplingOrder::ClientFirst | SamplingOrder::ProviderFirst => by_provider().or_else(by_client),
    }
}

/// Asks the server's own model, unless its answer is known from before the call was rebuilt.
async fn ask_provider(
    asking: Asking<'_>,
    provider: &dyn SamplingProvider,
    wants: Wants<'_>,
    prompt: &Prompt,
    fingerprint: Fingerprint,
    within: Duration,
) -> Answer {
    let wording = Wording {
        method: METHOD,
        params: Arc::default(),
        needs: Capability::Sampling,
        fingerprint,
        must_ask: false,
        deadline: None,
    };
    if asking.seek(wording) {
        let request = wants.request(prompt, provider.abilities());
        let outcome = match timeout(within, provider.sample(&request)).await {
            Ok(Ok(reply)) => write_create_message(&reply),
            Ok(Err(error)) => json!(NoReply::Failed(error.report(asking.call().tool_name()).into_owned())),
            Err(_) => json!(NoReply::Late),
        };
        let outcome = to_raw_value(&outcome).map_err(|error| AskError::Provider(error.to_string()))?;
        asking.found(outcome.into());
    }
    poll_fn(|cx| asking.poll_answer(false, cx)).await
}

/// What a call remembers of a provider that gave nothing: rebuilt, it goes the same way.
#[derive(Serialize, Deserialize)]
enum NoReply {
    #[serde(rename = "providerFailed")]
    Failed(String),
    #[serde(rename = "providerLate")]
    Late,
}

fn read(answer: &str, within: Duration) -> Result<Sampled, AskError> {
    match serde_json::from_str(answer) {
        Ok(NoReply::Failed(error)) => Err(AskError::Provider(error)),
        Ok(NoReply::Late) => Err(AskError::Timeout(within)),
        Err(_) => read_create_message(answer).map_err(AskError::Invalid),
    }
}

/// The question as its author asks it, whoever is asked.
fn of_question(prompt: &Prompt, wants: Wants<'_>) -> Fingerprint {
    let form = match wants {
        Wants::Text => String::new(),
        Wants::Value(expected) => expected.published().to_string(),
        Wants::Calls(offer, choice) => format!("{} {}", choice.as_str(), offer.schema()),
    };
    let everything = ProviderAbilities::new().schema().tools();
    let mut request = Wants::Text.request(prompt, everything);
    let messages = std::mem::take(&mut request.messages);
    let options = create_message_params(Revision::LATEST, &request);
    let messages = create_message_params(Revision::LATEST, &SamplingRequest { messages, ..request });
    Fingerprint { form: fingerprint([&*form]), message: fingerprint([&*messages]), choices: fingerprint([&*options]) }
}
