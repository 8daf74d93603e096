//! The registry of a server's tools.

use std::{
    borrow::Cow,
    collections::HashMap,
    fmt::Display,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
};

use super::{Arguments, Tool, ToolDefinition, nested, state::States};
#[cfg(feature = "http")]
use crate::protocol::headers::ParamHeader;
use crate::{
    call::{Call, host::Host, mixing::Mixing, multi_round::MultiRound, operation::Operation, running::Calling},
    protocol::{
        capability::{Capabilities, Capability},
        result::CallToolResult,
    },
    schema::{InputSchema, OutputSchema},
};

/// The number of long first polls in a row after which a tool counts as blocking. The scheduler can cause a single long
/// poll.
const LONG_POLLS_OF_A_BLOCKING_TOOL: u8 = 3;

/// All tools of a server, in the order in which the author added them. Prompts and other items that clients call are
/// registered like tools, because they run through the same engine.
pub(crate) struct Registry {
    /// The tools, and after them the items of other methods, such as prompts.
    registered: Vec<RegisteredTool>,
    /// The number of tools.
    tools: usize,
    /// Maps each [unique name](RegisteredTool::unique_name) to the index of its item.
    by_name: HashMap<Box<str>, usize, Mixing>,
}

/// A tool, with its definition and the compiled schemas.
pub(crate) struct RegisteredTool {
    /// The key of the item in the registry: the name of a tool, or the method and the name of another item.
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
    pub(crate) tool: Box<dyn Tool>,
    /// The number of long first polls in a row.
    long_polls: AtomicU8,
}

impl Registry {
    /// Checks all tools and creates the registry. Adds a message for the author to `problems` for each error. `others`
    /// are the items of other methods, such as prompts.
    pub(crate) fn new(
        tools: Vec<Box<dyn Tool>>,
        others: Vec<Box<dyn Tool>>,
        states: &States,
        problems: &mut Vec<String>,
    ) -> Self {
        let registered = Vec::with_capacity(tools.len() + others.len());
        let mut registry = Self { registered, tools: 0, by_name: HashMap::default() };
        for tool in tools {
            registry.add(tool, states, problems);
        }
        registry.tools = registry.registered.len();
        for other in others {
            registry.add(other, states, problems);
        }
        registry
    }

    /// Returns the registry of a call's server.
    pub(crate) fn of(server: &dyn Host) -> &Self {
        server.get::<Arc<Self>>().expect("every server has a registry")
    }

    /// Returns the index of the tool with this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied().filter(|index| *index < self.tools)
    }

    /// Returns the index of the item with this name, such as a prompt. `operation` is the kind of request.
    pub(crate) fn find_other(&self, operation: Operation, name: &str) -> Option<usize> {
        self.by_name.get(&*unique_name(operation, name)).copied()
    }

    /// Returns the items that requests of this kind call, in the order in which the author added them.
    pub(crate) fn others(&self, operation: Operation) -> impl Iterator<Item = &RegisteredTool> + Clone {
        self.registered[self.tools..].iter().filter(move |item| item.definition.operation == operation)
    }

    /// Returns the indices of the items for this operation, in the order in which the author added them.
    pub(crate) fn indices(&self, operation: Operation) -> impl Iterator<Item = usize> {
        (self.tools..self.registered.len()).filter(move |index| self.at(*index).definition.operation == operation)
    }

    /// Returns the tool, or the item of another method, at this index.
    pub(crate) fn at(&self, index: usize) -> &RegisteredTool {
        &self.registered[index]
    }

    /// Returns the tools.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &RegisteredTool> + Clone {
        self.registered[..self.tools].iter()
    }

    /// Returns multi-round support, if at least one tool or other item can ask.
    pub(crate) fn multi_round(&self) -> Option<&'static dyn MultiRound> {
        self.registered.iter().find_map(|tool| tool.definition.multi_round)
    }

    /// Returns a warning for each tool that can ask, but whose calls cannot resume in another process. A shared ledger
    /// is useless for such a tool.
    pub(crate) fn process_bound_warnings(&self) -> impl Iterator<Item = String> {
        self.registered.iter().filter(|tool| tool.may_ask() && !tool.definition.replayable).map(|tool| {
            let handoff = if tool.is_tool() { "make the tool a `#[handoff]`, or " } else { "" };
            format!(
                "{}: it can ask, but another process that shares the ledger cannot resume its calls; {handoff}make it \
                 `replayable` and run its effects in `ctx.step(…)`",
                tool.described()
            )
        })
    }

    /// Removes the capabilities that the server itself provides from the requirements of all tools.
    pub(crate) fn set_done_by_server(&mut self, capabilities: Capabilities) {
        for tool in &mut self.registered {
            tool.requires = tool.requires.without(capabilities);
            tool.done_by_server = capabilities;
        }
    }

    /// Checks a tool or an item of another method, and adds it.
    fn add(&mut self, tool: Box<dyn Tool>, states: &States, problems: &mut Vec<String>) {
        let mut definition = tool.definition();
        if let Some(problem) = definition.problem.take() {
            problems.push(problem);
            return;
        }
        let (operation, name) = (definition.operation, definition.name.to_string());
        let noun = operation.noun();
        let mut reject = |problem: &dyn Display| problems.push(format!("{noun} `{name}`: {problem}"));
        for scope in definition.scopes.iter().filter(|scope| !is_scope(scope)) {
            reject(&format_args!(
                "`{}` is not a scope: use one or more visible ASCII characters other than `\"` and `\\`",
                scope.escape_debug(),
            ));
        }
        for need in definition.states.iter().filter(|need| !states.has(need)) {
            let ty = need.type_name;
            reject(&format_args!(
                "takes `&{ty}`, but the server has no state of this type; add `.state(…)` with a `{ty}`"
            ));
        }
        if let Some((this, of)) = definition.this
            && !nested(&*tool).any(|tool| tool.type_id() == this)
        {
            reject(&format_args!(
                "it wraps the handoff `{of}`, whose phases cannot find their `&self`; return the handoff from \
                 `Tool::wrapped`, or use a layer (`Server::layer`) to run code around calls"
            ));
        }
        let (schema, output) = match operation {
            Operation::CallTool => match tool_schemas(&mut definition, &mut reject) {
                Some(schemas) => schemas,
                None => return,
            },
            // Each method reads its own params.
            _ => (InputSchema::anything(), None),
        };
        #[cfg(feature = "http")]
        let param_headers = schema.param_headers().unwrap_or_else(|reasons| {
            reasons.iter().for_each(|reason| reject(&format_args!("input schema: {reason}")));
            Vec::new()
        });
        let unique_name: Box<str> = unique_name(operation, &name).into();
        if self.by_name.insert(unique_name.clone(), self.registered.len()).is_some() {
            let prefix = match operation {
                Operation::CallTool => ", or the tools of a library with `.prefix(\"…\")`",
                _ => "",
            };
            reject(&format_args!("two {noun}s have this name; rename one with `#[mcp_{noun}(name = \"…\")]`{prefix}"));
        }
        let mut requires = Capabilities::of(&definition.requires);
        if !definition.forms.is_empty() && !definition.optional.contains(&Capability::Elicitation) {
            requires = requires.union(Capabilities::of(&[Capability::Elicitation]));
        }
        self.registered.push(RegisteredTool {
            unique_name,
            definition,
            schema,
            #[cfg(feature = "http")]
            param_headers,
            output,
            requires,
            done_by_server: Capabilities::default(),
            tool,
            long_polls: AtomicU8::new(0),
        });
    }
}

/// Checks the parts of a definition that only tools have, and compiles its schemas. Returns `None` if the input schema
/// is invalid.
fn tool_schemas(
    definition: &mut ToolDefinition,
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
    let schema = match definition.verbatim {
        true => InputSchema::verbatim(&input),
        false => InputSchema::of_tool(input, definition.reads),
    };
    let schema = schema.map_err(|reasons| reject_all("input schema", reasons)).ok()?;
    let schema = schema.with_aliases(std::mem::take(&mut definition.aliases));
    Some((if definition.typed { schema } else { schema.untyped() }, output))
}

/// Returns the key of an item in the registry. The key of an item other than a tool contains a space, which names of
/// tools cannot contain.
fn unique_name(operation: Operation, name: &str) -> Cow<'_, str> {
    match operation {
        Operation::CallTool => name.into(),
        _ => format!("{} {name}", operation.method()).into(),
    }
}

impl RegisteredTool {
    /// Checks the arguments and creates the tool's future. If they are invalid, returns an error result for the model.
    #[inline]
    pub(crate) fn begin(&self, call: Call, arguments: &str) -> Result<Calling, CallToolResult> {
        let invalid = |reason: &dyn Display| CallToolResult::error(invalid_arguments(&self.definition.name, reason));
        let schema = &self.schema;
        let needs_check = schema.needs_check() && !schema.surely_fits(arguments);
        let checked = if needs_check { schema.checked(arguments) } else { Ok(Cow::Borrowed(arguments)) };
        let checked = checked.map_err(|violations| invalid(&violations))?;
        self.tool.call(call, Arguments::new(&checked, schema)).map_err(|unread| {
            if !self.is_tool() {
                return CallToolResult::error(unread.to_string());
            }
            // The schema's errors are preferred: they name the path of each invalid value.
            match schema.check(arguments) {
                Err(violations) => invalid(&violations),
                Ok(()) => invalid(&format_args!("- {unread}")),
            }
        })
    }

    /// Returns the kind and the name, such as "tool `search`".
    pub(crate) fn described(&self) -> String {
        format!("{} `{}`", self.definition.operation.noun(), self.definition.name)
    }

    pub(crate) fn is_tool(&self) -> bool {
        self.definition.operation == Operation::CallTool
    }

    /// Returns whether the tool can ask, so that its calls can last over several requests.
    pub(crate) fn may_ask(&self) -> bool {
        self.definition.multi_round.is_some()
    }

    /// Returns whether the tool has blocked its thread several times in a row. Its calls then run in separate tasks
    /// from the start.
    pub(crate) fn is_blocking(&self) -> bool {
        self.long_polls.load(Ordering::Relaxed) >= LONG_POLLS_OF_A_BLOCKING_TOOL
    }

    /// Counts the long first polls in a row. A short one resets the count.
    pub(crate) fn note_first_poll(&self, long: bool) {
        let before = self.long_polls.load(Ordering::Relaxed);
        let now = if long { before.saturating_add(1) } else { 0 };
        if now != before {
            self.long_polls.store(now, Ordering::Relaxed);
        }
    }
}

/// Returns the error message for invalid arguments.
pub(crate) fn invalid_arguments(tool: &str, reason: &dyn Display) -> String {
    format!("invalid arguments for `{tool}`:\n{reason}")
}

/// Returns whether this is a `scope-token` of RFC 6749, which can be written into a header unescaped.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Server, tool::ArgumentsError};

    struct Named(&'static str, fn(ToolDefinition) -> ToolDefinition);

    impl Tool for Named {
        fn definition(&self) -> ToolDefinition {
            self.1(ToolDefinition::new(self.0, "A tool."))
        }

        fn call(&self, _: Call, _: Arguments<'_>) -> Result<Calling, ArgumentsError> {
            unreachable!("the tests do not call it")
        }
    }

    #[test]
    fn build_warns_of_a_tool_that_asks_and_cannot_resume_in_another_process() {
        let server = Server::new("s", "1")
            .tool(Named("adds", |tool| tool))
            .tool(Named("asks", |tool| tool.requires(Capability::Roots)))
            .tool(Named("resumes", |tool| tool.requires(Capability::Roots).replayable()));
        let service = server.build().unwrap();
        let warnings: Vec<_> = service.0.registry.process_bound_warnings().collect();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("tool `asks`: it can ask"), "{warnings:?}");
    }

    #[cfg(feature = "http")]
    #[test]
    fn build_finds_header_arguments_and_rejects_one_of_an_invalid_type() {
        fn annotated(tool: ToolDefinition, ty: &str) -> ToolDefinition {
            let region = serde_json::json!({ "type": ty, "x-mcp-header": "Region" });
            tool.input_schema(serde_json::json!({ "type": "object", "properties": { "region": region } }))
        }
        let valid = Server::new("s", "1")
            .tool(Named("valid", |tool| annotated(tool, "string").alias("area", "region")))
            .build()
            .unwrap();
        let expected = ParamHeader::new("Region", vec![vec!["region".into(), "area".into()]]);
        assert_eq!(valid.0.registry.at(0).param_headers, [expected.unwrap()]);
        let invalid = Server::new("s", "1").tool(Named("invalid", |tool| annotated(tool, "number"))).build();
        let error = invalid.unwrap_err().to_string();
        assert!(
            error.contains("tool `invalid`: input schema: `region`: `x-mcp-header` needs exactly one `type`"),
            "{error}"
        );
    }
}
