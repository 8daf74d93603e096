//! Asking the other side.

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

/// Why an ask has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The client did not say that it can do this.
    #[error("the client does not support {}", Capabilities::of(&[*.0]))]
    Capability(Capability),
    /// The client's revision has no such field.
    #[error(
        "the client speaks {revision}, which has no field for several choices (`{field}`); ask for one, or for yes or no for each"
    )]
    Unsupported {
        /// The field.
        field: &'static str,
        /// The client's revision.
        revision: Revision,
    },
    /// The question makes no sense: no choices to choose from, a default that does not fit, no absolute URL.
    #[error("this cannot be asked: {0}")]
    Question(String),
    /// The client did not answer in time.
    #[error("nobody answered within {0:?}")]
    Timeout(Duration),
    /// The call was rebuilt, and asked something else than before.
    #[error(
        "the question `{key}` came out with another {part} when the call was taken up again; a question must not \
             depend on a clock, a random number or data that changes: fix it in `before`, or with `ctx.now()`, \
             `ctx.random()` or `ctx.step(…)`"
    )]
    Drifted {
        /// The question's key.
        key: String,
        /// What differs: its form, its message, its choices or defaults.
        part: &'static str,
    },
    /// The client came back three times without an answer.
    #[error("the client came back without an answer")]
    Unanswered,
    /// The user said no.
    #[error("the user declined")]
    Declined,
    /// The user closed the form without an answer.
    #[error("the user cancelled")]
    Cancelled,
    /// The client is gone.
    #[error("the client is gone")]
    Disconnected,
    /// The client answered with an error.
    #[error("the client refused: {message} (code {code})")]
    Refused {
        /// The code of the JSON-RPC error.
        code: i64,
        /// Its message.
        message: String,
    },
    /// The server's own [provider](crate::sample::SamplingProvider) has no reply. The text is the short one of its
    /// [`ProviderError`](crate::sample::ProviderError); the whole is in the server's log.
    #[error("the model cannot be asked: {0}")]
    Provider(String),
    /// A [branch](crate::Ctx::branch) has reached one of its limits.
    #[error(transparent)]
    Limit(BranchLimit),
    /// The client's answer is not what was asked for.
    #[error("the answer does not fit:{gap}{reason}", gap = gap(.0), reason = .0)]
    Invalid(String),
}

/// No person is asked for roots, so a client that has not answered by then never will.
const ROOTS_WITHIN: Duration = Duration::from_secs(60);

/// A folder or file the client works in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: a `file:` URI.
    pub uri: String,
    /// What a person calls it.
    pub name: Option<String>,
}

impl<S, P> Ctx<S, P> {
    /// Asks the client which folders it works in.
    ///
    /// The wire form is the client's: a request in the handshake revisions, a round of its own since 2026-07-28. There
    /// roots are deprecated: prefer a parameter that names the folder.
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
    /// The client did not declare `roots`, refused, is gone, did not answer within a minute, or gave an answer that
    /// cannot be read.
    pub fn roots(&self) -> Roots<'_>
    where
        P: CanAsk,
    {
        Roots { asking: Some(Asking::new(self.state(), "roots".into())), answer: None }
    }
}

/// An ask for the folders the client works in. See [`Ctx::roots`].
#[must_use = "nobody is asked before this is awaited"]
pub struct Roots<'a> {
    /// Until it is asked.
    asking: Option<Asking<'a>>,
    answer: Option<Answering<'a>>,
}

type Answering<'a> = Pin<Box<dyn Future<Output = Result<Vec<Root>, AskError>> + Send + 'a>>;

impl Roots<'_> {
    /// The key of this question on the wire. Default: `roots`; the second ask of one key is `key#2`.
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
        // It was asked just now, or before.
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
    read::<ListRootsResult>(answer.get()).map(|result| result.roots)
}

impl AskError {
    /// The error of a request that cannot be served for want of an ability of its client: a code of its own in the
    /// modern era, a tool's error like any other before.
    pub(crate) fn missing_capability(&self, tool: &str) -> Option<RpcError> {
        match self {
            Self::Capability(capability) => Some(RpcError::missing_capability(tool, Capabilities::of(&[*capability]))),
            _ => None,
        }
    }
}

/// What stands before a reason: a list begins on a line of its own.
pub(crate) fn gap(reason: &str) -> char {
    if reason.starts_with("- ") { '\n' } else { ' ' }
}

fn read<T: DeserializeOwned>(answer: &str) -> Result<T, AskError> {
    serde_json::from_str(answer).map_err(|error| AskError::Invalid(error.to_string()))
}
