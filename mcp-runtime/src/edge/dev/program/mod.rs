//! The program that is built and run: the [`DevTarget`] with child processes.

mod backoff;
mod child;
mod folder;
mod http;
mod processes;
mod rebuild;
mod status;
mod stdio;
#[cfg(all(test, unix))]
mod tests;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use serde_json::Value;
use tokio::{
    sync::{broadcast, watch},
    task::JoinSet,
    time::timeout,
};

use self::{folder::DevFolder, processes::Processes};
use super::{
    process_group::ProcessGroup,
    project::Project,
    target::{
        BuildStatus, ClientSetup, DevStore, DevTarget, HttpProgram, OpenedConnection, ProcessReport, ServerInstance,
        TargetAbilities, TargetFuture, TargetStatus, TransportKind,
    },
    terminal::Terminal,
};
use crate::base::{
    clock,
    development::{ANY_BUILD, MODE},
    mutex::Mutex,
};

/// How long the command `check` may take.
const CHECK: Duration = Duration::from_secs(60);

/// The processes of the program. The program is built again when its sources change, and its processes are replaced.
pub(crate) struct ProgramTarget {
    processes: Arc<Processes>,
    tasks: Mutex<JoinSet<()>>,
}

/// How the program is built and run.
pub(crate) struct ProgramOptions {
    /// The file of this program, which Cargo has built.
    pub(crate) executable: PathBuf,
    /// The program's own flags, and the options of its settings.
    pub(crate) arguments: Vec<OsString>,
    pub(crate) building: Building,
    /// The folder for the store and the keys. `None` for the one below the folder of Cargo.
    pub(crate) data: Option<PathBuf>,
    /// Whether the child processes may be built without debug assertions.
    pub(crate) allows_release: bool,
}

/// When the program is built.
pub(crate) enum Building {
    /// Never: this program is run as it is.
    Never,
    /// With these arguments for `cargo build`: once, or again when the sources change.
    ByCargo { arguments: Vec<OsString>, watches: bool },
}

impl ProgramTarget {
    /// Finds the package of the program, and begins to build it.
    ///
    /// # Errors
    /// Returns the reason why Cargo cannot find the package, or why the folder of the session cannot be used.
    pub(crate) async fn start(options: ProgramOptions, terminal: Arc<Terminal>) -> Result<Arc<Self>, String> {
        let ProgramOptions { executable, arguments, building, data, allows_release } = options;
        let project = match &building {
            Building::Never => None,
            Building::ByCargo { arguments, watches } => Some((Project::find(&executable, arguments).await?, *watches)),
        };
        let folder = match (data, &project) {
            (Some(folder), _) => folder,
            (None, Some((project, _))) => folder_of(&project.target_directory, &executable),
            (None, None) => folder_of(cargo_folder_of(&executable)?, &executable),
        };
        let mode = if allows_release { ANY_BUILD } else { "1" };
        let target = Self::new(Processes::new(arguments, (MODE, mode), DevFolder::open(folder)?));
        match project {
            Some((project, watches)) => {
                let building = rebuild::run(Arc::clone(&target.processes), project, watches, terminal);
                target.tasks.lock().spawn(building);
            }
            None => target.processes.run_unbuilt(executable).await,
        }
        Ok(target)
    }

    fn new(processes: Processes) -> Arc<Self> {
        let target = Self { processes: Arc::new(processes), tasks: Mutex::default() };
        target.want(ServerInstance::First);
        Arc::new(target)
    }

    /// Ends everything that this target has started.
    pub(crate) async fn end(&self) {
        let mut tasks = std::mem::take(&mut *self.tasks.lock());
        // Dropping the task of a build kills Cargo.
        tasks.shutdown().await;
        self.processes.end_all().await;
    }

    /// Returns the token in the address for hosts. It stays the same in all sessions.
    pub(crate) fn host_token(&self) -> &str {
        &self.processes.folder.host_token
    }

    /// Waits until no build runs. Then returns whether there is a program to run.
    async fn built(&self) -> Result<(), String> {
        let mut status = self.processes.status.subscribe();
        // The sender lives as long as `self`.
        let _ = status.wait_for(|status| status.build.status != BuildStatus::Building).await;
        if self.processes.executable().is_some() {
            return Ok(());
        }
        let build = &status.borrow().build;
        let error = build.diagnostics.iter().find(|diagnostic| diagnostic.level == "error");
        Err(match error {
            Some(error) => format!("the program cannot be built: {}", error.message.lines().next().unwrap_or_default()),
            None => "the program cannot be built".to_owned(),
        })
    }

    /// Starts the processes of this instance, if this has not happened yet.
    fn want(&self, instance: ServerInstance) {
        if self.processes.http(instance).is_kept.swap(true, Ordering::Relaxed) {
            return;
        }
        self.tasks.lock().spawn(http::keep(Arc::clone(&self.processes), instance));
    }

    async fn open(&self, client: &ClientSetup) -> Result<OpenedConnection, String> {
        self.built().await?;
        let instance = client.instance();
        match client.transport {
            TransportKind::Http => {
                self.want(instance);
                http::connect(&self.processes, instance, client).await
            }
            TransportKind::Stdio => {
                // Its first process knows whether the program has the feature `dev`.
                http::is_usable(&self.processes).await?;
                stdio::connect(&self.processes, instance, client).await
            }
        }
    }

    async fn run_check(&self) -> Result<Value, String> {
        self.built().await?;
        let mut command = self.processes.own_program()?.command(&["check", "--format", "json"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = ProcessGroup::spawn(&mut command).map_err(|error| format!("cannot run `check`: {error}"))?;
        let (stdout, stderr) = (group.child().stdout.take(), group.child().stderr.take());
        let reading = async { tokio::join!(read_all(stdout), read_all(stderr), group.child().wait()) };
        let (output, errors, _) =
            timeout(CHECK, reading).await.map_err(|_| format!("`check` did not end within {} s", CHECK.as_secs()))?;
        // The exit code is 1 if there are findings.
        serde_json::from_str(&output).map_err(|_| match crate::edge::own_program::error_of(&errors) {
            error if error.is_empty() => "`check` has written no report".to_owned(),
            error => format!("`check` failed: {error}"),
        })
    }
}

impl HttpProgram for ProgramTarget {
    fn newest_url(&self, patience: Duration) -> TargetFuture<'_, String> {
        Box::pin(async move {
            let newest = async {
                self.built().await?;
                http::started_url(&self.processes).await
            };
            match timeout(patience, newest).await {
                Ok(url) => url,
                Err(_) => http::url(&self.processes, ServerInstance::First)
                    .ok_or_else(|| format!("the program was not built and started within {patience:.0?}")),
            }
        })
    }
}

impl DevTarget for ProgramTarget {
    fn connect<'a>(&'a self, client: &'a ClientSetup) -> TargetFuture<'a, OpenedConnection> {
        Box::pin(self.open(client))
    }

    fn abilities(&self) -> TargetAbilities {
        TargetAbilities { processes: true, stdio: true, http: true, principals: true }
    }

    fn status(&self) -> watch::Receiver<TargetStatus> {
        self.processes.status.subscribe()
    }

    fn reports(&self) -> broadcast::Receiver<ProcessReport> {
        self.processes.reports.subscribe()
    }

    fn kill(&self, instance: ServerInstance) -> TargetFuture<'_, ()> {
        Box::pin(async move {
            self.processes.kill(instance).await;
            Ok(())
        })
    }

    fn restart(&self) -> TargetFuture<'_, ()> {
        Box::pin(async {
            self.built().await?;
            self.processes.replace().await;
            Ok(())
        })
    }

    fn advance_clock(&self, by: Duration) -> TargetFuture<'_, ()> {
        Box::pin(async move {
            self.processes.advance_clock(by);
            self.processes.replace().await;
            Ok(())
        })
    }

    fn check(&self) -> TargetFuture<'_, Value> {
        Box::pin(self.run_check())
    }

    fn url(&self, instance: ServerInstance) -> Option<String> {
        http::url(&self.processes, instance)
    }

    fn store(&self) -> Option<DevStore> {
        Some(self.processes.folder.store.clone())
    }
}

async fn read_all<R: tokio::io::AsyncRead + Unpin>(output: Option<R>) -> String {
    use tokio::io::AsyncReadExt as _;

    let mut bytes = Vec::new();
    if let Some(output) = output {
        // What was read before an error can still explain it.
        let _ = output.take(64 * 1024 * 1024).read_to_end(&mut bytes).await;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the milliseconds since 1970 after this pause.
fn millis_after(pause: Duration) -> u64 {
    clock::now().saturating_add(clock::millis(pause))
}

/// Returns the folder for the store and the keys of a program that Cargo has built.
fn folder_of(cargo_folder: &Path, executable: &Path) -> PathBuf {
    cargo_folder.join("mcp-dev").join(executable.file_stem().unwrap_or_default())
}

/// Returns the folder in which Cargo has built a program. It has a file for programs that make backups.
fn cargo_folder_of(executable: &Path) -> Result<&Path, String> {
    let folder = executable.ancestors().skip(1).find(|folder| folder.join("CACHEDIR.TAG").exists());
    folder.ok_or_else(|| {
        let shown = executable.display();
        format!("`{shown}` is not in a folder of Cargo; choose a folder for the store and the keys with `--data DIR`")
    })
}
