//! Faults between the rounds of a call.

/// A fault between the rounds of a client's calls. Only calls since 2026-07-28 have several rounds. The outcome of a
/// call must not depend on the fault.
///
/// [`in_every_mode!`](macro@crate::in_every_mode) tries all faults. Use this type to examine one fault.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use mcp_runtime::{Result, prelude::*, testing::{Client, Fault}};
///
/// #[elicits]
/// enum Booking {
///     Confirm { confirmed: bool },
/// }
///
/// /// Books a seat.
/// #[mcp_tool]
/// async fn book(ctx: &Ctx<Booking>) -> Result<&'static str> {
///     let sure = ctx.elicit::<Confirm>("Book it?").strict().await?;
///     Ok(if sure.confirmed { "booked" } else { "not booked" })
/// }
///
/// let service = Server::new("seats", "1.0.0").tools(tools![book]).build().unwrap();
/// let mut client = Client::modern(&service).fault(Fault::RepliesLost);
/// let booked = client.call("book", ()).accept(Confirm { confirmed: true }).await;
/// assert_eq!(booked.text(), "booked");
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The server loses the futures of its calls, as after a restart. It then replays each call from its journal. Only
    /// calls of handoffs and `replayable` tools can be replayed.
    Restarts,
    /// The reply to each request is lost, and the client retries the request. The retry must get the same reply. The
    /// first request of a call carries an `idempotency-key`. Without this key, the retry would be a new call.
    RepliesLost,
    /// Each request arrives twice at the same time. Both requests must get the same reply. The first request of a call
    /// carries an `idempotency-key`.
    RequestsDoubled,
    /// The client is cut off at different moments of each later round, and retries the request. Only calls of handoffs
    /// and `replayable` tools survive this.
    Disconnects,
    /// After each later round, the client sends the state of this round again, with different answers. The client must
    /// get the latest reply of the call.
    SpentStates,
    /// Before each later round, the client sends a forged state. The server must reject it without side effects.
    TamperedStates,
}

impl Fault {
    /// All faults.
    pub const ALL: [Self; 6] = [
        Self::Restarts,
        Self::RepliesLost,
        Self::RequestsDoubled,
        Self::Disconnects,
        Self::SpentStates,
        Self::TamperedStates,
    ];

    /// Whether the fault causes a replay of the call.
    pub(crate) fn replays(self) -> bool {
        matches!(self, Self::Restarts | Self::Disconnects)
    }

    /// Returns a short description.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Restarts => "rebuilt in every round",
            Self::RepliesLost => "replies lost",
            Self::RequestsDoubled => "requests doubled",
            Self::Disconnects => "cut off in every round",
            Self::SpentStates => "spent states answered",
            Self::TamperedStates => "states tampered with",
        }
    }
}
