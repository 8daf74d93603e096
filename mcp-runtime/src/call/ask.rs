//! The errors of questions to the client, and `ctx.roots()`.

use std::{
    borrow::Cow,
    fmt,
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use serde::{Deserialize, de::DeserializeOwned};

use super::{
    CanAsk, Ctx,
    asking::{Asking, Wording},
    journal::Fingerprint,
    observer::{Observer as _, observer},
};
use crate::{
    call::limits::BranchLimit,
    protocol::{
        capability::{Capabilities, Capability},
        error::RpcError,
        revision::Revision,
    },
};

/// Why a question to the client or to a model failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The client did not declare this capability.
    #[error("the client does not support {}", Capabilities::of(&[*.0]))]
    Capability(Capability),
    /// The client's revision does not support a field of the form.
    #[error(
        "the client speaks {revision}, which has no field for several choices (`{field}`); ask for one choice, or \
             ask yes or no for each"
    )]
    Unsupported {
        /// The field.
        field: &'static str,
        /// The client's revision.
        revision: Revision,
    },
    /// The question is invalid: it has no choices, a default that does not fit, or a relative URL.
    #[error("this question cannot be asked: {0}")]
    Question(String),
    /// No answer came in time.
    #[error("no answer within {0:?}")]
    Timeout(Duration),
    /// The replayed call asked a different question under the same key.
    #[error(
        "the question `{key}` has another {part} than before the call was resumed; a question must not \
             depend on a clock, a random number or data that changes: compute such values in `before`, or use \
             `ctx.now()`, `ctx.random()` or `ctx.step(…)`"
    )]
    Drifted {
        /// The question's key.
        key: String,
        /// The part that differs: the form, the message, or the choices and defaults.
        part: &'static str,
    },
    /// The client sent three requests in a row without an answer.
    #[error("the client sent three requests that contained no answer")]
    Unanswered,
    /// The user declined.
    #[error("the user declined")]
    Declined,
    /// The user closed the form without an answer.
    #[error("the user cancelled")]
    Cancelled,
    /// The client disconnected.
    #[error("the client disconnected")]
    Disconnected,
    /// The client answered with a JSON-RPC error.
    #[error("the client refused: {message} (code {code})")]
    Refused {
        /// The code of the JSON-RPC error.
        code: i64,
        /// The message of the JSON-RPC error.
        message: String,
    },
    /// The server's own [provider](crate::sample::SamplingProvider) failed. The text is the short message of the
    /// [`ProviderError`](crate::sample::ProviderError); the full error is in the server's log.
    #[error("the model cannot be asked: {0}")]
    Provider(String),
    /// A [branch](crate::Ctx::branch) reached one of its limits.
    #[error(transparent)]
    Limit(BranchLimit),
    /// The client's answer does not match the question.
    #[error("the answer does not fit:{gap}{reason}", gap = gap(.0), reason = .0)]
    Invalid(String),
}

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
    /// question. That revision deprecates roots, so prefer a parameter that names the folder.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Names the folders that are open.
    /// #[mcp_tool(read_only, requires(roots))]
    /// async fn open_folders(ctx: &Ctx) -> ToolResult<String> {
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
        Roots { asking: Some(Asking::new(self.state(), "roots".into())), answer: None }
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
    struct ListRootsResult {
        roots: Vec<Root>,
    }
    if !asking.call().client().supports(Capability::Roots) {
        return Err(AskError::Capability(Capability::Roots));
    }
    asking.ask(Wording {
        method: "roots/list",
        params: "{}".into(),
        needs: Capability::Roots,
        fingerprint: Fingerprint::default(),
        must_ask: false,
        deadline: None,
    });
    let answer = tokio::time::timeout(ROOTS_WITHIN, poll_fn(|cx| asking.poll_answer(false, cx))).await;
    let answer = answer.map_err(|_| {
        let timeout = AskError::Timeout(ROOTS_WITHIN);
        observer().answered("roots/list", Err(&timeout));
        timeout
    })??;
    read::<ListRootsResult>(&answer).map(|result| result.roots)
}

impl AskError {
    /// Converts an error about a missing capability to a protocol error. Returns `None` for other errors. Also returns
    /// `None` for clients in a session: their revisions have no code for this error, so these clients get a tool error.
    pub(crate) fn missing_capability(&self, described: &str) -> Option<RpcError> {
        match self {
            Self::Capability(capability) => {
                Some(RpcError::missing_capability(described, Capabilities::of(&[*capability])))
            }
            _ => None,
        }
    }
}

/// Returns the character that separates a message from its reason: a line feed if the reason is a list, otherwise a
/// space.
pub(crate) fn gap(reason: &str) -> char {
    if reason.starts_with("- ") { '\n' } else { ' ' }
}

fn read<T: DeserializeOwned>(answer: &str) -> Result<T, AskError> {
    serde_json::from_str(answer).map_err(|error| AskError::Invalid(error.to_string()))
}
