//! Reliability: what runs once, what can run again, and what the client gets when something fails.
//!
//! A tool that asks its user is called several times. Since 2026-07-28 each question ends the request; the client comes
//! back with the answers and a *state*, a string that identifies the call. In between, the process can end, the reply
//! can get lost, a proxy can send the request twice, and the next request can reach another machine. This page says how
//! the runtime handles that, and what the author must decide.
//!
//! # The promise
//!
//! Within one call `before` never runs again once its reply has left, and `after` never begins twice: across rounds,
//! repeated rounds and lost replies, and with a shared ledger also across restarts and instances.
//!
//! # One call
//!
//! ```text
//!  client                               server                              ledger: one record a call
//!    │                                    │                                         │
//!    │  tools/call                        │                                         │
//!    ├───────────────────────────────────▶│  before()            once               │
//!    │                                    │  client() asks: which flight?           │
//!    │           input_required, state 1  │                                         │
//!    │◀───────────────────────────────────┤                                       (none yet)
//!    │                                    ┆  the future is kept, not polled
//!    │  tools/call, state 1, an answer    ┆
//!    ├───────────────────────────────────▶│  leases round 1 ──────────────▶  round 1 running, lease 30 s
//!    │                                    │  client() resumes,
//!    │                                    │  or is replayed with the answers
//!    │                                    │  asks: are you sure? ─────────▶  round 2 open, its reply
//!    │           input_required, state 2  │
//!    │◀───────────────────────────────────┤
//!    │  tools/call, state 2, an answer    │
//!    ├───────────────────────────────────▶│  leases round 2 ──────────────▶  round 2 running
//!    │                                    │  client() returns ────────────▶  round 2 begun
//!    │                                    │  after()             once
//!    │                                    │  the result ──────────────────▶  done, its reply
//!    │                            result  │
//!    │◀───────────────────────────────────┤
//!    │  tools/call, state 1 or 2, again   │
//!    ├───────────────────────────────────▶│  runs nothing  ◀───────────────  done, its reply
//!    │                   the same result  │
//!    │◀───────────────────────────────────┤
//! ```
//!
//! A call only moves forward, and **the first answer wins**: of all requests that bring the state of a round, one
//! acquires its lease and runs it. The others wait for its reply, or get it later. The same holds for a state of an
//! earlier round, whatever answers it brings. A request that carries no answer, or cannot be resumed on this instance,
//! leaves its state valid.
//!
//! # What an author decides
//!
//! **[`#[handoff]`](macro@crate::handoff)** for tools with side effects. Put reads, quotes and reservations that expire
//! into `before`; questions into `client`, which cannot access the server and can be replayed; side effects into
//! `after`, which the ledger records as begun before it runs.
//!
//! ```
//! use mcp_runtime::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! # struct Bank;
//! # impl Bank {
//! #     fn name_of(&self, _account: &str) -> String { "Ada".into() }
//! #     async fn send(&self, _to: &str, _cents: u64, _key: &str) -> ToolResult<String> { Ok("sent".into()) }
//! # }
//! #[elicits]
//! enum Transfer {
//!     Confirm { confirmed: bool },
//! }
//!
//! #[derive(Serialize, Deserialize)]
//! struct Order {
//!     to: String,
//!     owner: String,
//!     cents: u64,
//! }
//!
//! struct TransferMoney(Bank);
//!
//! /// Transfers money, if its owner says yes.
//! #[handoff(destructive, answer_within = "24h")]
//! impl TransferMoney {
//!     async fn before(&self, to: String, cents: u64) -> Order {
//!         Order { owner: self.0.name_of(&to), to, cents }
//!     }
//!
//!     async fn client(ctx: &Ctx<Transfer>, order: &Order) -> ToolResult<bool> {
//!         let question = format!("Send {} cents to {}?", order.cents, order.owner);
//!         Ok(ctx.elicit::<Confirm>(question).strict().await?.confirmed)
//!     }
//!
//!     async fn after(&self, ctx: &PhaseCtx, order: Order, confirmed: bool) -> ToolResult<String> {
//!         if !confirmed {
//!             return Ok("nothing is sent".to_owned());
//!         }
//!         // The bank ignores a second request with the same key, whatever happens to this process.
//!         self.0.send(&order.to, order.cents, &ctx.idempotency_key("after")).await
//!     }
//! }
//!
//! Server::new("bank", "1.0.0").tool(TransferMoney(Bank)).build().unwrap();
//! ```
//!
//! **`#[mcp_tool(replayable)]`** for a single function with questions that can be run again from the top. The runtime
//! replays the answers it got, and suppresses log messages and progress until the function is where it was. Put effects
//! that must not be repeated into a [step](crate::Ctx::step), and take times and random numbers from
//! [`Ctx::now`](crate::Ctx::now) and [`Ctx::random`](crate::Ctx::random). A question that is different in each replay
//! ends the call with an error that names it.
//!
//! **`#[mcp_tool]`** alone is never replayed: its call lives in the process that began it, for 15 minutes after each
//! question unless `answer_within` says otherwise. If the client comes back after that or to another process, nothing
//! runs, and the error asks it to call the tool again.
//!
//! # What may run twice
//!
//! | what | when |
//! | --- | --- |
//! | a whole call | its first request is repeated. A client that sends `"idempotency-key"` in `_meta`, or over HTTP the header `Idempotency-Key`, is protected: the same key with the same arguments is the same call |
//! | `client`, and a replayable function outside of its steps | the call is rebuilt |
//! | a step or a tool marked [`idempotent`](crate::Step::idempotent) | the instance that began it is gone, and its outcome is unknown |
//! | a tool marked `read_only` or `idempotent`; any tool with [`Once::PerInstance`](crate::Once::PerInstance) | its rounds reach instances that share no ledger |
//! | `after`, or a step | the ledger's store loses acknowledged writes |
//!
//! [`Ctx::idempotency_key`](crate::Ctx::idempotency_key) is unique to one step of one call. Pass it to services that
//! support such keys: then the cases of the last two rows do no harm.
//!
//! # Which ledger
//!
//! A [ledger](crate::Ledger) records how far each call has got. All instances that share its store share these records.
//! Each ledger has an id, and a state is valid only where its ledger is.
//!
//! | the server is | ledger | keys | a restart |
//! | --- | --- | --- | --- |
//! | one process | [`MemoryLedger`](crate::MemoryLedger), the default | none: random ones | ends open calls, with an error that says so |
//! | one machine, one process or several | `SqliteLedger` (feature `sqlite`) | `MCP_STATE_KEY` | open calls continue |
//! | many machines | `RedisLedger` (feature `redis`), with `noeviction` | the same `MCP_STATE_KEY` | open calls continue |
//! | many machines that share no store | any, and [`Once::PerInstance`](crate::Once::PerInstance) or tools that are `read_only` or `idempotent` | the same `MCP_STATE_KEY` | open calls continue; at least once |
//!
//! The ledger's clock decides when a state expires, how long a record is kept and when a lease runs out. The ledger
//! compares the time in the same atomic step that acquires the lease. Its time never runs backwards and never stands
//! still: a ledger in memory uses monotonic time, and a shared one stores the latest time with every write and
//! continues from there. If the wall clock of an instance is more than five minutes off, the instance logs this once a
//! minute, reports it at `/health/ready`, and keeps using the ledger's time. The `timeout` of a question uses the
//! ledger's time as well; [`Ctx::now`](crate::Ctx::now) returns wall-clock time.
//!
//! With [`Once::PerInstance`](crate::Once::PerInstance) each instance uses the time of its own ledger.
//!
//! Without the feature `seal` a state is a handle that only its own process understands; whatever the ledger, the first
//! row applies. With it a state carries the handoff and the answers so far, encrypted and authenticated
//! (XChaCha20-Poly1305): the client can neither read nor change them, nor use them with another tool, other arguments
//! or another principal. Where clients have no identity, everyone who has a state can resume its call. `KeyRing` holds
//! the keys and documents their rotation: keep the old key for as long as its states are valid.
//!
//! # Defaults
//!
//! | what | how much | set by |
//! | --- | --- | --- |
//! | a state is valid, its record is kept | 1 h | `answer_within = "24h"` on the tool |
//! | a future is kept for its client | 15 min; then the call is rebuilt, or ends if it cannot be | – |
//! | the lease of an instance that no longer responds | 30 s | [`Server::lease`](crate::Server::lease) |
//! | a repeated request waits for the running one | 30 s, and 16 of them per call; then -32603 with `retryAfterMs` | – |
//! | rounds | [`rounds_left`](crate::Ctx::rounds_left) counts from 8; after 32 the call ends with an error | – |
//! | consecutive requests without an answer | the third is [`AskError::Unanswered`](crate::AskError::Unanswered) | – |
//! | size of a state | 32 KiB; beyond that the ledger stores its journal | `Server::max_state_size` |
//! | size of a recorded result | 256 KiB; of a larger one only its completion is recorded | – |
//! | results of finished calls, together | memory: 32 MiB · SQLite: while less than 256 MiB are used · Redis: 5 min each; then only the completion is recorded | `MemoryLedger::with_limits`, `SqliteLedger::with_limit`, `RedisLedgerBuilder::keep_replies` |
//! | all steps of a call | 256 KiB | – |
//! | calls that wait for their clients | 16,384, of one principal 2,048 | – |
//!
//! A tool's `timeout` counts while the tool runs, not while it waits for its user.
//!
//! # Fault by fault
//!
//! `M` a ledger in memory, one process · `S` SQLite, one machine · `R` Redis (`noeviction`, durable), many instances.
//! `S` and `R` have keys set by the operator. Plain tools that are not replayable behave as in `M`. A call is
//! everything from a first request to its result.
//!
//! | fault | `before` | `client` | `after` | what the client sees |
//! | --- | --- | --- | --- | --- |
//! | first request repeated (retry, proxy) | **again: a new call** (once with an idempotency key) | new questions | at most once *per call* | a second set of questions |
//! | reply of the first request lost, no retry | ran once | – | never | nothing; the call expires |
//! | reply of a later round lost, same state again | not again | not again | not again | the recorded reply (M S R) |
//! | a finished call repeated, its reply discarded to make room | not again | not again | not again | -32602 “is completed; its reply is no longer kept” |
//! | 8 duplicates at once | not again | one runs | at most once | one answer, the others wait and get the same |
//! | same state, other answers | not again | first wins | at most once | latest reply of the call |
//! | only missing or unknown keys | not again | asked again (third time: `Unanswered`) | no | same questions; old and new state both valid |
//! | invalid answer | not again | asked again once | no | question with the reason, new state |
//! | malformed `inputResponses`, or a capability is missing | no | no | no | -32602 / -32021; state still valid |
//! | cancel or disconnect before `after` began | not again | dropped, may be rebuilt | no | state still valid (plain, not replayable: call over) |
//! | cancel or disconnect while `after` runs | – | – | runs to its end, once | retry gets its result |
//! | process dies between rounds | not again | rebuilt (S R); M: rejected | at most once | continues (S R); M: clear error |
//! | process dies in mid-round, `after` not begun | not again | rebuilt after the lease (S R); M: rejected | at most once | retry waits ≤ lease (default 30 s); M: clear error |
//! | process dies after `after` has begun, before its result is recorded | – | – | **at most once, outcome unknown** | -32603 “its outcome is unknown”, with the `idempotencyKey` for a look-up downstream; `idempotent` tools run again with the same key; M: clear error |
//! | instance stalls past its lease, wakes | – | its writes fail | at most once | result of the instance that took over; if `after` had begun, as above until it has its result |
//! | next round on another instance | not again | rebuilt (R); M S: rejected | at most once | continues (R); else clear error |
//! | ledger unavailable | – | – | not begun | -32603, state still valid |
//! | ledger becomes unavailable while `after` runs | – | – | runs to its end, once | its result; it is recorded if the ledger is back within minutes, else as if the process had died |
//! | ledger emptied, wrong ledger, restart with M | – | – | never again | clear error naming the ledger (after a restart with random keys: that the state is unknown) |
//! | Redis failover loses acknowledged writes | – | – | **may begin again** if configured as durable, else never again | AOF with `always`, or idempotency keys downstream |
//! | deploy: message or form changed | not again | that question asked again | at most once | one more question |
//! | deploy: type of the handoff changed | not again | no | no | clear error, start again; the old version can still continue it |
//! | key retired too early, state tampered, other user or arguments | no | no | no | -32602 |
//! | wall clock of an instance jumps or differs, by any amount | not again | continues | at most once | nothing, or “expired” early; readiness warns |
//! | wall clock of Redis, or of the machine of a file, is set back | not again | continues | at most once | nothing; after a restart of all instances open calls may last longer |
//! | the same, set forward | not again | no | at most once | open calls expire early |
//! | user never answers | ran once | gone after expiry | never | – |
//! | session (before 2026-07-28) over HTTP: the connection of a request ends | once | continues | at most once | nothing: its result is lost |
//! | other session: the connection ends | once | dropped after the server's grace period | at most once; once begun, to its end | nothing: no record, no retry |
//! | session: process dies | maybe once | gone | at most once | nothing: no record, no retry |
//! | `ctx.step` | as `after`, per step | | | |
//!
//! Over HTTP, an error after which the client can retry the same request has status 503.
//!
//! *One process, default settings*: random key, ledger in memory, column M throughout; a restart ends open
//! conversations with a clear error. *Three replicas, no shared ledger*: with a common key or without, a round that
//! reaches another replica is rejected, never run twice; it works with sticky routing, with `Once::PerInstance`, or for
//! `read_only` and `idempotent` tools with a common key. *Three replicas, key and Redis*: column R.
