//! Models configured by environment variables.

use super::{
    dialect::Dialect,
    error::ModelError,
    model::{Model, variable},
};

impl Model {
    /// Creates a model from the environment variable `MCP_MODEL` and the [other variables](super#the-environment).
    /// Returns `None` if `MCP_MODEL` is empty or not set.
    ///
    /// # Errors
    /// Returns an error if `MCP_MODEL` is invalid, or if `MCP_MODEL_URL` is needed and missing. If the key is missing,
    /// [`Server::build`](crate::Server::build) returns an error.
    pub fn from_env() -> Result<Option<Self>, ModelError> {
        Self::from_variables(&variable)
    }

    pub(super) fn from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, ModelError> {
        let Some(named) = variable("MCP_MODEL") else { return Ok(None) };
        let unknown = || ModelError::Unknown(named.clone());
        let (vendor, name) = named.split_once(':').ok_or_else(unknown)?;
        let (vendor, name) = (vendor.trim(), name.trim());
        if name.is_empty() {
            return Err(unknown());
        }
        let url = variable("MCP_MODEL_URL");
        let dialect = match vendor {
            "openai" => Dialect::OpenAi,
            "anthropic" => Dialect::Anthropic,
            "ollama" => Dialect::Ollama,
            "compatible" if url.is_none() => return Err(ModelError::MissingUrl),
            "compatible" => Dialect::Compatible,
            _ => return Err(unknown()),
        };
        let model = Self::with_variables(dialect, name.to_owned(), variable);
        let model = match url {
            Some(url) => model.url(&url),
            None => model,
        };
        Ok(Some(match variable("MCP_MODEL_KEY") {
            Some(key) => model.api_key(key),
            None => model,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sample::SamplingProvider;

    fn model(set: &[(&str, &str)]) -> Result<Option<Model>, ModelError> {
        let found = |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned());
        Model::from_variables(&found)
    }

    #[test]
    fn returns_none_without_mcp_model() {
        assert!(model(&[("OPENAI_API_KEY", "k")]).unwrap().is_none());
    }

    #[test]
    fn reads_the_vendor_and_name_of_a_model() {
        let key = ("OPENAI_API_KEY", "sk-1");
        let shown = format!("{:?}", model(&[("MCP_MODEL", "openai:gpt-x"), key]).unwrap().unwrap());
        assert!(shown.contains("gpt-x") && shown.contains("https://api.openai.com\""), "{shown}");
        let shown =
            format!("{:?}", model(&[("MCP_MODEL", "ollama:qwen3:0.6b"), ("OLLAMA_HOST", "gpu")]).unwrap().unwrap());
        assert!(shown.contains("qwen3:0.6b") && shown.contains("http://gpu:11434"), "{shown}");
    }

    #[test]
    fn mcp_model_url_replaces_the_address_of_every_vendor() {
        for named in ["openai:m", "anthropic:m", "ollama:m", "compatible:m"] {
            let set = [("MCP_MODEL", named), ("MCP_MODEL_URL", "http://127.0.0.1:9/v1"), ("MCP_MODEL_KEY", "k-123")];
            let model = model(&set).unwrap().unwrap();
            let shown = format!("{model:?}");
            assert!(shown.contains("http://127.0.0.1:9\"") && !shown.contains("k-123"), "{shown}");
            assert_eq!(model.problem(), None, "{named}");
        }
    }

    #[test]
    fn does_not_send_the_openai_key_to_a_compatible_server() {
        let set = [("MCP_MODEL", "compatible:m"), ("MCP_MODEL_URL", "http://h"), ("OPENAI_API_KEY", "sk-1")];
        assert!(format!("{:?}", model(&set).unwrap().unwrap()).contains("key: None"));
    }

    #[test]
    fn reports_missing_variables() {
        let problem = |named| model(&[("MCP_MODEL", named)]).unwrap().unwrap().problem().unwrap();
        assert_eq!(problem("openai:m"), "the model `m` has no key; set `OPENAI_API_KEY`, or call `.api_key(…)`");
        assert_eq!(problem("anthropic:m"), "the model `m` has no key; set `ANTHROPIC_API_KEY`, or call `.api_key(…)`");
        assert_eq!(model(&[("MCP_MODEL", "compatible:m")]).unwrap_err(), ModelError::MissingUrl);
        for named in ["gpt-x", "openai:", "openai", "OpenAI: ", "gemini:m"] {
            assert_eq!(model(&[("MCP_MODEL", named)]).unwrap_err(), ModelError::Unknown(named.to_owned()));
        }
    }
}
