//! `Ctx`: the author's view of a call.

pub(crate) mod ask;
pub(crate) mod once;
mod phase;
pub(crate) mod progress;
pub(crate) mod roots;
pub(crate) mod step;
pub(crate) mod stepping;

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime},
};

use serde::Serialize;

pub(crate) use self::phase::AnyForms;
pub use self::phase::{CanAsk, CanCall, CanStep, Conversing, NoForms, PhaseCtx, RunsOnce};
use self::progress::Progress;
use super::{Call, CallState, Client, Principal, multi_round::multi_round};
use crate::wire::protocol::level::Level;

/// The context of a running call: log, progress, cancellation, the client.
///
/// Take it by reference: `ctx: &Ctx`, or `ctx: &Ctx<Booking>` for a tool that asks with the forms of `Booking`. It is
/// cheap to clone and can be moved into spawned tasks. Messages that a clone sends after the end of the call are
/// dropped.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Counts the words of a text.
/// #[mcp_tool(read_only)]
/// async fn count_words(ctx: &Ctx, text: String) -> Text<usize> {
///     ctx.log(Level::Debug, format!("counting in {} bytes", text.len()));
///     let words = text.split_whitespace().count();
///     ctx.progress(1.0).message("counted");
///     Text(words)
/// }
/// ```
///
/// # Helpers
///
/// A helper that logs, samples or runs steps takes `&Ctx`; a `&Ctx<Booking>` coerces to it. A helper that asks with
/// forms of `Booking` takes `&Ctx<Booking>`, and so does every tool that calls it. A helper for tools and for phases of
/// a handoff is generic over both type parameters of `Ctx`. It can use the methods that every context has: log,
/// progress, cancellation, the client.
///
/// ```
/// use mcp_runtime::{Result, prelude::*};
///
/// #[elicits]
/// enum Booking {
///     Confirm { confirmed: bool },
/// }
///
/// /// Called with every context.
/// fn note<S, P>(ctx: &Ctx<S, P>, what: &str) {
///     ctx.log(Level::Info, what);
/// }
///
/// /// Called with every context of a tool.
/// async fn price(ctx: &Ctx, flight: &str) -> Result<u32> {
///     note(ctx, "looking up the price");
///     ctx.step("price", async { flight.len() as u32 }).await.map_err(Into::into)
/// }
///
/// /// Called with contexts of tools that ask with `Booking`.
/// async fn confirm(ctx: &Ctx<Booking>, price: u32) -> Result<bool> {
///     let answer = ctx.elicit::<Confirm>(format!("Book for {price}?")).await?;
///     Ok(matches!(answer, Elicited::Accept(Confirm { confirmed: true })))
/// }
///
/// /// Books a flight.
/// #[mcp_tool(replayable)]
/// async fn book(ctx: &Ctx<Booking>, flight: String) -> Result<Text<bool>> {
///     let price = price(ctx, &flight).await?;
///     Ok(Text(confirm(ctx, price).await?))
/// }
/// ```
pub struct Ctx<S = NoForms, P = Conversing> {
    call: Call,
    /// The same context without forms, which [`Deref`](std::ops::Deref) returns. It is created on first use.
    plain: OnceLock<Box<Ctx>>,
    kind: PhantomData<fn() -> (S, P)>,
}

impl<S, P> Ctx<S, P> {
    /// Sends a log message to the client, if the client wants messages of this level.
    ///
    /// `data` is any JSON value; most often a string. It must not contain secrets. In a session the client gets `info`
    /// and above until it sets another level; since 2026-07-28 it gets only the levels that the request asks for.
    pub fn log(&self, level: Level, data: impl Serialize) {
        self.call.0.log(level, self.call.target().name(), &data);
    }

    /// Reports the progress of the call, if the client asked for reports. The report is sent when the returned value is
    /// dropped, so use this method in a statement of its own: `ctx.progress(3.0).total(10.0).message("third file");`.
    ///
    /// Without [`total`](Progress::total) a value from 0 to 1 is a fraction. Only increasing values are sent, at most
    /// 20 per second; a value equal to the total is sent at once. Report as often as is convenient.
    ///
    /// If another tool [called](Self::call) this one and has reported progress, only the messages of this tool are sent.
    pub fn progress(&self, value: f64) -> Progress<'_> {
        Progress::new(&self.call, value)
    }

    /// Closes the stream on which the client of a long call waits, and the connection of this stream. The call
    /// continues. The client reconnects after `retry` (in whole milliseconds) and gets the messages it missed.
    ///
    /// This method has an effect only for a client of revision 2025-11-25 over HTTP. See "Sending Messages to the
    /// Server" in the specification of that revision.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Builds the project, which takes half an hour.
    /// #[mcp_tool]
    /// async fn build(ctx: &Ctx) -> &'static str {
    ///     ctx.close_stream(Duration::from_secs(60));
    ///     # async fn compile_everything() {}
    ///     compile_everything().await;
    ///     "built"
    /// }
    /// ```
    pub fn close_stream(&self, retry: Duration) {
        let sink = self.call.0.request().as_ref().map(|request| Arc::clone(&request.sink));
        sink.inspect(|sink| sink.close_stream(retry));
    }

    /// Waits until the client cancels the call. Cancellation also drops the call's own future. This method is therefore
    /// useful only in tasks and threads that the call started. Give them a clone of the context.
    pub async fn cancelled(&self) {
        self.call.0.end.cancelled().await;
    }

    /// Returns whether the client cancelled the call or the call timed out. Use it in blocking code that loops.
    pub fn is_cancelled(&self) -> bool {
        self.call.0.end.is_cancelled()
    }

    /// Returns the number of rounds in which the call can still ask before clients stop sending requests. Since
    /// 2026-07-28 each round is a request, and clients stop after about ten, some after eight. The value starts at 8.
    /// It goes down by one with each round in which the call gets an answer, until it is 0. A call that asks in more
    /// than 32 rounds ends with an error. In a session the value is `u32::MAX`.
    pub fn rounds_left(&self) -> u32 {
        self.call.0.rounds_left()
    }

    /// Returns the client: its name, its revision, its capabilities.
    pub fn client(&self) -> Client {
        self.call.0.client()
    }

    /// Returns the principal of the current request: the principal of the token, or the principal that the application
    /// set. Returns `None` over stdio, because the client is the user who started the process.
    ///
    /// The principal's name is the same in all rounds of a call. Its scopes come from the last request.
    pub fn principal(&self) -> Option<Principal> {
        self.call.0.principal()
    }

    /// Returns the parts of the current HTTP request: method, URI, headers, and the extensions that the application's
    /// middleware set. Returns `None` over stdio, in memory, in a [`testing`](crate::testing) client, and after the
    /// request was answered.
    ///
    /// Since 2026-07-28 a call lasts over several requests, and each round sees its own request. In a session all
    /// rounds see the request that began the call. The parts are never stored in a journal, a ledger or a
    /// `requestState`, and a client may send other headers in the next round. So a question must not depend on the
    /// headers. If the next round needs a part, return that part from `before`, or from a [`step`](Self::step).
    ///
    /// `Authorization` and `Proxy-Authorization` are removed: a token for this server must not be forwarded to another
    /// service. If a tool needs part of a token, a middleware can put that part into the extensions; the caller's
    /// identity is in [`principal`](Self::principal). `Cookie` stays and is marked as sensitive, so that `{:?}` does
    /// not print it. All other headers are as the client sent them: check them before you log them.
    ///
    /// ```
    /// use axum::{Extension, Router};
    /// use mcp_runtime::{Result, Server, prelude::*};
    ///
    /// #[derive(Clone)]
    /// struct Tenant(String);
    ///
    /// /// Counts the orders of the caller's tenant.
    /// #[mcp_tool(read_only)]
    /// async fn count_orders(ctx: &Ctx) -> Result<Text<usize>> {
    ///     let parts = ctx.http_parts().ok_or("call this tool over HTTP")?;
    ///     let Tenant(tenant) = parts.extensions.get().ok_or("this endpoint has no tenant")?;
    ///     let language = parts.headers.get("accept-language");
    ///     # let _ = language;
    ///     Ok(Text(tenant.len()))
    /// }
    ///
    /// let service = Server::new("shop", "1.0.0").tools(tools![count_orders]).build().unwrap();
    /// let app: Router = Router::new().merge(service.mount("/mcp")).layer(Extension(Tenant("acme".into())));
    /// ```
    #[cfg(feature = "http")]
    pub fn http_parts(&self) -> Option<Arc<http::request::Parts>> {
        self.call.0.http_parts()
    }

    /// Returns the time, in whole microseconds. A replayed call gets the same time again, so that its questions stay
    /// the same.
    ///
    /// A replay identifies each reading of the clock by the last answer or step before the reading, and by the number
    /// of readings since that answer or step. If the number of readings between two answers varies, the code can get
    /// different times in a replay.
    pub fn now(&self) -> SystemTime {
        self.call.0.conversation.moment(self.call.0.keeps_journal())
    }

    /// Returns a random number from the whole range of `u64`. A replayed call gets the same number again; see
    /// [`now`](Self::now). Do not use it for keys or passwords. It can seed a generator if you need more numbers.
    pub fn random(&self) -> u64 {
        self.call.0.conversation.number()
    }

    /// Returns a UUID for a step of this call. Send it to the service that the step calls, so that the service can skip
    /// repeated requests.
    ///
    /// The UUID stays the same when the call is replayed or another instance resumes the call. A repeated first request
    /// is a new call with other keys, unless its client sends a key of its own (`"idempotency-key"` in `_meta`). Pass
    /// the name of the [`step`](Self::step). In the phase `after` of a handoff, pass `"after"`. If the outcome of the
    /// step is unknown, the error contains the key for that name.
    pub fn idempotency_key(&self, step: &str) -> String {
        multi_round().idempotency_key(&self.call.0, &self.call.key(step))
    }

    /// Returns the same context without forms.
    pub(crate) fn plain(&self) -> &Ctx {
        self.plain.get_or_init(|| Box::new(Ctx::new(self.call.clone())))
    }

    pub(crate) fn state(&self) -> &CallState {
        &self.call.0
    }

    pub(crate) fn call_in_progress(&self) -> &Call {
        &self.call
    }

    pub(crate) fn new(call: Call) -> Self {
        Self { call, plain: OnceLock::new(), kind: PhantomData }
    }
}

impl<S, P> Clone for Ctx<S, P> {
    fn clone(&self) -> Self {
        Self::new(self.call.clone())
    }
}

impl<S, P> fmt::Debug for Ctx<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ctx").field(&self.call.0).finish()
    }
}
