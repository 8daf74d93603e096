//! A tool in the registry: its checked definition and its compiled schemas.

use std::{
    any::Any,
    borrow::Cow,
    fmt::Display,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    time::Duration,
};

use super::{Arguments, ArgumentsError, Tool, ToolDefinition, guard::Pass, nested, state::States};
#[cfg(feature = "http")]
use crate::wire::protocol::headers::ParamHeader;
use crate::{
    engine::call::{
        Call,
        call_target::{CallTarget, PollKind},
        operation::Operation,
        running::Calling,
    },
    wire::{
        protocol::{
            capability::{Capabilities, Capability},
            result::CallToolResult,
            revision::Revision,
        },
        schema::{InputSchema, InputSettings, OutputSchema, Violations},
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
    /// The object that represents the tool in the lists of each revision. Used for lists that change.
    listed: OnceLock<Box<ListedObjects>>,
}

/// The object of an item in lists, as JSON text, for each revision.
type ListedObjects = [OnceLock<Box<[u8]>>; Revision::ALL.len()];

/// The reason why the arguments of a call are invalid.
#[derive(Debug)]
pub(crate) enum InvalidArguments {
    /// They do not fit the schema.
    Unfit(Violations),
    /// They fit the schema, but the tool could not read them.
    Unread(ArgumentsError),
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
            listed: OnceLock::new(),
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

    /// Checks the arguments and creates the tool's future.
    #[inline]
    pub(crate) fn begin(&self, _: Pass, call: Call, arguments: &str) -> Result<Calling, InvalidArguments> {
        let schema = &self.schema;
        call.0.note_arguments(arguments);
        let needs_check = schema.needs_check() && !schema.surely_fits(arguments);
        let checked = if needs_check { schema.checked(arguments) } else { Ok(Cow::Borrowed(arguments)) };
        let checked = checked.map_err(InvalidArguments::Unfit)?;
        self.tool.call(call, Arguments::new(&checked, schema)).map_err(|unread| {
            // The schema's errors are preferred: they name the path of each invalid value.
            let violations = if self.is_tool() { schema.check(arguments).err() } else { None };
            violations.map_or(InvalidArguments::Unread(unread), InvalidArguments::Unfit)
        })
    }

    /// Returns the result of a call whose arguments are invalid, for the model.
    pub(crate) fn refuse_arguments(&self, invalid: &InvalidArguments) -> CallToolResult {
        CallToolResult::error(match invalid {
            InvalidArguments::Unfit(violations) => invalid_arguments(&self.definition.name, violations),
            InvalidArguments::Unread(reason) => invalid_arguments(&self.definition.name, &format_args!("- {reason}")),
        })
    }

    /// Creates the tool's future again, for a call that is rebuilt in a later round. The guard has admitted the request
    /// of this round, and the arguments were checked in the first round.
    pub(crate) fn rebuild(&self, call: Call, arguments: &str) -> Result<Calling, ArgumentsError> {
        let checked = self.schema.needs_check().then(|| self.schema.checked(arguments).ok()).flatten();
        self.tool.call(call, Arguments::new(checked.as_deref().unwrap_or(arguments), &self.schema))
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
        format!("{} `{}`", self.definition.operation.noun(), self.definition.name)
    }

    pub(crate) fn is_tool(&self) -> bool {
        self.definition.operation == Operation::CallTool
    }

    /// Returns whether the tool can ask. If so, its calls can last over several requests.
    pub(crate) fn may_ask(&self) -> bool {
        self.definition.multi_round.is_some()
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

    /// Returns the object that represents the item in lists, as JSON text. `push` writes this text once per revision.
    pub(crate) fn listed(&self, revision: Revision, push: fn(&Self, Revision, &mut Vec<u8>)) -> &[u8] {
        let texts = self.listed.get_or_init(Box::default);
        let index = Revision::ALL.iter().position(|known| *known == revision).unwrap_or_default();
        texts[index].get_or_init(|| {
            let mut text = Vec::new();
            push(self, revision, &mut text);
            text.into()
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

/// Checks the parts of a definition that only tools have, and compiles its schemas. Returns `None` if the input schema
/// is invalid.
fn tool_schemas(
    definition: &mut ToolDefinition,
    settings: InputSettings,
    reject: &mut dyn FnMut(&dyn Display),
) -> Option<(InputSchema, Option<OutputSchema>)> {
    if let Some(reason) = invalid_name(&definition.name) {
        reject(&reason);
    }
    if definition.description.trim().is_empty() {
        reject(
            &"it has no description, and the model chooses tools by their descriptions; pass one to \
              `ToolDefinition::new`",
        );
    }
    let mut reject_all = |part: &str, reasons: Vec<String>| {
        reasons.into_iter().for_each(|reason| reject(&format_args!("{part}: {reason}")));
    };
    let output = definition.output_schema.take().map(OutputSchema::new).transpose();
    let output = output.map_err(|reasons| reject_all("output schema", reasons)).ok().flatten();
    let input = std::mem::take(&mut definition.input_schema);
    if definition.checks_itself {
        return Some((InputSchema::unchecked(input, settings), output));
    }
    let schema = match definition.verbatim {
        true => InputSchema::verbatim(&input, settings),
        false => InputSchema::of_tool(input, definition.reads, settings),
    };
    let schema = schema.map_err(|reasons| reject_all("input schema", reasons)).ok()?;
    let schema = schema.with_aliases(std::mem::take(&mut definition.aliases));
    Some((if definition.typed { schema } else { schema.untyped() }, output))
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

/// Returns whether the text is a `scope-token` of RFC 6749. Such a token can be written into a header unescaped.
pub(crate) fn is_scope(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\')
}

/// Returns the reason why this cannot be the name of a tool, or `None` if it can.
fn invalid_name(name: &str) -> Option<&'static str> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if name.is_empty() {
        Some("the name is empty; a name has 1 to 128 characters")
    } else if name.len() > 128 {
        Some("the name is too long; a name has 1 to 128 characters")
    } else if !name.bytes().all(is_allowed) {
        Some("a name can have only ASCII letters, digits, `_`, `-` and `.`")
    } else {
        None
    }
}
