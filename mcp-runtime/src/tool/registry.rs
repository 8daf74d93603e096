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
    call::{Call, host::Host, mixing::Mixing, multi_round::MultiRound, running::Calling},
    protocol::{
        capability::{Capabilities, Capability},
        result::CallToolResult,
    },
    schema::{InputSchema, OutputSchema},
};

/// The number of long first polls in a row after which a tool counts as blocking. The scheduler can cause a single long
/// poll.
const LONG_POLLS_OF_A_BLOCKING_TOOL: u8 = 3;

/// All tools of a server, in the order in which the author added them.
pub(crate) struct Registry {
    tools: Vec<RegisteredTool>,
    by_name: HashMap<Box<str>, usize, Mixing>,
}

/// A tool, with its definition and the compiled schemas.
pub(crate) struct RegisteredTool {
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
    /// The number of long first polls since the last short one.
    long_polls: AtomicU8,
}

impl Registry {
    /// Creates the registry. Checks each tool, and adds a message for the author to `problems` for each error.
    pub(crate) fn new(tools: Vec<Box<dyn Tool>>, states: &States, problems: &mut Vec<String>) -> Self {
        let mut registry = Self { tools: Vec::with_capacity(tools.len()), by_name: HashMap::default() };
        for tool in tools {
            registry.add(tool, states, problems);
        }
        registry
    }

    /// Returns the registry of a call's server.
    pub(crate) fn of(server: &dyn Host) -> &Self {
        server.get::<Arc<Self>>().expect("every server has a registry")
    }

    /// Returns the index of the tool with this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn at(&self, index: usize) -> &RegisteredTool {
        &self.tools[index]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &RegisteredTool> {
        self.tools.iter()
    }

    /// Returns multi-round support, if at least one tool can ask.
    pub(crate) fn multi_round(&self) -> Option<&'static dyn MultiRound> {
        self.iter().find_map(|tool| tool.definition.multi_round)
    }

    /// Returns the capabilities that at least one tool requires.
    pub(crate) fn required_by_any(&self) -> Capabilities {
        self.iter().fold(Capabilities::default(), |all, tool| all.union(tool.requires))
    }

    /// Returns a warning for each tool that can ask, but whose calls cannot resume in another process. A shared ledger
    /// is useless for such a tool.
    pub(crate) fn process_bound_warnings(&self) -> impl Iterator<Item = String> {
        self.iter().filter(|tool| tool.may_ask() && !tool.definition.replayable).map(|tool| {
            let name = &tool.definition.name;
            format!(
                "tool `{name}`: it can ask, but another process that shares the ledger cannot resume its calls; make \
                 the tool a `#[handoff]`, or make it `replayable` and run its effects in `ctx.step(…)`"
            )
        })
    }

    /// Removes the capabilities that the server itself provides from the requirements of all tools.
    pub(crate) fn set_done_by_server(&mut self, capabilities: Capabilities) {
        for tool in &mut self.tools {
            tool.requires = tool.requires.without(capabilities);
            tool.done_by_server = capabilities;
        }
    }

    /// Checks a tool and adds it.
    fn add(&mut self, tool: Box<dyn Tool>, states: &States, problems: &mut Vec<String>) {
        let mut definition = tool.definition();
        if let Some(problem) = definition.problem.take() {
            problems.push(problem);
            return;
        }
        let name = definition.name.to_string();
        if let Some(reason) = invalid_name(&name) {
            problems.push(format!("tool `{name}`: {reason}"));
        }
        if definition.description.trim().is_empty() {
            problems.push(format!(
                "tool `{name}`: it has no description, and the model chooses tools by their descriptions; pass one to \
                 `ToolDefinition::new`"
            ));
        }
        for scope in definition.scopes.iter().filter(|scope| !is_scope(scope)) {
            problems.push(format!(
                "tool `{name}`: `{}` is not a scope: use one or more visible ASCII characters other than `\"` and `\\`",
                scope.escape_debug(),
            ));
        }
        for need in definition.states.iter().filter(|need| !states.has(need)) {
            let ty = need.type_name;
            problems.push(format!(
                "tool `{name}`: takes `&{ty}`, but the server has no state of this type; add `.state(…)` with a `{ty}`"
            ));
        }
        if let Some((this, of)) = definition.this
            && !nested(&*tool).any(|tool| tool.type_id() == this)
        {
            problems.push(format!(
                "tool `{name}`: it wraps the handoff `{of}`, whose phases cannot find their `&self`; return the \
                 handoff from `Tool::wrapped`, or use a layer (`Server::layer`) to run code around calls"
            ));
        }
        let mut reject = |part: &str, reasons: Vec<String>| {
            problems.extend(reasons.into_iter().map(|reason| format!("tool `{name}`: {part}: {reason}")));
        };
        let output = definition.output_schema.take().map(OutputSchema::new).transpose();
        let output = output.map_err(|reasons| reject("output schema", reasons)).ok().flatten();
        let input = std::mem::take(&mut definition.input_schema);
        let schema = match definition.verbatim {
            true => InputSchema::verbatim(&input),
            false => InputSchema::of_tool(input, definition.reads),
        };
        let Ok(schema) = schema.map_err(|reasons| reject("input schema", reasons)) else { return };
        let schema = schema.with_aliases(std::mem::take(&mut definition.aliases));
        let schema = if definition.typed { schema } else { schema.untyped() };
        #[cfg(feature = "http")]
        let param_headers =
            schema.param_headers().map_err(|reasons| reject("input schema", reasons)).unwrap_or_default();

        if self.by_name.insert(name.clone().into(), self.tools.len()).is_some() {
            problems.push(format!(
                "tool `{name}`: two tools have this name; rename one with `#[mcp_tool(name = \"…\")]`, or the tools of \
                 a library with `.prefix(\"…\")`"
            ));
        }
        let mut requires = Capabilities::of(&definition.requires);
        if !definition.forms.is_empty() && !definition.optional.contains(&Capability::Elicitation) {
            requires = requires.union(Capabilities::of(&[Capability::Elicitation]));
        }
        self.tools.push(RegisteredTool {
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
            // The schema's errors are preferred: they name the path of each invalid value.
            match schema.check(arguments) {
                Err(violations) => invalid(&violations),
                Ok(()) => invalid(&format_args!("- {unread}")),
            }
        })
    }

    /// Returns whether the tool can ask, so that its calls can last over several requests.
    pub(crate) fn may_ask(&self) -> bool {
        self.definition.multi_round.is_some()
    }

    /// Returns whether the tool repeatedly blocked its thread. Its calls then run in tasks of their own from the start.
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
