//! Connects a scripted client to its server in memory, over the standard streams of a child process, or over HTTP.

use std::{any::Any, fmt};

use tokio::process::Command;

use super::ClientSettings;
#[cfg(feature = "http")]
use crate::serve::remote::transport::http::{HttpTransport, url::Endpoint};
use crate::{
    base::mutex::Mutex,
    serve::{
        remote::transport::{ReceiveError, ServerText, Transfer, TransferError, Transport, process::Process},
        server::Service,
        transport::MemoryClient,
    },
};

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

impl Target for Mutex<Command> {
    fn connect(&self, _: &ClientSettings) -> Result<Box<dyn Transport>, String> {
        Ok(Box::new(Process::start(&mut self.lock())?))
    }

    fn forget_futures(&self) -> Result<(), String> {
        Ok(())
    }
}

#[cfg(feature = "http")]
impl Target for Endpoint {
    fn connect(&self, settings: &ClientSettings) -> Result<Box<dyn Transport>, String> {
        Ok(Box::new(HttpTransport::new(std::sync::Arc::new(self.clone()), settings.profile.revision)))
    }

    fn forget_futures(&self) -> Result<(), String> {
        let advice = "use `Client::process`, or a `Fault` that restarts nothing";
        Err(format!("a client cannot restart the server behind a URL; {advice}"))
    }
}

impl Transport for MemoryClient {
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()> {
        Box::pin(async move {
            MemoryClient::send(self, text).await;
            Ok(())
        })
    }

    fn receive(&mut self) -> Transfer<'_, ServerText, ReceiveError> {
        Box::pin(async move {
            let text = MemoryClient::receive(self).await;
            text.map(ServerText::from)
                .ok_or_else(|| TransferError::Broken("the connection has ended".to_owned()).into())
        })
    }

    fn memory(&self) -> Option<&MemoryClient> {
        Some(self)
    }
}
