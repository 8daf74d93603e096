//! A tool in the registry: its checked definition and its compiled schemas.

use std::{
    any::Any,
    borrow::Cow,
    fmt::Display,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    time::Duration,
};

use super::{
    State, Tool, ToolDefinition,
    check::{is_scope, tool_schemas},
    nested,
    state::States,
};
#[cfg(feature = "http")]
use crate::wire::protocol::headers::ParamHeader;
use crate::{
    engine::call::{
        Call, CallState,
        call_target::{CallTarget, PollKind},
        operation::Operation,
    },
    wire::{
        protocol::capability::{Capabilities, Capability},
        schema::{InputSchema, InputSettings, OutputSchema},
    },
};

/// The number of long first polls in a row after which a tool counts as blocking. A single long poll is not enough,
/// because the scheduler can cause it.
const LONG_POLLS_OF_A_BLOCKING_TOOL: u8 = 3;

/// The settings of a server that its items need.
#[derive(Clone, Copy)]
pub(crate) struct ItemSettings<'s> {
    pub(crate) states: &'s States,
    pub(crate) input: InputSettings,
    /// The capabilities that the server itself provides, so that clients do not need them.
    pub(crate) done_by_server: Capabilities,
}

/// A tool, with its definition and the compiled schemas.
pub(crate) struct RegisteredTool {
    /// The key of the item in the registry. For a tool, the key is the name. For other items, such as prompts, it is
    /// the method and the name.
    pub(crate) unique_name: Box<str>,
    pub(crate) definition: ToolDefinition,
    pub(crate) schema: InputSchema,
    /// The arguments that clients repeat in HTTP headers.
    #[cfg(feature = "http")]
    pub(crate) param_headers: Vec<ParamHeader>,
    pub(crate) output: Option<OutputSchema>,
    /// The capabilities that a client needs to call the tool.
    pub(crate) requires: Capabilities,
    /// The capabilities that the server itself provides, so that clients do not need them.
    pub(crate) done_by_server: Capabilities,
    tool: Box<dyn Tool>,
    /// The number of long first polls in a row.
    long_polls: [AtomicU8; 2],
    /// Whether the operator was told that the tool blocks its thread.
    block_is_reported: AtomicBool,
}

impl RegisteredTool {
    /// Checks a tool, or another item such as a prompt. Adds a message for the author to `problems` for each error.
    /// Returns `None` if the definition or the input schema cannot be used.
    pub(crate) fn new(tool: Box<dyn Tool>, settings: ItemSettings<'_>, problems: &mut Vec<String>) -> Option<Self> {
        let ItemSettings { states, input, done_by_server } = settings;
        let mut definition = tool.definition();
        let (operation, name) = (definition.operation, definition.name.to_string());
        let noun = operation.noun();
        if !definition.problems.is_empty() {
            problems.extend(definition.problems.iter().map(|problem| match &*name {
                "" => problem.clone(),
                name => format!("{noun} `{name}`: {problem}"),
            }));
            return None;
        }
        let mut reject = |problem: &dyn Display| problems.push(format!("{noun} `{name}`: {problem}"));
        for scope in definition.scopes.iter().filter(|scope| !is_scope(scope)) {
            reject(&format_args!(
                "`{}` is not a scope: use one or more visible ASCII characters other than `\"` and `\\`",
                scope.escape_debug(),
            ));
        }
        for need in definition.states.iter().filter(|need| !states.has(need)) {
            reject(&need.problem());
        }
        if let (Some(runs), Some(store)) = (&definition.runs, states.get::<crate::engine::runs::ServerRunStore>())
            && !runs.manager.use_store(&store.0)
        {
            reject(
                &"its runs are in memory, because its actions were used before this server was built; build the server \
                  first, or name the store of the runs with `.runs(Runs::new(…))`",
            );
        }
        if let Some((this, of)) = definition.this
            && !nested(&*tool).any(|tool| tool.type_id() == this)
        {
            reject(&format_args!(
                "it wraps the handoff `{of}`, so its `Tool::wrapped` must return this handoff (the phases need it as \
                 `&self`); to run code around calls, you can also use a layer (`Server::layer`)"
            ));
        }
        let (schema, output) = match operation {
            Operation::CallTool => tool_schemas(&mut definition, input, &mut reject)?,
            // Each method reads its own params.
            _ => (InputSchema::anything(), None),
        };
        #[cfg(feature = "http")]
        let param_headers = schema.param_headers().unwrap_or_else(|reasons| {
            reasons.iter().for_each(|reason| reject(&format_args!("input schema: {reason}")));
            Vec::new()
        });
        let mut requires = Capabilities::of(&definition.requires);
        if !definition.forms.is_empty() && !definition.optional.contains(&Capability::Elicitation) {
            requires = requires.union(Capabilities::of(&[Capability::Elicitation]));
        }
        Some(Self {
            unique_name: unique_name(operation, &name).into(),
            definition,
            schema,
            #[cfg(feature = "http")]
            param_headers,
            output,
            requires: requires.without(done_by_server),
            done_by_server,
            tool,
            long_polls: [const { AtomicU8::new(0) }; 2],
            block_is_reported: AtomicBool::new(false),
        })
    }

    /// Creates the item that answers a method which has no items of the author. It is not in the registry.
    pub(crate) fn of_method(tool: impl Tool) -> Arc<Self> {
        let (states, input) = (&States::default(), InputSettings::default());
        let settings = ItemSettings { states, input, done_by_server: Capabilities::NONE };
        let registered = Self::new(Box::new(tool), settings, &mut Vec::new());
        Arc::new(registered.expect("the definition of a method is valid"))
    }

    /// Returns the target of a call as a registered tool.
    pub(crate) fn of(target: &dyn CallTarget) -> &Self {
        (target as &dyn Any).downcast_ref().expect("only registered tools are looked up")
    }

    /// Returns the item behind this entry. To call it, use [`begin`](Self::begin).
    pub(crate) fn item(&self) -> &dyn Tool {
        &*self.tool
    }

    /// Returns the error message for an item that has the same name as another item.
    pub(crate) fn name_taken(&self) -> String {
        let noun = self.definition.operation.noun();
        let prefix = match self.definition.operation {
            Operation::CallTool => ", or the tools of a library with `.prefix(\"…\")`",
            _ => "",
        };
        format!(
            "{}: two {noun}s have this name; rename one with `#[mcp_{noun}(name = \"…\")]`{prefix}",
            self.described()
        )
    }

    /// Returns the kind and the name, such as "tool `search`".
    pub(crate) fn described(&self) -> String {
        (self as &dyn CallTarget).described()
    }

    pub(crate) fn is_tool(&self) -> bool {
        self.definition.operation == Operation::CallTool
    }

    /// Returns whether the tool can ask. If so, its calls can last over several requests.
    pub(crate) fn may_ask(&self) -> bool {
        self.definition.multi_round.is_some()
    }

    /// Returns whether the whole tool must not begin twice in a call with an idempotency key. The beginning of other tools
    /// is allowed to run again: their effects are in phases or steps, or they are declared as `read_only` or `idempotent`.
    pub(crate) fn begins_once(&self) -> bool {
        self.is_tool() && !self.may_ask() && !self.may_run_again() && !self.is_replayable()
    }

    /// Returns a warning if the tool can ask, but its calls cannot resume in another process. A shared ledger is
    /// useless for such a tool.
    pub(crate) fn process_bound_warning(&self) -> Option<String> {
        (self.may_ask() && !self.definition.replayable).then(|| {
            let handoff = if self.is_tool() { "make the tool a `#[handoff]`, or " } else { "" };
            format!(
                "{}: it can ask, but another process that shares the ledger cannot resume its calls; {handoff}make it \
                 `replayable` and run its effects in `ctx.step(…)`",
                self.described()
            )
        })
    }
}

impl CallTarget for RegisteredTool {
    fn name(&self) -> &str {
        &self.definition.name
    }

    fn operation(&self) -> Operation {
        self.definition.operation
    }

    fn timeout(&self) -> Option<Duration> {
        self.definition.timeout
    }

    fn may_run_again(&self) -> bool {
        self.definition.may_run_again()
    }

    fn is_replayable(&self) -> bool {
        self.definition.replayable
    }

    fn is_blocking(&self, kind: PollKind) -> bool {
        self.long_polls[kind as usize].load(Ordering::Relaxed) >= LONG_POLLS_OF_A_BLOCKING_TOOL
    }

    fn note_poll(&self, kind: PollKind, long: bool) {
        // Counts the long polls in a row. A short one resets the count.
        let long_polls = &self.long_polls[kind as usize];
        let before = long_polls.load(Ordering::Relaxed);
        let now = if long { before.saturating_add(1) } else { 0 };
        if now != before {
            long_polls.store(now, Ordering::Relaxed);
        }
    }

    fn is_first_block(&self) -> bool {
        !self.block_is_reported.swap(true, Ordering::Relaxed)
    }

    fn non_finite_number(&self, content: &str) -> Option<String> {
        self.output.as_ref()?.lost_number(content)
    }
}

impl Call {
    /// Returns the called tool if it is a `T`. Otherwise, returns the first `T` among the tools that the called tool
    /// [wraps](Tool::wrapped), if there is one. The called tool is the value that the author added to the server.
    pub fn tool<T: Tool>(&self) -> Option<&T> {
        nested(self.registered().item()).find_map(|tool| tool.downcast_ref())
    }

    /// Returns the called tool, with its definition and its schemas.
    pub(crate) fn registered(&self) -> &RegisteredTool {
        RegisteredTool::of(&**self.target())
    }

    /// Returns the server's value of this type, if the server has one.
    pub fn state<T: State>(&self) -> Option<&T> {
        self.0.server.get::<States>()?.get()
    }
}

impl CallState {
    /// Returns the called tool, with its definition and its schemas.
    pub(crate) fn registered(&self) -> &RegisteredTool {
        RegisteredTool::of(&*self.tool)
    }
}

/// Returns the key of an item in the registry. If the item is not a tool, the key contains a space. Names of tools
/// contain no space, so such a key never equals the name of a tool.
pub(super) fn unique_name(operation: Operation, name: &str) -> Cow<'_, str> {
    match operation {
        Operation::CallTool => name.into(),
        _ => format!("{} {name}", operation.method()).into(),
    }
}

/// Returns the error message for invalid arguments.
pub(crate) fn invalid_arguments(tool: &str, reason: &dyn Display) -> String {
    format!("invalid arguments for `{tool}`:\n{reason}")
}
