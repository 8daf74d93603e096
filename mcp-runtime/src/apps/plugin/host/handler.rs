//! Lets the application's handler answer the questions of a tool.

use std::{
    fmt,
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use tokio::task::JoinHandle;

use crate::{
    apps::plugin::{
        calls::{answer::PluginAnswer, error::PluginError, live::LiveCall},
        timeline::question::QuestionText,
    },
    engine::{
        call::NoForms,
        elicit::{Asked, Elicited, Elicits, HandledBy, Handling},
        tool::{FormEntry, ToolDefinition},
    },
};

/// How often a handler is asked the same question if its answers do not fit.
const ATTEMPTS: u32 = 3;

/// The handler type of a [`Plugin`](crate::plugin::Plugin) whose tool shows no form and therefore needs no handler.
#[derive(Debug)]
pub struct NoHandler(pub(crate) ());

/// The handler that [`Plugin::on_elicit`](crate::plugin::Plugin::on_elicit) has set, and that answers every form of its tool.
/// It does not have the type of the author's handler, so that a wrong handler is an error only where it is set.
pub struct OnElicit(pub(crate) SharedHandler);

impl fmt::Debug for OnElicit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnElicit").finish_non_exhaustive()
    }
}

/// A set of forms that a plugin answers: with `H`, which is [`OnElicit`], or [`NoHandler`] if the set has no forms.
/// [`PluginHostBuilder::plugin`](crate::plugin::PluginHostBuilder::plugin) requires this trait.
#[diagnostic::on_unimplemented(
    message = "the tool asks with the forms of `{Self}`, but nothing answers them",
    label = "this plugin has no handler",
    note = "write `.on_elicit(handler)`, where `handler` implements `{Self}Handler`: one method for each form",
    note = "if a page or a program that follows the timeline answers these forms, register the tool with `Server::tool`"
)]
pub trait AnsweredBy<H>: Elicits {
    #[doc(hidden)]
    fn handler(handler: H) -> Option<SharedHandler>;
}

/// The handler of one tool. Handlers of different tools have this same type.
pub(crate) type SharedHandler = Arc<dyn AnswersForms>;

/// Answers the questions of one tool.
pub trait AnswersForms: Send + Sync {
    /// Returns the forms that the handler answers, in the order of their indexes.
    fn forms(&self) -> &'static [FormEntry];

    /// Asks the application.
    fn handle<'a>(&'a self, asked: Asked<'a>) -> Handling<'a>;
}

/// The handler `H` of the set `S`.
struct HandlerOf<S, H> {
    handler: H,
    set: PhantomData<fn() -> S>,
}

impl AnsweredBy<NoHandler> for NoForms {
    fn handler(_: NoHandler) -> Option<SharedHandler> {
        None
    }
}

/// Never asked. Because this implementation exists, the compiler reports only one error if a tool without forms has a
/// handler: see [`AsksForms`](crate::plugin::AsksForms).
#[diagnostic::do_not_recommend]
impl<H> HandledBy<H> for NoForms {
    fn handle<'a>(_: &'a H, _: Asked<'a>) -> Handling<'a> {
        Box::pin(std::future::ready(Elicited::Cancel))
    }
}

impl<S: Elicits> AnsweredBy<OnElicit> for S {
    fn handler(OnElicit(handler): OnElicit) -> Option<SharedHandler> {
        Some(handler)
    }
}

impl<S: HandledBy<H>, H: Send + Sync> AnswersForms for HandlerOf<S, H> {
    fn forms(&self) -> &'static [FormEntry] {
        S::FORMS
    }

    fn handle<'a>(&'a self, asked: Asked<'a>) -> Handling<'a> {
        S::handle(&self.handler, asked)
    }
}

/// Returns a handler that answers the forms of the set `S`.
pub(crate) fn shared<S, H>(handler: H) -> SharedHandler
where
    S: HandledBy<H>,
    H: Send + Sync + 'static,
{
    Arc::new(HandlerOf::<S, H> { handler, set: PhantomData })
}

/// Returns why the handler cannot answer all forms of the tool, or `None` if it can.
pub(crate) fn problem(handler: &dyn AnswersForms, tool: &ToolDefinition) -> Option<String> {
    let answers = |form: &FormEntry| {
        handler.forms().iter().any(|known| known.key == form.key && known.to_json() == form.to_json())
    };
    let form = tool.forms.iter().find(|form| !answers(form))?;
    Some(format!("the handler of `{}` does not answer the form `{}`", tool.name, form.key))
}

/// A handler that answers the open question of a call. Dropping this value drops the handler's future.
pub(crate) struct HandlerTask(Option<JoinHandle<Result<(), String>>>);

impl HandlerTask {
    /// Asks the tool's handler the open question, in a task of its own: a handler is the application's code, which can
    /// block its thread or panic.
    pub(crate) fn begin(handler: &SharedHandler, call: &Arc<LiveCall>) -> Self {
        let (handler, call) = (Arc::clone(handler), Arc::clone(call));
        Self(Some(tokio::spawn(async move { ask(&*handler, &call).await })))
    }

    /// Returns the reason if the handler has failed. Otherwise the task of `cx` is woken if it fails later.
    pub(crate) fn poll_failure(&mut self, cx: &mut Context<'_>) -> Poll<String> {
        let Some(handling) = &mut self.0 else { return Poll::Pending };
        let ended = ready!(Pin::new(handling).poll(cx));
        self.0 = None;
        match ended {
            Ok(Ok(())) => Poll::Pending,
            Ok(Err(message)) => Poll::Ready(message),
            Err(_) => Poll::Ready("the application's handler panicked".to_owned()),
        }
    }
}

impl Drop for HandlerTask {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

/// Asks the handler until one of its answers fits. Returns an error if the handler cannot answer.
async fn ask(handler: &dyn AnswersForms, call: &LiveCall) -> Result<(), String> {
    // `None` if another follower has answered the question in the meantime.
    let Some(open) = call.open_question() else { return Ok(()) };
    let question = open.text();
    let QuestionText { seq, key, form, message, schema, url, handoff, rejected, .. } = &question;
    let mut rejected = rejected.as_deref().map(str::to_owned);
    let index = form.as_deref().and_then(|form| handler.forms().iter().position(|entry| entry.key == form));
    if index.is_none() && url.is_none() {
        return Err(format!("the handler has no method for the question `{key}`"));
    }
    let started = call.timeline.started();
    for _ in 0..ATTEMPTS {
        let asked = Asked {
            form: index,
            url: url.as_deref().unwrap_or_default(),
            tool_name: &call.tool,
            call_id: &call.id,
            key,
            seq: *seq,
            message,
            schema: schema.unwrap_or("null"),
            arguments: started.text(),
            handoff: *handoff,
            rejected: rejected.as_deref(),
        };
        let answer = handler.handle(asked).await;
        match call.answer_to(&question, PluginAnswer::from(answer)).await {
            // The question is answered, by the handler or by another follower.
            Ok(()) | Err(PluginError::AlreadyAnswered) => return Ok(()),
            Err(error) => rejected = Some(error.to_string()),
        }
    }
    let reason = rejected.unwrap_or_default();
    Err(format!("the application answered `{key}` {ATTEMPTS} times without success: {reason}"))
}
