//! Two servers in memory that share a SQLite store and keys. To kill one is to drop it and to build another one.
#![allow(unused_imports, reason = "expansions import traits that only other crates need")]

use std::{
    env, fs,
    path::PathBuf,
    process,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};

use crate::{
    Result, Server, Service,
    base::mutex::Mutex,
    edge::dev::target::{
        ClientSetup, DevStore, DevTarget, OpenedConnection, ProcessReport, ProcessStatus, Reported, ServerInstance,
        TargetAbilities, TargetFuture, TargetStatus,
    },
    engine::{
        store::{KeyRing, SqliteStore},
        tool::DynamicTool,
    },
    prelude::*,
    serve::{
        remote::transport::{ReceiveError, ServerText, Transfer, TransferError, Transport},
        server::ToolList,
    },
};

#[elicits]
enum Transfer_ {
    Confirm { confirmed: bool },
}

struct SendMoney;

/// Sends money if the user confirms.
#[handoff(destructive)]
impl SendMoney {
    async fn before(&self, to: String) -> String {
        to
    }

    async fn client(ctx: &Ctx<Transfer_>, to: &String) -> Result<bool> {
        ctx.log(Level::Info, "asking");
        Ok(ctx.elicit::<Confirm>(format!("Send money to {to}?")).strict().await?.confirmed)
    }

    async fn after(&self, to: String, confirmed: bool) -> Result<String> {
        Ok(if confirmed { format!("sent to {to}") } else { "nothing is sent".to_owned() })
    }
}

/// What the second question of `plan` asks. Another text stands for another version of the code.
#[derive(Clone)]
struct Wording(String);

#[elicits]
enum Planning {
    Day { day: u8 },
    Seat { seat: String },
}

/// Plans a trip.
#[mcp_tool(replayable)]
async fn plan(ctx: &Ctx<Planning>, wording: &Wording) -> Result<String> {
    let Day { day } = ctx.elicit::<Day>("Which day?").strict().await?;
    let Seat { seat } = ctx.elicit::<Seat>(wording.0.clone()).strict().await?;
    Ok(format!("day {day}, seat {seat}, {}", wording.0))
}

/// Greets a person.
#[mcp_tool(read_only)]
async fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

/// Adds one to a number that nobody else knows.
#[mcp_tool]
async fn count(counter: &Counter) -> String {
    format!("{}", counter.0.fetch_add(1, Ordering::SeqCst) + 1)
}

#[derive(Clone, Default)]
struct Counter(Arc<AtomicUsize>);

/// Writes a poem.
#[mcp_tool(read_only, requires(sampling))]
async fn poem(ctx: &Ctx, about: String) -> Result<String> {
    Ok(ctx.sample(format!("A poem about {about}")).max_tokens(50).await?.text)
}

/// Adds a tool.
#[mcp_tool]
async fn grow(tools: &ToolList) -> Result<String> {
    let schema = json!({ "type": "object", "properties": {} });
    tools.add(DynamicTool::from_schema("grown", "Does nothing.", schema, async |_: Ctx, _: Value| String::new()))?;
    Ok("grown".to_owned())
}

/// Waits for ever.
#[mcp_tool(read_only)]
async fn wait() -> String {
    std::future::pending().await
}

/// Writes a letter.
#[mcp_prompt]
async fn letter(to: String) -> String {
    format!("Write to {to}.")
}

/// The news.
#[mcp_resource("news://latest")]
async fn news() -> &'static str {
    "nothing new"
}

pub(crate) struct MemoryTarget {
    shared: Arc<Shared>,
    path: PathBuf,
}

struct Shared {
    services: Mutex<[Service; 2]>,
    store: SqliteStore,
    keys: KeyRing,
    wording: Mutex<String>,
    counter: Counter,
    /// How often each instance was killed.
    killed: [watch::Sender<u32>; 2],
    status: watch::Sender<TargetStatus>,
    reports: broadcast::Sender<ProcessReport>,
}

impl MemoryTarget {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("mcp-dev-{}-{number}.sqlite", process::id()));
        let (store, keys) = (SqliteStore::open(&path).unwrap(), KeyRing::random());
        let (wording, counter) = ("Which seat?".to_owned(), Counter::default());
        let build = || service(&store, &keys, &wording, &counter);
        let mut status = TargetStatus::default();
        status.server.status = ProcessStatus::Running;
        status.server.starts = 1;
        let shared = Shared {
            services: Mutex::new([build(), build()]),
            store: store.clone(),
            keys: keys.clone(),
            wording: Mutex::new(wording.clone()),
            counter: counter.clone(),
            killed: [watch::channel(0).0, watch::channel(0).0],
            status: watch::channel(status).0,
            reports: broadcast::channel(100).0,
        };
        Self { shared: Arc::new(shared), path }
    }

    /// Builds the program again, with another second question in `plan`.
    pub(crate) fn change_code(&self, wording: &str) {
        *self.shared.wording.lock() = wording.to_owned();
        self.shared.status.send_modify(|status| status.build.number += 1);
        self.shared.start_again(0);
        self.shared.start_again(1);
    }

    pub(crate) fn report(&self, what: Reported) {
        let _ = self.shared.reports.send(ProcessReport { process: 1, instance: ServerInstance::First, what });
    }

    /// Returns the first server.
    pub(crate) fn service(&self) -> Service {
        self.shared.services.lock()[0].clone()
    }
}

impl Drop for MemoryTarget {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", self.path.display()));
        }
    }
}

fn service(store: &SqliteStore, keys: &KeyRing, wording: &str, counter: &Counter) -> Service {
    Server::new("bank", "1.0.0")
        .store(store.clone())
        .state_keys(keys.clone())
        .state(Wording(wording.to_owned()))
        .state(counter.clone())
        .dynamic_tools()
        .tool(SendMoney)
        .tools(tools![plan, greet, count, poem, grow, wait])
        .prompts(prompts![letter])
        .resources(resources![news])
        .without_warnings()
        .build()
        .unwrap()
}

impl Shared {
    fn start_again(&self, instance: usize) {
        self.services.lock()[instance] = service(&self.store, &self.keys, &self.wording.lock(), &self.counter);
        self.killed[instance].send_modify(|times| *times += 1);
        self.status.send_modify(|status| status.server.starts += 1);
    }

    /// Reports what has run, as processes do.
    fn report_runs(&self) {
        for service in &*self.services.lock() {
            for (name, times) in service.0.runs.take().counted() {
                for _ in 0..times {
                    let what = Reported::Ran { request: None, name: name.to_owned() };
                    let _ = self.reports.send(ProcessReport { process: 1, instance: ServerInstance::First, what });
                }
            }
        }
    }
}

/// A connection that ends when its server is killed.
struct Killable {
    inner: Box<dyn Transport>,
    killed: watch::Receiver<u32>,
    shared: Arc<Shared>,
}

impl Transport for Killable {
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()> {
        self.inner.send(text)
    }

    fn receive(&mut self) -> Transfer<'_, ServerText, ReceiveError> {
        Box::pin(async {
            tokio::select! {
                received = self.inner.receive() => {
                    self.shared.report_runs();
                    received
                }
                _ = self.killed.changed() => {
                    let why = "the process of the server has ended: signal: 9 (SIGKILL)".to_owned();
                    Err(TransferError::Broken(why).into())
                }
            }
        })
    }
}

impl DevTarget for MemoryTarget {
    fn connect<'a>(&'a self, client: &'a ClientSetup) -> TargetFuture<'a, OpenedConnection> {
        let instance = usize::from(client.other_instance);
        let killed = self.shared.killed[instance].subscribe();
        let memory = self.shared.services.lock()[instance].memory();
        let transport = Killable { inner: Box::new(memory), killed, shared: Arc::clone(&self.shared) };
        Box::pin(async { Ok(OpenedConnection { transport: Box::new(transport), process: Some(1) }) })
    }

    fn abilities(&self) -> TargetAbilities {
        TargetAbilities { processes: true, stdio: true, http: false, principals: false }
    }

    fn status(&self) -> watch::Receiver<TargetStatus> {
        self.shared.status.subscribe()
    }

    fn reports(&self) -> broadcast::Receiver<ProcessReport> {
        self.shared.reports.subscribe()
    }

    fn kill(&self, instance: ServerInstance) -> TargetFuture<'_, ()> {
        Box::pin(async move {
            self.shared.report_runs();
            self.shared.start_again(usize::from(instance == ServerInstance::Second));
            Ok(())
        })
    }

    fn restart(&self) -> TargetFuture<'_, ()> {
        Box::pin(async {
            self.shared.start_again(0);
            self.shared.start_again(1);
            Ok(())
        })
    }

    /// Moves the time of the store, which its next operation reads.
    fn advance_clock(&self, by: Duration) -> TargetFuture<'_, ()> {
        Box::pin(async move {
            let connection = rusqlite::Connection::open(&self.path).unwrap();
            let now = crate::base::clock::now() + crate::base::clock::millis(by);
            connection.execute("UPDATE ledger SET time = ?1", [i64::try_from(now).unwrap()]).unwrap();
            self.shared.status.send_modify(|status| status.server.clock += by.as_secs());
            self.shared.start_again(0);
            self.shared.start_again(1);
            Ok(())
        })
    }

    fn check(&self) -> TargetFuture<'_, Value> {
        let finding = json!({
            "rule": "debug-build", "severity": "note", "kind": "server", "name": "bank", "found": "a debug build",
        });
        Box::pin(async move { Ok(json!({ "errors": 0, "warnings": 0, "findings": [finding] })) })
    }

    fn url(&self, _: ServerInstance) -> Option<String> {
        Some("http://127.0.0.1:1/mcp".to_owned())
    }

    fn store(&self) -> Option<DevStore> {
        Some(DevStore { keys: self.shared.keys.clone(), store: self.shared.store.clone() })
    }
}
