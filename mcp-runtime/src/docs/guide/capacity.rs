//! How many conversations a fleet carries, and what to add when it carries too few.
//!
//! A *conversation* is a call that asks its user: at least two requests, with a wait between them. It needs three
//! things, and each of them grows by adding machines:
//!
//! | what | needed for | add |
//! | --- | --- | --- |
//! | processor time of instances | every request | instances. Any load balancer will do: see [`surviving`](super::surviving) |
//! | memory of instances | calls that wait for an answer | instances, or `replayable` tools, whose calls need not wait in memory |
//! | processor time and memory of the store | the record of each call, which makes a round run once | [shards](#several-stores) |
//!
//! # What a conversation costs
//!
//! Measured with Redis 7.0, with `cargo bench -p mcp-benches-sustained` and `cargo bench -p mcp-benches`, on one machine
//! with two cores that others use too. Measure on yours before you buy machines.
//!
//! | | cost |
//! | --- | ---: |
//! | an instance: a confirmation with a record in Redis, on stdio | 66 µs of a core |
//! | the same over HTTP | about 90 µs of a core |
//! | a call that waits in an instance: a tool; a `#[handoff]` with sealed states | 3.0 KB; 0.6 KB |
//! | Redis: the functions for a confirmation (17 commands in 2 functions) | 38 µs of its core |
//! | Redis: to read the requests and to write the replies | about 12 µs of its core |
//! | Redis: an open record with a value of 60 B; of 700 B | 0.45 KB; 1.4 KB |
//! | Redis: a finished call while its reply of 300 B is kept | 0.55 KB |
//! | Redis: a finished call after that, until its states expire | 27 B |
//!
//! The number of functions that the store runs for a conversation follows from its rounds. There is no record before the
//! first answer, so a first request, and a conversation that its user leaves without an answer, need no store:
//!
//! | | functions |
//! | --- | ---: |
//! | the first answer, and the end of the call | 2 |
//! | each further round of questions | 3 |
//! | `after` of a `#[handoff]` | 1 |
//! | each `ctx.step` | 2 |
//! | a request that is repeated after its round has ended | 1 or 2 |
//!
//! PostgreSQL runs the same number of functions, and each write waits for its disk.
//!
//! # Several stores
//!
//! One Redis runs its functions on one thread. With the costs above, that thread is busy with 20,000 confirmations a
//! second. More Redis servers carry more:
//!
//! ```sh
//! FLIGHTS_STORE='redis://one redis://two redis://three'
//! ```
//!
//! [`store::open`](crate::store::open) opens all of them. In code, the method is
//! [`StoreParts::shard`](crate::store::StoreParts::shard), for stores of every kind. Each instance gives the next new call
//! to the next store, so that each store gets its share of the calls. A call stays in its store, because every state
//! names the store. So the instances can have the stores in any order, and need not agree which of them are in use.
//!
//! - **A store fails.** Its calls get the same errors as with a single store: they can be repeated until the store is back,
//!   and end if it has lost its data. Calls in other stores are not affected. New calls begin in the others: the first
//!   operation that fails tells an instance to leave the store out for 10 seconds. A call that began at the failed store
//!   before that, and has no record yet, waits like the others. An instance is ready while one store can be written, and
//!   starts if the first store can be reached. Remove a store that is lost for good from the list; then its calls end with
//!   an error that says so.
//! - **A store is full.** New calls begin in the others.
//! - **To add a store**, add it to the list of one instance after the other. An instance that does not know the store yet
//!   rejects the calls in it as those of another ledger. To avoid that, first add it with `draining:` before its URL, on
//!   all instances, and then remove that word.
//! - **To remove a store**, write `draining:` before its URL on all instances. It gets no new calls and ends those that it
//!   has. Remove it from the list when the states of its calls have expired, which takes
//!   [an hour](super::surviving) by default.
//! - **The first store** also has what is found by its name and not by a state: calls with an idempotency key, calls of
//!   plugins, and [runs](crate::runs). Where these are must not change when a store is added, because they could then run
//!   twice. So the first store must be the same on all instances, and cannot be drained.
//!
//! Do not name the nodes of a Redis Cluster as stores. All keys of a prefix are on one node of the cluster, and the
//! cluster moves them to another one with their slot. Independent servers, each with its own replica, need no such moves:
//! their calls end within an hour.
//!
//! # A million conversations a second
//!
//! A tool that asks once, over HTTP; its users need 20 seconds for an answer; replies of 300 B.
//!
//! 1. *Stores.* A confirmation takes 50 µs of a Redis, so a million need 50 cores. At 70 % load these are **72 Redis
//!    servers**, each with 14,000 confirmations a second.
//! 2. *Memory of the stores.* With the default, a finished call keeps its reply for 5 minutes: 300 million replies take
//!    165 GB, or 2.3 GB for each server. With `RedisStore::builder(…).keep_replies` of 30 seconds they take
//!    16.5 GB, or 230 MB each. The finished calls of the last hour take 3.6 billion × 27 B at most: 1.4 GB for each server. States
//!    that expire after 10 minutes (`answer_within = "10m"`) need a sixth of that.
//! 3. *Instances.* 90 µs for each confirmation are 90 cores. At 60 % load these are **150 cores**.
//! 4. *Memory of the instances.* 20 million calls wait. In memory they take 72 GB, which is 0.5 GB for each core. With
//!    `#[handoff]` and sealed states they take 16 GB.
//! 5. *One server lost.* One Redis of 72 ends or delays 1.4 % of the calls.
//!
//! # The same, small
//!
//! `cargo bench -p mcp-benches-sustained -- shards` starts 1, 2 and 4 Redis servers and one instance, and counts what each
//! Redis gets and what it runs. Then it stops one of them while 400 calls wait:
//!
//! | Redis servers | share of each | calls of the stopped one | calls that end | others | new calls of 400 |
//! | ---: | ---: | ---: | ---: | ---: | ---: |
//! | 2 | 50.0 % | 200 | 199 | 201 | 400 |
//! | 4 | 25.0 % | 100 | 100 | 300 | 400 |
