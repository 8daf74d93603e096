//! `ctx.elicit_url(…)` asks the user to open a URL, for input that a form must not ask for.

use std::{
    borrow::Cow,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use super::{reply, unfit::Unfit};
use crate::{
    base::random,
    engine::{
        call::{
            AskError, CallState, CanAsk, Ctx,
            ask::{Ask, Asking},
            conversation::{Fingerprint, fingerprint},
        },
        tool::definition::ANSWER_WITHIN,
    },
    wire::{
        protocol::{
            capability::Capability,
            elicitation::{push_completed, url_params},
        },
        schema::format::StringFormat,
    },
};

impl<S, P> Ctx<S, P> {
    /// Asks the user to open a URL in the browser (elicitation in URL mode, since 2025-11-25), for example to sign in,
    /// to pay or to enter a secret. A form must not ask for any of these.
    ///
    /// The answer means only that the user agreed to open the URL. The page itself has to tell the server when the user
    /// has finished. The URL must contain no secrets, and opening the URL must not sign anybody in. Use `https:`, and
    /// check that the visitor is the user who was asked. `key` is the key of the question on the wire.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// # async fn connected(_id: &str) {}
    /// /// Connects a calendar.
    /// #[mcp_tool(requires(elicitation_url))]
    /// async fn connect(ctx: &Ctx) -> Result<&'static str> {
    ///     let id = "8s1"; // created for this call and bound to its user
    ///     let url = format!("https://example.com/connect?id={id}");
    ///     let visited = ctx.elicit_url("connect", url, "Connect your calendar").await?;
    ///     connected(id).await;
    ///     visited.complete();
    ///     Ok("connected")
    /// }
    /// ```
    ///
    /// # Errors
    /// See [`AskError`], for example [`Declined`](AskError::Declined) and [`Cancelled`](AskError::Cancelled).
    pub fn elicit_url(
        &self,
        key: impl Into<Cow<'static, str>>,
        url: impl Into<String>,
        message: impl Into<String>,
    ) -> ElicitUrl<'_>
    where
        P: CanAsk,
    {
        let (call, asking) = (self.state(), Asking::new(self.call_in_progress(), key.into()));
        let ask = Ask::new(asking, "elicitation/create", Capability::ElicitationUrl, ANSWER_WITHIN);
        let id = call.revision.has_elicitation_id().then(random::hex);
        ElicitUrl { ask, message: message.into(), url: url.into(), visited: Some(ElicitedUrl { call, id }) }
    }
}

/// A question that asks the user to open a URL. See [`Ctx::elicit_url`].
#[derive(Debug)]
#[must_use = "the user is asked only when this is awaited"]
pub struct ElicitUrl<'a> {
    ask: Ask<'a>,
    message: String,
    url: String,
    visited: Option<ElicitedUrl<'a>>,
}

impl ElicitUrl<'_> {
    /// Sets the time limit for the user. After this time the question fails with [`AskError::Timeout`]. Default: one
    /// hour.
    pub fn timeout(mut self, within: Duration) -> Self {
        self.ask.within = within;
        self
    }
}

impl<'a> Future for ElicitUrl<'a> {
    type Output = Result<ElicitedUrl<'a>, AskError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { ask, message, url, visited } = &mut *self;
        let id = visited.as_ref().and_then(|visited| visited.id.as_deref());
        let answer = ready!(ask.poll(cx, |_| {
            if StringFormat::Uri.accepts(url) {
                let fingerprint = Fingerprint {
                    form: fingerprint([&**url]),
                    message: fingerprint([&**message]),
                    ..Fingerprint::default()
                };
                Ok((fingerprint, url_params(message, url, id)))
            } else {
                Err(AskError::Question(format!("`{url}` is not an absolute URL")))
            }
        }))?;
        reply::consent(&answer).map_err(|Unfit { for_author, .. }| AskError::Invalid(for_author))?.strict()?;
        Poll::Ready(visited.take().ok_or(AskError::Disconnected))
    }
}

/// A URL that the user agreed to open.
#[derive(Debug)]
pub struct ElicitedUrl<'a> {
    call: &'a CallState,
    /// The elicitation's id on the wire. `None` in every revision except 2025-11-25.
    id: Option<String>,
}

impl ElicitedUrl<'_> {
    /// Tells the client that the user has finished at the URL, so that the client stops showing the URL as open. Only
    /// revision 2025-11-25 has this message. In other revisions, this method does nothing.
    pub fn complete(self) {
        if let Some(id) = &self.id {
            self.call.notify("notifications/elicitation/complete", |out| push_completed(out, id));
        }
    }
}
