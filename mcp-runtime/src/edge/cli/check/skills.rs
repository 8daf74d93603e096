//! The rules about skills.

use std::{
    env, fs,
    panic::Location,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{
    finding::{Finding, Found, Subject},
    repeated_description::repeats_name,
    rules,
    skill_text::{Mentioned, mentions},
};
use crate::{
    engine::{
        call::operation::Operation,
        tool::{registered::RegisteredTool, registry::Registry},
    },
    serve::{
        resource::resource_of,
        server::Service,
        skill::{EmbeddedSkill, SkillFiles, SkillResource},
    },
    wire::schema::nearest::did_you_mean,
};

/// The number of tokens above which a `SKILL.md` is long, as the specification of Agent Skills recommends.
const LONG_SKILL: usize = 5_000;

/// How long the files of all skills of a folder may take.
const READ: Duration = Duration::from_secs(30);

/// Tools that hosts have themselves. A skill can name them.
const OF_HOSTS: &[&str] = &[
    "apply_patch",
    "ask_user",
    "bash_tool",
    "create_file",
    "delete_file",
    "edit_file",
    "execute_command",
    "file_search",
    "glob_file_search",
    "grep_search",
    "list_dir",
    "list_directory",
    "read_file",
    "read_many_files",
    "replace_in_file",
    "run_command",
    "run_in_terminal",
    "run_shell_command",
    "run_terminal_cmd",
    "search_file_content",
    "search_files",
    "search_replace",
    "str_replace",
    "text_editor",
    "todo_write",
    "update_plan",
    "view_file",
    "view_image",
    "web_fetch",
    "web_search",
    "write_file",
    "write_todos",
];

/// Returns what is found about the skills of the server.
pub(crate) fn of_skills(service: &Service) -> Vec<Finding> {
    let registry = service.0.registry.read().clone();
    let names = KnownNames::of(&registry);
    let mut findings = Vec::new();
    for skills in registry.others(Operation::ReadResource).filter_map(resource_of::<SkillResource>) {
        let place = skills.declared_at();
        for skill in skills.files(Instant::now() + READ) {
            let mut found = Vec::new();
            found.extend(description(&skill));
            found.extend(length(&skill));
            found.extend(skill.texts().flat_map(|(path, text)| names.unknown(path, text)));
            found.extend(skill.embedded.and_then(|embedded| outdated(embedded, place)));
            let subject = Subject { kind: "skill", name: skill.entry.name.to_string(), place: Some(place) };
            findings.extend(found.into_iter().map(|(rule, found)| Finding { rule, subject: subject.clone(), found }));
        }
    }
    findings
}

fn description(skill: &SkillFiles) -> Option<Found> {
    let text = skill.entry.description.trim();
    repeats_name(&skill.entry.name, text)
        .then(|| (&rules::REPEATED_DESCRIPTION, format!("the description `{text}` only repeats the name")))
}

fn length(skill: &SkillFiles) -> Option<Found> {
    let (_, text) = skill.texts().find(|(path, _)| *path == mcp_frontmatter::SKILL_FILE)?;
    let tokens = text.len().div_ceil(4);
    let found = || format!("`SKILL.md` needs about {tokens} tokens (estimated as bytes / 4)");
    (tokens > LONG_SKILL).then(|| (&rules::LONG_SKILL, found()))
}

/// The names that a skill can use.
struct KnownNames<'r> {
    tools: Vec<&'r RegisteredTool>,
    /// The names of prompts and resources.
    others: Vec<&'r str>,
    /// Whether a tool has a `-` in its name.
    has_dashes: bool,
}

impl<'r> KnownNames<'r> {
    fn of(registry: &'r Registry) -> Self {
        let tools: Vec<_> = registry.iter().collect();
        let others = [Operation::GetPrompt, Operation::ReadResource];
        let others =
            others.into_iter().flat_map(|kind| registry.others(kind)).map(|item| item.definition.name()).collect();
        let has_dashes = tools.iter().any(|tool| tool.definition.name().contains('-'));
        Self { tools, others, has_dashes }
    }

    /// Returns the tools and parameters that a text names but the server lacks.
    fn unknown(&self, path: &str, text: &str) -> Vec<Found> {
        let found = mentions(text).into_iter().flat_map(|mention| {
            let place = format!("`{path}`, line {},", mention.line);
            match mention.of {
                Mentioned::Tool(name) => self.unknown_tool(&name, &place).into_iter().collect(),
                Mentioned::Call { tool, parameters } => match self.tool(&tool) {
                    Some(tool) => parameters.iter().filter_map(|name| unknown_parameter(tool, name, &place)).collect(),
                    None => Vec::new(),
                },
                Mentioned::Parameter { name, beside } => {
                    let mut tools = beside.iter().filter_map(|name| self.tool(name));
                    match (tools.next(), tools.next()) {
                        (Some(tool), None) => unknown_parameter(tool, &name, &place).into_iter().collect(),
                        _ => Vec::new(),
                    }
                }
            }
        });
        found.collect()
    }

    fn tool(&self, name: &str) -> Option<&'r RegisteredTool> {
        self.tools.iter().find(|tool| tool.definition.name() == name).copied()
    }

    fn unknown_tool(&self, name: &str, place: &str) -> Option<Found> {
        let is_known = self.tool(name).is_some() || self.others.contains(&name) || OF_HOSTS.contains(&name);
        // Hosts have tools such as `Bash` and `write`, and the command line has such as `cargo-deny`.
        let has_shape = !name.contains(|letter: char| letter.is_ascii_uppercase())
            && !name.contains("__")
            && (name.contains('_') || (self.has_dashes && name.contains('-')));
        if is_known || !has_shape {
            return None;
        }
        let meant = did_you_mean(name, self.tools.iter().map(|tool| tool.definition.name()));
        Some((&rules::UNKNOWN_TOOL, format!("{place} names the tool `{name}`, which the server does not have{meant}")))
    }
}

fn unknown_parameter(tool: &RegisteredTool, name: &str, place: &str) -> Option<Found> {
    let schema: Value = tool.schema.to_value();
    let known: Vec<&str> = schema["properties"].as_object()?.keys().map(String::as_str).collect();
    let aliases = tool.definition.aliases.iter().map(|(alias, _)| &**alias);
    if known.iter().copied().chain(aliases).any(|known| known == name) {
        return None;
    }
    let (tool, meant) = (tool.definition.name(), did_you_mean(name, known.iter().copied()));
    Some((
        &rules::UNKNOWN_PARAMETER,
        format!("{place} names the parameter `{name}`, which `{tool}` does not have{meant}"),
    ))
}

/// Compares an embedded skill with its folder, if the folder is where it was when the program was built.
fn outdated(skill: &EmbeddedSkill, declared_at: &Location<'_>) -> Option<Found> {
    let folder = source_folder(Path::new(declared_at.file()))?.join(skill.folder);
    let now = mcp_frontmatter::files(&folder).ok()?;
    let mut differences = Vec::new();
    for file in &now {
        match skill.files.iter().find(|embedded| embedded.path == file.path) {
            None => differences.push(format!("`{}` is new", file.path)),
            Some(embedded) if fs::read(&file.place).is_ok_and(|bytes| bytes != embedded.bytes) => {
                differences.push(format!("`{}` has changed", file.path));
            }
            Some(_) => {}
        }
    }
    let removed = skill.files.iter().filter(|embedded| !now.iter().any(|file| file.path == embedded.path));
    differences.extend(removed.map(|file| format!("`{}` is gone", file.path)));
    let found = || format!("the folder `{}` differs from the program: {}", folder.display(), differences.join(", "));
    (!differences.is_empty()).then(|| (&rules::OUTDATED_SKILL, found()))
}

/// Returns the folder of a source file. Its path is relative to the workspace, in which the program may run or which may be
/// above.
fn source_folder(file: &Path) -> Option<PathBuf> {
    let current = env::current_dir().ok()?;
    let found = current.ancestors().map(|folder| folder.join(file)).find(|file| file.is_file())?;
    Some(found.parent()?.to_owned())
}
