//! The child processes that run, and what they share.

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    process::{ChildStdout, Command},
    sync::{broadcast, watch},
};

use super::{child::ChildProcess, folder::DevFolder, http::HttpInstance, status, stdio::StdioCrashes};
use crate::{
    base::{
        clock::since_1970,
        development::{CLOCK, PRINCIPAL, TOKEN_KEY},
        hex::hex,
        mutex::Mutex,
        random,
    },
    edge::{
        dev::{
            project::Executable,
            target::{BuildStatus, ProcessReport, Reported, ServerInstance, SetupPrincipal, TargetStatus},
        },
        own_program::OwnProgram,
    },
    serve::http::auth::development::sign,
};

/// How many reports wait for a slow reader.
const REPORTS: usize = 4096;

/// How long a token is valid. The key is random for each session, so a token does not outlive the session.
const TOKEN: Duration = Duration::from_secs(30 * 24 * 60 * 60);

pub(super) struct Processes {
    /// The program's own arguments.
    arguments: Vec<OsString>,
    mode: (&'static str, &'static str),
    pub(super) folder: DevFolder,
    token_key: String,
    /// By how many seconds the clock of the processes is ahead.
    clock: AtomicU64,
    executable: watch::Sender<Option<Executable>>,
    pub(super) status: watch::Sender<TargetStatus>,
    pub(super) reports: broadcast::Sender<ProcessReport>,
    http: [HttpInstance; 2],
    pub(super) stdio_crashes: [StdioCrashes; 2],
    running: Mutex<Vec<(ServerInstance, ChildProcess)>>,
}

impl Processes {
    pub(super) fn new(arguments: Vec<OsString>, mode: (&'static str, &'static str), folder: DevFolder) -> Self {
        Self {
            arguments,
            mode,
            folder,
            token_key: hex(&random::bytes::<32>()),
            clock: AtomicU64::new(0),
            executable: watch::Sender::new(None),
            status: watch::Sender::new(status::before_the_first_build()),
            reports: broadcast::Sender::new(REPORTS),
            http: Default::default(),
            stdio_crashes: Default::default(),
            running: Mutex::default(),
        }
    }

    pub(super) fn executable(&self) -> Option<Executable> {
        self.executable.borrow().clone()
    }

    pub(super) fn http(&self, instance: ServerInstance) -> &HttpInstance {
        &self.http[instance as usize]
    }

    /// Returns how the built program is started.
    ///
    /// # Errors
    /// If the program was not built yet, or if its path is not UTF-8.
    pub(super) fn own_program(&self) -> Result<OwnProgram, String> {
        let Executable { path, .. } = self.executable().ok_or("the program is not built yet")?;
        let path = path.into_os_string().into_string();
        let path = path.map_err(|path| format!("the path `{}` is not UTF-8", path.to_string_lossy()))?;
        Ok(OwnProgram { path, arguments: self.arguments.clone() })
    }

    /// Starts a process with this command. `prepare` can change how it is started.
    ///
    /// # Errors
    /// Returns the reason why it cannot be started.
    pub(super) fn start(
        self: &Arc<Self>,
        instance: ServerInstance,
        command: &[&str],
        prepare: impl FnOnce(&mut Command),
    ) -> Result<(ChildProcess, Option<ChildStdout>), String> {
        // Locked until the process is listed, so that `replace` ends it, or it is a process of the new program.
        let mut running = self.running.lock();
        let mut command = self.own_program()?.command(command);
        self.set_environment(&mut command);
        prepare(&mut command);
        let processes = Arc::clone(self);
        let (child, output) =
            ChildProcess::start(&mut command, move |process, what| processes.hear(process, instance, what))?;
        running.retain(|(_, child)| !child.has_ended());
        running.push((instance, child.clone()));
        Ok((child, output))
    }

    fn set_environment(&self, command: &mut Command) {
        let clock = self.clock.load(Ordering::Relaxed).to_string();
        command.env(self.mode.0, self.mode.1).env(CLOCK, clock).env(TOKEN_KEY, &self.token_key);
        command.env("MCP_STORE", self.folder.store_address()).env("MCP_STATE_KEY", &self.folder.keys);
        for variable in ["MCP_STORE_FILE", "MCP_STATE_KEY_FILE", PRINCIPAL] {
            command.env_remove(variable);
        }
    }

    /// Signs a token with which a process accepts this principal.
    pub(super) fn token(&self, SetupPrincipal { name, scopes }: &SetupPrincipal) -> String {
        let ahead = Duration::from_secs(self.clock.load(Ordering::Relaxed));
        sign(&self.token_key, name, scopes, since_1970() + ahead + TOKEN)
    }

    /// Runs a program that is not built here.
    pub(super) async fn run_unbuilt(&self, executable: PathBuf) {
        self.status.send_modify(|status| status.build.status = BuildStatus::None);
        self.run_program(Executable::at(executable)).await;
    }

    /// Runs another program from now on, if it is another one.
    pub(super) async fn run_program(&self, executable: Executable) {
        let is_other = self.executable.send_if_modified(|known| {
            let is_other = known.as_ref() != Some(&executable);
            if is_other {
                *known = Some(executable);
            }
            is_other
        });
        if is_other {
            self.replace().await;
        }
    }

    /// Ends all processes. Those that serve over HTTP are started again, the others with their next connection.
    pub(super) async fn replace(&self) {
        self.http.iter().for_each(HttpInstance::replace);
        self.stdio_crashes.iter().for_each(StdioCrashes::forget);
        self.end_all().await;
    }

    /// Kills the processes of this instance.
    pub(super) async fn kill(&self, instance: ServerInstance) {
        let of_instance = |(of, child): &(ServerInstance, ChildProcess)| (*of == instance).then(|| child.clone());
        let children: Vec<_> = self.running.lock().iter().filter_map(of_instance).collect();
        self.http(instance).ends();
        children.iter().for_each(ChildProcess::kill);
        for child in children {
            child.ended().await;
        }
    }

    /// Ends all processes, and waits until they have ended.
    pub(super) async fn end_all(&self) {
        let children: Vec<_> = self.running.lock().drain(..).collect();
        children.iter().for_each(|(_, child)| child.end());
        for (_, child) in children {
            child.ended().await;
        }
    }

    pub(super) fn advance_clock(&self, by: Duration) {
        let seconds = by.as_secs() + u64::from(by.subsec_nanos() > 0);
        self.folder.clock_was_moved();
        let before = self.clock.fetch_add(seconds, Ordering::Relaxed);
        self.status.send_modify(|status| status.server.clock = before.saturating_add(seconds));
    }

    fn hear(&self, process: u32, instance: ServerInstance, what: Reported) {
        if let Reported::Output { line } = &what {
            self.status.send_modify(|status| status::add_output(&mut status.server, line));
        }
        // Nobody may listen.
        let _ = self.reports.send(ProcessReport { process, instance, what });
    }
}
