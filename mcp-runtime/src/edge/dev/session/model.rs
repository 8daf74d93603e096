//! The model of the environment, which answers the questions that a server asks a model.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    engine::sample::SamplingProvider,
    wire::protocol::sampling::{read_create_message_params, write_create_message},
};

/// A model that the page can let answer.
#[derive(Clone)]
pub(crate) struct DevModel {
    pub(crate) name: String,
    pub(crate) provider: Arc<dyn SamplingProvider>,
}

impl DevModel {
    /// Returns the model that `MCP_MODEL` names, as [`providers`](crate::providers) reads it. `None` if there is none.
    #[cfg(feature = "providers")]
    pub(crate) fn of_environment() -> Option<Self> {
        let name = std::env::var("MCP_MODEL").ok()?;
        let model = crate::edge::providers::Model::from_env().ok()??;
        model.problem().is_none().then(|| Self { name, provider: Arc::new(model) })
    }

    #[cfg(not(feature = "providers"))]
    pub(crate) fn of_environment() -> Option<Self> {
        None
    }

    /// Returns the reply of the model, as a `CreateMessageResult`.
    ///
    /// # Errors
    /// Fails if the model cannot be asked.
    pub(crate) async fn reply(&self, params: &Value) -> Result<Value, String> {
        let request = read_create_message_params(params)?;
        let reply = self.provider.sample(&request).await.map_err(|error| error.to_string())?;
        let mut result = write_create_message(&reply);
        // Older revisions have no list of blocks.
        if let Some(blocks) = result["content"].as_array_mut()
            && blocks.len() == 1
        {
            result["content"] = blocks.remove(0);
        }
        Ok(result)
    }
}
