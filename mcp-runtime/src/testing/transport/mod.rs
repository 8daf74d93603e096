//! How a scripted client reaches its server: in memory, over the standard streams of a child process, or over HTTP.

#[cfg(feature = "http")]
mod events;
#[cfg(feature = "http")]
mod http;
mod process;
mod stderr;

use std::{fmt, process::Command, sync::Arc};

use serde_json::Value;
use tokio::task::AbortHandle;

#[cfg(feature = "http")]
pub(super) use self::http::Endpoint;
#[cfg(feature = "http")]
use self::http::Http;
use self::process::Process;
use super::client::Settings;
use crate::{mutex::Mutex, server::Service, transport::MemoryClient};

/// The server that a client talks to.
#[derive(Clone)]
pub(super) enum Target {
    Service(Service),
    /// A program to start: once for each connection.
    Process(Arc<Mutex<Command>>),
    #[cfg(feature = "http")]
    Url(Arc<Endpoint>),
}

/// An open connection to it.
pub(super) enum Transport {
    Memory(MemoryClient),
    Process(Process),
    #[cfg(feature = "http")]
    Http(Http),
}

impl Target {
    /// # Errors
    /// The program cannot be started.
    pub(super) fn connect(&self, settings: &Settings) -> Result<Transport, String> {
        Ok(match self {
            Self::Service(service) => Transport::Memory(match &settings.principal {
                Some(principal) => service.memory_as(principal.clone()),
                None => service.memory(),
            }),
            Self::Process(command) => {
                let mut command = command.lock();
                Transport::Process(Process::start(&mut command)?)
            }
            #[cfg(feature = "http")]
            Self::Url(endpoint) => Transport::Http(Http::new(Arc::clone(endpoint), settings.revision)),
        })
    }

    /// The service, where it is in the test's own process.
    pub(super) fn service(&self) -> Option<&Service> {
        match self {
            Self::Service(service) => Some(service),
            _ => None,
        }
    }

    /// Has the server forget the futures of its calls. A process is started anew for that, by its next connection.
    ///
    /// # Errors
    /// The client can do neither.
    pub(super) fn forget_futures(&self) -> Result<(), String> {
        match self {
            Self::Service(service) => service.0.parking.forget_futures(),
            Self::Process(_) => {}
            #[cfg(feature = "http")]
            Self::Url(_) => {
                return Err("a client cannot restart the server behind a URL; write `Client::process`, or another \
                            `Trouble`"
                    .to_owned());
            }
        }
        Ok(())
    }
}

impl Transport {
    /// Sends a message.
    ///
    /// # Errors
    /// The server cannot be reached, and why.
    pub(super) async fn send(&mut self, message: &Value, text: &str) -> Result<(), String> {
        match self {
            Self::Memory(client) => client.send(text).await,
            // That it has ended is found by the next message from it.
            Self::Process(process) => process.send(text),
            #[cfg(feature = "http")]
            Self::Http(http) => return http.send(message, text).await,
        }
        let _ = message;
        Ok(())
    }

    /// The next message of the server. A future that is dropped has taken none.
    ///
    /// # Errors
    /// There will be no message any more, and why.
    pub(super) async fn receive(&mut self) -> Result<String, String> {
        match self {
            Self::Memory(client) => client.receive().await.ok_or_else(|| "the connection has ended".to_owned()),
            Self::Process(process) => process.receive().await,
            #[cfg(feature = "http")]
            Self::Http(http) => http.receive().await,
        }
    }

    /// Stops listening to what is said of a request. Whether that cancels it: if not, a message does.
    pub(super) fn cancel(&mut self, request: &Value) -> bool {
        match self {
            #[cfg(feature = "http")]
            Self::Http(http) => http.cancel(request),
            _ => {
                let _ = request;
                false
            }
        }
    }

    /// The tasks of the calls in flight, where they are in the test's own process.
    pub(super) fn tasks(&self) -> Vec<AbortHandle> {
        match self {
            Self::Memory(client) => client.tasks(),
            _ => Vec::new(),
        }
    }

    /// The key of a question that came as a request, which the wire does not say.
    pub(super) fn question_key(&self, id: &str) -> Option<String> {
        match self {
            Self::Memory(client) => client.question_key(id),
            _ => None,
        }
    }

    /// What the process has written to its standard error, at most the end of it.
    pub(super) fn standard_error(&self) -> Option<String> {
        match self {
            Self::Process(process) => Some(process.standard_error()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Service(_) => f.write_str("Service"),
            Self::Process(command) => command.fmt(f),
            #[cfg(feature = "http")]
            Self::Url(endpoint) => endpoint.fmt(f),
        }
    }
}
