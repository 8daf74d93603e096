//! The processes of a program, which is this test program itself: a script starts it again as a server.

#![allow(unused_imports, reason = "expansions import traits that only other crates need")]

use std::{env, fs, os::unix::fs::PermissionsExt as _, path::PathBuf, process};

use serde_json::{Value, json};

use super::*;
use crate::{
    Principal, Result, Server,
    base::{hex::hex, random},
    edge::dev::{
        project::Executable,
        target::{HttpProgram as _, ProcessStatus, Reported, SetupCapabilities, SetupPrincipal},
    },
    prelude::*,
    serve::{client::ClientProfile, remote::transport::Transport},
};

const COMMAND: &str = "MCP_DEV_TEST_COMMAND";

const LONG: Duration = Duration::from_secs(60);

#[elicits]
enum Question {
    Confirm { confirmed: bool },
}

struct Transfer;

/// Transfers money.
#[handoff(destructive)]
impl Transfer {
    async fn before(&self, cents: u64) -> u64 {
        cents
    }

    async fn client(ctx: &Ctx<Question>, cents: &u64) -> Result<bool> {
        Ok(ctx.elicit::<Confirm>(format!("Send {cents}?")).strict().await?.confirmed)
    }

    async fn after(&self, cents: u64, confirmed: bool) -> String {
        format!("{cents} {confirmed} by {}", process::id())
    }
}

/// Tells who calls.
#[mcp_tool(read_only)]
async fn who(ctx: &Ctx) -> String {
    let principal = ctx.principal();
    let scopes = |principal: &Principal| principal.granted().map(str::to_owned).collect::<Vec<_>>().join(" ");
    principal.map_or("nobody".to_owned(), |principal| format!("{} [{}]", principal.name(), scopes(&principal)))
}

/// Ends the process.
#[mcp_tool]
async fn explode() -> String {
    process::exit(7)
}

/// The process of the server: the script starts the test program with only this test.
#[test]
fn serves_as_a_child() {
    let Ok(command) = env::var(COMMAND) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let server = Server::new("bank", "1.0.0").tool(Transfer).tools(tools![who, explode]);
    let _ = runtime.block_on(server.run_with(command.split_whitespace()));
    process::exit(0);
}

struct TestProgram {
    target: Arc<ProgramTarget>,
    folder: PathBuf,
}

impl TestProgram {
    async fn new(script: &str) -> Self {
        let folder = env::temp_dir().join(format!("mcp-dev-{}", hex(&random::bytes::<8>())));
        fs::create_dir(&folder).unwrap();
        let dev = DevFolder::open(folder.join("data")).unwrap();
        let test = Self { target: ProgramTarget::new(Processes::new(Vec::new(), (MODE, "1"), dev)), folder };
        test.build(script).await;
        test
    }

    async fn server() -> Self {
        Self::new(&Self::script()).await
    }

    fn script() -> String {
        let test = "edge::dev::program::tests::serves_as_a_child";
        let program = env::current_exe().unwrap().display().to_string();
        format!("export {COMMAND}=\"$*\"\nexec '{program}' --exact --nocapture --test-threads 2 {test}\n")
    }

    /// Does what a build does at its end.
    async fn build(&self, script: &str) {
        let path = self.folder.join("bank");
        fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        self.target.processes.run_program(Executable::at(path)).await;
        self.target.processes.status.send_modify(|status| status.build.status = BuildStatus::Built);
    }

    async fn connect(&self, setup: &ClientSetup) -> TestClient {
        let opened = timeout(LONG, self.target.connect(setup)).await.unwrap().unwrap();
        TestClient { transport: opened.transport, process: opened.process.unwrap(), last_id: 0 }
    }

    async fn server_is(&self, wanted: impl FnMut(&TargetStatus) -> bool) -> TargetStatus {
        timeout(LONG, self.target.status().wait_for(wanted)).await.unwrap().unwrap().clone()
    }
}

impl Drop for TestProgram {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

struct TestClient {
    transport: Box<dyn Transport>,
    process: u32,
    last_id: u64,
}

impl TestClient {
    async fn request(&mut self, method: &str, params: Value) -> std::result::Result<Value, String> {
        self.last_id += 1;
        let profile = ClientProfile::newest("test", json!({ "elicitation": { "form": {} } }), None);
        let message = serde_json::to_string(&profile.request(self.last_id, method, params)).unwrap();
        self.transport.send(&message).await?;
        loop {
            let text = timeout(LONG, self.transport.receive()).await.unwrap()?.text;
            // The test program itself prints that it runs a test.
            let Ok(message) = serde_json::from_str::<Value>(&text) else { continue };
            if message["id"] == self.last_id {
                return Ok(message);
            }
        }
    }

    async fn call(&mut self, name: &str, arguments: Value) -> std::result::Result<Value, String> {
        self.request("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// Calls `transfer`. Returns the state of the open call.
    async fn ask(&mut self) -> String {
        let asked = self.call("transfer", json!({ "cents": 5 })).await.unwrap();
        asked["result"]["requestState"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned()
    }

    async fn answer(&mut self, state: &str) -> Value {
        self.request("tools/call", answer(state)).await.unwrap()
    }
}

/// The params of the request that answers the question of `transfer`.
fn answer(state: &str) -> Value {
    json!({
        "name": "transfer", "arguments": { "cents": 5 }, "requestState": state,
        "inputResponses": { "confirm": { "action": "accept", "content": { "confirmed": true } } },
    })
}

fn setup(transport: TransportKind) -> ClientSetup {
    ClientSetup {
        revision: "2026-07-28".to_owned(),
        transport,
        capabilities: SetupCapabilities::default(),
        principal: None,
        other_instance: false,
    }
}

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{reply}"))
}

#[tokio::test]
async fn a_client_is_the_principal_of_its_setup_on_both_transports() {
    let program = TestProgram::server().await;
    for transport in [TransportKind::Stdio, TransportKind::Http] {
        let mut anonymous = program.connect(&setup(transport)).await;
        assert_eq!(text(&anonymous.call("who", json!({})).await.unwrap()), "nobody", "{transport:?}");
        let ann = SetupPrincipal { name: "ann".to_owned(), scopes: vec!["a".to_owned(), "b".to_owned()] };
        let mut client = program.connect(&ClientSetup { principal: Some(ann), ..setup(transport) }).await;
        assert_eq!(text(&client.call("who", json!({})).await.unwrap()), "ann [a b]", "{transport:?}");
    }
    let other = ClientSetup { revision: "2020-01-01".to_owned(), ..setup(TransportKind::Http) };
    let Err(error) = program.target.connect(&other).await else { panic!("connected") };
    assert_eq!(error, "`2020-01-01` is not a revision that this client knows");
    program.target.end().await;
}

#[tokio::test]
async fn reports_name_the_process_and_the_request() {
    let program = TestProgram::server().await;
    let mut reports = program.target.reports();
    let mut client = program.connect(&setup(TransportKind::Stdio)).await;
    let state = client.ask().await;
    client.answer(&state).await;
    let (mut ran, mut spans, mut metrics, mut is_first) = (Vec::new(), Vec::new(), Vec::new(), true);
    // The span of the last request comes last, because it closes after the reply is written.
    while !spans.iter().any(|span| span == "2 mcp.request") {
        let report = timeout(LONG, reports.recv()).await.unwrap().unwrap();
        if report.process != client.process {
            continue;
        }
        assert_eq!(report.instance, ServerInstance::First);
        match report.what {
            Reported::Started { version } => assert_eq!((&*version, is_first), (env!("CARGO_PKG_VERSION"), true)),
            Reported::Ran { request, name } => ran.push(format!("{} {name}", request.unwrap())),
            Reported::Span { request, name, fields, .. } => {
                assert!(!fields.is_empty());
                spans.push(format!("{} {name}", request.unwrap()));
            }
            Reported::Metric { request, name, .. } => metrics.push(format!("{} {name}", request.unwrap_or_default())),
            Reported::Output { .. } => {}
        }
        is_first = false;
    }
    assert_eq!(ran, ["1 `before`", "2 `after`"]);
    assert_eq!(spans, ["1 mcp.call", "1 mcp.request", "2 mcp.call", "2 mcp.request"]);
    for metric in ["1 mcp.server.operation.duration", "2 mcp.server.call.duration"] {
        assert!(metrics.iter().any(|found| found == metric), "{metrics:?}");
    }
    program.target.end().await;
}

#[tokio::test]
async fn an_open_call_continues_after_a_restart_and_ends_when_the_clock_passes_its_expiry() {
    let program = TestProgram::server().await;
    let mut client = program.connect(&setup(TransportKind::Http)).await;
    let (first, second) = (client.ask().await, client.ask().await);
    let before = client.process;
    program.target.restart().await.unwrap();
    let mut client = program.connect(&setup(TransportKind::Http)).await;
    assert_ne!(client.process, before);
    let answered = client.answer(&first).await;
    assert_eq!(text(&answered), format!("5 true by {}", client.process));

    program.target.advance_clock(Duration::from_secs(2 * 60 * 60)).await.unwrap();
    let ann = SetupPrincipal { name: "ann".to_owned(), scopes: Vec::new() };
    let setup = ClientSetup { principal: Some(ann), ..setup(TransportKind::Http) };
    assert_eq!(text(&program.connect(&setup).await.call("who", json!({})).await.unwrap()), "ann []", "a valid token");
    let setup = ClientSetup { principal: None, ..setup };
    let expired = program.connect(&setup).await.answer(&second).await;
    let message = expired["error"]["message"].as_str().unwrap_or_else(|| panic!("{expired}"));
    assert!(message.contains("expired"), "{message}");
    assert_eq!(program.target.status().borrow().server.clock, 7200);
    program.target.end().await;
}

#[tokio::test]
async fn the_url_is_that_of_the_newest_process() {
    let program = TestProgram::server().await;
    let url = async || timeout(LONG, program.target.newest_url(LONG)).await.unwrap();
    let first = url().await.unwrap();
    program.target.processes.replace().await;
    let second = url().await.unwrap();
    assert_ne!(first, second, "it waits for the next process");
    // A build that takes too long: the last process still runs.
    program.target.processes.status.send_modify(|status| status.build.status = BuildStatus::Building);
    assert_eq!(program.target.newest_url(Duration::ZERO).await, Ok(second));
    program.build("exec sleep 60\n").await;
    let late = program.target.newest_url(Duration::ZERO).await.unwrap_err();
    assert_eq!(late, "the program was not built and started within 0ns");
    program.target.end().await;
}

#[tokio::test]
async fn another_instance_continues_a_call_also_if_the_first_was_killed() {
    let program = TestProgram::server().await;
    for transport in [TransportKind::Http, TransportKind::Stdio] {
        let mut first = program.connect(&setup(transport)).await;
        let state = first.ask().await;
        program.target.kill(ServerInstance::First).await.unwrap();
        let mut second = program.connect(&ClientSetup { other_instance: true, ..setup(transport) }).await;
        assert_eq!(text(&second.answer(&state).await), format!("5 true by {}", second.process));
        let again = program.connect(&setup(transport)).await;
        assert!(again.process != first.process && again.process != second.process);
    }
    // A process that was killed on purpose has not crashed.
    let status = program.server_is(|status| status.server.status == ProcessStatus::Running).await;
    assert_eq!((status.server.reason, status.server.retry_at), (None, None));
    program.target.end().await;
}

#[tokio::test]
async fn a_process_that_ends_by_itself_says_how() {
    let program = TestProgram::server().await;
    let mut client = program.connect(&setup(TransportKind::Stdio)).await;
    let error = client.call("explode", json!({})).await.unwrap_err();
    assert_eq!(error, "the process of the server has ended: exit status: 7");
    let mut client = program.connect(&setup(TransportKind::Stdio)).await;
    assert_eq!(text(&client.call("who", json!({})).await.unwrap()), "nobody");
    program.target.end().await;
}

#[tokio::test]
async fn another_handle_of_the_store_has_the_records_of_the_processes() {
    let program = TestProgram::server().await;
    let TargetAbilities { processes, stdio, http, principals } = program.target.abilities();
    assert!(processes && stdio && http && principals);
    let DevStore { keys, store } = program.target.store().unwrap();
    let here = Server::new("bank", "1.0.0").store(store).state_keys(keys).tool(Transfer).build().unwrap();
    let state = program.connect(&setup(TransportKind::Http)).await.ask().await;
    let mut client = here.memory();
    let profile = ClientProfile::newest("test", json!({ "elicitation": { "form": {} } }), None);
    let message = profile.request(1, "tools/call", answer(&state));
    client.send(&serde_json::to_string(&message).unwrap()).await;
    let reply: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
    assert_eq!(text(&reply), format!("5 true by {}", process::id()));
    program.target.end().await;
}

#[tokio::test]
async fn check_returns_the_report_of_the_program() {
    let program = TestProgram::server().await;
    let script =
        format!("if [ \"$1\" = check ]; then echo '{{\"findings\":[]}}'; exit 1; fi\n{}", TestProgram::script());
    program.build(&script).await;
    assert_eq!(program.target.check().await.unwrap(), json!({ "findings": [] }));
    let script =
        format!("if [ \"$1\" = check ]; then echo 'error: no sugar' >&2; exit 2; fi\n{}", TestProgram::script());
    program.build(&script).await;
    assert_eq!(program.target.check().await.unwrap_err(), "`check` failed: no sugar");
    program.target.end().await;
}

#[tokio::test]
async fn a_crash_loop_is_shown_and_ends_with_a_good_build() {
    let program = TestProgram::new("echo 'error: no sugar' >&2\nexit 2\n").await;
    let crashed = program.server_is(|status| status.server.status == ProcessStatus::Crashed).await.server;
    assert_eq!(crashed.reason.as_deref(), Some("the process of the server has ended: exit status: 2: no sugar"));
    assert!(crashed.retry_at.is_some());
    assert_eq!(crashed.output, ["error: no sugar"]);
    program.server_is(|status| status.server.starts == 4).await;
    // The next pause is longer than a client waits.
    let Err(error) = program.target.connect(&setup(TransportKind::Http)).await else { panic!("connected") };
    // A part of the pause has passed.
    let (_, pause) = error.split_once("no sugar; it is started again in ").unwrap();
    assert!(["3 s", "4 s"].contains(&pause), "{error}");
    program.build(&TestProgram::script()).await;
    program.connect(&setup(TransportKind::Http)).await;
    program.target.end().await;
}

#[tokio::test]
async fn a_program_without_the_feature_is_an_error_that_says_how_to_pass_it() {
    for script in [
        "echo 'serving MCP clients at http://127.0.0.1:1/mcp' >&2\nsleep 60\n",
        "echo \"error: unexpected argument \\`http\\`: this program was built without the feature\" >&2\nexit 2\n",
    ] {
        let program = TestProgram::new(script).await;
        for transport in [TransportKind::Stdio, TransportKind::Http] {
            let Err(error) = program.target.connect(&setup(transport)).await else { panic!("connected") };
            assert!(error.ends_with("for example `dev -- --features dev`"), "{error}");
        }
        let status = program.target.status().borrow().server.clone();
        assert_eq!((status.status, status.retry_at), (ProcessStatus::Crashed, None));
        program.target.end().await;
    }
}
