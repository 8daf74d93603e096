//! How a conversation survives: what runs once, what may run again, and what a client is told when something fails.
//!
//! A tool that asks its user is called several times. Since 2026-07-28 each question ends the request; the client comes
//! back with the answers and with a *state*, a text that leads back to the call. Between the two the process may have
//! ended, the reply may have been lost, a proxy may have sent the request twice, and the next request may reach another
//! machine. This page says what the runtime makes of that, and what is left to the author.
//!
//! # The promise
//!
//! Within one call `before` is never run again once its reply has left, and `after` never begins twice: across rounds,
//! repeated rounds and lost replies, and with a ledger that reaches as far, across restarts and instances.
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
//!    ├───────────────────────────────────▶│  takes round 1 up ────────────▶  round 1 running, lease 30 s
//!    │                                    │  client() goes on,
//!    │                                    │  or is run again with the answers
//!    │                                    │  asks: are you sure? ─────────▶  round 2 open, its reply
//!    │           input_required, state 2  │
//!    │◀───────────────────────────────────┤
//!    │  tools/call, state 2, an answer    │
//!    ├───────────────────────────────────▶│  takes round 2 up ────────────▶  round 2 running
//!    │                                    │  client() is done ────────────▶  round 2 begun
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
//! A call goes forward only, and **the first answer wins**: a round is taken up by one request of all that bring its
//! state. The others wait for its reply, or get it later; so does a state of an earlier round, whatever answers it
//! brings. A request that takes no answer, or cannot be taken up here, spends nothing: its state stays good.
//!
//! # What an author decides
//!
//! **[`#[handoff]`](macro@crate::handoff)** for tools that take effect. Reads, quotes and reservations that lapse
//! belong into `before`; questions into `client`, which holds nothing of the server and may be run again; effects into
//! `after`, which is written down as begun before it begins.
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
//!         // The bank does not do the same twice, whatever happens to this process.
//!         self.0.send(&order.to, order.cents, &ctx.idempotency_key("after")).await
//!     }
//! }
//!
//! Server::new("bank", "1.0.0").tool(TransferMoney(Bank)).build().unwrap();
//! ```
//!
//! **`#[mcp_tool(replayable)]`** for one function with questions that may be run again from the top. What it was
//! answered is fed back, log and progress are silent until it is where it was; what must not be done again is a
//! [step](crate::Ctx::step), and clocks and random numbers come from [`Ctx::now`](crate::Ctx::now) and
//! [`Ctx::random`](crate::Ctx::random). A question that comes out differently each time ends the call with an error
//! that names it.
//!
//! **`#[mcp_tool]`** alone is never run again: its call lives in the process that began it, for 15 minutes after each
//! question unless it says `answer_within`. If that is not where the client comes back, it is told to call the tool
//! again, and nothing runs.
//!
//! # What may run twice
//!
//! | what | when |
//! | --- | --- |
//! | a whole call | its first request is repeated. A client that sends `"idempotency-key"` in `_meta`, or over HTTP the header `Idempotency-Key`, is covered from there on: the same key with the same arguments is the same call |
//! | `client`, and a replayable function outside of its steps | whenever the call is rebuilt |
//! | what is marked [`idempotent`](crate::Step::idempotent): a step, or a whole tool | whoever began it is gone, and its outcome is not known |
//! | a tool marked `read_only` or `idempotent`; any tool with [`Once::PerInstance`](crate::Once::PerInstance) | its rounds reach instances that share no ledger |
//! | `after`, or a step | the store of the ledger loses what it has acknowledged |
//!
//! [`Ctx::idempotency_key`](crate::Ctx::idempotency_key) stands for a step of a call, and for no other: services that
//! know such keys make the last two harmless.
//!
//! # Which ledger
//!
//! A [ledger](crate::Ledger) knows how far each call is. It reaches as far as its store, and has an id: a state is
//! honoured where its ledger is, and nowhere else.
//!
//! | the server is | ledger | keys | a restart |
//! | --- | --- | --- | --- |
//! | one process | [`MemoryLedger`](crate::MemoryLedger), the default | none: random ones | ends open calls, with an error that says so |
//! | one machine, one process or several | `SqliteLedger` (feature `sqlite`) | `MCP_STATE_KEY` | open calls go on |
//! | many machines | `RedisLedger` (feature `redis`), with `noeviction` | the same `MCP_STATE_KEY` | open calls go on |
//! | many machines that share no store | any, and [`Once::PerInstance`](crate::Once::PerInstance) or tools that are `read_only` or `idempotent` | the same `MCP_STATE_KEY` | open calls go on; at least once |
//!
//! One clock judges a call, the ledger's: when a state is past its time, how long its record is kept, when a round is
//! taken over. It is compared in the same step that takes the round up. It never runs backwards and never stands still:
//! a ledger in memory goes by monotonic time, and one that is shared keeps the latest time with every write and goes on
//! from there. An instance whose wall clock is more than five minutes from it says so in the log, once a minute, and at
//! `/health/ready`, and goes on by the ledger's time. The `timeout` of a question is by the ledger's time as well;
//! [`Ctx::now`](crate::Ctx::now) is by the wall clock.
//!
//! With [`Once::PerInstance`](crate::Once::PerInstance) each instance judges by the time of its own ledger.
//!
//! Without the feature `seal` a state is a handle that its own process alone understands: that is the first line,
//! whatever the ledger. With it a state carries the handoff and the answers so far, sealed (XChaCha20-Poly1305): its
//! client can neither read nor change them, nor bring them with another tool, other arguments or for another principal.
//! Where clients are not told apart, whoever has a state can go on with its call. `KeyRing` has the keys and says how
//! they are replaced: the old one must stay for as long as its states are good.
//!
//! # Defaults
//!
//! | what | how much | set by |
//! | --- | --- | --- |
//! | a state is good, its record is kept | 1 h | `answer_within = "24h"` at the tool |
//! | a future is kept for its client | 15 min; then the call is rebuilt, or over | – |
//! | a round belongs to an instance that is not heard of | 30 s | [`Server::lease`](crate::Server::lease) |
//! | a repeated request waits for the one that runs | 30 s, and 16 of them a call; then -32603 with `retryAfterMs` | – |
//! | rounds | [`rounds_left`](crate::Ctx::rounds_left) counts from 8; after 32 the call ends with an error | – |
//! | requests in a row without an answer | the third is [`AskError::Unanswered`](crate::AskError::Unanswered) | – |
//! | a state | 32 KiB; beyond that its journal is left with the ledger | `Server::max_state_size` |
//! | a result that is kept | 256 KiB; of a larger one only that it is completed | – |
//! | results of finished calls, together | memory: 32 MiB · SQLite: while less than 256 MiB are taken · Redis: 5 min each; then only that the call is completed | `MemoryLedger::with_limits`, `SqliteLedger::with_limit`, `RedisLedgerBuilder::keep_replies` |
//! | all steps of a call | 256 KiB | – |
//! | calls that wait for their clients | 16,384, of one principal 2,048 | – |
//!
//! A tool's `timeout` counts while it runs, never while it waits for its user.
//!
//! # Fault by fault
//!
//! `M` a ledger in memory, one process · `S` SQLite, one machine · `R` Redis (`noeviction`, durable), many instances.
//! `S` and `R` with keys of their operator's. Plain tools that are not replayable are as in `M`. A call is all from a
//! first request to its result.
//!
//! | fault | `before` | `client` | `after` | what the client sees |
//! | --- | --- | --- | --- | --- |
//! | first request repeated (retry, proxy) | **again: a new call** (once with an idempotency key) | new questions | at most once *per call* | a second set of questions |
//! | reply of the first request lost, no retry | ran once | – | never | nothing; the call expires |
//! | reply of a later round lost, same state again | not again | not again | not again | the recorded reply (M S R) |
//! | a finished call repeated, its reply discarded to make room | not again | not again | not again | -32602 “is completed; its reply is no longer kept” |
//! | 8 duplicates at once | not again | one runs | at most once | one answer, the others wait and get the same |
//! | same state, other answers | not again | first wins | at most once | latest reply of the call |
//! | missing or unknown keys only | not again | asked again (third time: `Unanswered`) | no | same questions; old and new state both good |
//! | invalid answer | not again | asked again once | no | question with the reason, new state |
//! | malformed `inputResponses`, or a capability is missing | no | no | no | -32602 / -32021; state still good |
//! | cancel or disconnect before `after` began | not again | dropped, may be rebuilt | no | state still good (plain, not replayable: call over) |
//! | cancel or disconnect while `after` runs | – | – | runs to its end, once | retry gets its result |
//! | process dies between rounds | not again | rebuilt (S R); M: refused | at most once | goes on (S R); M: clear error |
//! | process dies in mid-round, `after` not begun | not again | rebuilt after the lease (S R); M: refused | at most once | retry waits ≤ lease (default 30 s); M: clear error |
//! | process dies after `after` has begun, before its result is recorded | – | – | **at most once, outcome unknown** | -32603 “its outcome is unknown”, with the `idempotencyKey` for a look-up downstream; `idempotent` tools run again with the same key; M: clear error |
//! | instance stalls past its lease, wakes | – | its writes fail | at most once | result of the one that took over; if `after` had begun, as above until it has its result |
//! | next round on another instance | not again | rebuilt (R); M S: refused | at most once | goes on (R); else clear error |
//! | ledger away | – | – | not begun | -32603, state still good |
//! | ledger goes away while `after` runs | – | – | runs to its end, once | its result; it is recorded when the ledger is back within minutes, else as if the process had died |
//! | ledger emptied, wrong ledger, restart with M | – | – | never again | clear error naming the ledger (after a restart with random keys: that the state is not known) |
//! | Redis failover loses acknowledged writes | – | – | **may begin again** if said to be durable, else never again | AOF with `always`, or idempotency keys downstream |
//! | deploy: message or form changed | not again | that question asked again | at most once | one question more |
//! | deploy: type of the handoff changed | not again | no | no | clear error, start again; the old version still goes on with it |
//! | key retired too early, state tampered, other user or arguments | no | no | no | -32602 |
//! | wall clock of an instance steps or differs, by any amount | not again | goes on | at most once | nothing, or “expired” early; readiness warns |
//! | wall clock of Redis, or of the machine of a file, is put back | not again | goes on | at most once | nothing; after a restart of all instances open calls may last longer |
//! | the same, put ahead | not again | no | at most once | open calls expire early |
//! | user never answers | ran once | gone after expiry | never | – |
//! | session (before 2026-07-28) over HTTP: the connection of a request ends | once | goes on | at most once | nothing: its result is lost |
//! | other session: the connection ends | once | dropped after the server's grace | at most once; once begun, to its end | nothing: no record, no retry |
//! | session: process dies | maybe once | gone | at most once | nothing: no record, no retry |
//! | `ctx.step` | as `after`, per step | | | |
//!
//! Over HTTP, an error after which the same request may come again has the status 503.
//!
//! *One process, nothing configured*: random key, ledger in memory, everything above in column M; a restart ends open
//! conversations with a clear error. *Three replicas, no shared ledger*: with a common key or without, a round that
//! lands elsewhere is refused, never doubled; it works with sticky routing, or with `Once::PerInstance`, or for
//! `read_only` and `idempotent` tools with a common key. *Three replicas, key and Redis*: column R.
