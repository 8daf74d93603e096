//! A server in the test's own process.

use serde_json::Value;

use super::{Target, Transfer, Transport};
use crate::{
    edge::testing::connection::ClientSettings,
    engine::call::Call,
    serve::{server::Service, transport::MemoryClient},
};

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
        self.0.durable.parking.forget_futures();
        Ok(())
    }
}

impl Transport for MemoryClient {
    fn send<'a>(&'a mut self, _: &'a Value, text: &'a str) -> Transfer<'a, ()> {
        Box::pin(async move {
            MemoryClient::send(self, text).await;
            Ok(())
        })
    }

    fn receive(&mut self) -> Transfer<'_, String> {
        Box::pin(async move { MemoryClient::receive(self).await.ok_or_else(|| "the connection has ended".to_owned()) })
    }

    fn calls(&self) -> Vec<Call> {
        MemoryClient::calls(self)
    }

    fn question_key(&self, id: &str) -> Option<String> {
        MemoryClient::question_key(self, id)
    }
}
