//! Connects a scripted client to its server in memory, over the standard streams of a child process, or over HTTP.

#[cfg(feature = "http")]
pub(crate) mod http;
mod process;

use std::{any::Any, fmt, future::ready, pin::Pin};

use super::ClientSettings;
use crate::serve::{server::Service, transport::MemoryClient};

/// The server that a scripted client connects to.
pub(crate) trait Target: Any + fmt::Debug + Send + Sync {
    /// # Errors
    /// Fails if the server cannot be started.
    fn connect(&self, settings: &ClientSettings) -> Result<Box<dyn Transport>, String>;

    /// Returns the service, if it is in the test's own process.
    fn service(&self) -> Option<&Service> {
        None
    }

    /// Makes the server lose the futures of its calls. A process is killed, and started again at the next connection.
    ///
    /// # Errors
    /// Fails if the server is behind a URL, because the client cannot restart such a server.
    fn forget_futures(&self) -> Result<(), String>;
}

/// An open connection to a server.
pub(crate) trait Transport: Send + Sync {
    /// Sends a message.
    ///
    /// # Errors
    /// Returns the reason why the server cannot be reached.
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()>;

    /// Waits for the next message. Cancel-safe.
    ///
    /// # Errors
    /// Returns the reason why no further message can arrive.
    fn receive(&mut self) -> Transfer<'_, String>;

    /// Stops listening to the stream of a request. Returns whether this cancels the request. If not, the client must
    /// send a cancellation.
    fn cancel(&mut self, _request: u64) -> bool {
        false
    }

    /// Returns the connection to a server in the test's own process, which knows more than the protocol transmits: the
    /// calls in flight, and the keys of questions that came as requests.
    fn memory(&self) -> Option<&MemoryClient> {
        None
    }

    /// Kills the process of the server, if it has its own. Returns the last part of what this process has written to
    /// standard error.
    fn kill(&mut self) -> Killing<'_> {
        Box::pin(ready(None))
    }
}

/// A future that kills a process.
pub(crate) type Killing<'a> = Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>>;

/// A future that sends or receives a message.
pub(crate) type Transfer<'a, T> = Pin<Box<dyn Future<Output = Result<T, String>> + Send + 'a>>;

impl Target for Service {
    fn connect(&self, settings: &ClientSettings) -> Result<Box<dyn Transport>, String> {
        Ok(Box::new(match &settings.principal {
            Some(principal) => self.memory_as(principal.clone()),
            None => self.memory(),
        }))
    }

    fn service(&self) -> Option<&Service> {
        Some(self)
    }

    fn forget_futures(&self) -> Result<(), String> {
        self.0.durable.parking().forget_futures();
        Ok(())
    }
}

impl Transport for MemoryClient {
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()> {
        Box::pin(async move {
            MemoryClient::send(self, text).await;
            Ok(())
        })
    }

    fn receive(&mut self) -> Transfer<'_, String> {
        Box::pin(async move { MemoryClient::receive(self).await.ok_or_else(|| "the connection has ended".to_owned()) })
    }

    fn memory(&self) -> Option<&MemoryClient> {
        Some(self)
    }
}
