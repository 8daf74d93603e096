//! Development: a page on which a tool is tried, seen and broken while it is written.
//!
//! With the feature `dev`, the program of a server has the command `dev`. It watches the sources of the program, builds
//! them with Cargo, runs the result, and serves a page that is a client of it. Give the package a feature of its own, so
//! that releases are built without:
//!
//! ```toml
//! [features]
//! dev = ["mcp-runtime/dev"]
//! ```
//!
//! ```text
//! $ cargo run --features dev -- dev
//! dev: the page is http://127.0.0.1:41873/?token=6e9a…
//! dev: built in 1.2s
//! dev: the server runs
//! ```
//!
//! | option | what it does |
//! | --- | --- |
//! | `--port 7070` | the port of the page; default: any free port |
//! | `--no-page` | also prints each round and each message in one line |
//! | `--no-watch` | builds the program once |
//! | `--no-build` | builds nothing, and runs the program as it is |
//! | `--data DIR` | the folder for the store and the keys; default: `target/mcp-dev/PROGRAM` |
//! | `--attach http://localhost:8080/mcp` | tries a server that runs elsewhere; over `http` only |
//! | `--header "authorization: Bearer …"` | sends this header with each request to that server |
//! | `--recording session.jsonl` | opens a session that was saved |
//! | `--allow-release` | also runs in a release build |
//! | `-- --features extra` | what follows `--` goes to `cargo build` |
//!
//! The program's own options and those of its settings stand before the command, as always: `flights --limit 5 dev`. They
//! and the environment go on to the processes that `dev` starts. The feature of the package that enables
//! `mcp-runtime/dev` is found in its manifest.
//!
//! # The page
//!
//! - **Tools, prompts, resources, skills and views** with a form for each, drawn from its schema. The address of the page
//!   contains the input, so a link opens it again. Before and after the call, the page shows the equal command line, and
//!   the equal `curl`.
//! - **The client** that makes the calls: its revision, its transport, what it declares, and who it is. A name and scopes
//!   are sent as a signed token, which only processes started by `dev` accept.
//! - **A call as a conversation**: one lane for a call in every revision. Each round is a step with its question, its
//!   answer, log, progress and duration. Questions are asked in the forms that a user would see; a request to a model is
//!   answered by hand, or by the model of the environment.
//! - **Prepared answers**: a list that is written before the call. When the call asks, the first answer that fits the
//!   question is given, as if a person had; what none of them fits waits for you, and so does a question whose prepared
//!   answer was refused. `[{ "key": "confirm", "action": "accept", "content": { "yes": true } }]` is such a list. A call that
//!   has ended can be made again with the answers that it was given.
//! - **The wire**: every message in both directions, as it was sent, with its headers.
//! - **State and record**: the state that the client carries is opened with the keys of the session. The page shows its
//!   journal, its size and when it expires, and beside it the record of the ledger, with its lease.
//! - **Spans and metrics** of a call, and how often each phase and each step has run.
//! - **Checks**: what the command `check` finds (guide `checking`), and how many tokens each tool needs.
//!
//! # While the code changes
//!
//! A saved file starts a build. Errors of the compiler appear on the page and at the terminal, and go when the next build
//! has none; until then the last program that was built keeps running. A built program replaces the running one.
//!
//! **Open conversations continue.** The processes have a store and keys of their own, below `target/mcp-dev`: change the
//! second question of a tool, save, and answer it in the call that was open. If the code asks another question than the one
//! that was answered, the page shows both, and the call goes on with the new one. Calls that cannot be replayed end, as they
//! would when a server is deployed: sessions of the revisions before 2026-07-28, and tools that are neither a handoff nor
//! `replayable`; see [`surviving`](super::surviving).
//!
//! A program that crashes is started again, after a pause that grows from half a second to half a minute.
//!
//! # Faults
//!
//! Each call has buttons for what can go wrong on the way. Afterwards the page says what has run twice and what was lost. It
//! does not assume that: it counts what the processes report, and reads the record of the ledger. A fault of a later message
//! is armed first; its button takes it back until it happens.
//!
//! | fault | what happens |
//! | --- | --- |
//! | lose the reply | the next reply is dropped, and the client sends its request again |
//! | send twice | the next request arrives twice at the same time |
//! | answer late | the clock passes the moment until which the state is valid, and then the client answers |
//! | answer wrongly | the content of the answer does not fit the form |
//! | answer a spent state | the state of the round before is answered again, with other answers |
//! | cancel | the client cancels the call |
//! | close the connection | in the middle of the next request; the client connects again and repeats it |
//! | kill the process | at once; the next round reaches a new process |
//! | other instance | the next round reaches a second process, with the same store |
//! | clock forward | the server's clock moves an hour forward |
//! | other revision, without elicitation, without sampling | another client makes the same call |
//!
//! [`surviving`](super::surviving) says what is promised for each of them. **Make this a test** writes the call, with its
//! answers and its fault, as a test with `testing::Client`.
//!
//! # Other servers, other times
//!
//! `--attach` connects to a server behind a URL. Nothing is built or killed then, its states stay closed, and faults that
//! need its process are not offered. A session can be saved in a file and opened later, such as one that belongs to a bug
//! report. The values of secret settings, tokens, keys and states are removed from it. Arguments, answers and results are
//! not: look at the file before it is published.
//!
//! # Who can see the page
//!
//! The page is served on the loopback address only. Each request needs the token in its address, which is new in each
//! session, and the `Host` and `Origin` of the page. Other users of the machine and other web pages get 401 or 403, and the
//! page loads nothing from elsewhere.
//!
//! A program built without the feature has nothing of all this. One with the feature refuses the command in a release
//! build: a page that calls every tool does not belong on a server.
