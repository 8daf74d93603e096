//! `dev`: a page on which the tools of a program are tried, seen and broken while they are written.
//!
//! The command `dev` watches the sources of its own program, builds it with Cargo, and runs it in child processes. A page
//! calls the tools of these processes as any client does, in any revision, and shows each call as a conversation.
//!
//! - `project/` finds the sources, watches and builds them.
//! - `program/` runs the built program, and is the [`DevTarget`](target::DevTarget) of the page.
//! - `session/` is the client: its connections, its calls with their faults, and the log of all messages.
//! - `attach` reaches a server that runs elsewhere.
//! - `forward/` forwards the requests of hosts to the newest process.
//! - `page/` serves the page and its interface, `dev-page/src/dev-api.d.ts`.
//! - `terminal` and `printed` show at the terminal what happens.
//! - `reported/` is the other side, in the child process: what it tells its parent.

mod access;
pub(crate) mod attach;
mod forward;
pub(crate) mod page;
mod printed;
mod process_group;
pub(crate) mod program;
mod project;
pub(crate) mod reported;
mod session;
pub(crate) mod target;
pub(crate) mod terminal;

use std::{future::pending, path::PathBuf, pin::pin, sync::Arc};

use http::HeaderMap;

use self::{
    attach::UrlTarget,
    page::{PageOptions, ServedPage},
    program::{ProgramOptions, ProgramTarget},
    session::api::state::SessionSource,
    target::DevTarget,
    terminal::Terminal,
};

/// What the user of the command wants.
pub(crate) struct DevOptions {
    pub(crate) source: DevSource,
    /// The name of the program.
    pub(crate) name: String,
    /// The port of the page and of hosts. 0 means a free one.
    pub(crate) port: u16,
    /// Whether there is a page. Without it, the messages are shown at the terminal.
    pub(crate) has_page: bool,
    /// The values of secret settings, which are in no recording.
    pub(crate) secrets: Vec<String>,
    pub(crate) terminal: Terminal,
}

/// What is tried.
pub(crate) enum DevSource {
    Program(ProgramOptions),
    /// A server that runs elsewhere. Each request has these headers.
    Url {
        url: String,
        headers: HeaderMap,
    },
    /// The file of a saved session.
    Recording(PathBuf),
}

/// Runs the command until `shutdown` completes.
///
/// # Errors
/// Returns the reason why the session cannot begin.
pub(crate) async fn run(options: DevOptions, shutdown: impl Future<Output = ()> + Send) -> Result<(), String> {
    let DevOptions { source, name, port, has_page, secrets, terminal } = options;
    let terminal = Arc::new(terminal);
    let page = |source, hosts| PageOptions { port, program: name.clone(), source, secrets, has_page, hosts };
    let begins = |page: &ServedPage| printed::addresses(page, &name, port).iter().for_each(|line| terminal.line(line));
    match source {
        DevSource::Recording(file) => {
            let page = page::serve_recording(&file, port).await?;
            begins(&page);
            serve(page, false, &terminal, shutdown).await;
        }
        DevSource::Url { url, headers } => {
            let target = Arc::new(UrlTarget::new(&url, headers)?);
            let page = page::serve(target, page(SessionSource::Url { url }, None)).await?;
            begins(&page);
            serve(page, false, &terminal, shutdown).await;
        }
        DevSource::Program(program) => {
            let mut shutdown = pin!(shutdown);
            // Cargo can wait for a network here.
            let program = tokio::select! {
                started = ProgramTarget::start(program, Arc::clone(&terminal)) => started?,
                () = &mut shutdown => return Ok(()),
            };
            let target: Arc<dyn DevTarget> = Arc::clone(&program) as _;
            let hosts = (Arc::clone(&program) as _, program.host_token().to_owned());
            let page = page::serve(Arc::clone(&target), page(SessionSource::Program, Some(hosts))).await?;
            begins(&page);
            tokio::select! {
                () = terminal::follow(&terminal, target) => {}
                () = serve(page, !has_page, &terminal, shutdown) => {}
            }
            program.end().await;
        }
    }
    Ok(())
}

/// Serves the page and hosts until `shutdown` completes. Also shows the messages at the terminal, if `prints` is set.
async fn serve(page: ServedPage, prints: bool, terminal: &Terminal, shutdown: impl Future<Output = ()> + Send) {
    let session = Arc::clone(&page.session);
    let printed = async {
        match prints {
            true => printed::follow(terminal, &session).await,
            false => pending().await,
        }
    };
    // Connections of the page stay open, so nothing waits for their end.
    tokio::select! {
        () = page.run(pending()) => {}
        () = printed => {}
        () = shutdown => {}
    }
}
