//! The settings of a [`Remote`](super::Remote).

use std::{
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use http::HeaderMap;

use crate::{
    serve::{
        remote::transport::{
            MAX_MESSAGE, TransferError, Transport,
            http::{Authorizes, HttpTransport, url::Endpoint},
            process::program::RemoteProgram,
        },
        server::Service,
    },
    wire::protocol::revision::Revision,
};

/// How long a request may take without progress.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How many requests can be open. Further ones wait.
const MAX_REQUESTS: usize = 64;

/// How many processes of one server run, if it has sessions. A process costs more than a session over HTTP.
const MAX_PROCESSES: usize = 4;

const MAX_SESSIONS: usize = 64;

/// The endpoint of a URL, made when it is first used. Its connections are shared.
type EndpointOnce = Arc<OnceLock<Result<Arc<Endpoint>, String>>>;

#[derive(Clone)]
pub(super) struct RemoteSettings {
    pub(super) target: ServerPlace,
    /// What errors and logs call the server.
    pub(super) name: String,
    pub(super) timeout: Duration,
    pub(super) max_requests: usize,
    pub(super) max_sessions: usize,
    pub(super) headers: HeaderMap,
    pub(super) authorization: Option<Arc<dyn Authorizes>>,
    pub(super) max_message: usize,
    /// What is wrong with the settings.
    pub(super) problem: Option<String>,
}

/// Where the server is.
#[derive(Clone)]
pub(super) enum ServerPlace {
    Process(Arc<RemoteProgram>),
    Url(String, EndpointOnce),
    Service(Service),
}

impl RemoteSettings {
    pub(super) fn new(target: ServerPlace) -> Self {
        let (name, max_sessions) = match &target {
            ServerPlace::Process(program) => (program_name(program), MAX_PROCESSES),
            ServerPlace::Url(url, _) => (host(url).to_owned(), MAX_SESSIONS),
            ServerPlace::Service(service) => (service.0.settings.identity.name.clone(), MAX_SESSIONS),
        };
        Self {
            target,
            name,
            timeout: TIMEOUT,
            max_requests: MAX_REQUESTS,
            max_sessions,
            headers: HeaderMap::new(),
            authorization: None,
            max_message: MAX_MESSAGE,
            problem: None,
        }
    }
}

impl RemoteSettings {
    /// Opens a connection: starts the process, or prepares requests to the URL. `revision` is the one of its first
    /// request.
    pub(super) fn open(&self, revision: Revision) -> Result<Box<dyn Transport>, TransferError> {
        if let Some(problem) = &self.problem {
            return Err(TransferError::Settings(problem.clone()));
        }
        match &self.target {
            ServerPlace::Process(program) => Ok(Box::new(program.start(self.max_message)?)),
            ServerPlace::Url(url, once) => {
                let endpoint = once.get_or_init(|| self.endpoint(url).map(Arc::new));
                let endpoint = endpoint.clone().map_err(TransferError::Settings)?;
                Ok(Box::new(HttpTransport::new(endpoint, revision)))
            }
            ServerPlace::Service(_) => Err(TransferError::Settings("a service has no connection".to_owned())),
        }
    }
}

impl RemoteSettings {
    fn endpoint(&self, url: &str) -> Result<Endpoint, String> {
        let mut endpoint = Endpoint::parse(url)?;
        endpoint.headers = self.headers.clone();
        endpoint.max_message = self.max_message;
        match &self.authorization {
            Some(authorization) => endpoint.authorized_by(Arc::clone(authorization)),
            None => Ok(endpoint),
        }
    }

    /// Forgets what was made of the settings before they changed.
    pub(super) fn changed(&mut self) {
        if let ServerPlace::Url(_, once) = &mut self.target {
            *once = EndpointOnce::default();
        }
    }
}

/// Returns the name of a program, without its folder.
fn program_name(program: &RemoteProgram) -> String {
    let path = Path::new(program.name());
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Returns the host and the port of a URL, without a user and a password.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}
