//! The published definition of a tool: its schemas, its settings and its forms.

use std::{any::TypeId, borrow::Cow, panic::Location, time::Duration};

use serde_json::{Map, Value, json, value::RawValue};

use super::{annotations::ToolAnnotations, state::StateNeed, view::ViewDefinition};
use crate::{
    base::error::ToolError,
    engine::call::{
        multi_round::{MultiRound, multi_round},
        operation::Operation,
    },
    wire::{
        protocol::{
            capability::Capability,
            icon::Icon,
            json::{object, object_of_some},
            view::{ToolVisibility, UI},
        },
        schema::{self, parameter::Takes},
    },
};

/// The default time limit for a client's answer.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(60 * 60);

/// How long the server keeps the future of a call that waits for the client's next request.
pub(crate) const FUTURE_KEPT: Duration = Duration::from_secs(15 * 60);

/// The data that a server publishes about a tool, and the settings of its calls.
///
/// `#[mcp_tool]` generates the definition. For a tool created at run time, build the definition by hand:
///
/// ```
/// use mcp_runtime::tool::ToolDefinition;
/// use serde_json::json;
///
/// let definition = ToolDefinition::new("roll", "Rolls a die.")
///     .input_schema(json!({ "type": "object", "properties": { "sides": { "type": "integer" } } }))
///     .read_only(true);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ToolDefinition {
    /// The kind of request that calls the tool.
    pub(crate) operation: Operation,
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) input_schema: Value,
    /// Whether the schema is published unchanged.
    pub(crate) verbatim: bool,
    /// Pairs of an alias of an argument and the published name of the argument.
    pub(crate) aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// The Rust types from which the schema was generated.
    pub(crate) reads: Option<Takes>,
    /// Whether the tool deserializes its arguments into the types of the schema. If so, a schema that demands only
    /// types needs no separate check.
    pub(crate) typed: bool,
    pub(crate) output_schema: Option<Value>,
    pub(crate) annotations: ToolAnnotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Option<Map<String, Value>>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) answer_within: Option<Duration>,
    /// The function that checks whether a stored handoff can be read.
    pub(crate) reads_handoff: Option<ReadsHandoff>,
    /// The type and the type name of the value that the phases of a handoff get as `&self`.
    pub(crate) this: Option<(TypeId, &'static str)>,
    /// Why the definition is invalid: reasons that follow the kind and the name of the item. If the item has no name, whole
    /// sentences.
    pub(crate) problems: Vec<String>,
    pub(crate) states: Vec<StateNeed>,
    pub(crate) requires: Vec<Capability>,
    pub(crate) optional: Vec<Capability>,
    /// The scopes that callers need.
    pub(crate) scopes: Vec<Cow<'static, str>>,
    pub(crate) replayable: bool,
    pub(crate) forms: Vec<FormEntry>,
    /// The view that hosts show beside the results. If the item is the resource with the page of a view, this is that view.
    pub(crate) view: Option<&'static ViewDefinition>,
    /// Who can call the tool, if not everybody.
    pub(crate) visibility: Option<ToolVisibility>,
    /// Multi-round support, present if the tool can ask.
    pub(crate) multi_round: Option<&'static dyn MultiRound>,
    /// Whether the tool checks its arguments itself. If so, the server does not enforce the published schema.
    pub(crate) checks_itself: bool,
    /// Whether another server checks the arguments and the results. If so, the schemas are published as they are.
    pub(crate) passes_on: bool,
    /// Whether calls of the tool can continue as tasks.
    pub(crate) is_task: bool,
    /// The background runs of a tool with actions. Each of these runs is also a task.
    pub(crate) runs: Option<crate::engine::runs::RunsAsTasks>,
    /// Reads which other tool a call of this tool calls, if this tool only passes calls on.
    pub(crate) forwards: Option<ReadsForwarded>,
    /// A text for the instructions of the server. In the instructions, this text follows the name of the tool, in the
    /// same sentence.
    pub(crate) guide: Option<String>,
    /// Where the author has declared the item. It is not published.
    #[allow(dead_code, reason = "only the command `check` names it")]
    pub(crate) declared_at: &'static Location<'static>,
    /// The names of the rules of the command `check` that the item may break.
    #[allow(dead_code, reason = "only the command `check` reads them")]
    pub(crate) allowed: Vec<&'static str>,
}

/// Reads the name of a tool and the JSON text of its arguments from the arguments of a tool that passes calls on. Returns
/// `None` if these name no other tool, or do not have the form that the schema describes.
pub(crate) type ReadsForwarded = for<'a> fn(&'a str) -> Option<(Cow<'a, str>, &'a str)>;

/// Writes the settings that tools, prompts and resources share. `$item` is what an author calls the item, and `$call` is
/// the field with the [`ToolDefinition`], if it is not the definition itself.
macro_rules! item_settings {
    ($item:literal $(, $call:ident)?) => {
        /// Sets the name shown to users (since 2025-06-18).
        pub fn title(mut self, title: impl Into<std::borrow::Cow<'static, str>>) -> Self {
            self$(.$call)?.title = Some(title.into());
            self
        }

        /// Adds an icon that hosts show to users (since 2025-11-25): an [`Icon`](crate::content::Icon), or the `http:`, `https:`
        /// or `data:` URI of one.
        pub fn icon(mut self, icon: impl Into<crate::wire::protocol::icon::Icon>) -> Self {
            self$(.$call)?.icons.push(icon.into());
            self
        }

        #[doc = concat!("Adds a member to the ", $item, "'s `_meta` (since 2025-06-18).")]
        pub fn meta(mut self, key: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
            self$(.$call)?.meta.get_or_insert_default().insert(key.into(), value.into());
            self
        }

        /// Sets how long a call may run before it ends with an error. Default: no limit.
        pub fn timeout(mut self, timeout: std::time::Duration) -> Self {
            self$(.$call)?.timeout = Some(timeout);
            self
        }

        /// Sets the lifetime of a `requestState`. The client must answer within this time (since 2026-07-28). Default:
        /// one hour, or 15 minutes if the call cannot be rebuilt. If the call can be rebuilt, the server drops the call's
        /// future after 15 minutes, and rebuilds the call from the state when the client answers.
        pub fn answer_within(mut self, limit: std::time::Duration) -> Self {
            self$(.$call)?.answer_within = Some(limit);
            self
        }

        #[doc = concat!("Declares that the ", $item, " takes a shared value by reference. `need` names the type of the")]
        /// value. If the server has no value of this type, [`Server::build`](crate::Server::build) fails.
        pub fn needs_state(mut self, need: crate::engine::tool::StateNeed) -> Self {
            self$(.$call)?.states.push(need);
            self
        }

        #[doc = concat!("Adds a capability. Only clients that have it can use the ", $item, ".")]
        pub fn requires(mut self, capability: crate::wire::protocol::capability::Capability) -> Self {
            self$(.$call)?.requires.push(capability);
            self$(.$call)?.multi_round = Some(crate::engine::call::multi_round::multi_round());
            self
        }

        #[doc = concat!("Adds a capability that the ", $item, " uses if the client has it.")]
        pub fn optional(mut self, capability: crate::wire::protocol::capability::Capability) -> Self {
            self$(.$call)?.optional.push(capability);
            self$(.$call)?.multi_round = Some(crate::engine::call::multi_round::multi_round());
            self
        }

        /// Adds a scope that callers need. Over HTTP, the server rejects callers without the scope, and rejects all
        /// callers if the server has no authorization. Over stdio callers have no identity, so every scope is granted.
        pub fn scope(mut self, scope: impl Into<std::borrow::Cow<'static, str>>) -> Self {
            self$(.$call)?.scopes.push(scope.into());
            self
        }

        #[doc = concat!("Allows the runtime to run the body of the ", $item, " again from the start. The body then gets")]
        /// the same answers as before.
        pub fn replayable(mut self) -> Self {
            self$(.$call)?.replayable = true;
            self$(.$call)?.multi_round = Some(crate::engine::call::multi_round::multi_round());
            self
        }

        #[doc = concat!("Lets the ", $item, " break a rule of the command `check`, such as `undescribed-parameter` (feature")]
        /// `cli`). The guide `checking` lists the rules. Without the command, this has no effect.
        pub fn allow(mut self, rule: &'static str) -> Self {
            self$(.$call)?.allowed.push(rule);
            self
        }

        #[doc = concat!("Returns the ", $item, "'s name.")]
        pub fn name(&self) -> &str {
            &self$(.$call)?.name
        }

        $(
            #[doc = concat!("Changes the settings that ", $item, "s share with tools.")]
            #[doc(hidden)]
            pub fn with(
                mut self,
                change: impl FnOnce(crate::engine::tool::ToolDefinition) -> crate::engine::tool::ToolDefinition,
            ) -> Self {
                self.$call = change(self.$call);
                self
            }
        )?
    };
}
pub(crate) use item_settings;

type ReadsHandoff = fn(&str) -> Result<(), ToolError>;

impl ToolDefinition {
    item_settings!("tool");

    /// Declares that calls of the tool can be tasks. The macro also generates code that runs such calls. Without the
    /// feature `actions`, that code does not compile.
    #[doc(hidden)]
    pub fn task(mut self) -> Self {
        self.is_task = true;
        self
    }

    /// Returns whether calls of the tool can become tasks.
    pub(crate) fn has_tasks(&self) -> bool {
        self.is_task || self.runs.is_some()
    }

    /// Creates a tool without parameters.
    #[track_caller]
    pub fn new(name: impl Into<Cow<'static, str>>, description: impl Into<Cow<'static, str>>) -> Self {
        Self {
            operation: Operation::CallTool,
            name: name.into(),
            title: None,
            description: description.into(),
            input_schema: object([("type", "object".into()), ("additionalProperties", false.into())]),
            verbatim: false,
            aliases: Vec::new(),
            reads: None,
            typed: false,
            output_schema: None,
            annotations: ToolAnnotations::default(),
            icons: Vec::new(),
            meta: None,
            timeout: None,
            answer_within: None,
            reads_handoff: None,
            this: None,
            problems: Vec::new(),
            states: Vec::new(),
            requires: Vec::new(),
            optional: Vec::new(),
            scopes: Vec::new(),
            replayable: false,
            is_task: false,
            runs: None,
            forms: Vec::new(),
            view: None,
            visibility: None,
            multi_round: None,
            checks_itself: false,
            passes_on: false,
            forwards: None,
            guide: None,
            declared_at: Location::caller(),
            allowed: Vec::new(),
        }
    }

    /// Creates the definition of the item that answers a method which has no items of the author.
    pub(crate) fn of_method(operation: Operation) -> Self {
        Self { operation, ..Self::new(operation.method(), "") }
    }

    /// Whether a model can call the tool, and not only views.
    pub(crate) fn is_for_models(&self) -> bool {
        // A mounted tool has what its own server publishes.
        let published = self.meta.as_ref().and_then(|meta| meta.get(UI)?.get("visibility")?.as_array());
        self.visibility != Some(ToolVisibility::App)
            && published.is_none_or(|visibility| visibility.iter().any(|who| who == ToolVisibility::Model.as_str()))
    }

    /// Sets the schema of the arguments (JSON Schema 2020-12). Its root must be a plain object. Calls are checked against
    /// this schema, and the server publishes its portable form; see the module [`schemas`](crate::guide::schemas).
    pub fn input_schema(mut self, schema: impl Into<Value>) -> Self {
        self.input_schema = schema.into();
        self
    }

    /// Sets the schema of the arguments. The schema is enforced and published unchanged. It can have `$schema`, `$ref`s
    /// and `$defs`, and `allOf` or `if` at its root. The root must contain `"type": "object"`.
    ///
    /// The protocol allows all of this, but several model APIs reject the whole request if it contains one such schema.
    /// [`input_schema`](Self::input_schema) converts the schema to a form that all these APIs accept; if the root is not a
    /// plain object, [`Server::build`](crate::Server::build) fails.
    pub fn input_schema_verbatim(mut self, schema: impl Into<Value>) -> Self {
        self.verbatim = true;
        self.input_schema(schema)
    }

    /// Adds an alias of the argument `name`, for example its former name. Aliases are not published.
    pub fn alias(mut self, alias: impl Into<Cow<'static, str>>, name: impl Into<Cow<'static, str>>) -> Self {
        self.aliases.push((alias.into(), name.into()));
        self
    }

    /// Sets the schema of the structured content (JSON Schema 2020-12).
    pub fn output_schema(mut self, schema: impl Into<Value>) -> Self {
        self.output_schema = Some(schema.into());
        self
    }

    /// Sets the function that checks a stored handoff before the call continues.
    #[doc(hidden)]
    pub fn reads_handoff(mut self, reads: ReadsHandoff) -> Self {
        self.reads_handoff = Some(reads);
        self
    }

    /// Declares the type of the value that the tool's phases get as `&self`.
    #[doc(hidden)]
    pub fn finds_itself<T: 'static>(mut self) -> Self {
        self.this = Some((TypeId::of::<T>(), std::any::type_name::<T>()));
        self
    }

    pub(crate) fn with_forms(mut self, forms: &[FormEntry]) -> Self {
        self.forms.extend_from_slice(forms);
        self.multi_round = Some(multi_round());
        self
    }

    /// Declares that the tool does not deserialize its arguments into the types of the schema.
    #[doc(hidden)]
    pub fn read_otherwise(mut self) -> Self {
        self.typed = false;
        schema::drop_of_other_types(&mut self.input_schema);
        self
    }

    /// Returns how long a `requestState` of the tool's calls is valid.
    pub(crate) fn states_kept(&self) -> Duration {
        match self.answer_within {
            Some(limit) => limit,
            None if self.replayable => ANSWER_WITHIN,
            None => FUTURE_KEPT,
        }
    }
}

/// One form of a form set.
#[derive(Clone, Copy, Debug)]
pub struct FormEntry {
    pub(crate) key: &'static str,
    pub(crate) description: &'static str,
    /// Returns the form's schema in the newest revision.
    pub(crate) published: fn() -> &'static RawValue,
    /// Returns whether this content answers the form as it is declared, with nothing to correct.
    #[allow(dead_code, reason = "only an application checks answers before the tool gets them")]
    pub(crate) accepts: fn(&Map<String, Value>) -> bool,
    /// The view that shows the form, where the client can.
    pub(crate) view: Option<&'static ViewDefinition>,
}

impl FormEntry {
    /// Returns the form as the manifest shows it.
    pub(crate) fn to_json(self) -> Value {
        let description = Some(self.description).filter(|description| !description.is_empty());
        object_of_some([
            ("key", Some(self.key.into())),
            ("description", description.map(Value::from)),
            ("requestedSchema", Some(json!((self.published)()))),
            ("view", self.view.map(|view| view.uri.into())),
        ])
    }
}
