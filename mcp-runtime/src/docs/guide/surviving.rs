//! Reliability: what runs once, what can run again, and what the client gets when something fails.
//!
//! A call of a tool that asks its user takes several requests. Since 2026-07-28 a question ends the request; the
//! client's next request carries the answers and a *state* (`requestState`), a string that identifies the call. Between
//! these requests, the process can end, the reply can get lost, a proxy can send the request twice, and the next
//! request can reach another machine. This page says how the runtime handles these faults, and what the author must
//! decide.
//!
//! # The promise
//!
//! Within one call, `before` never runs again after the server has sent the first reply, and `after` never begins
//! twice. This holds across rounds, repeated requests and lost replies, and with a shared ledger also across restarts
//! and instances.
//!
//! # One call
//!
//! ```text
//!  client                               server                              ledger: one record per call
//!    │                                    │                                         │
//!    │  tools/call                        │                                         │
//!    ├───────────────────────────────────▶│  before()            once               │
//!    │                                    │  client() asks: which flight?           │
//!    │           input_required, state 1  │                                         │
//!    │◀───────────────────────────────────┤                                       (none yet)
//!    │                                    ┆  the future waits in memory
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
//! A call only moves forward, and **the first answer wins**. If several requests have the state of one round, one of
//! them acquires the lease on the round and runs the round. The other requests wait for the reply of that round, and
//! their answers are ignored. A request with the state of an earlier round gets the latest reply of the call, and its
//! answers are ignored too. If a request carries no answer, or the call cannot be resumed on this instance, the state
//! stays valid.
//!
//! # What an author decides
//!
//! **[`#[handoff]`](macro@crate::handoff)** is for tools with side effects. Put reads, price quotes and reservations
//! that expire into `before`. Put questions into `client`, which cannot access the server's state and can be replayed.
//! Put side effects into `after`: the ledger first records that `after` has begun, and only then does `after` run.
//!
//! ```
//! use mcp_runtime::{Result, prelude::*};
//! use serde::{Deserialize, Serialize};
//!
//! # struct Bank;
//! # impl Bank {
//! #     fn name_of(&self, _account: &str) -> String { "Ada".into() }
//! #     async fn send(&self, _to: &str, _cents: u64, _key: &str) -> Result<String> { Ok("sent".into()) }
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
//! /// Transfers money if the user confirms.
//! #[handoff(destructive, answer_within = "24h")]
//! impl TransferMoney {
//!     async fn before(&self, to: String, cents: u64) -> Order {
//!         Order { owner: self.0.name_of(&to), to, cents }
//!     }
//!
//!     async fn client(ctx: &Ctx<Transfer>, order: &Order) -> Result<bool> {
//!         let question = format!("Send {} cents to {}?", order.cents, order.owner);
//!         Ok(ctx.elicit::<Confirm>(question).strict().await?.confirmed)
//!     }
//!
//!     async fn after(&self, ctx: &PhaseCtx, order: Order, confirmed: bool) -> Result<String> {
//!         if !confirmed {
//!             return Ok("nothing is sent".to_owned());
//!         }
//!         // The bank ignores a second request with the same key.
//!         self.0.send(&order.to, order.cents, &ctx.idempotency_key("after")).await
//!     }
//! }
//!
//! Server::new("bank", "1.0.0").tool(TransferMoney(Bank)).build().unwrap();
//! ```
//!
//! **`#[mcp_tool(replayable)]`** is for a function that asks questions and can be run again from its beginning. The
//! runtime replays the recorded answers, and suppresses log messages and progress until the function reaches its first
//! unanswered question. Put effects that must not be repeated into a [step](crate::Ctx::step), and take times and
//! random numbers from [`Ctx::now`](crate::Ctx::now) and [`Ctx::random`](crate::Ctx::random). If a question is
//! different in the replay, the call ends with an error that names the question.
//!
//! **`#[mcp_tool]`** without `replayable` is never replayed. Its call waits in the memory of the process that began the
//! call. It waits for 15 minutes after each question, unless the tool sets `answer_within`. If a request comes later or
//! reaches another process, nothing runs. The client gets an error and must call the tool again.
//!
//! # What may run twice
//!
//! | what | when |
//! | --- | --- |
//! | a whole call | its first request is repeated. A client that sends `"idempotency-key"` in `_meta`, or over HTTP the header `Idempotency-Key`, is protected: the same key with the same arguments is the same call |
//! | a tool that does not ask, called with such a key | its request is cancelled, and the ledger is in memory. With any other ledger, a tool that is neither `read_only` nor `idempotent` nor `replayable` begins once, like `after`: it runs to its end although its request is cancelled, and if its process dies, its outcome is unknown |
//! | `client`, and a replayable function outside of its steps | an instance rebuilds the call |
//! | a step or a tool marked [`idempotent`](crate::call::Step::idempotent) | the instance that ran it is gone before the outcome is recorded |
//! | a tool marked `read_only` or `idempotent`; any tool with [`Once::PerInstance`](crate::store::Once::PerInstance) | its rounds reach instances that share no ledger |
//! | `after`, or a step | the ledger's store loses acknowledged writes |
//!
//! [`Ctx::idempotency_key`](crate::Ctx::idempotency_key) is unique to one step of one call. If you pass it to services
//! that support such keys, the repetitions in the last two rows of the table do no harm.
//!
//! # Which ledger
//!
//! A [ledger](crate::store::Ledger) records which round of each call is next. All instances that share a store share these
//! records. Each ledger has an id. A state contains the id of its ledger, and only instances with that ledger accept
//! the state.
//!
//! | the server is | ledger | keys | a restart |
//! | --- | --- | --- | --- |
//! | one process | [`MemoryLedger`](crate::store::MemoryLedger), the default | random, the default | open calls end, and an error tells the client |
//! | one machine, one process or several | `SqliteStore` (feature `sqlite`) | `MCP_STATE_KEY` | open calls continue |
//! | many machines | `RedisStore` (feature `redis`), with `noeviction`, or `PostgresStore` (feature `postgres`) | the same `MCP_STATE_KEY` | open calls continue |
//! | many machines that share no store | any, and [`Once::PerInstance`](crate::store::Once::PerInstance) or tools that are `read_only` or `idempotent` | the same `MCP_STATE_KEY` | open calls continue; each can run more than once |
//!
//! The ledger's clock decides when a state expires, how long a record is kept and when a lease runs out. The ledger
//! compares the time in the same atomic step that acquires the lease. Its time never runs backwards and never stands
//! still. A ledger in memory uses monotonic time. A shared ledger stores the latest time with every write and continues
//! from the stored time. If the wall clock of an instance differs from that time by more than five minutes, the
//! instance logs this once a minute, reports it at `/health/ready`, and uses the ledger's time. The `timeout` of a
//! question also uses the ledger's time; [`Ctx::now`](crate::Ctx::now) returns wall-clock time.
//!
//! With [`Once::PerInstance`](crate::store::Once::PerInstance) each instance uses the time of its own ledger.
//!
//! Without the feature `seal`, a state is a handle. Only the process that created the handle can resume the call, so
//! the first row of the table applies with every ledger. With the feature, the state of the first round contains the
//! handoff, encrypted and authenticated (XChaCha20-Poly1305). From the second round on, the handoff and the answers so far
//! are in the call's record, and a state only identifies the call (authenticated with BLAKE3): the rounds of a call
//! cost the same, however many there are. A call that can continue with another ledger carries its handoff and answers
//! in every state instead. The client can neither read nor change a state, and can use it only with the same tool,
//! arguments and principal. If clients have no identity, every client that knows a state can resume its call. `KeyRing` holds the keys and documents their rotation: keep an old key as long as states
//! sealed with it are valid.
//!
//! # Defaults
//!
//! | what | how much | set by |
//! | --- | --- | --- |
//! | time that a state is valid and its record is kept | 1 h; 15 min if the call cannot be rebuilt | `answer_within = "24h"` on the tool |
//! | time that a future waits in memory | 15 min if the call can be rebuilt; otherwise as long as its state is valid | `answer_within`, if the call cannot be rebuilt |
//! | time until the lease of an unresponsive instance expires | 30 s | [`Server::lease`](crate::Server::lease) |
//! | time that a repeated request waits for the running one | 30 s; at most 16 requests per call wait; the others get -32603 with `retryAfterMs` | – |
//! | rounds of a call | [`rounds_left`](crate::Ctx::rounds_left) counts down from 8; after 32 rounds the call ends with an error | – |
//! | consecutive requests without an answer | the third fails with [`AskError::Unanswered`](crate::AskError::Unanswered) | – |
//! | size of a state | 32 KiB; the journal of a larger state is stored in the ledger | `Server::max_state_size` |
//! | size of a recorded result | 256 KiB; if a result is larger, only the completion of the call is recorded | – |
//! | results of all finished calls | memory: 32 MiB · SQLite: while less than 256 MiB are used · Redis and PostgreSQL: 5 min each; after that only the completion is recorded | `MemoryLedger::with_limits`, `SqliteStore::with_limit`, `RedisStoreBuilder::keep_replies` |
//! | size of all steps of a call | 256 KiB | – |
//! | futures that wait in memory | 16,384 in total, 2,048 for one client | [`Server::max_parked_calls_per_client`](crate::Server::max_parked_calls_per_client) for one client |
//!
//! A tool's `timeout` counts while the tool runs, not while it waits for its user.
//!
//! # Fault by fault
//!
//! `M` is a ledger in memory, in one process. `S` is SQLite, on one machine. `R` is Redis (`noeviction`, durable) or
//! PostgreSQL, for many instances. With `S` and `R` the operator has set the keys. With any ledger, tools that are neither a handoff
//! nor replayable behave as with `M`. A call is everything from a first request to its result.
//!
//! | fault | `before` | `client` | `after` | what the client sees |
//! | --- | --- | --- | --- | --- |
//! | first request repeated (retry, proxy) | **again: a new call** (once with an idempotency key) | new questions | at most once *per call* | a second set of questions |
//! | reply of the first request lost, no retry | ran once | – | never | nothing; the call expires |
//! | reply of a later round lost, request repeated | not again | not again | not again | the recorded reply (M S R) |
//! | request of a finished call repeated, its recorded reply evicted | not again | not again | not again | -32602 “is completed; its reply is no longer stored” |
//! | 8 duplicate requests at once | not again | one runs | at most once | one reply: the other requests wait and get the same |
//! | request repeated with other answers | not again | the first answers win | at most once | latest reply of the call |
//! | request without an answer to its questions | not again | asks again (third time: `Unanswered`) | no | same questions; old and new state both valid |
//! | invalid answer | not again | asks again once | no | the question with the reason, new state |
//! | malformed `inputResponses`, or a capability is missing | no | no | no | -32602 / -32021; state still valid |
//! | cancellation or disconnect before `after` has begun | not again | dropped, can be rebuilt | no | state still valid (tool that cannot be rebuilt: the call ends) |
//! | cancellation or disconnect while `after` runs | – | – | runs to its end, once | a retry gets the result |
//! | process dies between rounds | not again | rebuilt (S R); M: rejected | at most once | the call continues (S R); M: an error |
//! | process dies during a round, `after` not begun | not again | rebuilt after the lease (S R); M: rejected | at most once | a retry waits until the lease expires (default 30 s); M: an error |
//! | process dies after `after` has begun, before its result is recorded | – | – | **at most once, outcome unknown** | -32603 “its outcome is unknown”, with the `idempotencyKey` to look up the effect in the called service; `idempotent` tools run again with the same key; M: an error |
//! | instance stalls until its lease has expired, then continues | – | its writes fail | at most once | result of the instance that took over; if `after` had begun, “its outcome is unknown” until `after` has its result |
//! | next round reaches another instance | not again | rebuilt (R); M S: rejected | at most once | the call continues (R); M S: an error |
//! | ledger unavailable | – | – | not begun | -32603, state still valid |
//! | ledger becomes unavailable while `after` runs | – | – | runs to its end, once | the result; it is recorded if the ledger is available again within minutes, otherwise a retry is handled as if the process had died |
//! | ledger emptied, wrong ledger, restart with M | – | – | never again | an error that names the ledger (after a restart with random keys: an error that the state is unknown) |
//! | Redis or PostgreSQL failover loses acknowledged writes | – | – | **can begin again** if the ledger is configured as durable, otherwise never again | use AOF with `always`, a synchronous replica, or idempotency keys in the called service |
//! | deploy: message or form of a question changed | not again | asks that question again | at most once | one more question |
//! | deploy: type of the handoff changed | not again | no | no | an error that asks to start again; an instance of the old version can still resume the call |
//! | key removed too early, state tampered with, other user or arguments | no | no | no | -32602 |
//! | wall clock of an instance jumps or differs, by any amount | not again | continues | at most once | nothing, or “expired” early; `/health/ready` warns |
//! | wall clock of Redis or PostgreSQL, or of the machine with the SQLite file, is set back | not again | continues | at most once | nothing; after a restart of all instances open calls can last longer |
//! | the same clock is set forward | not again | no | at most once | open calls expire early |
//! | user never answers | ran once | dropped when the state expires | never | – |
//! | session (before 2026-07-28) over HTTP: the connection of a request ends | once | continues | at most once | nothing; if the reply is a stream, the client can resume the stream and gets the result |
//! | other session: the connection ends | once | dropped after the server's grace period | at most once; runs to its end if it has begun | nothing: no record, no retry |
//! | session: process dies | at most once | gone | at most once | nothing: no record, no retry |
//! | `ctx.step` | each step behaves like `after` | | | |
//!
//! If the client can retry the same request after an error, that error has status 503 over HTTP.
//!
//! - One process with default settings has a random key and a ledger in memory: `M` applies.
//! - Three replicas without a shared ledger: each replica rejects the later rounds of a call that another replica
//!   began, with or without a common key. So nothing runs twice. To serve such rounds, use sticky routing, or a common
//!   key together with `Once::PerInstance` or with tools that are `read_only` or `idempotent`.
//! - Three replicas with a common key and Redis or PostgreSQL: `R` applies.
