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

/// The server of a client.
#[derive(Clone)]
pub(super) enum Target {
    Service(Service),
    /// A program that is started for each connection.
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

    /// Returns the service, if it runs in the test's own process.
    pub(super) fn service(&self) -> Option<&Service> {
        match self {
            Self::Service(service) => Some(service),
            _ => None,
        }
    }

    /// Makes the server lose the futures of its calls. A process is restarted by its next connection.
    ///
    /// # Errors
    /// This kind of server supports neither.
    pub(super) fn forget_futures(&self) -> Result<(), String> {
        match self {
            Self::Service(service) => service.0.durable.parking.forget_futures(),
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
    /// Why the server cannot be reached.
    pub(super) async fn send(&mut self, message: &Value, text: &str) -> Result<(), String> {
        match self {
            Self::Memory(client) => client.send(text).await,
            // If the process has ended, the next `receive` reports it.
            Self::Process(process) => process.send(text),
            #[cfg(feature = "http")]
            Self::Http(http) => return http.send(message, text).await,
        }
        let _ = message;
        Ok(())
    }

    /// Waits for the next message. Cancel-safe.
    ///
    /// # Errors
    /// Why no further message will come.
    pub(super) async fn receive(&mut self) -> Result<String, String> {
        match self {
            Self::Memory(client) => client.receive().await.ok_or_else(|| "the connection has ended".to_owned()),
            Self::Process(process) => process.receive().await,
            #[cfg(feature = "http")]
            Self::Http(http) => http.receive().await,
        }
    }

    /// Stops listening to the stream of a request. Returns whether that cancels it; otherwise a message must.
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

    /// Returns the tasks of the calls in flight, if they run in the test's own process.
    pub(super) fn tasks(&self) -> Vec<AbortHandle> {
        match self {
            Self::Memory(client) => client.tasks(),
            _ => Vec::new(),
        }
    }

    /// Returns the key of a question that came as a request, which the protocol does not transmit.
    pub(super) fn question_key(&self, id: &str) -> Option<String> {
        match self {
            Self::Memory(client) => client.question_key(id),
            _ => None,
        }
    }

    /// Returns the end of the process's standard error.
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
