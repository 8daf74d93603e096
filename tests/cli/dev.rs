//! The command `dev`: with a Cargo that copies a script, and child processes that are real servers.

mod hosts;

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::cli::program::program;

const LONG: Duration = Duration::from_secs(60);

/// Prints what `metadata.json` and `build.json` have, and copies `program` to where Cargo would build it. The file is
/// left as it is if nothing has changed, as Cargo does.
const CARGO: &str = r#"#!/bin/sh
cd "$(dirname "$0")" || exit 1
case "$1" in
metadata)
    if [ -e slow_metadata ]; then echo $$ >> pids; exec sleep 300; fi
    cat metadata.json
    exit 0 ;;
esac
echo $$ >> pids
echo "$@" >> builds
if [ -e slow ]; then exec sleep 300; fi
cat build.json
if [ -e cargo_error ]; then cat cargo_error >&2; exit 101; fi
if [ -s build.json ]; then exit 101; fi
mkdir -p target/debug
cmp -s program "target/debug/$(cat name)" || cp program "target/debug/$(cat name)"
printf '{"reason":"compiler-artifact","manifest_path":"%s/app/Cargo.toml",' "$PWD"
printf '"target":{"name":"%s","kind":["bin"]},"executable":"%s/target/debug/%s"}\n' "$(cat name)" "$PWD" "$(cat name)"
"#;

/// A workspace with one package, which seems to have built a program of these tests.
struct Workspace {
    folder: PathBuf,
    name: &'static str,
}

impl Workspace {
    fn new(name: &'static str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().canonicalize().unwrap();
        let folder = folder.join(format!("mcp-dev-command-{}-{number}", std::process::id()));
        fs::create_dir_all(folder.join("app/src")).unwrap();
        let workspace = Self { folder, name };
        workspace.write("name", name);
        workspace.write("build.json", "");
        workspace.write("app/src/main.rs", "");
        workspace.write_metadata(json!({ "dev": ["mcp-runtime/dev"] }), name);
        for file in ["cargo", "program"] {
            workspace.write(file, CARGO);
            fs::set_permissions(workspace.folder.join(file), fs::Permissions::from_mode(0o755)).unwrap();
        }
        workspace.write_program(&format!("exec '{}' \"$@\"", program(name).get_program().display()));
        workspace
    }

    fn write_metadata(&self, features: Value, target: &str) {
        let package = json!({
            "id": "app", "name": "app", "source": null, "manifest_path": self.folder.join("app/Cargo.toml"),
            "dependencies": [{ "name": "mcp-runtime", "features": [] }], "features": features,
            "targets": [{ "name": target, "kind": ["bin"] }],
        });
        let metadata = json!({
            "packages": [package], "workspace_root": self.folder, "target_directory": self.folder.join("target"),
            "resolve": { "nodes": [{ "id": "app", "dependencies": [] }] },
        });
        self.write("metadata.json", &metadata.to_string());
    }

    /// What the next build copies. Each process writes down its id.
    fn write_program(&self, script: &str) {
        let pids = self.folder.join("pids");
        self.write("program", &format!("#!/bin/sh\necho $$ >> '{}'\n{script}\n", pids.display()));
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).unwrap();
    }

    fn remove(&self, file: &str) {
        fs::remove_file(self.folder.join(file)).unwrap();
    }

    /// Changes a source, so that the program is built again.
    fn change(&self) {
        let source = self.folder.join("app/src/main.rs");
        // One event: an empty file in between could be built.
        fs::OpenOptions::new().append(true).open(source).unwrap().write_all(b"\n").unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(self.name);
        command.args(arguments).current_dir(self.folder.join("app"));
        command.env("CARGO", self.folder.join("cargo")).env("CARGO_MANIFEST_DIR", self.folder.join("app"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(&self, arguments: &[&str]) -> Dev {
        let mut process = self.command(arguments).spawn().unwrap();
        let (send, lines) = channel();
        let stderr = BufReader::new(process.stderr.take().unwrap());
        thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Dev { process, lines }
    }

    /// Returns the processes that still run, of all that have begun.
    fn running(&self) -> Vec<String> {
        let pids = self.read("pids");
        let runs = |pid: &&str| Path::new("/proc").join(pid).exists() && !is_zombie(pid);
        pids.lines().filter(runs).map(str::to_owned).collect()
    }

    /// Waits until at most so many processes run, and returns them. Some take a moment to end.
    fn left(&self, most: usize) -> Vec<String> {
        until("ended", || self.running().len() <= most);
        self.running()
    }
}

/// Waits until something holds.
fn until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + LONG;
    while !holds() {
        assert!(Instant::now() < end, "not {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A process whose parent was killed can stay for a while without running.
fn is_zombie(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with('Z'))
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

struct Dev {
    process: Child,
    lines: Receiver<String>,
}

impl Dev {
    /// Waits for a line with this text. Returns the lines up to it.
    fn line(&self, text: &str) -> Vec<String> {
        let (mut before, until) = (Vec::new(), Instant::now() + LONG);
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) if line.contains(text) => {
                    before.push(line);
                    return before;
                }
                Ok(line) => before.push(line),
                Err(error) => panic!("`{text}` is not in {before:#?}: {error}"),
            }
        }
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.process.id().to_string()]).status().unwrap().success());
    }

    fn ends(&mut self) -> ExitStatus {
        self.process.wait().unwrap()
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        if let Ok(None) = self.process.try_wait() {
            // Ends its child processes, too.
            self.signal("-TERM");
            let _ = self.process.wait();
        }
    }
}

fn compiler_error() -> String {
    let rendered = "\u{1b}[91merror[E0425]\u{1b}[0m: cannot find value `x`\n --> src/main.rs:1:1\n";
    let span = json!({ "file_name": "src/main.rs", "line_start": 1, "column_start": 1, "is_primary": true });
    let message =
        json!({ "message": "cannot find value `x`", "level": "error", "rendered": rendered, "spans": [span] });
    format!("{}\n", json!({ "reason": "compiler-message", "message": message }))
}

#[test]
fn errors_of_a_build_appear_and_go_while_the_last_program_runs() {
    let workspace = Workspace::new("cli_server");
    let mut dev = workspace.start(&["dev", "--no-page"]);
    dev.line("dev: the server runs");

    workspace.write("build.json", &compiler_error());
    workspace.change();
    let lines = dev.line("dev: the build has failed with 1 error").join("\n");
    assert!(lines.contains("error[E0425]: cannot find value `x`\n --> src/main.rs:1:1"), "{lines}");
    assert_eq!(workspace.running().len(), 1);

    workspace.write("cargo_error", "error: failed to parse manifest at `Cargo.toml`\n");
    workspace.write("build.json", "");
    workspace.change();
    let lines = dev.line("dev: the build has failed with 1 error").join("\n");
    assert_eq!(lines.matches("error: failed to parse manifest at `Cargo.toml`").count(), 1, "{lines}");

    workspace.remove("cargo_error");
    workspace.change();
    dev.line("dev: built in");
    dev.signal("-TERM");
    assert_eq!(dev.ends().code(), Some(0));
}

#[test]
fn the_server_restarts_only_if_the_program_has_changed() {
    let workspace = Workspace::new("cli_server");
    let dev = workspace.start(&["dev", "--no-page"]);
    dev.line("dev: the server runs");
    let first = workspace.running();
    workspace.change();
    dev.line("dev: built in");
    assert_eq!(workspace.running(), first);

    let script = workspace.read("program");
    workspace.write("program", &format!("{script}# changed\n"));
    workspace.change();
    let lines = dev.line("dev: the server runs");
    assert!(lines.iter().any(|line| line.starts_with("serving MCP clients at http://127.0.0.1:")), "{lines:?}");
    let second = workspace.left(1);
    assert!(second.len() == 1 && second != first, "{first:?} {second:?}");
}

#[test]
fn a_program_that_crashes_is_started_again_after_pauses() {
    let workspace = Workspace::new("cli_server");
    workspace.write_program("echo 'error: no sugar' >&2; exit 2");
    let (started, mut least) = (Instant::now(), 0);
    let dev = workspace.start(&["dev", "--no-page"]);
    for pause in [0, 500, 1000, 2000] {
        let lines = dev.line("it is started again in");
        let expected = "dev: the process of the server has ended: exit status: 2: no sugar; it is started again in";
        assert!(lines.last().unwrap().starts_with(expected), "{lines:?}");
        // Since the start, because a busy machine can show a line late, and the next one in time.
        least += pause;
        assert!(Duration::from_millis(least) <= started.elapsed(), "{least}");
    }
}

#[test]
fn the_program_is_built_with_the_feature_that_has_dev_and_with_what_the_user_gives() {
    let workspace = Workspace::new("cli_server");
    workspace.write_metadata(json!({ "page": ["mcp-runtime/dev"], "other": [] }), "cli_server");
    let dev = workspace.start(&["dev", "--no-page", "--", "--features", "other"]);
    dev.line("dev: built in");
    let manifest = workspace.folder.join("app/Cargo.toml");
    let expected = format!(
        "build --message-format=json-diagnostic-rendered-ansi --manifest-path {} --package app --bin cli_server \
         --features page --features other\n",
        manifest.display()
    );
    assert_eq!(workspace.read("builds"), expected);
}

#[test]
fn a_program_without_the_feature_is_an_error_that_says_how_to_pass_it() {
    let workspace = Workspace::new("cli_server");
    workspace.write_program("echo 'serving MCP clients at http://127.0.0.1:1/mcp' >&2; sleep 60");
    let dev = workspace.start(&["dev", "--no-page"]);
    dev.line("pass its features to Cargo, for example `dev -- --features dev`");
}

#[test]
fn no_process_is_left_after_the_command_was_ended() {
    for signal in ["-INT", "-TERM", "-KILL"] {
        let workspace = Workspace::new("cli_server");
        let mut dev = workspace.start(&["dev", "--no-page"]);
        dev.line("dev: the server runs");
        // The second build lasts until it is ended.
        workspace.write("slow", "");
        workspace.change();
        dev.line("dev: building");
        until("built again", || workspace.read("builds").lines().count() >= 2);
        assert_eq!(workspace.running().len(), 2, "a server and a build");
        dev.signal(signal);
        let status = dev.ends();
        if signal == "-KILL" {
            // Nobody can end Cargo then, but the server ends because its standard input is closed.
            for build in workspace.left(1) {
                let _ = Command::new("kill").args(["-KILL", &build]).status();
            }
        } else {
            assert_eq!(status.code(), Some(0), "{signal}");
            workspace.left(0);
        }
    }
}

#[test]
fn the_command_ends_also_while_cargo_looks_for_the_package() {
    let workspace = Workspace::new("cli_server");
    workspace.write("slow_metadata", "");
    let mut dev = workspace.start(&["dev", "--no-page"]);
    until("started", || !workspace.running().is_empty());
    dev.signal("-INT");
    assert_eq!(dev.ends().code(), Some(0));
    workspace.left(0);
}

#[test]
fn a_server_that_cannot_be_built_is_shown_and_settings_reach_its_processes() {
    let workspace = Workspace::new("cli_settings");
    let dev = workspace.start(&["dev", "--no-page"]);
    let lines = dev.line("it is started again in").join("\n");
    assert!(lines.contains("APP_TOKEN") && lines.contains("APP_USER"), "{lines}");
    drop(dev);

    let dev = workspace.start(&["--user", "ann", "dev", "--no-page"]);
    let lines = dev.line("it is started again in").join("\n");
    assert!(lines.contains("APP_TOKEN") && !lines.contains("APP_USER"), "{lines}");
}

#[test]
fn the_flags_of_the_program_reach_its_processes() {
    let workspace = Workspace::new("cli_flags");
    workspace
        .write_program(&format!("echo \"got $*\" >&2; exec '{}' \"$@\"", program("cli_flags").get_program().display()));
    let dev = workspace.start(&["--greeting", "Hi", "dev", "--no-page"]);
    dev.line("got --greeting Hi http --addr=127.0.0.1:0");
    dev.line("dev: the server runs");
}

#[test]
fn refuses_a_program_that_no_package_builds() {
    let workspace = Workspace::new("cli_server");
    workspace.write_metadata(json!({}), "another");
    let output = workspace.command(&["dev", "--no-page"]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    let root = workspace.folder.display();
    assert!(
        errors.starts_with(&format!("error: no package of the workspace `{root}` builds the program `cli_server`; ")),
        "{errors}"
    );
}

#[test]
fn the_key_and_the_store_are_below_the_folder_of_cargo() {
    let workspace = Workspace::new("cli_server");
    let dev = workspace.start(&["dev", "--no-page"]);
    dev.line("dev: the server runs");
    for file in ["key", "host-token", "store.db"] {
        assert!(workspace.folder.join("target/mcp-dev/cli_server").join(file).exists(), "{file}");
    }
}
