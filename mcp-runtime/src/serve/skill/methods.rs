//! The methods of the skills extension, since 2026-07-28.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{
    directory_read::ReadDirectoryTool,
    list::{GetSkillTool, ListSkillsTool},
    resource::SkillResource,
    source::SkillSource,
};
use crate::{
    engine::{
        call::{operation::Operation, request::Caller},
        tool::{registered::RegisteredTool, registry::Registry},
    },
    serve::{
        resource::resource_of,
        server::{Extension, RequestContext, calling, declare_extension, pending_call::RequestReply},
    },
    wire::protocol::{error::RpcError, json::object, revision::Revision},
};

const EXTENSION: &str = "io.modelcontextprotocol/skills";

/// The methods of skills. The skills themselves are resources of the server.
pub(super) struct SkillMethods {
    list: Arc<RegisteredTool>,
    get: Arc<RegisteredTool>,
    read_directory: Arc<RegisteredTool>,
    /// The templates of all sources, to find two with the same URIs.
    templates: Vec<String>,
}

impl Default for SkillMethods {
    fn default() -> Self {
        Self {
            list: RegisteredTool::of_method(ListSkillsTool),
            get: RegisteredTool::of_method(GetSkillTool),
            read_directory: RegisteredTool::of_method(ReadDirectoryTool),
            templates: Vec::new(),
        }
    }
}

impl SkillMethods {
    /// Returns whether no earlier source has this template.
    pub(super) fn is_new(&mut self, template: String) -> bool {
        let is_new = !self.templates.contains(&template);
        self.templates.push(template);
        is_new
    }
}

impl Extension for SkillMethods {
    fn methods(&self) -> &'static [&'static str] {
        &["skills/list", "skills/get", "resources/directory/read"]
    }

    fn declare(&self, _: RequestContext<'_>, revision: Revision, capabilities: &mut Map<String, Value>) {
        if revision.is_modern() {
            declare_extension(capabilities, EXTENSION, object([("directoryRead", true.into())]));
        }
    }

    fn answer<'a>(self: Arc<Self>, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        if !caller.revision().is_modern() {
            return Err(RpcError::method_not_found(context.method));
        }
        let params = context.params;
        match context.method {
            "skills/list" => calling::call_item(context, caller, &self.list, params.cursor_text()),
            "skills/get" => calling::call_item(context, caller, &self.get, params.uri()?),
            _ => {
                params.uri()?;
                calling::call_item(context, caller, &self.read_directory, params.text)
            }
        }
    }

    /// Returns the skills of the program. Those of a folder are not known when the program is built.
    fn manifest(&self, registry: &Registry) -> Vec<(&'static str, Value)> {
        let skills: Vec<Value> = registry
            .others(Operation::ReadResource)
            .filter_map(resource_of::<SkillResource>)
            .filter_map(|skills| match &skills.source {
                SkillSource::Embedded { entry, .. } => serde_json::from_str(&entry.json).ok(),
                #[cfg(feature = "directory")]
                SkillSource::Folder(_) => None,
            })
            .collect();
        if skills.is_empty() { Vec::new() } else { vec![("skills", skills.into())] }
    }
}
