//! A call with its script.

use std::{fmt, panic::Location, time::Duration};

use serde::Serialize;
use serde_json::Value;

use crate::{
    edge::testing::{
        client::Client,
        script::{
            Script, ScriptStep,
            cancel::{CancelPoint, Cancellation},
            reply::Reply,
            request::ScriptedRequest,
        },
    },
    engine::elicit::Form,
    serve::client::Question,
};

/// A tool call or another request, and the answers to its questions. Await this value to get the [`Outcome`](crate::testing::Outcome).
#[must_use = "a call begins when it is awaited"]
pub struct ScriptedCall<'a> {
    pub(super) client: &'a mut Client,
    pub(super) request: ScriptedRequest,
    pub(super) script: Script,
}

/// Writes one method for each kind of reply: it answers the next question with the [`Reply`] of the same name.
macro_rules! replies {
    ($($(#[$doc:meta])* $name:ident($($value:ident: $type:ty),*);)*) => {
        $(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(self, $($value: $type),*) -> Self {
                self.reply(Reply::$name($($value),*))
            }
        )*
    };
}

impl<'a> ScriptedCall<'a> {
    pub(crate) fn new(client: &'a mut Client, request: ScriptedRequest) -> Self {
        Self { client, request, script: Script::default() }
    }

    replies! {
        /// Makes the user complete the form of the next question.
        accept(form: impl Form);

        /// Makes the user decline the next question.
        decline();

        /// Makes the user close the next question without an answer.
        cancel();

        /// Makes the user agree to open the page of the next question.
        accept_url();

        /// Makes the model reply to the next question with this text.
        sampled(text: impl Into<String>);

        /// Makes the model reply to the next question with this value. See [`Reply::sampled_value`].
        ///
        /// # Panics
        /// Panics if `value` cannot be serialized.
        sampled_value(value: impl Serialize);

        /// Makes the model reply to the next question with a call of this tool. See [`Reply::sampled_tool`].
        ///
        /// # Panics
        /// Panics if `input` is not serialized to an object or to `null`.
        sampled_tool(name: impl Into<String>, input: impl Serialize);

        /// Leaves the next question without an answer. See [`Reply::silence`].
        silence();

        /// Cancels the call instead of answering the next question.
        ///
        /// ```
        /// # #[tokio::main(flavor = "current_thread")]
        /// # async fn main() {
        /// use std::sync::atomic::{AtomicBool, Ordering};
        ///
        /// use mcp_runtime::{Result, Revision, prelude::*, testing::Client};
        ///
        /// #[elicits]
        /// enum Booking {
        ///     Confirm { confirmed: bool },
        /// }
        ///
        /// static RELEASED: AtomicBool = AtomicBool::new(false);
        ///
        /// struct Hold;
        ///
        /// impl Drop for Hold {
        ///     fn drop(&mut self) {
        ///         RELEASED.store(true, Ordering::Relaxed);
        ///     }
        /// }
        ///
        /// /// Books a seat, which is held while the user decides.
        /// #[mcp_tool]
        /// async fn book(ctx: &Ctx<Booking>) -> Result<&'static str> {
        ///     let _hold = Hold;
        ///     ctx.elicit::<Confirm>("Book it?").strict().await?;
        ///     Ok("booked")
        /// }
        ///
        /// let service = Server::new("seats", "1.0.0").tools(tools![book]).build().unwrap();
        /// let mut client = Client::legacy(&service, Revision::V2025_11_25);
        /// let booked = client.call("book", ()).cancel_call().await;
        /// assert!(booked.is_cancelled());
        /// assert!(RELEASED.load(Ordering::Relaxed));
        /// # }
        /// ```
        ///
        /// In a session, the client sends `notifications/cancelled`, and the server drops the call. Since 2026-07-28, the
        /// request ends with its question, so nothing is left to cancel. The client does not continue the call, and the
        /// server keeps the call until it expires.
        cancel_call();

        /// Answers the next question with any JSON, such as `json!({ "action": "accept", "content": { … } })`.
        answer(raw: Value);

        /// Answers the next question with a JSON-RPC error. Use this only in revisions before 2026-07-28. Newer revisions
        /// cannot transmit such an error, so the test would fail.
        refuse(code: i64, message: &str);
    }

    /// Answers the next question with the client's root folders, each a `file:` URI.
    #[track_caller]
    pub fn roots<U: Into<String>>(self, uris: impl IntoIterator<Item = U>) -> Self {
        self.reply(Reply::roots(uris))
    }

    /// Cancels the call at the first progress notification. The [`Outcome`](crate::testing::Outcome) contains what was received until then, and
    /// [`is_cancelled`](crate::testing::Outcome::is_cancelled) is true.
    ///
    /// In memory and with a process, the server has handled the cancellation when the awaited call returns. Over HTTP
    /// since 2026-07-28, the client closes the connection, and the server notices this a little later. If the tool
    /// waits in an `await`, its future is dropped at this `await`. Work that the tool started elsewhere can wait for
    /// [`Ctx::cancelled`](crate::Ctx::cancelled).
    #[track_caller]
    pub fn cancel_on_progress(self) -> Self {
        self.cancel_at(CancelPoint::Progress)
    }

    /// Cancels the call at the first log message. See [`cancel_on_progress`](Self::cancel_on_progress).
    #[track_caller]
    pub fn cancel_on_log(self) -> Self {
        self.cancel_at(CancelPoint::Log)
    }

    /// Cancels the call after this time, counted from the first request of the call. See
    /// [`cancel_on_progress`](Self::cancel_on_progress).
    #[track_caller]
    pub fn cancel_after(self, time: Duration) -> Self {
        self.cancel_at(CancelPoint::After(time))
    }

    #[track_caller]
    fn cancel_at(mut self, moment: CancelPoint) -> Self {
        self.script.cancellation = Some(Cancellation { moment, at: Location::caller() });
        self
    }

    /// Answers the next question.
    #[track_caller]
    pub fn reply(mut self, reply: Reply) -> Self {
        self.script.in_order.push_back(ScriptStep { reply, at: Location::caller() });
        self
    }

    /// Answers the question with this key, whenever it comes. Several answers to one key are used in order.
    #[track_caller]
    pub fn reply_to(mut self, key: &str, reply: Reply) -> Self {
        self.script.by_key.push((key.to_owned(), ScriptStep { reply, at: Location::caller() }));
        self
    }

    /// Answers every question that the script does not list. Use this, for example, if the questions depend on the
    /// answers. The closure must give the same answer to the same question. Otherwise, the call differs between modes.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use mcp_runtime::{Result, prelude::*, testing::{Client, Reply}};
    ///
    /// #[elicits]
    /// enum Guessing {
    ///     Guess { number: u8 },
    /// }
    ///
    /// /// Lets the user guess a number.
    /// #[mcp_tool]
    /// async fn guess(ctx: &Ctx<Guessing>) -> Result<String> {
    ///     let (mut hint, mut tries) = ("Which number?", 1);
    ///     loop {
    ///         hint = match ctx.elicit::<Guess>(hint).strict().await?.number {
    ///             0..=41 => "More.",
    ///             42 => return Ok(format!("{tries} tries")),
    ///             43.. => "Less.",
    ///         };
    ///         tries += 1;
    ///     }
    /// }
    ///
    /// let service = Server::new("numbers", "1.0.0").tools(tools![guess]).build().unwrap();
    /// let mut client = Client::modern(&service);
    /// let (mut low, mut number, mut high) = (0, 50, 100);
    /// let guessed = client.call("guess", ()).otherwise(move |question| {
    ///     match question.message() {
    ///         "More." => low = number + 1,
    ///         "Less." => high = number - 1,
    ///         _ => {}
    ///     }
    ///     number = (low + high) / 2;
    ///     Reply::accept(Guess { number })
    /// });
    /// assert_eq!(guessed.await.text(), "7 tries");
    /// # }
    /// ```
    #[track_caller]
    pub fn otherwise(mut self, answer: impl FnMut(&Question) -> Reply + Send + 'static) -> Self {
        self.script.otherwise = Some((Box::new(answer), Location::caller()));
        self
    }

    /// Checks that a replay of the call asks the same questions. Without this check, different questions are noticed
    /// only after a restart.
    ///
    /// Each round is replayed several times from the beginning, with the answers so far. Some replays run immediately,
    /// and one runs in the next second. If a question differs, the test panics, names the question and shows both
    /// versions. Such a question depends on a clock, a random number, the order of a `HashMap`, or data that changes. A
    /// value stays the same if it is read in `before`, or comes from [`ctx.now()`](crate::Ctx::now),
    /// [`ctx.random()`](crate::Ctx::random) or a [step](crate::Ctx::step).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use mcp_runtime::{Result, prelude::*, testing::Client};
    ///
    /// #[elicits]
    /// enum Booking {
    ///     Confirm { confirmed: bool },
    /// }
    ///
    /// /// Books a seat.
    /// #[mcp_tool(replayable)]
    /// async fn book(ctx: &Ctx<Booking>, seat: String) -> Result<String> {
    ///     let sure = ctx.elicit::<Confirm>(format!("Book {seat}?")).strict().await?;
    ///     Ok(format!("{seat}: {}", sure.confirmed))
    /// }
    ///
    /// let service = Server::new("seats", "1.0.0").tools(tools![book]).build().unwrap();
    /// let mut client = Client::modern(&service);
    /// let seat = serde_json::json!({ "seat": "12A" });
    /// client.call("book", seat).accept(Confirm { confirmed: true }).assert_replay_safe().await;
    /// # }
    /// ```
    ///
    /// The check does not detect a question that changes less often than every second, such as a question that contains
    /// the date. The check cannot find a dependence on data that does not change during the test. It also cannot find a
    /// dependence on an order that happens to be the same each time. It does not detect effects other than questions.
    /// **The tool really runs, several times**: the check runs the phase `client` of a handoff, or a `replayable` tool
    /// up to its next question or step. The phases `before` and `after`, and steps, run once, as usual. An effect
    /// outside of these phases and steps happens in every run, in the test and in production. No check can distinguish
    /// such an effect from a read.
    ///
    /// # Panics
    /// Panics if a question differs. Also panics if the check is impossible: the tool is never replayed, the client has
    /// a session, or the server runs in another process.
    pub fn assert_replay_safe(mut self) -> Self {
        self.request.rehearsed = true;
        self
    }

    /// Declares that the result or the questions contain something random. For such a call,
    /// [`in_every_mode!`](macro@crate::in_every_mode) compares only the keys of the questions, and how often each
    /// effect runs. Compare the rest with [`Mode::same`](crate::testing::Mode::same).
    pub fn varies(mut self) -> Self {
        self.request.varies = true;
        self
    }
}

impl fmt::Debug for ScriptedCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedCall").field("request", &self.request).field("script", &self.script).finish()
    }
}
