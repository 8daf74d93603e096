//! `skills/list` and `skills/get`.

use std::sync::Arc;

use super::{
    entry::{SCHEME, SkillEntry},
    resource::SkillResource,
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool},
    },
    serve::{
        resource::{CacheHints, CacheScope, resource_of},
        server::{DEFAULT_TTL, Inner, listing::BAD_CURSOR},
    },
    wire::protocol::{
        error::{CallRefusal, RpcError},
        result::{CallToolResult, OtherResult, push_other_result},
        revision::Revision,
        text::push_json_string,
    },
};

/// The size in bytes at which a page of `skills/list` ends. An entry is never split.
const LARGE_PAGE: usize = 1 << 20;

/// Lists the skills. It runs like a tool.
pub(super) struct ListSkillsTool;

impl Tool for ListSkillsTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::of_method(Operation::ListSkills)
    }

    fn call(&self, call: Call, cursor: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let after: Option<String> = cursor.read()?;
        if after.as_ref().is_some_and(|after| !after.starts_with(SCHEME)) {
            return Err(ArgumentsError::new(BAD_CURSOR));
        }
        Ok(Box::pin(async move { Ok(CallToolResult::other(page(&call, after.as_deref()).await?)) }))
    }
}

/// Returns the skills after the one with the URI `after`, sorted by URI. So a skill that exists while a client reads all
/// pages is listed exactly once, whatever appears or disappears.
async fn page(call: &Call, after: Option<&str>) -> Result<ListSkillsPage, ToolError> {
    let server = server_of(call);
    let (mut found, mut cache) = (Vec::new(), None::<CacheHints>);
    for item in sources(server) {
        let Some(skills) = resource_of::<SkillResource>(&item).filter(|skills| !skills.is_unlisted) else { continue };
        let hints = skills.cache(server.settings.ttl);
        cache = Some(cache.map_or(hints, |earlier| earlier.and(hints)));
        // A frontmatter is content, so the list needs the scopes of the files.
        if item.check_granted_to(&call.0).is_err() {
            continue;
        }
        let is_fixed = skills.source.is_fixed();
        let entries = skills.source.entries().await?;
        found.extend(entries.into_iter().map(|entry| (entry, !is_fixed)));
    }
    // If two sources have a skill with this URI, the resource that is read is the one of the program.
    found.sort_by(|(one, one_rank), (other, other_rank)| (&one.uri, one_rank).cmp(&(&other.uri, other_rank)));
    found.dedup_by(|(later, _), (earlier, _)| later.uri == earlier.uri);
    let is_after = |entry: &Arc<SkillEntry>| after.is_none_or(|after| entry.uri.as_str() > after);
    let mut rest = found.into_iter().map(|(entry, _)| entry).filter(is_after).peekable();
    let (mut skills, mut bytes) = (Vec::new(), 0);
    while skills.len() < server.settings.page_size && bytes < LARGE_PAGE {
        let Some(entry) = rest.next() else { break };
        bytes += entry.json.len();
        skills.push(entry);
    }
    let default = CacheHints { ttl: server.settings.ttl.unwrap_or(DEFAULT_TTL), scope: CacheScope::Public };
    Ok(ListSkillsPage { has_more: rest.peek().is_some(), skills, cache: cache.unwrap_or(default) })
}

/// The result of `skills/list`.
#[derive(Debug)]
struct ListSkillsPage {
    skills: Vec<Arc<SkillEntry>>,
    has_more: bool,
    cache: CacheHints,
}

impl OtherResult for ListSkillsPage {
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str) {
        push_other_result(out, None, revision, server_info, |out| {
            self.cache.push(out);
            out.extend_from_slice(br#""skills":["#);
            for (index, skill) in self.skills.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                out.extend_from_slice(skill.json.as_bytes());
            }
            out.push(b']');
            if let Some(last) = self.skills.last().filter(|_| self.has_more) {
                out.extend_from_slice(br#","nextCursor":"#);
                push_json_string(out, &last.uri);
            }
        });
    }
}

/// Returns one skill. It runs like a tool.
pub(super) struct GetSkillTool;

impl Tool for GetSkillTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::of_method(Operation::GetSkill)
    }

    fn call(&self, call: Call, uri: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let uri: String = uri.read()?;
        Ok(Box::pin(async move {
            let unknown = || CallRefusal(RpcError::unknown("skill", &uri));
            let item = source_of(&call, &uri).ok_or_else(unknown)?;
            let skills = resource_of::<SkillResource>(&item).ok_or_else(unknown)?;
            item.check_granted_to(&call.0).map_err(CallRefusal)?;
            let cache = skills.cache(server_of(&call).settings.ttl);
            let entries = skills.source.entries().await?;
            let skill = entries.into_iter().find(|entry| entry.uri == uri).ok_or_else(unknown)?;
            Ok(CallToolResult::other(GetSkillResult { skill, cache }))
        }))
    }
}

/// The result of `skills/get`.
#[derive(Debug)]
struct GetSkillResult {
    skill: Arc<SkillEntry>,
    cache: CacheHints,
}

impl OtherResult for GetSkillResult {
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str) {
        push_other_result(out, None, revision, server_info, |out| {
            self.cache.push(out);
            out.extend_from_slice(br#""skill":"#);
            out.extend_from_slice(self.skill.json.as_bytes());
        });
    }
}

/// Returns the sources of skills that the server has now.
pub(super) fn sources(server: &Inner) -> Vec<Arc<RegisteredTool>> {
    let registry = server.registry.read();
    let items = &registry.list(Operation::ReadResource).items;
    items.iter().filter(|item| resource_of::<SkillResource>(item).is_some()).cloned().collect()
}

/// Returns the source that a client reads with this URI.
pub(super) fn source_of(call: &Call, uri: &str) -> Option<Arc<RegisteredTool>> {
    server_of(call).find_resource(uri).filter(|item| resource_of::<SkillResource>(item).is_some())
}

pub(super) fn server_of(call: &Call) -> &Inner {
    call.0.server.get().expect("the host of a call is the server")
}
