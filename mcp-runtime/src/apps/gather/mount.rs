//! How the items of a mounted server appear.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::{engine::tool::check::is_scope, serve::remote::Remote};

/// Another server, and how its items appear in this one. See [`Server::mount`](crate::Server::mount).
///
/// Every method that takes the name of a tool takes the name that the other server uses.
///
/// ```
/// use mcp_runtime::{prelude::*, remote::{Mount, Remote}};
///
/// let github = Mount::new(Remote::http("https://mcp.example.com/mcp"))
///     .only(["create_issue", "search"])
///     .describe("search", "Searches the issues of our project.")
///     .fix("search", "repository", "example/project")
///     .tool_scope("create_issue", "issues:write");
/// let server = Server::new("gateway", "1.0.0").mount("github", github);
/// ```
#[derive(Clone)]
#[must_use]
pub struct Mount {
    pub(super) remote: Remote,
    /// What stands before each name. `None` for the name of the mount and `_`.
    pub(super) prefix: Option<Cow<'static, str>>,
    /// The tools that are offered, if not all.
    pub(super) only: Option<BTreeSet<String>>,
    pub(super) except: BTreeSet<String>,
    pub(super) rules: BTreeMap<String, ToolRules>,
    pub(super) scopes: Vec<Cow<'static, str>>,
    pub(super) tools_only: bool,
    /// Whether the instructions of the server are those of this one, too.
    pub(super) instructions: bool,
    /// Why the mount cannot be used.
    pub(super) problems: Vec<String>,
}

/// What changes for one tool.
#[derive(Clone, Default)]
pub(super) struct ToolRules {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    /// The parameters that clients do not see, with their values.
    pub(super) hidden: BTreeMap<String, Option<Box<RawValue>>>,
    pub(super) scopes: Vec<Cow<'static, str>>,
}

impl Mount {
    /// Creates a mount that offers all tools, prompts and resources of the server. A [`Remote`] alone does the same.
    pub fn new(remote: Remote) -> Self {
        Self {
            remote,
            prefix: None,
            only: None,
            except: BTreeSet::new(),
            rules: BTreeMap::new(),
            scopes: Vec::new(),
            tools_only: false,
            instructions: false,
            problems: Vec::new(),
        }
    }

    /// Sets the text before the names of tools, prompts and resources, such as `gh_`. Default: the name of the mount and
    /// `_`.
    pub fn prefix(mut self, prefix: impl Into<Cow<'static, str>>) -> Self {
        self.prefix = Some(prefix.into());
        self
    }

    /// Offers tools, prompts and resources under the names that the other server uses. If an item of this server, or of a server that was mounted before, has the
    /// same name, the item is left out.
    pub fn without_prefix(self) -> Self {
        self.prefix("")
    }

    /// Offers only these tools. Prompts and resources stay; see [`tools_only`](Self::tools_only).
    pub fn only<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.only.get_or_insert_default().extend(tools.into_iter().map(Into::into));
        self
    }

    /// Does not offer these tools. To be safe from tools that the server adds later, use [`only`](Self::only).
    pub fn except<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.except.extend(tools.into_iter().map(Into::into));
        self
    }

    /// Offers only tools: no prompts, and no resources, and so no views.
    pub fn tools_only(mut self) -> Self {
        self.tools_only = true;
        self
    }

    /// Adds the instructions of the server to those of this one, up to 4,096 bytes of them. Hosts show them to the model,
    /// so do this only for a server that you trust. They name tools without the prefix; the text before them says which
    /// prefix the tools have here.
    ///
    /// The handshake of a client then waits for the mounted servers, as its first list does: at most five seconds.
    /// Default: no instructions.
    pub fn instructions(mut self) -> Self {
        self.instructions = true;
        self
    }

    /// Changes the name of a tool. The prefix is put before the new name.
    pub fn rename(mut self, tool: impl Into<String>, new_name: impl Into<String>) -> Self {
        self.rules(tool).name = Some(new_name.into());
        self
    }

    /// Replaces the description of a tool.
    pub fn describe(mut self, tool: impl Into<String>, description: impl Into<String>) -> Self {
        self.rules(tool).description = Some(description.into());
        self
    }

    /// Fixes the value of a parameter: clients do not see the parameter, and cannot set it. If the tool does not have it, for
    /// example because the other server has renamed it, the tool is left out, so that the restriction is not lifted.
    pub fn fix(mut self, tool: impl Into<String>, parameter: impl Into<String>, value: impl Serialize) -> Self {
        let (tool, parameter) = (tool.into(), parameter.into());
        match to_raw_value(&value) {
            Ok(value) => drop(self.rules(tool).hidden.insert(parameter, Some(value))),
            Err(error) => {
                self.problems
                    .push(format!("the value of `{parameter}` of `{tool}` cannot be written as JSON: {error}"));
            }
        }
        self
    }

    /// Hides an optional parameter: clients do not see it, and cannot set it. If the tool does not have the parameter, or
    /// requires it, the tool is left out.
    pub fn hide(mut self, tool: impl Into<String>, parameter: impl Into<String>) -> Self {
        self.rules(tool).hidden.insert(parameter.into(), None);
        self
    }

    /// Adds a scope that callers need for every item of the server. See
    /// [`ToolDefinition::scope`](crate::tool::ToolDefinition::scope).
    pub fn scope(mut self, scope: impl Into<Cow<'static, str>>) -> Self {
        let scope = self.checked(scope.into());
        self.scopes.push(scope);
        self
    }

    /// Adds a scope that callers of a tool need, in addition to those of all items.
    pub fn tool_scope(mut self, tool: impl Into<String>, scope: impl Into<Cow<'static, str>>) -> Self {
        let scope = self.checked(scope.into());
        self.rules(tool).scopes.push(scope);
        self
    }

    fn rules(&mut self, tool: impl Into<String>) -> &mut ToolRules {
        self.rules.entry(tool.into()).or_default()
    }

    fn checked(&mut self, scope: Cow<'static, str>) -> Cow<'static, str> {
        if !is_scope(&scope) {
            let scope = scope.escape_debug();
            self.problems.push(format!(
                "`{scope}` is not a scope: use one or more visible ASCII characters other than `\"` and `\\`"
            ));
        }
        scope
    }

    /// Returns whether a tool with this name is offered.
    pub(super) fn offers(&self, tool: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(tool)) && !self.except.contains(tool)
    }

    /// Returns the names of tools that the author has written.
    pub(super) fn named_tools(&self) -> BTreeSet<&str> {
        let names = self.only.iter().flatten().chain(&self.except).chain(self.rules.keys());
        names.map(|name| &**name).collect()
    }
}

impl From<Remote> for Mount {
    fn from(remote: Remote) -> Self {
        Self::new(remote)
    }
}

impl From<&Remote> for Mount {
    fn from(remote: &Remote) -> Self {
        Self::new(remote.clone())
    }
}

impl fmt::Debug for Mount {
    /// Omits the fixed values, which can be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mount").field("remote", &self.remote).finish_non_exhaustive()
    }
}
