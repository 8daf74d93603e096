//! Runs one test in every mode.

use std::{
    fmt::{self, Debug},
    panic::Location,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use super::{Way, slow_ledger::Hesitant};
use crate::{
    edge::testing::{client::Client, compare::mode_comparison::Trial},
    serve::server::Server,
    wire::protocol::revision::Revision,
};

/// A mode in which a test runs. See [`in_every_mode!`](macro@crate::in_every_mode).
pub struct Mode {
    way: Way,
    trial: Trial,
}

/// A test that runs in all modes when awaited.
#[must_use = "nothing is tested before this is awaited"]
pub struct EveryMode<'a>(Pin<Box<dyn Future<Output = Result<(), String>> + 'a>>);

/// Runs a test in every mode: in sessions, in rounds, and with each fault between rounds. In every mode, a correct tool
/// asks the same questions, returns the same results, and has the same effects exactly once.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use std::sync::{Arc, Mutex};
///
/// use mcp_runtime::{Result, in_every_mode, prelude::*};
/// use serde_json::json;
///
/// #[elicits]
/// enum Booking {
///     Confirm { confirmed: bool },
/// }
///
/// #[derive(Clone, Default)]
/// struct Tickets(Arc<Mutex<Vec<String>>>);
///
/// struct Book;
///
/// /// Books a seat.
/// #[handoff]
/// impl Book {
///     async fn before(&self, seat: String) -> String {
///         seat
///     }
///
///     async fn client(ctx: &Ctx<Booking>, seat: &String) -> Result<bool> {
///         Ok(ctx.elicit::<Confirm>(format!("Book {seat}?")).strict().await?.confirmed)
///     }
///
///     async fn after(&self, tickets: &Tickets, seat: String, confirmed: bool) -> Result<String> {
///         if !confirmed {
///             return Err("the user does not want it".into());
///         }
///         tickets.0.lock().unwrap().push(seat.clone());
///         Ok(format!("{seat} is booked"))
///     }
/// }
///
/// in_every_mode!(|mode| {
///     let tickets = Tickets::default();
///     let mut client = mode.client(|| Server::new("seats", "1.0.0").state(tickets.clone()).tool(Book));
///     let booked = client.call("book", json!({ "seat": "12A" })).accept(Confirm { confirmed: true }).await;
///     assert_eq!(booked.text(), "12A is booked");
///     mode.same("tickets", tickets.0.lock().unwrap().clone());
/// });
/// # }
/// ```
///
/// The macro itself awaits the test, so write no `.await` behind it. The body of the `async` closure runs once in each
/// mode. It creates its own data, so that the modes do not influence
/// each other. [`mode.client(…)`](crate::testing::Mode::client) returns the client. The calls of this client are
/// automatically compared with the calls of the first mode:
///
/// - the questions: their keys, messages, fields, choices and defaults;
/// - the result, in the form that the revision allows;
/// - how many times `before`, `after` and steps run: never more than once in a call.
///
/// [`mode.same(…)`](crate::testing::Mode::same) compares any other value. If there is a difference, the test panics.
/// The panic points at the line of the test, names both modes and shows both values. Mark a call whose questions or
/// results are random with [`varies`](crate::testing::ScriptedCall::varies).
///
/// # The modes
///
/// | mode | what is tested |
/// | --- | --- |
/// | `2026-07-28` | rounds, with the call parked between them; all others are compared with this mode |
/// | `2025-11-25`, `2025-06-18`, … | a session of each revision that can carry the questions of the first mode |
/// | rebuilt in every round | the server has lost the call's future, as after a restart |
/// | replies lost | each request is sent again |
/// | requests doubled | each request is sent twice at once |
/// | cut off in every round | the client disconnects in the middle of each round, and sends the same request again |
/// | spent states answered | the state of a finished round is answered differently |
/// | states tampered with | a forged state comes before each true one |
/// | two instances in turn (`seal`) | each round goes to the other of two servers that share a key and a ledger |
/// | each instance killed in its round (`seal`) | a server is killed in each round, and the other continues |
///
/// A test whose calls ask nothing runs in the sessions only, because its calls have one round. A call of a plain tool
/// that is not `replayable` lives in one process, so modes that would replay it are skipped. Without the feature
/// `seal`, only one server can read the state of a call, so the modes with two instances are skipped.
#[macro_export]
macro_rules! in_every_mode {
    ($(async)? |$mode:ident| $test:expr) => {
        $crate::testing::in_every_mode(async |$mode: &$crate::testing::Mode| $test).await
    };
}

/// The function form of [`in_every_mode!`](macro@crate::in_every_mode), for a test that is an `async` function.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use mcp_runtime::{prelude::*, testing::{Mode, in_every_mode}};
/// use serde_json::json;
///
/// /// Greets a person.
/// #[mcp_tool]
/// async fn greet(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// async fn greets(mode: &Mode) {
///     let mut client = mode.client(|| Server::new("greeting", "1.0.0").tools(tools![greet]));
///     assert_eq!(client.call("greet", json!({ "name": "Ada" })).await.text(), "Hello, Ada!");
/// }
///
/// in_every_mode(greets).await;
/// # }
/// ```
pub fn in_every_mode<'a, F, T>(test: F) -> EveryMode<'a>
where
    F: AsyncFn(&Mode) -> T + 'a,
    T: 'a,
{
    EveryMode(Box::pin(run(test)))
}

impl Mode {
    /// Creates a client of the server that the closure `server` returns. In a mode with two instances, the closure is
    /// called twice. The instances share a key. If the closure sets no ledger, the instances also share a ledger. The
    /// test itself must share all other data between the instances.
    ///
    /// # Panics
    /// Panics if the server cannot be built.
    #[track_caller]
    pub fn client(&self, server: impl Fn() -> Server) -> Client {
        let Way { revision, trouble, is_shared } = self.way;
        let ledger = Arc::new(Hesitant::default());
        let build = || {
            let server = server();
            // The key that all instances share. Without the feature `seal`, the instances cannot share a key.
            #[cfg(feature = "seal")]
            let server =
                if is_shared { server.state_keys(crate::engine::durable::seal::KeyRing::new([7; 32])) } else { server };
            // The ledger is set only in modes with replays, because a configured ledger changes servers whose tools ask
            // nothing.
            let server = if self.way.replays() { server.or_ledger(Arc::clone(&ledger)) } else { server };
            server.build().unwrap_or_else(|error| panic!("{error}"))
        };
        let service = build();
        let mut client = Client::new(&service, revision);
        client.elsewhere = is_shared.then(|| Arc::new(build()) as _);
        client.settings.trouble = trouble;
        client.trial = Some(self.trial.clone());
        client
    }

    /// Compares a value that must be the same in every mode, such as the number of bookings, or the content of a file.
    ///
    /// # Panics
    /// Panics if the value differs from the value in the first mode.
    #[track_caller]
    pub fn same<T: PartialEq + Debug + Send + 'static>(&self, name: &str, value: T) {
        if let Err(difference) = self.trial.compare(name, value, Location::caller()) {
            panic!("{difference}");
        }
    }

    /// Returns the mode's name. Panics show this name.
    pub fn name(&self) -> &str {
        self.trial.mode()
    }

    /// Returns the revision of the mode's clients.
    pub fn revision(&self) -> Revision {
        self.way.revision
    }
}

async fn run<T>(test: impl AsyncFn(&Mode) -> T) -> Result<(), String> {
    let first = run_in(Way::FIRST, None, &test).await?;
    if first.has_no_calls() {
        return Err("the test calls no tool: create a client with `mode.client(…)`".to_owned());
    }
    for way in Way::others(&first) {
        run_in(way, Some(first.clone()), &test).await?;
    }
    Ok(())
}

async fn run_in<T>(way: Way, first: Option<Trial>, test: &impl AsyncFn(&Mode) -> T) -> Result<Trial, String> {
    let mode = Mode { way, trial: Trial::new(way.name(), way.replays(), first) };
    let named = ModeName(&mode);
    test(&mode).await;
    drop(named);
    mode.trial.end()?;
    Ok(mode.trial)
}

/// Prints the name of the mode if the test panics.
struct ModeName<'a>(&'a Mode);

impl Drop for ModeName<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the test panicked in the mode `{}`", self.0.name());
        }
    }
}

impl Future for EveryMode<'_> {
    type Output = ();

    /// Tracks the caller, so that the panic points at the test's own line.
    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match self.0.as_mut().poll(cx) {
            Poll::Ready(Ok(())) => Poll::Ready(()),
            Poll::Ready(Err(difference)) => panic!("{difference}"),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl Debug for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mode").field(&self.name()).finish()
    }
}

impl Debug for EveryMode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EveryMode").finish_non_exhaustive()
    }
}
