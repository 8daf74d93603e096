//! The items that the command line can call: tools and prompts.

use serde_json::{Map, Value, value::RawValue};

use super::parameter::CliParameter;
use crate::{
    engine::{
        call::operation::Operation,
        elicit::ChoiceEntry,
        tool::{registered::RegisteredTool, registry::Registry},
    },
    serve::{client::ClientRequest, complete::TextArgument, prompt::arguments},
    wire::{
        protocol::json::{object, set},
        schema::nearest::did_you_mean,
    },
};

/// A tool or a prompt.
pub(crate) struct CliItem<'a> {
    pub(crate) registered: &'a RegisteredTool,
    /// The JSON Schema of the parameters.
    schema: Value,
}

/// Tools or prompts, and the words that commands use for them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ItemKind {
    pub(crate) operation: Operation,
    /// The command that shows the items.
    pub(crate) listed_by: &'static str,
    /// The command that calls an item.
    pub(crate) called_by: &'static str,
    /// The help text of the command that calls an item.
    pub(crate) about_call: &'static str,
    /// What the help shows in place of the name of an item.
    pub(crate) placeholder: &'static str,
    pub(crate) heading: &'static str,
}

pub(crate) static TOOLS: ItemKind = ItemKind {
    operation: Operation::CallTool,
    listed_by: "tools",
    called_by: "call",
    about_call: "Call a tool",
    placeholder: "TOOL",
    heading: "Tools",
};

pub(crate) static PROMPTS: ItemKind = ItemKind {
    operation: Operation::GetPrompt,
    listed_by: "prompts",
    called_by: "prompt",
    about_call: "Get a prompt",
    placeholder: "PROMPT",
    heading: "Prompts",
};

impl ItemKind {
    pub(crate) fn noun(&self) -> &'static str {
        self.operation.noun()
    }

    pub(crate) fn is_tool(&self) -> bool {
        self.operation == Operation::CallTool
    }

    /// Returns the request that calls an item.
    pub(crate) fn request(&self, name: &str, arguments: Box<RawValue>) -> ClientRequest {
        let (name, arguments) = (name.to_owned(), Some(arguments));
        if self.is_tool() { ClientRequest::Tool { name, arguments } } else { ClientRequest::Prompt { name, arguments } }
    }

    /// Returns all items of this kind that the server has.
    pub(crate) fn all<'r>(&self, registry: &'r Registry) -> impl Iterator<Item = CliItem<'r>> + use<'r> {
        let is_tool = self.is_tool();
        let tools = registry.iter().filter(move |_| is_tool);
        let others = registry.others(self.operation).filter(move |_| !is_tool);
        tools.chain(others).map(CliItem::new)
    }

    /// Returns the item with this name, if it exists.
    pub(crate) fn find<'r>(&self, registry: &'r Registry, name: &str) -> Option<CliItem<'r>> {
        let item = if self.is_tool() { registry.find(name) } else { registry.find_other(self.operation, name) };
        item.map(|item| CliItem::new(item))
    }

    /// Returns the error message for an item that does not exist. The message lists the existing items.
    pub(crate) fn unknown(&self, registry: &Registry, name: &str) -> String {
        let Self { listed_by, heading, .. } = self;
        let items: Vec<_> = self.all(registry).collect();
        let names = || items.iter().map(CliItem::name);
        if items.is_empty() {
            return format!("this server has no {listed_by}");
        }
        let meant = did_you_mean(name, names());
        let noun = self.noun();
        format!("there is no {noun} `{name}`{meant}\n\n{heading}: {}", names().collect::<Vec<_>>().join(", "))
    }
}

impl<'a> CliItem<'a> {
    fn new(registered: &'a RegisteredTool) -> Self {
        let schema = if registered.is_tool() { registered.schema.to_value() } else { schema(arguments(registered)) };
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
