//! The items that the command line can call: tools and prompts.

use serde_json::{Map, Value, value::RawValue};

use super::{did_you_mean, parameter::CliParameter};
use crate::{
    engine::{
        call::operation::Operation,
        elicit::ChoiceEntry,
        tool::{registered::RegisteredTool, registry::Registry},
    },
    serve::{client::ClientRequest, complete::TextArgument, prompt::arguments},
    wire::protocol::json::{object, set},
};

/// A tool or a prompt.
pub(crate) struct CliItem<'a> {
    pub(crate) registered: &'a RegisteredTool,
    /// The JSON Schema of the parameters.
    schema: Value,
}

/// Whether a command is about tools or prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Tool,
    Prompt,
}

impl ItemKind {
    /// Returns the command that shows the items.
    pub(crate) fn listed_by(self) -> &'static str {
        self.word("tools", "prompts")
    }

    /// Returns the command that calls an item.
    pub(crate) fn called_by(self) -> &'static str {
        self.word("call", "prompt")
    }

    /// Returns the help text of the command that calls an item.
    pub(crate) fn about_call(self) -> &'static str {
        self.word("Call a tool", "Get a prompt")
    }

    /// Returns the placeholder that the help shows for the name of an item.
    pub(crate) fn placeholder(self) -> &'static str {
        self.word("TOOL", "PROMPT")
    }

    pub(crate) fn heading(self) -> &'static str {
        self.word("Tools", "Prompts")
    }

    pub(crate) fn noun(self) -> &'static str {
        self.operation().noun()
    }

    pub(crate) fn operation(self) -> Operation {
        match self {
            Self::Tool => Operation::CallTool,
            Self::Prompt => Operation::GetPrompt,
        }
    }

    fn word(self, tool: &'static str, prompt: &'static str) -> &'static str {
        if self == Self::Tool { tool } else { prompt }
    }

    /// Returns the request that calls an item.
    pub(crate) fn request(self, name: &str, arguments: Box<RawValue>) -> ClientRequest {
        let (name, arguments) = (name.to_owned(), Some(arguments));
        match self {
            Self::Tool => ClientRequest::Tool { name, arguments },
            Self::Prompt => ClientRequest::Prompt { name, arguments },
        }
    }

    /// Returns all items of this kind that the server has.
    pub(crate) fn all(self, registry: &Registry) -> impl Iterator<Item = CliItem<'_>> {
        let tools = registry.iter().filter(move |_| self == Self::Tool);
        let others = registry.others(self.operation()).filter(move |_| self != Self::Tool);
        tools.chain(others).map(move |registered| CliItem::new(self, registered))
    }

    /// Returns the item with this name, if it exists.
    pub(crate) fn find<'a>(self, registry: &'a Registry, name: &str) -> Option<CliItem<'a>> {
        let item = match self {
            Self::Tool => registry.find(name),
            Self::Prompt => registry.find_other(self.operation(), name),
        };
        item.map(|item| CliItem::new(self, item))
    }

    /// Returns the error message for an item that does not exist. The message lists the existing items.
    pub(crate) fn unknown(self, registry: &Registry, name: &str) -> String {
        let (noun, plural) = (self.noun(), self.listed_by());
        let items: Vec<_> = self.all(registry).collect();
        let names = || items.iter().map(CliItem::name);
        if items.is_empty() {
            return format!("this server has no {plural}");
        }
        let meant = did_you_mean(name, names());
        let heading = self.heading();
        format!("there is no {noun} `{name}`{meant}\n\n{heading}: {}", names().collect::<Vec<_>>().join(", "))
    }
}

impl<'a> CliItem<'a> {
    fn new(kind: ItemKind, registered: &'a RegisteredTool) -> Self {
        let schema = match kind {
            ItemKind::Tool => registered.schema.to_value(),
            ItemKind::Prompt => schema(arguments(registered)),
        };
        Self { registered, schema }
    }

    pub(crate) fn name(&self) -> &str {
        self.registered.definition.name()
    }

    pub(crate) fn parameters(&self) -> Vec<CliParameter<'_>> {
        CliParameter::of_object(&self.schema)
    }

    /// Returns the schema of the required parameters that these arguments lack, or `None` if none is missing.
    pub(crate) fn missing(&self, arguments: &Map<String, Value>) -> Option<Value> {
        let missing: Vec<_> = self
            .parameters()
            .into_iter()
            .filter(|parameter| parameter.required && !arguments.contains_key(parameter.name))
            .collect();
        let properties: Map<_, _> =
            missing.iter().map(|parameter| (parameter.name.to_owned(), parameter.schema.clone())).collect();
        let required: Vec<_> = missing.iter().map(|parameter| parameter.name).collect();
        (!missing.is_empty()).then(|| {
            object([("type", "object".into()), ("properties", properties.into()), ("required", required.into())])
        })
    }
}

/// Returns a JSON Schema for arguments that are text.
fn schema(arguments: &[TextArgument]) -> Value {
    let property = |argument: &TextArgument| {
        let mut property = Map::new();
        set(&mut property, "type", "string".into());
        for (name, text) in [("title", &argument.title), ("description", &argument.description)] {
            if let Some(text) = text {
                set(&mut property, name, (&**text).into());
            }
        }
        let choices: Vec<_> = argument.kind.choices.iter().map(ChoiceEntry::name).collect();
        if !choices.is_empty() {
            set(&mut property, "enum", choices.into());
        }
        (argument.name.to_string(), Value::from(property))
    };
    let required = arguments.iter().filter(|argument| argument.kind.is_required).map(|argument| &argument.name);
    object([
        ("type", "object".into()),
        ("properties", arguments.iter().map(property).collect()),
        ("required", required.map(|name| &**name).collect()),
    ])
}
