//! `resources/directory/read`: the files and folders in a folder of a skill.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use serde::Deserialize;

use super::{
    entry::{SkillEntry, SkillFile},
    list::{server_of, source_of},
    resource::SkillResource,
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
    },
    serve::{
        resource::{CacheHints, resource_of, uri::decoded},
        server::listed::Listed,
    },
    wire::protocol::{
        error::{CallRefusal, RpcError},
        frame::push_json,
        result::{CallToolResult, OtherResult, push_other_result},
        revision::Revision,
        text::{push_json_string, shortened},
    },
};

/// The MIME type of a folder.
const FOLDER: &str = "inode/directory";

/// Lists a folder. It runs like a tool.
pub(super) struct ReadDirectoryTool;

#[derive(Deserialize)]
struct ReadDirectoryParams {
    uri: String,
    cursor: Option<String>,
}

impl Tool for ReadDirectoryTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::of_method(Operation::ReadDirectory)
    }

    fn call(&self, call: Call, params: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let params: ReadDirectoryParams = params.read()?;
        Ok(Box::pin(async move { Ok(CallToolResult::other(page(&call, params).await?)) }))
    }
}

async fn page(call: &Call, params: ReadDirectoryParams) -> Result<DirectoryPage, ToolError> {
    let ReadDirectoryParams { uri, cursor } = params;
    let refused = || {
        let shown = shortened(&uri);
        CallRefusal(RpcError::invalid_params(format!("`{shown}` is not a folder of a skill that this server has")))
    };
    let folder = format!("{uri}/");
    // The source is found with the URI of a file in the folder, whether that file exists or not.
    let item = source_of(call, &format!("{folder}{}", mcp_frontmatter::SKILL_FILE)).ok_or_else(refused)?;
    let skills = resource_of::<SkillResource>(&item).ok_or_else(refused)?;
    item.check_granted_to(&call.0).map_err(CallRefusal)?;
    let server = server_of(call);
    let cache = skills.cache(server.settings.ttl);
    let entries = skills.source.entries().await?;
    let found = children(&entries, &folder);
    if found.is_empty() {
        return Err(refused().into());
    }
    let mut rest = found.into_iter().filter(|(name, _)| cursor.as_deref().is_none_or(|after| *name > after)).peekable();
    let shown: Vec<_> = rest.by_ref().take(server.settings.page_size).collect();
    let next = shown.last().filter(|_| rest.peek().is_some()).map(|(name, _)| (*name).to_owned());
    let mut json = Vec::new();
    for (name, child) in &shown {
        if !json.is_empty() {
            json.push(b',');
        }
        push_child(&mut json, &folder, name, child, call.0.revision);
    }
    Ok(DirectoryPage { json, next, cache })
}

/// A file or a folder in a folder.
enum Child<'e> {
    File(&'e SkillEntry, &'e SkillFile),
    Folder,
}

/// Returns what a folder contains directly, by the encoded names.
fn children<'e>(entries: &'e [Arc<SkillEntry>], folder: &str) -> BTreeMap<&'e str, Child<'e>> {
    let files = entries.iter().flat_map(|entry| entry.files.iter().map(move |file| (&**entry, file)));
    let inside = files.filter_map(|(entry, file)| Some((file.uri.strip_prefix(folder)?, entry, file)));
    let children = inside.map(|(path, entry, file)| match path.split_once('/') {
        Some((name, _)) => (name, Child::Folder),
        None => (path, Child::File(entry, file)),
    });
    children.collect()
}

fn push_child(out: &mut Vec<u8>, folder: &str, name: &str, child: &Child<'_>, revision: Revision) {
    let uri = format!("{folder}{name}");
    let decoded = decoded(name).unwrap_or(Cow::Borrowed(name));
    let listed = Listed { uri: Some(&uri), name: &decoded, ..Listed::default() };
    let listed = match child {
        Child::Folder => Listed { mime_type: Some(FOLDER), ..listed },
        Child::File(entry, file) => {
            let listed = Listed { mime_type: file.mime_type, size: Some(file.size), ..listed };
            match file.is_marker() {
                true => Listed { name: &entry.name, description: Some(&entry.description), ..listed },
                false => listed,
            }
        }
    };
    push_json(out, &listed.known_in(revision));
}

/// The result of `resources/directory/read`.
#[derive(Debug)]
struct DirectoryPage {
    /// The resources, with commas between them.
    json: Vec<u8>,
    next: Option<String>,
    cache: CacheHints,
}

impl OtherResult for DirectoryPage {
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str) {
        push_other_result(out, None, revision, server_info, |out| {
            self.cache.push(out);
            out.extend_from_slice(br#""resources":["#);
            out.extend_from_slice(&self.json);
            out.push(b']');
            if let Some(next) = &self.next {
                out.extend_from_slice(br#","nextCursor":"#);
                push_json_string(out, next);
            }
        });
    }
}
