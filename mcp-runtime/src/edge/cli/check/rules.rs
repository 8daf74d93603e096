//! The rules of the command `check`.

use serde::Serialize;

use crate::wire::schema::nearest::did_you_mean;

/// What hosts stumble over, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CheckRule {
    /// The name on the command line and in reports. In `#[mcp_tool(allow(…))]`, it has `_` in place of `-`.
    pub(crate) id: &'static str,
    pub(crate) severity: Severity,
    /// What the rule finds, in a few words.
    pub(crate) finds: &'static str,
    pub(crate) why: &'static str,
    pub(crate) fix: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// Users or models get less than the server offers.
    Warning,
    /// Some hosts refuse the item, or the whole server.
    Error,
}

impl Severity {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The number of tools above which a server leaves no room for others: half of the 80 tools that Cursor takes from all
/// servers together.
pub(crate) const TOOLS_OF_A_SERVER: usize = 40;

/// The number of tools that VS Code and the API of OpenAI take at most in one request.
pub(crate) const TOOLS_OF_A_REQUEST: usize = 128;

/// The number of tokens above which a list of tools is large: 5 % of a context of 200,000 tokens. Claude Code warns if
/// the tools of all servers together need more than 25,000.
pub(crate) const LARGE_LIST: usize = 10_000;

/// The maximum length of a description that every model API accepts, in characters.
pub(crate) const LONGEST_DESCRIPTION: usize = 1024;

pub(crate) static UNPORTABLE_NAME: CheckRule = CheckRule {
    id: "unportable-name",
    severity: Severity::Error,
    finds: "the name of a tool has more than 64 characters, or others than `A-Z`, `a-z`, `0-9`, `_` and `-`",
    why: "the APIs of OpenAI and Anthropic reject such a name, so hosts drop or rename the tool",
    fix: "rename the function, or write `name = \"…\"`; for a library with a prefix, choose a shorter prefix",
};

pub(crate) static REJECTED_SCHEMA: CheckRule = CheckRule {
    id: "rejected-schema",
    severity: Severity::Error,
    finds: "the root of a schema that is published unchanged has `anyOf`, `oneOf`, `allOf` or definitions",
    why: "several model APIs reject the whole request if one tool has such a schema",
    fix: "use `input_schema` in place of `input_schema_verbatim`, and make the root a plain object",
};

pub(crate) static REDUCED_SCHEMA: CheckRule = CheckRule {
    id: "reduced-schema",
    severity: Severity::Warning,
    finds: "a schema has what not every model API knows: a map, any value, a union, recursion or a special rule",
    why: "some hosts show their model less than the tool accepts; the guide `schemas` says what each host does",
    fix: "use the type in the column `instead` of the guide `schemas`, such as a list of structs for a map",
};

pub(crate) static REPEATED_DESCRIPTION: CheckRule = CheckRule {
    id: "repeated-description",
    severity: Severity::Warning,
    finds: "a description says no more than the name, such as `Searches files.` of `search_files`",
    why: "a model chooses a tool by its description, and this one does not say when to use it",
    fix: "write what it does, what it returns, and when to use it",
};

pub(crate) static LONG_DESCRIPTION: CheckRule = CheckRule {
    id: "long-description",
    severity: Severity::Error,
    finds: "a description has more than 1,024 characters",
    why: "models of OpenAI reject the whole request if a description is longer than 1,024 characters, and Claude Code \
          cuts it at 2,048",
    fix: "move details to the descriptions of parameters, to a resource, or to the results of the tool",
};

pub(crate) static UNDESCRIBED_PARAMETER: CheckRule = CheckRule {
    id: "undescribed-parameter",
    severity: Severity::Warning,
    finds: "a parameter of a tool, a field of a parameter, or an argument of a prompt has no description",
    why: "a model has to guess from the name what to send",
    fix: "write a doc comment above the parameter or the field, or a `description` in a schema of your own",
};

pub(crate) static MANY_TOOLS: CheckRule = CheckRule {
    id: "many-tools",
    severity: Severity::Warning,
    finds: "the server has more than 40 tools",
    why: "Cursor takes 80 tools from all servers together and Windsurf 100, and models choose worse among many tools",
    fix: "make one tool with many actions (`#[mcp_actions]`) or several servers, or let models search (`Server::searchable`)",
};

pub(crate) static TOO_MANY_TOOLS: CheckRule = CheckRule {
    id: "too-many-tools",
    severity: Severity::Error,
    finds: "the server has more than 128 tools",
    why: "VS Code and the API of OpenAI accept at most 128 tools in a request, and reject it or drop the others",
    fix: "make one tool with many actions (`#[mcp_actions]`) or several servers, or let models search (`Server::searchable`)",
};

pub(crate) static LARGE_TOOL_LIST: CheckRule = CheckRule {
    id: "large-tool-list",
    severity: Severity::Warning,
    finds: "names, descriptions and schemas of all tools need more than about 10,000 tokens",
    why: "most hosts send them with every request; Claude Code warns at 25,000 for all servers together",
    fix: "shorten the longest of them, make one tool with many actions (`#[mcp_actions]`) or several servers, or let models \
          search (`Server::searchable`)",
};

pub(crate) static UNDESCRIBED_SETTING: CheckRule = CheckRule {
    id: "undescribed-setting",
    severity: Severity::Warning,
    finds: "the description of a setting is missing, or says no more than its name",
    why: "help, installers and packages ask users for the value, and show this description",
    fix: "write a doc comment above the field: what the value is for, and where users find it",
};

pub(crate) static DEBUG_BUILD: CheckRule = CheckRule {
    id: "debug-build",
    severity: Severity::Warning,
    finds: "the program is a debug build",
    why: "it is many times slower and larger than a release build, and hosts start it for every session",
    fix: "build with `cargo build --release`, and give hosts the program in `target/release`",
};

pub(crate) static UNAUTHORIZED_ADDRESS: CheckRule = CheckRule {
    id: "unauthorized-address",
    severity: Severity::Error,
    finds: "other machines can reach the address of `http`, but the server requires no tokens",
    why: "everybody who reaches the address can call every tool",
    fix: "set `Server::authorization`, or listen at `127.0.0.1` behind a proxy that authenticates clients",
};

pub(crate) static UNKNOWN_TOOL: CheckRule = CheckRule {
    id: "unknown-tool",
    severity: Severity::Warning,
    finds: "the text of a skill names a tool that the server does not have, such as ``the tool `find_order` ``",
    why: "a model that follows the skill calls a tool that does not exist",
    fix: "write the present name of the tool; if it is the tool of another server, name that server in the sentence",
};

pub(crate) static UNKNOWN_PARAMETER: CheckRule = CheckRule {
    id: "unknown-parameter",
    severity: Severity::Warning,
    finds: "the text of a skill names a parameter that the tool does not have, such as `` `find_order(number: 7)` ``",
    why: "a model that follows the skill sends an argument that the tool rejects",
    fix: "write the present name of the parameter",
};

pub(crate) static LONG_SKILL: CheckRule = CheckRule {
    id: "long-skill",
    severity: Severity::Warning,
    finds: "a `SKILL.md` needs more than about 5,000 tokens",
    why: "a model that loads the skill reads all of it, also what the task does not need",
    fix: "move details to further files of the skill, and say in `SKILL.md` when to read each of them",
};

pub(crate) static OUTDATED_SKILL: CheckRule = CheckRule {
    id: "outdated-skill",
    severity: Severity::Warning,
    finds: "the files of an embedded skill differ from those in its folder",
    why: "cargo does not notice that a file was added, so the program does not have it",
    fix: "build the program again, after `touch` of the file with `skills!`; to prevent it, write \
          `println!(\"cargo::rerun-if-changed=…\")` with the folder into `build.rs`",
};

/// The rules about one item. Its author can allow each of them.
pub(crate) const OF_ITEMS: [&CheckRule; 6] = [
    &UNPORTABLE_NAME,
    &REJECTED_SCHEMA,
    &REDUCED_SCHEMA,
    &REPEATED_DESCRIPTION,
    &LONG_DESCRIPTION,
    &UNDESCRIBED_PARAMETER,
];

/// The rules about the whole server.
const OF_SERVER: [&CheckRule; 6] =
    [&MANY_TOOLS, &TOO_MANY_TOOLS, &LARGE_TOOL_LIST, &UNDESCRIBED_SETTING, &DEBUG_BUILD, &UNAUTHORIZED_ADDRESS];

/// The rules about skills.
#[cfg(feature = "skills")]
const OF_SKILLS: [&CheckRule; 4] = [&UNKNOWN_TOOL, &UNKNOWN_PARAMETER, &LONG_SKILL, &OUTDATED_SKILL];
#[cfg(not(feature = "skills"))]
const OF_SKILLS: [&CheckRule; 0] = [];

/// Returns all rules, in the order of reports.
pub(crate) fn all() -> impl Iterator<Item = &'static CheckRule> {
    OF_ITEMS.into_iter().chain(OF_SKILLS).chain(OF_SERVER)
}

/// Returns the rule with this name, with `-` or `_` between its words.
///
/// # Errors
/// Returns a sentence that suggests a rule or lists them all.
pub(crate) fn find(name: &str) -> Result<&'static CheckRule, String> {
    let id = name.replace('_', "-");
    all().find(|rule| rule.id == id).ok_or_else(|| {
        let known: Vec<_> = all().map(|rule| rule.id).collect();
        let meant = did_you_mean(&id, known.iter().copied());
        format!("there is no rule `{name}`{meant}\n\nRules: {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_rule_by_its_name() {
        for rule in all() {
            assert_eq!(find(rule.id), Ok(rule));
            assert_eq!(find(&rule.id.replace('-', "_")), Ok(rule));
        }
        let unknown = find("portable_name").unwrap_err();
        assert!(unknown.starts_with("there is no rule `portable_name`; did you mean `unportable-name`?"), "{unknown}");
    }

    #[cfg(feature = "skills")]
    #[test]
    fn the_guide_lists_the_rules() {
        let guide = include_str!("../../../docs/guide/checking.rs");
        let table = guide.lines().filter_map(|line| line.strip_prefix("//! | `")).filter(|line| line.contains("` | "));
        let listed: Vec<_> = table.filter(|line| line.contains("| error |") || line.contains("| warning |")).collect();
        let rows =
            all().map(|rule| format!("{}` | {} | {} | {} |", rule.id, rule.severity.as_str(), rule.finds, rule.why));
        assert_eq!(listed, rows.collect::<Vec<_>>());
    }

    #[test]
    fn the_macros_have_the_same_file_about_descriptions() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let of_macros = std::fs::read_to_string(folder.join("../mcp-macros/src/repeated_description.rs"));
        assert_eq!(of_macros.unwrap(), include_str!("repeated_description.rs"));
    }
}
