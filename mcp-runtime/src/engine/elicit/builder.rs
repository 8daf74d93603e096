//! `ctx.elicit::<F>(…)` asks the user to fill in a form.

use std::{
    borrow::Cow,
    fmt,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use super::{
    FieldKey, FieldType, FormField, Includes,
    form::Answers,
    form_question::FormQuestion,
    reply::{self, Elicited},
    schema::Offered,
    unfit::Unfit,
};
use crate::{
    engine::{
        call::{
            AskError, CanAsk, Ctx,
            ask::{Ask, Asking},
        },
        tool::definition::ANSWER_WITHIN,
    },
    wire::protocol::capability::Capability,
};

/// What the runtime does when the user declines a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDecline {
    /// Returns [`Elicited::Decline`]. If [`strict`](Elicit::strict) is set, fails with [`AskError::Declined`] instead.
    #[default]
    Return,
    /// Asks again as often as [`retry`](Elicit::retry) allows. After that, acts as [`Return`](Self::Return).
    Again,
    /// Fails with [`AskError::Declined`].
    Error,
}

impl<S, P> Ctx<S, P> {
    /// Asks the user to fill in the form `F`, one of the tool's forms.
    ///
    /// The client shows `message` above the form. Configure the returned question with its methods, then await it. The
    /// same code works in every revision. Before 2026-07-28 a question is a request in the session. Since 2026-07-28 a
    /// question is a round. Questions that are awaited together (`tokio::join!`) are sent together. Dropping a question
    /// withdraws it.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// #[elicits]
    /// enum Booking {
    ///     PickFlight {
    ///         /// The number of the flight.
    ///         flight: String,
    ///     },
    ///     Confirm {
    ///         confirmed: bool,
    ///     },
    /// }
    ///
    /// /// Books a flight.
    /// #[mcp_tool]
    /// async fn book(ctx: &Ctx<Booking>, to: String) -> Result<String> {
    ///     let flights = [("TP1", "TP 1, 9:30"), ("TP2", "TP 2, 14:00")];
    ///     let ask = ctx.elicit::<PickFlight>(format!("Two flights go to {to}. Which one?"));
    ///     let picked = ask.choices(PickFlight::FLIGHT, flights).strict().await?;
    ///     match ctx.elicit::<Confirm>(format!("Book {}?", picked.flight)).await? {
    ///         Elicited::Accept(Confirm { confirmed: true }) => Ok(format!("booked {}", picked.flight)),
    ///         Elicited::Accept(_) | Elicited::Decline | Elicited::Cancel => Ok("not booked".to_owned()),
    ///     }
    /// }
    /// ```
    ///
    /// The server checks each answer against the form. After an invalid answer, the server asks the user once more and
    /// gives the reason.
    ///
    /// # Errors
    /// See [`AskError`]. A client that cannot show forms cannot call the tool at all, unless the tool is
    /// `optional(elicitation)`.
    pub fn elicit<F>(&self, message: impl Into<String>) -> Elicit<'_, F>
    where
        S: Includes<F>,
        P: CanAsk,
    {
        let form = <S as Includes<F>>::FORM;
        let asking = Asking::new(self.call_in_progress(), form.key.into());
        let ask = Ask::new(asking, "elicitation/create", Capability::Elicitation, ANSWER_WITHIN);
        let question = FormQuestion::new(&form, message.into());
        Elicit { ask, question, retries: 1, on_decline: OnDecline::default(), read: form.read, mode: PhantomData }
    }
}

/// A question with the form `F`. Awaiting it returns the user's answer. See [`Ctx::elicit`].
#[must_use = "the user is asked only when this is awaited"]
pub struct Elicit<'a, F, M = Lenient> {
    ask: Ask<'a>,
    question: FormQuestion,
    /// How many more times the question can be asked.
    retries: u32,
    on_decline: OnDecline,
    read: fn(&mut Answers) -> Result<F, Unfit>,
    mode: PhantomData<fn() -> M>,
}

/// Marks a question for which declining and cancelling are not errors.
#[derive(Debug)]
pub enum Lenient {}

/// Marks a question for which declining and cancelling are errors.
#[derive(Debug)]
pub enum Strict {}

impl<'a, F, M> Elicit<'a, F, M> {
    /// Turns declining and cancelling into errors, so that awaiting returns the form itself.
    pub fn strict(self) -> Elicit<'a, F, Strict> {
        let Self { ask, question, retries, on_decline, read, .. } = self;
        Elicit { ask, question, retries, on_decline, read, mode: PhantomData }
    }

    /// Sets how many times to ask again after an invalid answer. Default: once.
    pub fn retry(mut self, times: u32) -> Self {
        self.retries = times;
        self
    }

    /// Sets what happens when the user declines the form. A cancelled form is never asked again.
    pub fn on_decline(mut self, action: OnDecline) -> Self {
        self.on_decline = action;
        self
    }

    /// Restricts a text field to choices that are known only at run time. A choice is a pair of a value and a title,
    /// such as `("TP1", "TP 1, 9:30")`, or only a value. The choices replace the field's length limits and format. If
    /// the field has a default, it must be one of the choices.
    pub fn choices<T, C>(mut self, field: FieldKey<F, T>, choices: impl IntoIterator<Item = C>) -> Self
    where
        T: TextField,
        C: IntoChoice,
    {
        let mut kept: Vec<Offered> = Vec::new();
        for (name, title) in choices.into_iter().map(IntoChoice::into_choice) {
            // A repeated value would make the schema invalid.
            if kept.iter().all(|earlier| earlier.name != name) {
                kept.push(Offered { name, title });
            }
        }
        self.question.changes.choices.push((field.index, kept));
        self
    }

    /// Sets a default that is known only at run time. Clients before 2025-11-25 show only the defaults of booleans.
    pub fn default_for<T: FieldType>(mut self, field: FieldKey<F, T>, value: impl Into<T::Value>) -> Self {
        self.question.changes.defaults.push((field.index, FormField::write(value.into())));
        self
    }

    /// Sets how long the user may take to answer. After this time the question fails with [`AskError::Timeout`].
    /// Default: one hour.
    pub fn timeout(mut self, within: Duration) -> Self {
        self.ask.within = within;
        self
    }

    /// Sets the key of this question on the wire. Default: the form's key in the set of forms. If a key is used for a
    /// second question, `#2` is appended to the key.
    pub fn key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.ask.asking.rename(key.into());
        self
    }

    /// Asks the user even if the client already sent an answer to this question together with the call.
    pub fn must_ask(mut self) -> Self {
        self.ask.must_ask = true;
        self
    }

    fn poll_form(&mut self, cx: &mut Context<'_>) -> Poll<Result<Elicited<F>, AskError>> {
        loop {
            let question = &self.question;
            let answer = ready!(self.ask.poll(cx, |call| question.params(call, None)))?;
            let fields = question.form.fields;
            let read = reply::content(&answer, question.checker(), fields, &question.changes);
            let read = read.and_then(|answer| match answer {
                Elicited::Accept(mut values) => {
                    question.changes.fill(fields, &mut values);
                    (self.read)(&mut Answers { fields, values }).map(Elicited::Accept)
                }
                Elicited::Decline => Ok(Elicited::Decline),
                Elicited::Cancel => Ok(Elicited::Cancel),
            });
            match read {
                Ok(Elicited::Decline) if self.on_decline == OnDecline::Error => {
                    return Poll::Ready(Err(AskError::Declined));
                }
                Ok(Elicited::Decline) if self.on_decline == OnDecline::Again => {
                    if !self.again(None)? {
                        return Poll::Ready(Ok(Elicited::Decline));
                    }
                }
                Ok(answer) => return Poll::Ready(Ok(answer)),
                Err(unfit) => {
                    if !self.again(Some(&unfit))? {
                        return Poll::Ready(Err(AskError::Invalid(unfit.for_author)));
                    }
                }
            }
        }
    }
}

impl<F, M> Elicit<'_, F, M> {
    /// If retries are left, asks the same question again with the reason, and returns true. Otherwise returns false.
    fn again(&mut self, reason: Option<&Unfit>) -> Result<bool, AskError> {
        if self.retries == 0 {
            return Ok(false);
        }
        self.retries -= 1;
        let (_, params) = self.question.params(self.ask.call(), reason)?;
        self.ask.again(params);
        Ok(true)
    }
}

impl<F> Future for Elicit<'_, F> {
    type Output = Result<Elicited<F>, AskError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_form(cx)
    }
}

impl<F> Future for Elicit<'_, F, Strict> {
    type Output = Result<F, AskError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_form(cx).map(|answer| answer?.strict())
    }
}

impl<F, M> fmt::Debug for Elicit<'_, F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elicit").field("ask", &self.ask).finish_non_exhaustive()
    }
}

/// The type of a text field, optional or not. [`choices`](Elicit::choices) can restrict such a field.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be restricted to choices; only a text field can",
    label = "not a `String` or `Option<String>`",
    note = "if the choices are known only at run time, make the field a `String`",
    note = "if the choices are fixed, make the type of the field an enum with `#[derive(Choice)]`"
)]
pub trait TextField: FieldType {}

impl TextField for String {}

impl TextField for Option<String> {}

/// A choice that is known only at run time. It is a value, or a pair of a value and its title.
pub trait IntoChoice {
    /// Returns the value and its title.
    fn into_choice(self) -> (String, Option<String>);
}

impl IntoChoice for &str {
    fn into_choice(self) -> (String, Option<String>) {
        (self.into(), None)
    }
}

impl IntoChoice for String {
    fn into_choice(self) -> (String, Option<String>) {
        (self, None)
    }
}

impl<V: Into<String>, T: Into<String>> IntoChoice for (V, T) {
    fn into_choice(self) -> (String, Option<String>) {
        (self.0.into(), Some(self.1.into()))
    }
}
