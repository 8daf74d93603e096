//! What may happen between the rounds of a call.

/// What happens between the rounds of a client's calls, since 2026-07-28. A call comes to the same end all the same.
///
/// [`in_every_mode!`](macro@crate::in_every_mode) tries them all; this is to look at one of them.
///
/// ```
/// # tokio_test(async {
/// use mcp_runtime::{prelude::*, testing::{Client, Trouble}};
///
/// #[elicits]
/// enum Booking {
///     Confirm { confirmed: bool },
/// }
///
/// /// Books a seat.
/// #[mcp_tool]
/// async fn book(ctx: &Ctx<Booking>) -> ToolResult<&'static str> {
///     let sure = ctx.elicit::<Confirm>("Book it?").strict().await?;
///     Ok(if sure.confirmed { "booked" } else { "not booked" })
/// }
///
/// let service = Server::new("seats", "1.0.0").tools(tools![book]).build().unwrap();
/// let mut client = Client::modern(&service).trouble(Trouble::RepliesLost);
/// let booked = client.call("book", ()).accept(Confirm { confirmed: true }).await;
/// assert_eq!(booked.text(), "booked");
/// # });
/// # fn tokio_test(test: impl Future) {
/// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// The server has forgotten the futures of its calls, as after a restart: each is rebuilt from its journal. Only
    /// calls of handoffs and `replayable` tools can be.
    Restarts,
    /// The reply to each request is lost, and the same request is sent again: it must get the same reply. A first
    /// request has an `idempotency-key`, without which it would be a new call.
    RepliesLost,
    /// Each request arrives twice at once: both must get the same reply. A first request has a key, as above.
    RequestsDoubled,
    /// The client is cut off in each later round, sooner or later, and sends the same request again. Only calls of
    /// handoffs and `replayable` tools survive that.
    Disconnects,
    /// After each later round, its state is answered once more, otherwise: that must get the latest reply of the call.
    SpentStates,
    /// Before each later round, a state comes that was tampered with: it must be refused, and cost nothing.
    TamperedStates,
}

impl Trouble {
    /// All.
    pub const ALL: [Self; 6] = [
        Self::Restarts,
        Self::RepliesLost,
        Self::RequestsDoubled,
        Self::Disconnects,
        Self::SpentStates,
        Self::TamperedStates,
    ];

    /// Whether a call is begun again by it.
    pub(super) fn replays(self) -> bool {
        matches!(self, Self::Restarts | Self::Disconnects)
    }

    /// In a few words.
    pub(super) fn in_words(self) -> &'static str {
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
