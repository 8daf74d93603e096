//! The macro for conversations, documented where it is used from.

/// Turns an `impl` block with three phases into a tool: `before` once, a conversation with the client, `after` once.
///
/// ```
/// use mcp_runtime::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// /// What the server owns.
/// struct BookFlight {
///     seats: Vec<(&'static str, u32)>,
/// }
///
/// /// What travels from `before` to the other two.
/// #[derive(Serialize, Deserialize)]
/// struct Flights(Vec<String>);
///
/// #[elicits]
/// enum Booking {
///     Pick { flight: String },
///     Confirm { confirmed: bool },
/// }
///
/// /// Books a flight with the user's confirmation.
/// #[handoff(title = "Book a flight")]
/// impl BookFlight {
///     async fn before(
///         &self,
///         /// How many fly.
///         #[schemars(range(min = 1, max = 9))]
///         passengers: u32,
///     ) -> ToolResult<Flights> {
///         let free = self.seats.iter().filter(|(_, seats)| *seats >= passengers);
///         let flights: Vec<_> = free.map(|(flight, _)| (*flight).to_owned()).collect();
///         if flights.is_empty() { Err("no flight has so many seats".into()) } else { Ok(Flights(flights)) }
///     }
///
///     async fn client(ctx: &Ctx<Booking>, flights: &Flights) -> ToolResult<Option<String>> {
///         let ask = ctx.elicit::<Pick>("Which flight?");
///         let Pick { flight } = ask.choices(Pick::FLIGHT, flights.0.clone()).strict().await?;
///         match ctx.elicit::<Confirm>(format!("Book {flight}?")).await? {
///             Elicited::Accept(Confirm { confirmed: true }) => Ok(Some(flight)),
///             Elicited::Accept(_) | Elicited::Decline | Elicited::Cancel => Ok(None),
///         }
///     }
///
///     async fn after(&self, flights: Flights, booked: Option<String>) -> String {
///         match booked {
///             Some(flight) => format!("booked {flight}"),
///             None => format!("none of {} flights is booked", flights.0.len()),
///         }
///     }
/// }
///
/// let server = Server::new("flights", "1.0.0").tool(BookFlight { seats: vec![("TP1", 3), ("TP2", 0)] });
/// # server.build().unwrap();
/// ```
///
/// The value given to [`Server::tool`](crate::Server::tool) is the tool: what `&self` is in the phases. The doc comment
/// above the `impl` becomes its description, and its name is that of the type in snake case: `book_flight`. Everything
/// else in the block is left alone, and the phases stay methods: tests call them.
///
/// # The phases
///
/// | phase | how often it runs | what it is for |
/// | --- | --- | --- |
/// | `before` | once in a call | reads the arguments and what the server knows, checks, reserves |
/// | `client` | as often as the call is rebuilt | asks, with the forms of its [`Ctx`](crate::Ctx) |
/// | `after` | once in a call, and then to its end | does what was decided |
///
/// The value that `before` gives is the *handoff*. It is kept while the client is asked, which may take several rounds
/// and, since 2026-07-28, several requests. `client` must come to the same questions when it is run again with the same
/// handoff and the same answers: it holds nothing of the server that may have changed meanwhile. From the moment
/// `after` begins, the call is not given up when its client goes away.
///
/// An error of a phase is the result of the tool, and no later phase runs. What becomes of a call when a request is
/// repeated, cancelled or lost, or a process ends, is told in [`surviving`](crate::surviving).
///
/// # What a phase may take
///
/// | parameter | `before` | `client` | `after` |
/// | --- | --- | --- | --- |
/// | `&self` | yes | – | yes |
/// | `name: T` | an argument of the model, as in [`mcp_tool`](macro@crate::mcp_tool) | – | two: the handoff, then what `client` gave |
/// | `name: &T`, state of the server | yes | – | yes |
/// | `ctx: &PhaseCtx`: log, progress, cancellation | yes | – | yes |
/// | `ctx: &Ctx<Forms>`: the same, and asking | – | yes | – |
/// | the handoff | gives it | `&H` | `H` |
///
/// `before` and `client` return what `after` takes, or a `Result` of it, whatever that is called; `after` returns any
/// [`ToolOutput`](crate::ToolOutput). The handoff is `Serialize` and `Deserialize`. What `client` gives need not be:
/// its answers are kept, and it is run again. Both are `Send`, and the handoff is `Sync`.
///
/// # Keys
///
/// | key | value | default | meaning |
/// | --- | --- | --- | --- |
/// | `name` | string | the type's name in snake case | what the client calls |
/// | `title` | string | – | what a person reads |
/// | `description` | string | the doc comment | what the model reads; also `include_str!("…")` |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | flag | unsaid | hints for the host |
/// | `requires(…)` | list | the forms of `client` | what the client must be able to do |
/// | `optional(…)` | list | – | what the tool uses where the client can |
/// | `scopes(…)` | list | – | what whoever calls must have been granted: `scopes("flights:write")` |
/// | `timeout` | string | – | how long a call may run: `"30s"`, `"5m"` |
/// | `answer_within` | string | one hour | how long a client may take for its answers: `"10m"`, `"24h"` |
/// | `meta(…)` | list | – | members of `_meta` |
/// | `crate` | path | `::mcp_runtime` | where the runtime is |
///
/// They mean what they mean for [`mcp_tool`](macro@crate::mcp_tool). A handoff needs no `replayable`.
///
/// # Compile errors
///
/// Only `client` can ask, and what passes between the phases has one type:
///
/// ```compile_fail
/// # use mcp_runtime::prelude::*;
/// # struct Add;
/// /// Adds two numbers.
/// #[handoff]
/// impl Add {
///     async fn before(&self, a: u8, b: u8) -> u8 {
///         a + b
///     }
///
///     async fn client(_ctx: &Ctx, sum: &u16) -> bool {
///         *sum < 100
///     }
///
///     async fn after(&self, sum: u8, is_small: bool) -> String {
///         format!("{sum} {is_small}")
///     }
/// }
/// ```
///
/// ```text
/// error[E0277]: `client` takes `&u16`, but the handoff is `u8`
///  |
///  |     async fn client(_ctx: &Ctx, sum: &u16) -> bool {
///  |                                       ^^^ neither the context nor the handoff
///  |
///  = note: `client` has nothing of the server: what it needs of it is put into the handoff by `before`
///  = note: the handoff is what `before` gives and `after` takes first: make the types equal
/// ```
pub use mcp_macros::handoff;
