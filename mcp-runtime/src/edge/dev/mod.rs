//! `dev`: a page on which the tools of a program are tried, seen and broken while they are written.
//!
//! The command `dev` watches the sources of its own program, builds it with Cargo, and runs it in child processes. A page
//! calls the tools of these processes as any client does, in any revision, and shows each call as a conversation.
//!
//! - `project/` finds the sources, watches and builds them.
//! - `program/` runs the built program, and is the [`DevTarget`](target::DevTarget) of the page.
//! - `session/` is the client: its connections, its calls with their faults, and the log of all messages.
//! - `page/` serves the page and its interface, `dev-page/src/dev-api.d.ts`.
//! - `reported/` is the other side, in the child process: what it tells its parent.

mod process_group;
pub(crate) mod program;
mod project;
pub(crate) mod reported;
#[cfg_attr(not(test), expect(dead_code, reason = "the page tries the target"))]
pub(crate) mod target;
#[cfg_attr(not(test), expect(dead_code, reason = "the page follows its calls"))]
pub(crate) mod terminal;

use std::{path::PathBuf, pin::pin, sync::Arc};

use self::{
    program::{ProgramOptions, ProgramTarget},
    target::DevTarget,
    terminal::Terminal,
};

/// What the user of the command wants.
pub(crate) struct DevOptions {
    /// The file of this program, which Cargo has built.
    pub(crate) executable: PathBuf,
    pub(crate) program: ProgramOptions,
    /// The port of the page. 0 means a free one.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page reads it"))]
    pub(crate) port: u16,
    /// Whether there is a page, and not only lines at the terminal.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page reads it"))]
    pub(crate) has_page: bool,
    /// The URL of a server that runs elsewhere, in place of the program.
    pub(crate) attach: Option<String>,
    /// The file of a saved session, in place of a server.
    pub(crate) recording: Option<PathBuf>,
    pub(crate) terminal: Terminal,
}

/// Runs the command until `shutdown` completes.
///
/// # Errors
/// Returns the reason why the session cannot begin.
pub(crate) async fn run(options: DevOptions, shutdown: impl Future<Output = ()> + Send) -> Result<(), String> {
    let DevOptions { executable, program, attach, recording, terminal, .. } = options;
    let terminal = Arc::new(terminal);
    if attach.is_some() || recording.is_some() {
        return Err("`--attach` and `--recording` need the page".to_owned());
    }
    let mut shutdown = pin!(shutdown);
    // Cargo can wait for a network here.
    let program = tokio::select! {
        started = ProgramTarget::start(&executable, program, Arc::clone(&terminal)) => started?,
        () = &mut shutdown => return Ok(()),
    };
    let target: Arc<dyn DevTarget> = Arc::clone(&program) as _;
    // The page goes here: `page::serve(Arc::clone(&target), …)`, which ends when it is dropped.
    tokio::select! {
        () = terminal::follow(terminal, target) => {}
        () = &mut shutdown => {}
    }
    program.end().await;
    Ok(())
}
