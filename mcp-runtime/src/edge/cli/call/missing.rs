//! Advice for a call that needs more than this client can do.

use serde_json::Value;

use crate::{edge::cli::items::askable::Askable, engine::tool::registered::RegisteredTool};

/// The capabilities that the server needs and this client lacks.
pub(crate) struct MissingCapability {
    user: bool,
    model: bool,
    /// Whether the tool needs a model that can call tools itself.
    model_with_tools: bool,
}

impl MissingCapability {
    /// Reads the `data` of an error. Returns `None` if missing capabilities are not the reason for the error.
    pub(crate) fn read(data: &Value) -> Option<Self> {
        let wanted = &data["requiredCapabilities"];
        let has = |name: &str| wanted.get(name).is_some();
        let model_with_tools = wanted["sampling"].get("tools").is_some();
        let (user, model) = (has("elicitation"), has("sampling"));
        (user || model).then_some(Self { user, model, model_with_tools })
    }

    /// Returns advice on how to answer the tool's questions in advance, and on what else the user can do. `more` is the
    /// command that shows the page of the tool.
    pub(crate) fn advice(&self, more: Option<&str>, tool: &RegisteredTool) -> String {
        let mut advice = Vec::new();
        let is_answerable = |askable: &Askable| match askable {
            Askable::Model => self.model && !self.model_with_tools,
            Askable::Form { .. } | Askable::Page => self.user,
        };
        let askable: Vec<_> = Askable::of(tool).into_iter().filter(is_answerable).collect();
        if !askable.is_empty() {
            advice.push(
                "Connect standard input and standard error to a terminal, or answer the questions in advance:"
                    .to_owned(),
            );
            advice.extend(askable.iter().map(|askable| match askable {
                Askable::Form { .. } => format!("  {}", askable.example()),
                Askable::Model => format!("  {}   # the reply of a model, to any question", askable.example()),
                Askable::Page => format!("  {}   # any page to open", askable.example()),
            }));
            advice.push(format!(
                "If a key is asked twice, give the option twice. `KEY=decline` and `KEY=cancel` are also answers.{}",
                more.map(|more| format!(" For more, try `{more}`")).unwrap_or_default()
            ));
        }
        if self.model {
            advice.push("To let a model answer, add a provider to the server with `.sampling_provider(…)`.".to_owned());
        }
        advice.join("\n")
    }
}
