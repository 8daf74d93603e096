//! `Ctx`: what a tool's author can do with a call.

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime},
};

use serde::Serialize;

use super::{Call, CallState, Client, Principal, Progress};
use crate::protocol::level::Level;

/// The call a tool is running in: log, progress, cancellation, the client.
///
/// Take it by reference: `ctx: &Ctx`, or `ctx: &Ctx<Booking>` for a tool that asks with the forms of `Booking`. It is cheap to clone and may be moved into spawned tasks; what a clone says
/// after the call has ended is dropped.
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
/// A helper that logs, samples or has steps takes `&Ctx`: a `&Ctx<Booking>` may be passed to it as it is. One that
/// asks with forms of `Booking` takes `&Ctx<Booking>`, and so does every tool that calls it. One that is also called by
/// the phases of a handoff is generic, and can do what every context can: log, progress, cancellation, the client.
///
/// ```
/// use mcp_runtime::prelude::*;
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
/// async fn price(ctx: &Ctx, flight: &str) -> ToolResult<u32> {
///     note(ctx, "looking up the price");
///     ctx.step("price", async { flight.len() as u32 }).await.map_err(Into::into)
/// }
///
/// /// Called with contexts of tools that ask with `Booking`.
/// async fn confirm(ctx: &Ctx<Booking>, price: u32) -> ToolResult<bool> {
///     let answer = ctx.elicit::<Confirm>(format!("Book for {price}?")).await?;
///     Ok(matches!(answer, Elicited::Accept(Confirm { confirmed: true })))
/// }
///
/// /// Books a flight.
/// #[mcp_tool(replayable)]
/// async fn book(ctx: &Ctx<Booking>, flight: String) -> ToolResult<Text<bool>> {
///     let price = price(ctx, &flight).await?;
///     Ok(Text(confirm(ctx, price).await?))
/// }
/// ```
pub struct Ctx<S = NoForms, P = Talk> {
    call: Call,
    /// The same without its forms, for [`Deref`]. Made when it is first needed.
    plain: OnceLock<Box<Ctx>>,
    kind: PhantomData<fn() -> (S, P)>,
}

/// The set of forms of a tool that asks its user nothing.
#[derive(Debug)]
pub enum NoForms {}

/// The phase of a call that may ask.
#[derive(Debug)]
pub enum Talk {}

/// A phase of a call that runs once and asks nobody.
#[derive(Debug)]
pub enum RunsOnce {}

/// The context of the phases `before` and `after` of a [`handoff`](macro@crate::handoff): log, progress, cancellation.
pub type PhaseCtx = Ctx<AnyForms, RunsOnce>;

/// The set of the phases that ask nobody. It has all forms, so that asking there is one error: that of the phase.
#[derive(Debug)]
pub enum AnyForms {}

/// A phase of a call that may ask the client.
#[diagnostic::on_unimplemented(
    message = "only `client` can ask",
    label = "asks here",
    note = "`before` and `after` run once and hold no conversation; move the question to `client`"
)]
pub trait CanAsk {}

impl CanAsk for Talk {}

/// A phase of a call that may be run again, and has steps for what must not be.
#[diagnostic::on_unimplemented(
    message = "`before` and `after` have no steps",
    label = "a step here",
    note = "they run once in a call as they are; await what the step does without `ctx.step`"
)]
pub trait CanStep {}

impl CanStep for Talk {}

impl<S, P> Ctx<S, P> {
    /// Sends a log message to the client, if it wants messages of this level.
    ///
    /// `data` is any JSON; most often a string. It must hold no secrets. In the handshake revisions the client gets
    /// `info` and above until it sets another level; since 2026-07-28 it gets none unless the request asks for them.
    pub fn log(&self, level: Level, data: impl Serialize) {
        self.call.0.log(level, self.call.0.tool_name(), &data);
    }

    /// Reports how far the call is, if the client asked to be told. The report is sent when what this returns is
    /// dropped, so it is written as a statement: `ctx.progress(3.0).total(10.0).message("third file");`.
    ///
    /// Without [`total`](Progress::total) a value from 0 to 1 is a fraction. Only growing values are sent, and at
    /// most 20 in a second, besides the last: report as often as is convenient.
    pub fn progress(&self, value: f64) -> Progress<'_> {
        Progress::new(&self.call.0, value)
    }

    /// Ends the stream on which the client of a long call waits, and with it a connection that costs both sides; the call
    /// goes on. The client comes again after `retry`, with a resolution of milliseconds, for what was said meanwhile.
    ///
    /// Only clients of 2025-11-25 over HTTP know that (specification of that revision, "Sending Messages to the
    /// Server"); for any other nothing happens.
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
        let outlet = self.call.0.request().as_ref().map(|request| Arc::clone(&request.outlet));
        outlet.inspect(|outlet| outlet.close_stream(retry));
    }

    /// Waits until the client cancels the call. The call's own future is dropped then; this is for tasks and threads
    /// that it started and that hold a clone of the context.
    pub async fn cancelled(&self) {
        self.call.0.end.cancelled().await;
    }

    /// Whether the client has cancelled the call, or its time is over: for loops in blocking code.
    pub fn is_cancelled(&self) -> bool {
        self.call.0.end.is_cancelled()
    }

    /// In how many more rounds this code may ask, as far as clients go along: since 2026-07-28 each is a request, and
    /// clients give up after about ten, some after eight. It counts from 8 to 0, as far as the last answer that was
    /// taken; a call that asks in more than 32 rounds ends with an error. In a session it is `u32::MAX`.
    pub fn rounds_left(&self) -> u32 {
        self.call.0.rounds_left()
    }

    /// The client: its name, its revision, what it can do.
    pub fn client(&self) -> Client {
        self.call.0.client()
    }

    /// Who is behind the request that the call is answering: whoever the token of the request was issued to, or whom the
    /// application has named. `None` over standard input, where whoever started the process is behind everything.
    ///
    /// The name is the same in all rounds of a call; what was granted is as the last request had it.
    pub fn principal(&self) -> Option<Principal> {
        self.call.0.principal()
    }

    /// What came with the HTTP request that the call is answering, besides its body: method, URI, headers, and the
    /// extensions that the application's middleware has put there. `None` over stdio, in memory and in a
    /// [`testing`](crate::testing) client, and once the request has been answered.
    ///
    /// Since 2026-07-28 a call lasts over several requests, and in each round this is the request of that round. In a
    /// session it is the request that began the call. It is never kept in a journal, a ledger or a `requestState`. So a
    /// question should not depend on it: a client may send other headers in the next round. What the next round must
    /// see again belongs into a [`step`](Self::step) or what `before` returns.
    ///
    /// `Authorization` and `Proxy-Authorization` are taken out: a token for this server is for whatever verifies it, and
    /// must not be passed on to another service. Where a tool needs something of it, a middleware can put that into the
    /// extensions; who the caller is says [`principal`](Self::principal). `Cookie` stays, marked as sensitive, so that
    /// `{:?}` does not print it. All other headers are as the client sent them: do not log them unread.
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

    /// The time, as it was when the call was here first: a call that is rebuilt reads the same again, so that its
    /// questions do not depend on when that is. In whole microseconds.
    ///
    /// What is read is known by the answer or the step that the call took last, and by its number since then.
    pub fn now(&self) -> SystemTime {
        self.call.0.conversation.moment(self.call.0.revision.is_modern())
    }

    /// A random number, the same again when the call is rebuilt; see [`now`](Self::now). All values are equally likely.
    /// Not for keys or passwords: it is the seed of a generator if more are needed.
    pub fn random(&self) -> u64 {
        self.call.0.conversation.number()
    }

    /// A UUID that stands for a step of this call, for whoever the step calls: a service that has seen it before does
    /// not do the same again.
    ///
    /// It is the same whenever the call is rebuilt or taken over; a first request that is repeated is another call, and
    /// has other keys, unless its client sends one of its own (`"idempotency-key"` in `_meta`). Name the step as it is
    /// named in [`step`](Self::step), and `after` what a handoff does there: an error of an unknown outcome tells the
    /// key of these.
    pub fn idempotency_key(&self, step: &str) -> String {
        self.call.0.idempotency_key(step)
    }

    /// The same context for code that asks with no forms.
    pub(crate) fn plain(&self) -> &Ctx {
        self.plain.get_or_init(|| Box::new(Ctx::new(self.call.clone())))
    }

    pub(crate) fn state(&self) -> &CallState {
        &self.call.0
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
