//! The tools of a server, found by name.

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

/// So many long polls in a row are no accident of the scheduler.
const BLOCKING: u8 = 3;

/// All tools, in the order they were given.
pub(crate) struct Registry {
    tools: Vec<RegisteredTool>,
    by_name: HashMap<Box<str>, usize, Mixing>,
}

/// A tool, and what was made of its definition when the server was built.
pub(crate) struct RegisteredTool {
    pub(crate) definition: ToolDefinition,
    pub(crate) schema: InputSchema,
    /// The arguments that its clients repeat in headers.
    #[cfg(feature = "http")]
    pub(crate) param_headers: Vec<ParamHeader>,
    pub(crate) output: Option<OutputSchema>,
    pub(crate) requires: Capabilities,
    /// What the server does in the place of clients.
    pub(crate) done_by_server: Capabilities,
    pub(crate) tool: Box<dyn Tool>,
    long_polls: AtomicU8,
}

impl Registry {
    /// Looks at every tool; every mistake becomes a sentence in `problems`.
    pub(crate) fn new(tools: Vec<Box<dyn Tool>>, states: &States, problems: &mut Vec<String>) -> Self {
        let mut registry = Self { tools: Vec::with_capacity(tools.len()), by_name: HashMap::default() };
        for tool in tools {
            registry.add(tool, states, problems);
        }
        registry
    }

    pub(crate) fn of(server: &dyn Host) -> &Self {
        server.get::<Arc<Self>>().expect("every server keeps its registry")
    }

    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn at(&self, index: usize) -> &RegisteredTool {
        &self.tools[index]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &RegisteredTool> {
        self.tools.iter()
    }

    /// Multi-round support, present if at least one tool can ask.
    pub(crate) fn multi_round(&self) -> Option<&'static dyn MultiRound> {
        self.iter().find_map(|tool| tool.definition.multi_round)
    }

    /// What at least one tool cannot do without.
    pub(crate) fn required_by_any(&self) -> Capabilities {
        self.iter().fold(Capabilities::default(), |all, tool| all.union(tool.requires))
    }

    /// What is said of tools whose calls last over several requests, and cannot go on in another process: a ledger that
    /// is shared is of no use to them.
    pub(crate) fn bound_to_their_process(&self) -> impl Iterator<Item = String> {
        self.iter().filter(|tool| tool.may_ask() && !tool.definition.replayable).map(|tool| {
            let name = &tool.definition.name;
            format!(
                "tool `{name}`: it may ask, and its calls go on in the process they began in alone; with a ledger that is \
                 shared make it a `#[handoff]`, or `replayable` with its effects in `ctx.step(…)`"
            )
        })
    }

    /// What clients need not be able to do, whatever tools require.
    pub(crate) fn need_not(&mut self, abilities: Capabilities) {
        for tool in &mut self.tools {
            tool.requires = tool.requires.without(abilities);
            tool.done_by_server = abilities;
        }
    }

    fn add(&mut self, tool: Box<dyn Tool>, states: &States, problems: &mut Vec<String>) {
        let mut definition = tool.definition();
        if let Some(problem) = definition.problem.take() {
            problems.push(problem);
            return;
        }
        let name = definition.name.to_string();
        if let Some(reason) = unfit_name(&name) {
            problems.push(format!("tool `{name}`: {reason}"));
        }
        if definition.description.trim().is_empty() {
            problems.push(format!("tool `{name}`: no description; the model chooses a tool by it"));
        }
        for scope in definition.scopes.iter().filter(|scope| !is_scope(scope)) {
            problems.push(format!(
                "tool `{name}`: `{}` is no scope: it has visible ASCII characters besides `\"` and `\\`, one at least",
                scope.escape_debug(),
            ));
        }
        for need in definition.states.iter().filter(|need| !states.has(need)) {
            let ty = need.type_name;
            problems
                .push(format!("tool `{name}`: takes `&{ty}`, and the server has none; add `.state(…)` with a `{ty}`"));
        }
        if let Some((this, of)) = definition.this
            && !nested(&*tool).any(|tool| tool.type_id() == this)
        {
            problems.push(format!(
                "tool `{name}`: another tool passes its calls on to the handoff `{of}`, whose phases do not find their \
                 `&self` so; return it in `Tool::wrapped`, or run around calls in a layer: `Server::layer`"
            ));
        }
        let mut unfit = |part: &str, reasons: Vec<String>| {
            problems.extend(reasons.into_iter().map(|reason| format!("tool `{name}`: {part}: {reason}")));
        };
        let output = definition.output_schema.take().map(OutputSchema::new).transpose();
        let output = output.map_err(|reasons| unfit("output schema", reasons)).ok().flatten();
        let input = std::mem::take(&mut definition.input_schema);
        let schema = match definition.verbatim {
            true => InputSchema::verbatim(&input),
            false => InputSchema::of_tool(input, definition.reads),
        };
        let Ok(schema) = schema.map_err(|reasons| unfit("input schema", reasons)) else { return };
        let schema = schema.with_aliases(std::mem::take(&mut definition.aliases));
        let schema = if definition.typed { schema } else { schema.untyped() };
        #[cfg(feature = "http")]
        let param_headers =
            schema.param_headers().map_err(|reasons| unfit("input schema", reasons)).unwrap_or_default();

        if self.by_name.insert(name.clone().into(), self.tools.len()).is_some() {
            problems
                .push(format!("tool `{name}`: two tools have this name; rename one with `#[mcp_tool(name = \"…\")]`, or the tools of a library with `.prefix(\"…\")`"));
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
    /// Checks the arguments and begins the tool's future. What is wrong with the arguments is the result of the call.
    #[inline]
    pub(crate) fn begin(&self, call: Call, arguments: &str) -> Result<Calling, CallToolResult> {
        let invalid = |reason: &dyn Display| CallToolResult::error(invalid_arguments(&self.definition.name, reason));
        let schema = &self.schema;
        let needs_check = schema.needs_check() && !schema.surely_fits(arguments);
        let checked = if needs_check { schema.checked(arguments) } else { Ok(Cow::Borrowed(arguments)) };
        let checked = checked.map_err(|violations| invalid(&violations))?;
        self.tool.call(call, Arguments::new(&checked, schema)).map_err(|unread| {
            // What the schema has to say is better than the reader's own words, which name no path.
            match schema.check(arguments) {
                Err(violations) => invalid(&violations),
                Ok(()) => invalid(&format_args!("- {unread}")),
            }
        })
    }

    /// Whether the tool said that its calls may last over several requests.
    pub(crate) fn may_ask(&self) -> bool {
        self.definition.multi_round.is_some()
    }

    /// Whether this tool keeps holding up its thread: its calls then run on the runtime's threads from the start.
    pub(crate) fn is_blocking(&self) -> bool {
        self.long_polls.load(Ordering::Relaxed) >= BLOCKING
    }

    /// Notes how long a first poll took. One that is not long takes the suspicion away.
    pub(crate) fn note_first_poll(&self, long: bool) {
        let before = self.long_polls.load(Ordering::Relaxed);
        let now = if long { before.saturating_add(1) } else { 0 };
        if now != before {
            self.long_polls.store(now, Ordering::Relaxed);
        }
    }
}

/// The error text of a call whose arguments do not fit its tool.
pub(crate) fn invalid_arguments(tool: &str, reason: &dyn Display) -> String {
    format!("invalid arguments for `{tool}`:\n{reason}")
}

/// Whether this is a `scope-token` of RFC 6749, and can stand in a header as it is.
pub(crate) fn is_scope(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\')
}

/// Why this cannot be the name of a tool.
fn unfit_name(name: &str) -> Option<&'static str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if name.is_empty() {
        Some("a tool needs a name")
    } else if name.len() > 128 {
        Some("a name has at most 128 characters")
    } else if !name.bytes().all(fits) {
        Some("a name holds only letters, digits, `_`, `-` and `.`")
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
            unreachable!("nobody calls it")
        }
    }

    #[test]
    fn whoever_asks_and_cannot_go_on_elsewhere_is_named() {
        let server = Server::new("s", "1")
            .tool(Named("adds", |tool| tool))
            .tool(Named("asks", |tool| tool.requires(Capability::Roots)))
            .tool(Named("goes_on", |tool| tool.requires(Capability::Roots).replayable()));
        let service = server.build().unwrap();
        let warnings: Vec<_> = service.0.registry.bound_to_their_process().collect();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("tool `asks`: it may ask"), "{warnings:?}");
    }

    #[cfg(feature = "http")]
    #[test]
    fn what_clients_repeat_in_headers_is_known_and_what_they_cannot_is_refused() {
        fn annotated(tool: ToolDefinition, ty: &str) -> ToolDefinition {
            let region = serde_json::json!({ "type": ty, "x-mcp-header": "Region" });
            tool.input_schema(serde_json::json!({ "type": "object", "properties": { "region": region } }))
        }
        let fit = Server::new("s", "1")
            .tool(Named("fit", |tool| annotated(tool, "string").alias("area", "region")))
            .build()
            .unwrap();
        let expected = ParamHeader::new("Region", vec![vec!["region".into(), "area".into()]]);
        assert_eq!(fit.0.registry.at(0).param_headers, [expected.unwrap()]);
        let unfit = Server::new("s", "1").tool(Named("unfit", |tool| annotated(tool, "number"))).build();
        let told = unfit.unwrap_err().to_string();
        assert!(told.contains("tool `unfit`: input schema: `region`: `x-mcp-header` needs a `type`"), "{told}");
    }
}
