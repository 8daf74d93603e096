//! The `#[handoff]` macro, documented at its re-export.

/// Turns an `impl` block with three phases into a tool: `before` runs once, `client` talks with the client, `after`
/// runs once.
///
/// ```
/// use mcp_runtime::{Result, prelude::*};
/// use serde::{Deserialize, Serialize};
///
/// /// The state of the tool.
/// struct BookFlight {
///     seats: Vec<(&'static str, u32)>,
/// }
///
/// /// What `before` passes to `client` and `after`.
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
///         /// The number of passengers.
///         #[schemars(range(min = 1, max = 9))]
///         passengers: u32,
///     ) -> Result<Flights> {
///         let free = self.seats.iter().filter(|(_, seats)| *seats >= passengers);
///         let flights: Vec<_> = free.map(|(flight, _)| (*flight).to_owned()).collect();
///         if flights.is_empty() { Err("no flight has enough free seats".into()) } else { Ok(Flights(flights)) }
///     }
///
///     async fn client(ctx: &Ctx<Booking>, flights: &Flights) -> Result<Option<String>> {
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
///             None => format!("booked none of {} flights", flights.0.len()),
///         }
///     }
/// }
///
/// let server = Server::new("flights", "1.0.0").tool(BookFlight { seats: vec![("TP1", 3), ("TP2", 0)] });
/// # server.build().unwrap();
/// ```
///
/// The value given to [`Server::tool`](crate::Server::tool) is the tool: the phases get it as `&self`. The doc comment
/// above the `impl` becomes the tool's description. The tool's name is the type's name in snake case: `book_flight`.
/// The macro leaves everything else in the block as it is, and the phases stay methods that tests can call.
///
/// # The phases
///
/// | phase | how often it runs | what it is for |
/// | --- | --- | --- |
/// | `before` | once per call | reads and checks arguments and state, makes reservations |
/// | `client` | once, and again whenever the call is rebuilt | asks questions with the forms of its [`Ctx`](crate::Ctx) |
/// | `after` | once per call, to completion | carries out the decision |
///
/// The value that `before` returns is the *handoff*. The runtime keeps it while the client is asked, which may take
/// several rounds and, since 2026-07-28, several requests. When `client` runs again with the same handoff and the same
/// answers, it must ask the same questions. So `client` cannot access the server's state, which can change between two
/// runs. If the client disconnects after the phase `after` has begun, the call is not cancelled.
///
/// If a phase returns an error, that error is the result of the tool and no later phase runs.
/// [`surviving`](crate::guide::surviving) describes what happens to a call when a request is repeated, cancelled or lost, or
/// when a process ends.
///
/// # Parameters of the phases
///
/// | parameter | `before` | `client` | `after` |
/// | --- | --- | --- | --- |
/// | `&self` | yes | – | yes |
/// | `name: T` | an argument of the model, as in [`mcp_tool`](macro@crate::mcp_tool) | – | two: the handoff, then the value that `client` returned |
/// | `name: &T`, state of the server | yes | – | yes |
/// | `ctx: &PhaseCtx`: log, progress, cancellation | yes | – | yes |
/// | `ctx: &Ctx<Forms>`: the same, and questions | – | yes | – |
/// | the handoff | returned | `&H` | `H` |
///
/// `before` and `client` each return a type that `after` takes, or a `Result` of this type. The `Result` can be a type
/// alias. `after` returns any [`ToolOutput`](crate::ToolOutput). The handoff must be `Serialize` and `Deserialize`. The
/// value that `client` returns needs neither trait, because the runtime does not store this value: it stores the
/// answers and runs `client` again. Both values must be `Send`, and the handoff must be `Sync`.
///
/// # Keys
///
/// | key | value | default | meaning |
/// | --- | --- | --- | --- |
/// | `name` | string | the type's name in snake case | the name that the client calls |
/// | `title` | string | – | the name shown to users |
/// | `description` | string | the doc comment | the text that the model reads; also `include_str!("…")` |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | flag | not published | hints for the host |
/// | `requires(…)` | list | `elicitation`, if `client` has forms | capabilities that the client must have |
/// | `optional(…)` | list | – | capabilities that the tool uses if the client has them |
/// | `scopes(…)` | list | – | scopes that the caller must have: `scopes("flights:write")` |
/// | `timeout` | string | – | how long a call may run: `"30s"`, `"5m"` |
/// | `answer_within` | string | one hour | how long the client may take to answer: `"10m"`, `"24h"` |
/// | `task` | flag | off | the phase `after` continues as a task when the request has ended, for clients that support tasks; see the module `tasks` |
/// | `view` | type | – | the view that hosts show beside the results: a struct with [`#[mcp_view]`](macro@crate::view::mcp_view) |
/// | `visibility` | string | both | who calls the tool: `"app"` only views, `"model"` only models |
/// | `allow(…)` | list | – | rules of the command `check` that the tool may break |
/// | `meta(…)` | list | – | members of `_meta` |
/// | `crate` | path | `::mcp_runtime` | the path of the runtime crate |
///
/// These keys have the same meaning as in [`mcp_tool`](macro@crate::mcp_tool). A handoff does not need `replayable`.
///
/// # Compile errors
///
/// Only `client` can ask, and each value passed between the phases has one type:
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
///  |                                       ^^^ this is neither the context nor the handoff
///  |
///  = note: `client` cannot access the server: let `before` put the data for `client` into the handoff
///  = note: if this is the handoff, use the type that `before` returns and that `after` takes as its first value
/// ```
pub use mcp_macros::handoff;
