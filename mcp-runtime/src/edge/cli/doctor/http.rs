//! Examines the server over HTTP: as a child process that listens at a free port of this machine.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use tokio::{
    net::TcpListener,
    time::{Instant, timeout},
};

use super::{
    examine::{Beginning, compare, list},
    report::Section,
    session::HostSession,
};
use crate::{
    edge::own_program::{OwnProgram, SERVING, error_of},
    serve::{
        remote::transport::{
            Transport as _,
            http::{HttpTransport, get_text, url::Endpoint},
            process::Process,
        },
        server::Service,
    },
};

/// How long the child process may take to listen.
const START: Duration = Duration::from_secs(30);

/// The options of the child process. The port is a free one, and the child answers this machine, whatever hosts the
/// operator has allowed.
const COMMAND: [&str; 4] = ["http", "--addr=127.0.0.1:0", "--allow-host=127.0.0.1", "--allow-host=localhost"];

/// Examines the server. `address` is where the command `http` would listen.
pub(crate) async fn examine(service: &Service, own: &OwnProgram, address: Option<&str>) -> Section {
    let mut section = Section::new("HTTP");
    if let Some(address) = address {
        port(&mut section, address).await;
    }
    let requires_token = service.http().admission.is_some();
    if let Err(problem) = examine_child(&mut section, own, requires_token).await {
        section.wrong(problem);
    }
    section
}

/// Tries to listen where the command `http` would.
async fn port(section: &mut Section, address: &str) {
    match TcpListener::bind(address).await {
        Ok(_) => section.ok(format!("the address `{address}` is free")),
        Err(error) => section.warn(format!(
            "cannot listen at `{address}`: {error}; if this server does not run there already, set `MCP_HTTP_ADDR`"
        )),
    }
}

async fn examine_child(section: &mut Section, own: &OwnProgram, requires_token: bool) -> Result<(), String> {
    let started = Instant::now();
    let mut child = Process::start(&mut own.command(&COMMAND))?;
    let url = url(&mut child, started).await?;
    let endpoint = Arc::new(Endpoint::trusted(&url)?);
    let mut lists: Vec<Vec<Value>> = Vec::new();
    for beginning in [Beginning::Discover, Beginning::Initialize] {
        let begun = if lists.is_empty() { started } else { Instant::now() };
        let transport = HttpTransport::new(Arc::clone(&endpoint), beginning.revision());
        let mut session = HostSession::new(Box::new(transport), beginning.revision());
        let mut of_era = Section::new("");
        match list(&mut of_era, &mut session, beginning, begun).await {
            Ok(_) if requires_token => return Err("the server answers clients without a token".to_owned()),
            Ok(tools) => lists.push(tools),
            Err(problem) if requires_token => {
                section.ok(format!("the server requires a token, so it lists nothing: {problem}"));
                break;
            }
            Err(problem) => return Err(format!("{}: {problem}", beginning.in_words())),
        }
        section.append(&beginning.in_words(), of_era);
    }
    if let [modern, legacy] = &lists[..] {
        compare(section, modern, legacy);
    }
    ready(section, &endpoint).await
}

/// Waits until the child listens. Returns its URL.
async fn url(child: &mut Process, started: Instant) -> Result<String, String> {
    while started.elapsed() < START {
        let written = child.errors_so_far();
        if let Some((_, url)) = written.split_once(SERVING)
            && let Some((url, _)) = url.split_once('\n')
        {
            return Ok(url.trim().to_owned());
        }
        if let Ok(Err(ended)) = timeout(Duration::from_millis(10), child.receive()).await {
            let error = error_of(&child.errors_so_far());
            return Err(if error.is_empty() { ended.into() } else { format!("the server cannot start: {error}") });
        }
    }
    Err(format!("the server does not listen within {} s", START.as_secs()))
}

/// Requests the readiness check, for which the server writes to its store.
async fn ready(section: &mut Section, endpoint: &Endpoint) -> Result<(), String> {
    let begun = Instant::now();
    let (status, text) = get_text(endpoint, "/health/ready").await?;
    if !status.is_success() {
        return Err("`/health/ready`: the store cannot be reached, or has no space".to_owned());
    }
    section.timed(
        "`/health/ready`: the store can be reached, if it is shared",
        begun.elapsed(),
        Duration::from_secs(1),
    );
    if let Some((_, warning)) = text.split_once("warning: ") {
        section.warn(warning.trim());
    }
    Ok(())
}
