//! What a server publishes about a tool.

use std::{any::TypeId, borrow::Cow, time::Duration};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{form_entry::FormEntry, state::StateNeed};
use crate::{
    call::{
        limits::{ANSWER_WITHIN, FUTURE_KEPT},
        multi_round::{MultiRound, multi_round},
    },
    error::ToolError,
    protocol::capability::Capability,
    schema,
    schema::parameter::Takes,
};

/// What a server publishes about a tool, and what it must know to call it.
///
/// `#[mcp_tool]` writes it; a tool made at run time builds it by hand:
///
/// ```
/// use mcp_runtime::ToolDefinition;
/// use serde_json::json;
///
/// let definition = ToolDefinition::new("roll", "Rolls a die.")
///     .input_schema(json!({ "type": "object", "properties": { "sides": { "type": "integer" } } }))
///     .read_only(true);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ToolDefinition {
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) input_schema: Value,
    /// Whether the schema is published as it stands.
    pub(crate) verbatim: bool,
    /// Other names of arguments, and the published ones they stand for.
    pub(crate) aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// The types that the schema was made of, which read the arguments.
    pub(crate) reads: Option<Takes>,
    /// Whether the types that the schema was made of read the arguments: a schema of types alone needs no check then.
    pub(crate) typed: bool,
    pub(crate) output_schema: Option<Value>,
    pub(crate) annotations: ToolAnnotations,
    pub(crate) meta: Option<Map<String, Value>>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) answer_within: Option<Duration>,
    /// Whether a handoff that was kept as JSON can be read.
    pub(crate) reads_handoff: Option<ReadsHandoff>,
    /// The type whose value the phases of a handoff find by the call, and its name.
    pub(crate) this: Option<(TypeId, &'static str)>,
    /// Why it is the definition of no tool.
    pub(crate) problem: Option<String>,
    pub(crate) states: Vec<StateNeed>,
    pub(crate) requires: Vec<Capability>,
    pub(crate) optional: Vec<Capability>,
    /// What whoever calls it must have been granted.
    pub(crate) scopes: Vec<Cow<'static, str>>,
    pub(crate) replayable: bool,
    pub(crate) forms: Vec<FormEntry>,
    /// Multi-round support, if its calls may last over several requests.
    pub(crate) multi_round: Option<&'static dyn MultiRound>,
}

type ReadsHandoff = fn(&str) -> Result<(), ToolError>;

/// Hints for the host: is the tool safe to call? Nobody verifies them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolAnnotations {
    #[serde(rename = "readOnlyHint", skip_serializing_if = "Option::is_none")]
    pub(crate) read_only: Option<bool>,
    #[serde(rename = "destructiveHint", skip_serializing_if = "Option::is_none")]
    pub(crate) destructive: Option<bool>,
    #[serde(rename = "idempotentHint", skip_serializing_if = "Option::is_none")]
    pub(crate) idempotent: Option<bool>,
    #[serde(rename = "openWorldHint", skip_serializing_if = "Option::is_none")]
    pub(crate) open_world: Option<bool>,
}

impl ToolDefinition {
    /// A tool without parameters.
    pub fn new(name: impl Into<Cow<'static, str>>, description: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            input_schema: json!({ "type": "object", "additionalProperties": false }),
            verbatim: false,
            aliases: Vec::new(),
            reads: None,
            typed: false,
            output_schema: None,
            annotations: ToolAnnotations::default(),
            meta: None,
            timeout: None,
            answer_within: None,
            reads_handoff: None,
            this: None,
            problem: None,
            states: Vec::new(),
            requires: Vec::new(),
            optional: Vec::new(),
            scopes: Vec::new(),
            replayable: false,
            forms: Vec::new(),
            multi_round: None,
        }
    }

    /// The schema of the arguments (JSON Schema 2020-12). Its root is a plain object.
    pub fn input_schema(mut self, schema: impl Into<Value>) -> Self {
        self.input_schema = schema.into();
        self
    }

    /// The schema of the arguments, published word for word, and enforced all the same: with `$schema`, `$ref`s and
    /// `$defs`, with `allOf` or `if` at its root, which must say `"type": "object"`.
    ///
    /// The protocol allows all of this, and model APIs do not: several of them refuse every tool of a request for one
    /// such schema. [`input_schema`](Self::input_schema) publishes what all of them take, or says what they would not.
    pub fn input_schema_verbatim(mut self, schema: impl Into<Value>) -> Self {
        self.verbatim = true;
        self.input_schema(schema)
    }

    /// Also takes the argument `name` under another name, which is not published: a name it had before, say.
    pub fn alias(mut self, alias: impl Into<Cow<'static, str>>, name: impl Into<Cow<'static, str>>) -> Self {
        self.aliases.push((alias.into(), name.into()));
        self
    }

    /// The schema of the structured content (JSON Schema 2020-12).
    pub fn output_schema(mut self, schema: impl Into<Value>) -> Self {
        self.output_schema = Some(schema.into());
        self
    }

    /// What a person reads instead of the name.
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The tool changes nothing. Default: unsaid, which hosts read as `false`.
    pub fn read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only = Some(hint);
        self
    }

    /// The tool may destroy something. Default: unsaid, which hosts read as `true`.
    pub fn destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive = Some(hint);
        self
    }

    /// Calling it twice with the same arguments is as good as once. Default: unsaid, which hosts read as `false`.
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent = Some(hint);
        self
    }

    /// The tool reaches beyond the server, to the web for instance. Default: unsaid, which hosts read as `true`.
    pub fn open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world = Some(hint);
        self
    }

    /// Adds a member to the tool's `_meta` (since 2025-06-18).
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_with(Map::new).insert(key.into(), value.into());
        self
    }

    /// How long a call may run before it ends with an error. Default: no limit.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// How long a client may take for its answers, since 2026-07-28: as long as a `requestState` is good. Default: one
    /// hour. Where the call can be built again, only the state waits; its future is given up after 15 minutes.
    pub fn answer_within(mut self, limit: Duration) -> Self {
        self.answer_within = Some(limit);
        self
    }

    /// Holds a kept handoff against its type before the call goes on with it.
    #[doc(hidden)]
    pub fn reads_handoff(mut self, reads: ReadsHandoff) -> Self {
        self.reads_handoff = Some(reads);
        self
    }

    /// The tool is a value of this type, and finds it by the call.
    #[doc(hidden)]
    pub fn finds_itself<T: 'static>(mut self) -> Self {
        self.this = Some((TypeId::of::<T>(), std::any::type_name::<T>()));
        self
    }

    /// The tool takes a value of this type by reference: a server without one does not build.
    pub fn needs_state(mut self, need: StateNeed) -> Self {
        self.states.push(need);
        self
    }

    /// A client without this ability cannot call the tool.
    pub fn requires(mut self, capability: Capability) -> Self {
        self.requires.push(capability);
        self.multi_round = Some(multi_round());
        self
    }

    /// The tool uses this ability of the client where it is there.
    pub fn optional(mut self, capability: Capability) -> Self {
        self.optional.push(capability);
        self.multi_round = Some(multi_round());
        self
    }

    /// Whoever calls the tool must have been granted this scope. Over HTTP others are refused, and so is everybody as long
    /// as nothing says who calls; over standard input, where nobody is told apart, everything is granted.
    pub fn scope(mut self, scope: impl Into<Cow<'static, str>>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// The body may be run again from the top with the answers it already got.
    pub fn replayable(mut self) -> Self {
        self.replayable = true;
        self.multi_round = Some(multi_round());
        self
    }

    pub(crate) fn with_forms(mut self, forms: &[FormEntry]) -> Self {
        self.forms.extend_from_slice(forms);
        self.multi_round = Some(multi_round());
        self
    }

    /// Something else than the types of the schema reads the arguments.
    #[doc(hidden)]
    pub fn read_otherwise(mut self) -> Self {
        self.typed = false;
        schema::defaults::drop_of_other_types(&mut self.input_schema);
        self
    }

    /// How long the states of its calls are good.
    pub(crate) fn states_kept(&self) -> Duration {
        match self.answer_within {
            Some(limit) => limit,
            None if self.replayable => ANSWER_WITHIN,
            None => FUTURE_KEPT,
        }
    }

    /// Whether calling it twice is as good as once.
    pub(crate) fn may_run_again(&self) -> bool {
        self.annotations.idempotent == Some(true) || self.annotations.read_only == Some(true)
    }

    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.name
    }
}
