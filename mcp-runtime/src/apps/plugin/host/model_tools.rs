//! The tools of a host in the formats that the APIs of models accept.

use serde_json::{Value, json};

use super::PluginHost;
use crate::{
    engine::{
        call::operation::Operation,
        tool::{registered::RegisteredTool, registry::ItemList},
    },
    serve::server::Inner,
    wire::protocol::sampling::SamplingTool,
};

/// The API of a model, which determines the format of the tool definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelApi {
    /// The Chat Completions API of OpenAI, and of the many compatible servers.
    OpenAi,
    /// The Messages API of Anthropic.
    Anthropic,
    /// The chat API of Ollama.
    Ollama,
}

impl PluginHost {
    /// Returns the tools for a request to a [model of this crate](crate::sample::SamplingProvider). Tools that are only for
    /// views are left out.
    pub fn sampling_tools(&self) -> Vec<SamplingTool> {
        let tool = |tool: &RegisteredTool| {
            SamplingTool::new(&*tool.definition.name, &*tool.definition.description)
                .input_schema(tool.schema.to_value())
        };
        self.for_models(tool)
    }

    /// Returns the definitions of the tools, for the member `tools` of a request to a model. Tools that are only for views
    /// are left out.
    ///
    /// When the model calls a tool, pass the name of the tool and the arguments to [`call_as`](Self::call_as). Then
    /// give the model the text of the [outcome](crate::plugin::PluginOutcome::text).
    ///
    /// ```
    /// use mcp_runtime::{Server, plugin::{ModelApi, PluginHost}, prelude::*};
    ///
    /// /// Adds two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> Text<i64> {
    ///     Text(a + b)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), mcp_runtime::plugin::StartError> {
    /// let host = PluginHost::builder(Server::new("calculator", "1.0.0").tools(tools![add])).start().await?;
    /// assert_eq!(host.tools_for(ModelApi::OpenAi)[0]["function"]["name"], "add");
    /// assert_eq!(host.tools_for(ModelApi::Anthropic)[0]["input_schema"]["required"][1], "b");
    /// # Ok(())
    /// # }
    /// ```
    pub fn tools_for(&self, api: ModelApi) -> Vec<Value> {
        self.for_models(|tool| {
            let (name, description) = (&*tool.definition.name, &*tool.definition.description);
            let schema = &*tool.schema.published;
            match api {
                ModelApi::OpenAi | ModelApi::Ollama => json!({
                    "type": "function",
                    "function": { "name": name, "description": description, "parameters": schema },
                }),
                ModelApi::Anthropic => {
                    json!({ "name": name, "description": description, "input_schema": schema })
                }
            }
        })
    }

    /// Converts the tools that a model sees.
    fn for_models<T>(&self, convert: impl FnMut(&RegisteredTool) -> T) -> Vec<T> {
        let server: &Inner = &self.server().0;
        let registry = server.registry.read();
        let part = server.listed_tools(&registry);
        let listed: &ItemList = part.as_deref().unwrap_or_else(|| registry.list(Operation::CallTool));
        listed.iter().filter(|tool| tool.definition.is_for_models()).map(convert).collect()
    }
}
