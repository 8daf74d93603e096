//! Models as the operator names them.

use super::{error::ModelError, model::Model};

impl Model {
    /// The model that the environment names: `MCP_MODEL`, and the other variables [of this
    /// module](super#the-environment). None if `MCP_MODEL` is not set, or empty.
    ///
    /// # Errors
    /// It is set, and names no model. A missing key is found later, with all else, by
    /// [`Server::build`](crate::Server::build).
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
        let model = match vendor {
            "openai" => Self::openai_with(name, variable),
            "anthropic" => Self::anthropic_with(name, variable),
            "ollama" => Self::ollama_with(name, variable),
            "compatible" => Self::openai_compatible(url.as_deref().ok_or(ModelError::MissingUrl)?, name),
            _ => return Err(unknown()),
        };
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

/// A variable that is set to something.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::SamplingProvider;

    fn model(set: &[(&str, &str)]) -> Result<Option<Model>, ModelError> {
        let found = |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned());
        Model::from_variables(&found)
    }

    #[test]
    fn without_the_variable_there_is_no_model() {
        assert!(model(&[("OPENAI_API_KEY", "k")]).unwrap().is_none());
    }

    #[test]
    fn a_model_is_named_with_its_vendor() {
        let key = ("OPENAI_API_KEY", "sk-1");
        let shown = format!("{:?}", model(&[("MCP_MODEL", "openai:gpt-x"), key]).unwrap().unwrap());
        assert!(shown.contains("gpt-x") && shown.contains("https://api.openai.com/v1"), "{shown}");
        let shown =
            format!("{:?}", model(&[("MCP_MODEL", "ollama:qwen3:0.6b"), ("OLLAMA_HOST", "gpu")]).unwrap().unwrap());
        assert!(shown.contains("qwen3:0.6b") && shown.contains("http://gpu:11434"), "{shown}");
    }

    #[test]
    fn another_address_is_taken_for_every_vendor() {
        for named in ["openai:m", "anthropic:m", "ollama:m", "compatible:m"] {
            let set = [("MCP_MODEL", named), ("MCP_MODEL_URL", "http://127.0.0.1:9/v1"), ("MCP_MODEL_KEY", "k-123")];
            let model = model(&set).unwrap().unwrap();
            let shown = format!("{model:?}");
            assert!(shown.contains("http://127.0.0.1:9/v1") && !shown.contains("k-123"), "{shown}");
            assert_eq!(model.problem(), None, "{named}");
        }
    }

    #[test]
    fn a_compatible_server_is_not_sent_the_key_of_openai() {
        let set = [("MCP_MODEL", "compatible:m"), ("MCP_MODEL_URL", "http://h"), ("OPENAI_API_KEY", "sk-1")];
        assert!(format!("{:?}", model(&set).unwrap().unwrap()).contains("key: None"));
    }

    #[test]
    fn what_is_missing_is_said() {
        let problem = |named| model(&[("MCP_MODEL", named)]).unwrap().unwrap().problem().unwrap();
        assert_eq!(problem("openai:m"), "the model `m` has no key; set `OPENAI_API_KEY`, or give one by `.api_key(…)`");
        assert_eq!(
            problem("anthropic:m"),
            "the model `m` has no key; set `ANTHROPIC_API_KEY`, or give one by `.api_key(…)`"
        );
        assert_eq!(model(&[("MCP_MODEL", "compatible:m")]).unwrap_err(), ModelError::MissingUrl);
        for named in ["gpt-x", "openai:", "openai", "OpenAI: ", "gemini:m"] {
            assert_eq!(model(&[("MCP_MODEL", named)]).unwrap_err(), ModelError::Unknown(named.to_owned()));
        }
    }
}
