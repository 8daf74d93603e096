//! The processes that serve over HTTP: one for each instance, started again when it ends.

use std::{
    process::Stdio,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use http::{HeaderValue, header::AUTHORIZATION};
use tokio::{
    process::Command,
    sync::watch,
    time::{Instant, sleep},
};

use super::{
    backoff::Backoff,
    child::{ChildEnd, ChildProcess},
    millis_after,
    processes::Processes,
    status::server_is,
};
use crate::{
    edge::dev::target::{ClientSetup, OpenedConnection, ProcessStatus, ServerInstance},
    serve::remote::transport::http::{HttpTransport, url::Endpoint},
    wire::protocol::revision::Revision,
};

/// The options of the processes. The port is a free one, and a process answers this machine, whatever the operator
/// allows.
const COMMAND: [&str; 5] =
    ["http", "--addr=127.0.0.1:0", "--allow-host=127.0.0.1", "--allow-host=localhost", "--retire=0"];

/// How long a process may take to listen.
const START: Duration = Duration::from_secs(60);

/// A client waits for a process that is started again within this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// The process of one instance.
#[derive(Default)]
pub(super) struct HttpInstance {
    /// Whether a task keeps the process running.
    pub(super) is_kept: AtomicBool,
    state: watch::Sender<HttpState>,
}

#[derive(Default)]
struct HttpState {
    /// Counts how often the process had to be replaced.
    generation: u64,
    phase: HttpPhase,
}

#[derive(Clone, Default)]
enum HttpPhase {
    /// The process starts, or waits for the program to be built.
    #[default]
    Starting,
    Running {
        url: String,
        process: u32,
    },
    /// The process has crashed, and is started again at this time.
    Crashed {
        reason: String,
        until: Instant,
    },
    /// The program cannot be run. It must be changed first.
    Unusable {
        reason: String,
    },
}

impl HttpInstance {
    /// Makes the process be replaced. From now on, clients wait for the next one.
    pub(super) fn replace(&self) {
        self.state.send_modify(|state| {
            state.generation += 1;
            state.phase = HttpPhase::Starting;
        });
    }

    /// Makes clients wait for the next process, because this one is about to be killed.
    pub(super) fn ends(&self) {
        self.state.send_if_modified(|state| {
            let runs = matches!(state.phase, HttpPhase::Running { .. });
            if runs {
                state.phase = HttpPhase::Starting;
            }
            runs
        });
    }

    /// Waits until the process of this generation must be replaced.
    async fn replaced(&self, generation: u64) {
        let mut state = self.state.subscribe();
        // The sender lives as long as `self`.
        let _ = state.wait_for(|state| state.generation != generation).await;
    }

    fn generation(&self) -> u64 {
        self.state.borrow().generation
    }
}

/// Keeps the process of an instance running.
pub(super) async fn keep(processes: Arc<Processes>, instance: ServerInstance) {
    let http = processes.http(instance);
    let (mut backoff, mut of_backoff) = (Backoff::default(), 0);
    loop {
        let generation = http.generation();
        if of_backoff != generation {
            backoff.reset();
            of_backoff = generation;
        }
        let set = |phase: HttpPhase| set(&processes, instance, generation, &phase);
        if processes.executable().is_none() {
            http.replaced(generation).await;
            continue;
        }
        set(HttpPhase::Starting);
        let running = run(&processes, instance, &set);
        let ended = tokio::select! {
            ended = running => ended,
            // `Processes::replace` ends the process itself.
            () = http.replaced(generation) => continue,
        };
        match ended {
            Ended::Killed => {}
            Ended::Unusable(reason) => {
                set(HttpPhase::Unusable { reason });
                http.replaced(generation).await;
            }
            Ended::Crashed { reason, ran } => {
                let pause = backoff.pause_after(ran);
                set(HttpPhase::Crashed { reason, until: Instant::now() + pause });
                tokio::select! {
                    () = sleep(pause) => {}
                    () = http.replaced(generation) => {}
                }
            }
        }
    }
}

enum Ended {
    /// By this command. It is started again at once.
    Killed,
    Crashed {
        reason: String,
        ran: Duration,
    },
    Unusable(String),
}

/// Runs a process until it ends.
async fn run(processes: &Arc<Processes>, instance: ServerInstance, set: &(dyn Fn(HttpPhase) + Sync)) -> Ended {
    let started = processes.start(instance, &COMMAND, |command: &mut Command| {
        command.stdout(Stdio::null());
    });
    let EndOnDrop(child) = &match started {
        Ok((child, _)) => EndOnDrop(child),
        Err(reason) => return Ended::Crashed { reason, ran: Duration::ZERO },
    };
    processes.status.send_modify(|status| status.server.starts += 1);
    let url = tokio::select! {
        url = child.url() => Some(url),
        end = child.ended() => return ended(child, end),
        () = sleep(START) => None,
    };
    let Some(url) = url else {
        child.kill();
        let reason = format!("the server does not listen within {} s", START.as_secs());
        return Ended::Crashed { reason, ran: Duration::ZERO };
    };
    if !child.has_reported() {
        child.kill();
        return Ended::Unusable(without_feature());
    }
    set(HttpPhase::Running { url, process: child.id() });
    let end = child.ended().await;
    ended(child, end)
}

/// Ends a process that is not kept any more.
struct EndOnDrop(ChildProcess);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end();
    }
}

fn ended(child: &ChildProcess, end: ChildEnd) -> Ended {
    // The command line of a program without the feature refuses `http`.
    let is_refused = || ["unrecognized subcommand", "unexpected argument"].iter().any(|e| child.errors().contains(e));
    match end {
        ChildEnd { is_wanted: true, .. } => Ended::Killed,
        _ if !child.has_reported() && is_refused() => Ended::Unusable(without_feature()),
        ChildEnd { reason, ran, .. } => {
            Ended::Crashed { reason: format!("the process of the server has ended: {reason}"), ran }
        }
    }
}

fn without_feature() -> String {
    "the program that Cargo has built has no command `dev`: it was built with other features than this one; pass its \
     features to Cargo, for example `dev -- --features dev`"
        .to_owned()
}

/// Sets what the process does, unless it must be replaced anyway.
fn set(processes: &Processes, instance: ServerInstance, generation: u64, phase: &HttpPhase) {
    let is_set = processes.http(instance).state.send_if_modified(|state| {
        let is_current = state.generation == generation;
        if is_current {
            state.phase = phase.clone();
        }
        is_current
    });
    if !is_set || instance != ServerInstance::First {
        return;
    }
    processes.status.send_modify(|status| match phase {
        HttpPhase::Starting => server_is(&mut status.server, ProcessStatus::Starting, None, None),
        HttpPhase::Running { .. } => server_is(&mut status.server, ProcessStatus::Running, None, None),
        HttpPhase::Crashed { reason, until } => {
            let at = millis_after(until.saturating_duration_since(Instant::now()));
            server_is(&mut status.server, ProcessStatus::Crashed, Some(reason), Some(at));
        }
        HttpPhase::Unusable { reason } => server_is(&mut status.server, ProcessStatus::Crashed, Some(reason), None),
    });
}

/// Waits until the first process has started. Fails if the program cannot be run at all.
pub(super) async fn is_usable(processes: &Processes) -> Result<(), String> {
    match settled(processes, ServerInstance::First, Duration::ZERO).await {
        HttpPhase::Unusable { reason } => Err(reason),
        _ => Ok(()),
    }
}

/// Returns the URL of the process of this instance, if it runs.
pub(super) fn url(processes: &Processes, instance: ServerInstance) -> Option<String> {
    match &processes.http(instance).state.borrow().phase {
        HttpPhase::Running { url, .. } => Some(url.clone()),
        _ => None,
    }
}

/// Connects to the process of this instance.
pub(super) async fn connect(
    processes: &Processes,
    instance: ServerInstance,
    client: &ClientSetup,
) -> Result<OpenedConnection, String> {
    let revision = Revision::parse(&client.revision)
        .ok_or_else(|| format!("`{}` is not a revision that this client knows", client.revision))?;
    match settled(processes, instance, PATIENCE).await {
        HttpPhase::Running { url, process } => {
            let mut endpoint = Endpoint::trusted(&url)?;
            if let Some(principal) = &client.principal {
                let mut header = HeaderValue::try_from(format!("Bearer {}", processes.token(principal)))
                    .map_err(|error| format!("the principal `{}`: {error}", principal.name))?;
                header.set_sensitive(true);
                endpoint.headers.insert(AUTHORIZATION, header);
            }
            let transport = Box::new(HttpTransport::new(Arc::new(endpoint), revision));
            Ok(OpenedConnection { transport, process: Some(process) })
        }
        other => Err(why_not(other)),
    }
}

/// Waits for the first process, and returns its URL.
pub(super) async fn started_url(processes: &Processes) -> Result<String, String> {
    match settled(processes, ServerInstance::First, PATIENCE).await {
        HttpPhase::Running { url, .. } => Ok(url),
        other => Err(why_not(other)),
    }
}

/// Returns why a process does not run.
fn why_not(phase: HttpPhase) -> String {
    match phase {
        HttpPhase::Crashed { reason, until } => {
            let seconds = until.saturating_duration_since(Instant::now()).as_secs_f64();
            format!("{reason}; it is started again in {seconds:.0} s")
        }
        HttpPhase::Unusable { reason } => reason,
        HttpPhase::Starting | HttpPhase::Running { .. } => {
            "the server is about to be started again; try once more".to_owned()
        }
    }
}

/// Waits until the process runs or has crashed. If it has crashed and is started again within `patience`, waits for that.
async fn settled(processes: &Processes, instance: ServerInstance, patience: Duration) -> HttpPhase {
    let mut state = processes.http(instance).state.subscribe();
    let is_settled = |state: &HttpState| match &state.phase {
        HttpPhase::Starting => false,
        HttpPhase::Running { .. } | HttpPhase::Unusable { .. } => true,
        HttpPhase::Crashed { until, .. } => {
            patience.is_zero() || until.saturating_duration_since(Instant::now()) > patience
        }
    };
    // The sender lives as long as `processes`.
    state.wait_for(is_settled).await.map(|state| state.phase.clone()).unwrap_or_default()
}
