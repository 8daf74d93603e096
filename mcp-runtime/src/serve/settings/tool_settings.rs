//! Settings that tools bring with them, such as the credentials of an API.

use std::sync::Arc;

use super::{definition::SettingDefinition, source::SettingSources};
use crate::engine::{
    call::{Call, running::CallFuture},
    tool::{Arguments, ArgumentsError, Tool, ToolDefinition, nested},
};

/// The settings that a tool needs, or several tools share. The server of the tools declares them as its own, so commands,
/// installers and packages know them, and passes the sources on when it is built.
pub(crate) trait ToolSettings: Send + Sync {
    fn definitions(&self) -> &[SettingDefinition];

    /// Returns the service that gets the values, such as `https://api.example.com`, if that is known.
    fn service(&self) -> Option<String>;

    /// Reads the values. `None` stands for the sources of a command that needs no values. Adds what is wrong to
    /// `problems`.
    fn read(&self, sources: Option<&SettingSources>, problems: &mut Vec<String>);

    /// Returns what is wrong, if no server has read the values: the tool is added to a server that runs.
    fn unread_problems(&self) -> Vec<String>;
}

/// A tool with its settings. It is otherwise the tool.
pub(crate) struct WithSettings {
    tool: Box<dyn Tool>,
    settings: Arc<dyn ToolSettings>,
}

#[cfg(feature = "openapi")]
impl WithSettings {
    pub(crate) fn new(tool: Box<dyn Tool>, settings: Arc<dyn ToolSettings>) -> Self {
        Self { tool, settings }
    }
}

#[diagnostic::do_not_recommend]
impl Tool for WithSettings {
    fn definition(&self) -> ToolDefinition {
        let mut definition = self.tool.definition();
        definition.problems.extend(self.settings.unread_problems());
        definition
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        self.tool.call(call, arguments)
    }

    fn wrapped(&self) -> Option<&dyn Tool> {
        Some(&*self.tool)
    }
}

/// Returns the descriptions of these settings. Those of two tools with the same name are one setting. Those of one tool are
/// two, which the server rejects.
pub(crate) fn definitions(all: &[Arc<dyn ToolSettings>]) -> Vec<SettingDefinition> {
    let mut known: Vec<SettingDefinition> = Vec::new();
    for settings in all {
        let earlier = known.len();
        for setting in settings.definitions() {
            if !known[..earlier].iter().any(|known| known.name() == setting.name()) {
                known.push(*setting);
            }
        }
    }
    known
}

/// Returns a problem for each setting whose value two services would get.
pub(crate) fn problems(all: &[Arc<dyn ToolSettings>]) -> Vec<String> {
    let services: Vec<_> = all.iter().map(|settings| settings.service()).collect();
    let mut problems = Vec::new();
    for (index, settings) in all.iter().enumerate() {
        for setting in settings.definitions() {
            let has_it = |earlier: &usize| all[*earlier].definitions().iter().any(|own| own.name() == setting.name());
            let Some(first) = (0..index).find(has_it) else { continue };
            if let (Some(first), Some(second)) = (&services[first], &services[index])
                && first != second
            {
                problems.push(format!(
                    "`{first}` and `{second}` would both get the value of the setting `{}`; its name is that of the file of \
                     an OpenAPI document, so give one file another name, or set one with `Api::credential`",
                    setting.name()
                ));
            }
        }
    }
    problems
}

/// Returns the settings of these tools. Settings that several tools share are there once.
pub(crate) fn of_tools(tools: &[Box<dyn Tool>]) -> Vec<Arc<dyn ToolSettings>> {
    let mut found: Vec<Arc<dyn ToolSettings>> = Vec::new();
    for tool in tools {
        for WithSettings { settings, .. } in nested(&**tool).filter_map(|tool| tool.downcast_ref()) {
            if !found.iter().any(|known| Arc::ptr_eq(known, settings)) {
                found.push(Arc::clone(settings));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::settings::{Secret, SettingDraft, SettingType};

    struct OfDocument(Vec<SettingDefinition>);

    impl ToolSettings for OfDocument {
        fn definitions(&self) -> &[SettingDefinition] {
            &self.0
        }

        fn service(&self) -> Option<String> {
            None
        }

        fn read(&self, _: Option<&SettingSources>, _: &mut Vec<String>) {}

        fn unread_problems(&self) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn only_settings_of_different_tools_are_merged() {
        let key = SettingDraft::new("key", "KEY", "key", <Option<Secret<String>> as SettingType>::TYPE).definition;
        let document = |count| Arc::new(OfDocument(vec![key; count])) as Arc<dyn ToolSettings>;
        assert_eq!(definitions(&[document(1), document(1)]).len(), 1);
        assert_eq!(definitions(&[document(2), document(2)]).len(), 2);
    }
}
