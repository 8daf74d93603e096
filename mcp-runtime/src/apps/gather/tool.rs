//! A tool of a mounted server.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::{
    loaded::{Described, Digest, MountedItem},
    mounted::Mounted,
    names, rules,
};
use crate::{
    engine::{
        call::{Call, operation::Operation, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, annotations::ToolAnnotations},
    },
    serve::remote::Remote,
    wire::protocol::revision::Revision,
};

/// A tool of a mounted server, as it is offered here.
pub(super) struct ToolItem {
    /// The name that the other server uses.
    name: String,
    remote: Remote,
    definition: ToolDefinition,
    hidden: rules::HiddenParameters,
    digest: Digest,
}

/// The object of `tools/list`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a tool")]
struct ListedTool {
    #[serde(flatten)]
    described: Described,
    input_schema: Value,
    output_schema: Option<Value>,
    annotations: Option<Value>,
}

impl ToolItem {
    /// Reads a tool. Returns `None` if the mount does not offer it.
    ///
    /// # Errors
    /// Returns the reason why the tool cannot be offered.
    pub(super) fn read(mounted: &Mounted, listed: &Value, digest: Digest) -> Result<Option<Self>, String> {
        let ListedTool { described, mut input_schema, output_schema, annotations } =
            ListedTool::deserialize(listed).map_err(|error| error.to_string())?;
        let mount = &mounted.mount;
        if !mount.offers(&described.name) {
            return Ok(None);
        }
        let rules = mount.rules.get(&described.name).cloned().unwrap_or_default();
        rules::hide(&mut input_schema, &rules.hidden)?;
        let name = names::published(&mounted.prefix, rules.name.as_ref().unwrap_or(&described.name));
        let description = rules.description.unwrap_or_else(|| described.description(mounted, Operation::CallTool));
        let mut definition = ToolDefinition::new(name, description).replayable();
        definition.passes_on = true;
        definition.input_schema = input_schema;
        definition.output_schema = output_schema;
        // Hints that this crate does not know are left out. Before 2025-06-18, the title is among them.
        let annotations = annotations.unwrap_or_default();
        definition.title = annotations["title"].as_str().map(|title| title.to_owned().into());
        definition.annotations = ToolAnnotations::deserialize(&annotations).unwrap_or_default();
        let remote = mounted.remote.clone();
        let scopes = [rules.scopes, remote.scopes_of(Operation::CallTool, &described.name)].concat();
        let name = described.name.clone();
        let described = if mount.tools_only { described.without_view() } else { described };
        let definition = described.describe(mounted, scopes)?(definition);
        Ok(Some(Self { name, remote, definition, hidden: rules.hidden, digest }))
    }
}

impl MountedItem for ToolItem {
    type Kind = dyn Tool;

    fn name(&self) -> &str {
        self.definition.name()
    }

    fn digest(&self) -> &Digest {
        &self.digest
    }

    fn item(self: &Arc<Self>) -> Box<dyn Tool> {
        Box::new(MountedTool(Arc::clone(self)))
    }
}

/// A tool in the list of this server.
struct MountedTool(Arc<ToolItem>);

impl Tool for MountedTool {
    fn definition(&self) -> ToolDefinition {
        self.0.definition.clone()
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let ToolItem { name, remote, definition, hidden, .. } = &*self.0;
        let arguments = rules::arguments(arguments.as_str(), hidden)?;
        let begun = remote.call(name, arguments).pass_on(&call, definition.may_run_again());
        let revision: Revision = call.0.revision;
        Ok(Box::pin(async move {
            let result = begun?.await?;
            // Clients of earlier revisions see only the blocks.
            Ok(if revision.has_structured_content() { result } else { result.readable() })
        }))
    }
}
