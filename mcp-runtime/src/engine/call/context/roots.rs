//! `ctx.roots()`: the folders that the client works in.

use std::{
    borrow::Cow,
    fmt,
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use serde::Deserialize;

use super::{CanAsk, Ctx, ask::Asking};
use crate::{
    engine::call::{
        ask_error::AskError,
        conversation::Fingerprint,
        observer::{Observer as _, observer},
    },
    wire::protocol::{capability::Capability, text::reason},
};

/// The time limit for the client's answer. It is short, because the client does not ask a person.
const ROOTS_WITHIN: Duration = Duration::from_secs(60);

/// A folder or file that the client works in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// The location: a `file:` URI.
    pub uri: String,
    /// The display name.
    pub name: Option<String>,
}

impl<S, P> Ctx<S, P> {
    /// Asks the client which folders it works in.
    ///
    /// In a session the runtime sends a request. Since revision 2026-07-28, the runtime ends the round with this
    /// question. That revision deprecates roots, so prefer a parameter of the tool that names the folder.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// /// Names the folders that are open.
    /// #[mcp_tool(read_only, requires(roots))]
    /// async fn open_folders(ctx: &Ctx) -> Result<String> {
    ///     let roots = ctx.roots().await?;
    ///     Ok(roots.iter().map(|root| root.uri.as_str()).collect::<Vec<_>>().join("\n"))
    /// }
    /// ```
    ///
    /// # Errors
    /// Fails if the client did not declare `roots`, answered with an error, disconnected, did not answer within a
    /// minute, or sent an answer that cannot be read.
    pub fn roots(&self) -> Roots<'_>
    where
        P: CanAsk,
    {
        Roots { asking: Some(Asking::new(self.call_in_progress(), "roots".into())), answer: None }
    }
}

/// A pending question for the client's folders, created by [`Ctx::roots`].
#[must_use = "the client is asked when this is awaited"]
pub struct Roots<'a> {
    /// The question. It is `None` after the first poll.
    asking: Option<Asking<'a>>,
    answer: Option<RootsFuture<'a>>,
}

type RootsFuture<'a> = Pin<Box<dyn Future<Output = Result<Vec<Root>, AskError>> + Send + 'a>>;

impl Roots<'_> {
    /// Sets the key of this question on the wire. Default: `roots`. The second question with the same key gets `key#2`.
    pub fn key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        if let Some(asking) = &mut self.asking {
            asking.rename(key.into());
        }
        self
    }
}

impl Future for Roots<'_> {
    type Output = Result<Vec<Root>, AskError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(asking) = self.asking.take() {
            self.answer = Some(Box::pin(roots(asking)));
        }
        // Set by this poll or an earlier one.
        self.answer.as_mut().map_or(Poll::Pending, |answer| answer.as_mut().poll(cx))
    }
}

impl fmt::Debug for Roots<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Roots").finish_non_exhaustive()
    }
}

async fn roots(asking: Asking<'_>) -> Result<Vec<Root>, AskError> {
    #[derive(Deserialize)]
    #[serde(expecting = "an object")]
    struct ListRootsResult {
        roots: Vec<Root>,
    }
    if !asking.call.0.client().supports(Capability::Roots) {
        return Err(AskError::Capability(Capability::Roots));
    }
    asking.ask(asking.question("roots/list", "{}".into(), Capability::Roots, Fingerprint::default()));
    let answer = tokio::time::timeout(ROOTS_WITHIN, poll_fn(|cx| asking.poll_answer(false, cx))).await;
    let answer = answer.map_err(|_| {
        let timeout = AskError::Timeout(ROOTS_WITHIN);
        observer().answered("roots/list", Err(&timeout));
        timeout
    })??;
    let result: ListRootsResult = serde_json::from_str(&answer)
        .map_err(|error| AskError::Invalid(format!("not a `ListRootsResult`: {}", reason(&error))))?;
    Ok(result.roots)
}
