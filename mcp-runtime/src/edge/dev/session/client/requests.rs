//! Requests beside calls: completions, and resources for views.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{connection::MessageOwner, pool::ClientPool, profile::profile};
use crate::{
    edge::dev::target::ClientSetup,
    serve::client::{ClientRequest, CompletedArgument, RoundInput},
};

/// A request for the values of an argument.
#[derive(Deserialize)]
pub(crate) struct DevCompletion {
    pub(crate) setup: ClientSetup,
    #[serde(rename = "ref")]
    reference: DevCompletionRef,
    argument: CompletedName,
    #[serde(default)]
    filled: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum DevCompletionRef {
    #[serde(rename = "ref/prompt")]
    Prompt { name: String },
    #[serde(rename = "ref/resource")]
    Resource { uri: String },
}

#[derive(Deserialize)]
struct CompletedName {
    name: String,
    #[serde(default)]
    value: String,
}

impl ClientPool {
    /// Returns the `completion` of the server.
    ///
    /// # Errors
    /// Fails if the server has no completions, or cannot be reached.
    pub(crate) async fn complete(&self, request: DevCompletion) -> Result<Value, String> {
        let DevCompletion { setup, reference, argument, filled } = request;
        let (of, is_template) = match &reference {
            DevCompletionRef::Prompt { name } => (name, false),
            DevCompletionRef::Resource { uri } => (uri, true),
        };
        let completed = CompletedArgument::new(of, is_template, &argument.name, &argument.value);
        let request = ClientRequest::Completion(CompletedArgument { filled, ..completed });
        Ok(self.round(&setup, &request).await?["completion"].take())
    }

    /// Returns the result of `resources/read`.
    ///
    /// # Errors
    /// Fails if the resource cannot be read, or asks the user.
    pub(crate) async fn read_resource(&self, setup: &ClientSetup, uri: &str) -> Result<Value, String> {
        let result = self.round(setup, &ClientRequest::Resource { uri: uri.to_owned() }).await?;
        match result.get("contents") {
            Some(contents) => Ok(json!({ "contents": contents })),
            None => Err(format!("the resource `{uri}` asks the user; read it as a call")),
        }
    }

    async fn round(&self, setup: &ClientSetup, request: &ClientRequest) -> Result<Value, String> {
        let profile = profile(setup)?;
        let mut connection = self.take(setup, MessageOwner::default()).await?;
        let (id, input) = (self.next_id(), RoundInput::default());
        let result = connection.request(id, &profile.round(id, request, &input), request.method()).await?;
        self.put(setup, connection);
        Ok(result)
    }
}
