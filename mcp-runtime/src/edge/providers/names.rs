//! Tool names in the form that model APIs accept.

use std::collections::{BTreeMap, HashSet};

use crate::engine::{
    sample::{SamplingContent, SamplingRequest},
    tool::host_warnings::{LONGEST_NAME, as_name, is_name},
};

/// Maps each tool name that a provider rejects to a name that the provider accepts. MCP allows dots in names,
/// but most providers do not.
#[derive(Debug, Default)]
pub(super) struct ToolNames(BTreeMap<String, String>);

impl ToolNames {
    pub(super) fn of(request: &SamplingRequest) -> Self {
        let called = request.messages.iter().flat_map(|message| &message.content);
        let called = called.filter_map(SamplingContent::as_tool_use).map(|call| call.name.as_str());
        let all: Vec<_> = request.tools.iter().map(|tool| tool.name.as_str()).chain(called).collect();
        let mut taken: HashSet<String> =
            all.iter().filter(|name| is_name(name)).map(|name| (*name).to_owned()).collect();
        let mut changed = BTreeMap::new();
        for name in all {
            if !is_name(name) && !changed.contains_key(name) {
                let other = free(&fitting(name), &taken);
                taken.insert(other.clone());
                changed.insert(name.to_owned(), other);
            }
        }
        Self(changed)
    }

    /// Returns the name that is sent to the API for the tool `name`.
    pub(super) fn sent<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// Returns the name that the author gave to a tool. `sent` is the name that was sent to the API.
    pub(super) fn meant<'a>(&'a self, sent: &'a str) -> &'a str {
        self.0.iter().find(|(_, other)| *other == sent).map_or(sent, |(name, _)| name)
    }
}

/// Shortens a name to the maximum length, and replaces each invalid character with `_`. An empty name becomes `_`.
pub(super) fn fitting(name: &str) -> String {
    let name = as_name(name);
    if name.is_empty() { "_".to_owned() } else { name }
}

fn free(name: &str, taken: &HashSet<String>) -> String {
    let numbered = |number: usize| {
        let number = format!("_{number}");
        format!("{}{number}", &name[..name.len().min(LONGEST_NAME - number.len())])
    };
    let names = std::iter::once(name.to_owned()).chain((2..=taken.len() + 2).map(numbered));
    names.into_iter().find(|name| !taken.contains(name)).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sample::SamplingTool;

    #[test]
    fn maps_every_name_to_an_accepted_one_and_back() {
        let long = "x".repeat(70);
        let longer = "x".repeat(80);
        let names = ["a.b", "a_b", "a/b", "", "é", "fine-name_2", &long, &longer];
        let mut request = SamplingRequest::new("hi", 1);
        request.tools = names.iter().map(|name| SamplingTool::new(*name, "")).collect();
        let changed = ToolNames::of(&request);
        let sent: HashSet<_> = names.iter().map(|name| changed.sent(name)).collect();
        assert_eq!(sent.len(), names.len(), "{sent:?}");
        for name in names {
            assert!(is_name(changed.sent(name)), "{}", changed.sent(name));
            assert_eq!(changed.meant(changed.sent(name)), name);
        }
        assert_eq!(changed.sent("a_b"), "a_b");
        assert_eq!(changed.meant("unknown.tool"), "unknown.tool");
    }
}
