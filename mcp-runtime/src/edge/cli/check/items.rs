//! The rules about tools, prompts and resources.

use serde_json::Value;

use super::{
    finding::{Finding, Found, Subject},
    parameters::undescribed,
    repeated_description::repeats_name,
    rules::{self, LONGEST_DESCRIPTION},
};
use crate::{
    engine::tool::{
        ToolDefinition,
        host_warnings::{LONGEST_NAME, is_name},
        registered::RegisteredTool,
    },
    serve::prompt::arguments,
    wire::schema::portable::SchemaGapKind,
};

/// Returns what is found about an item, without what its author allows.
///
/// # Errors
/// Returns a sentence if the author allows a rule that does not exist.
pub(crate) fn of_item(item: &RegisteredTool) -> Result<Vec<Finding>, String> {
    let definition = &item.definition;
    let allowed = definition.allowed.iter().map(|name| rules::find(name));
    let allowed = allowed.collect::<Result<Vec<_>, _>>().map_err(|error| format!("{}: {error}", item.described()))?;
    let mut found = Vec::new();
    if item.is_tool() {
        found.extend(name(definition));
        found.extend(schema(item));
    }
    found.extend(description(definition));
    found.extend(parameters(item));
    let subject = subject(definition);
    let findings = found.into_iter().filter(|(rule, _)| !allowed.contains(rule));
    Ok(findings.map(|(rule, found)| Finding { rule, subject: subject.clone(), found }).collect())
}

fn subject(definition: &ToolDefinition) -> Subject {
    let place = definition.declared_at;
    Subject {
        kind: definition.operation.noun(),
        name: definition.name.to_string(),
        place: (!is_of_runtime(place.file())).then_some(place),
    }
}

/// Whether a file belongs to this crate: the runtime itself makes the definitions of a few items.
fn is_of_runtime(file: &str) -> bool {
    let this = file!();
    let sources = this.len() - "edge/cli/check/items.rs".len();
    file.starts_with(&this[..sources])
}

fn name(definition: &ToolDefinition) -> Option<Found> {
    let name = &*definition.name;
    if is_name(name) {
        return None;
    }
    let found = match name.chars().find(|letter| !is_name(letter.encode_utf8(&mut [0; 4]))) {
        Some(odd) => format!("the name contains `{odd}`"),
        None => format!("the name has {} characters, which is more than {LONGEST_NAME}", name.len()),
    };
    Some((&rules::UNPORTABLE_NAME, found))
}

fn schema(tool: &RegisteredTool) -> impl Iterator<Item = Found> {
    let is_verbatim = tool.definition.verbatim;
    tool.schema.gaps.iter().map(move |gap| {
        let is_rejected = is_verbatim
            && gap.at.is_empty()
            && matches!(gap.kind, SchemaGapKind::Rule("allOf" | "anyOf" | "oneOf" | "$ref"));
        let place = if gap.at.is_empty() { "the root of the schema".to_owned() } else { format!("`{}`", gap.at) };
        let rule = if is_rejected { &rules::REJECTED_SCHEMA } else { &rules::REDUCED_SCHEMA };
        let verb = if matches!(gap.kind, SchemaGapKind::Rule(_)) { "has" } else { "is" };
        (rule, format!("{place} {verb} {}", gap.kind))
    })
}

fn description(definition: &ToolDefinition) -> Option<Found> {
    let text = definition.description.trim();
    let length = text.chars().count();
    if length > LONGEST_DESCRIPTION {
        Some((&rules::LONG_DESCRIPTION, format!("the description has {length} characters")))
    } else if repeats_name(&definition.name, text) {
        Some((&rules::REPEATED_DESCRIPTION, format!("the description `{text}` only repeats the name")))
    } else {
        None
    }
}

fn parameters(item: &RegisteredTool) -> Vec<Found> {
    let places = if item.is_tool() {
        let schema: Value = item.schema.to_value();
        undescribed(&schema)
    } else {
        let arguments = arguments(item).iter().filter(|argument| argument.description.is_none());
        arguments.map(|argument| argument.name.to_string()).collect()
    };
    let found = places.into_iter().map(|place| format!("the parameter `{place}` has no description"));
    found.map(|found| (&rules::UNDESCRIBED_PARAMETER, found)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Server, engine::call::Ctx, tool::DynamicTool};

    fn findings(definition: ToolDefinition) -> Result<Vec<&'static str>, String> {
        let tool = DynamicTool::new(definition, async |_: Ctx, _: Value| "");
        let service = Server::new("s", "1").without_warnings().tool(tool).build().unwrap();
        let registry = service.0.registry.read().clone();
        let findings = registry.all().map(of_item).collect::<Result<Vec<_>, _>>()?;
        Ok(findings.into_iter().flatten().map(|finding| finding.rule.id).collect())
    }

    #[test]
    fn an_author_can_allow_rules() {
        let definition = || ToolDefinition::new("roll.die", "Rolls the die.");
        assert_eq!(findings(definition()), Ok(vec!["unportable-name", "repeated-description"]));
        assert_eq!(findings(definition().allow("unportable-name")), Ok(vec!["repeated-description"]));
        assert_eq!(findings(definition().allow("unportable_name").allow("repeated_description")), Ok(vec![]));
        let unknown = findings(definition().allow("unportable")).unwrap_err();
        assert!(unknown.starts_with("tool `roll.die`: there is no rule `unportable`"), "{unknown}");
    }

    #[test]
    fn lengths_are_counted_in_characters() {
        assert_eq!(findings(ToolDefinition::new("a", "ä".repeat(1024))), Ok(vec![]));
        assert_eq!(findings(ToolDefinition::new("a", "ä".repeat(1025))), Ok(vec!["long-description"]));
        assert_eq!(findings(ToolDefinition::new("a".repeat(64), "Rolls.")), Ok(vec![]));
        assert_eq!(findings(ToolDefinition::new("a".repeat(65), "Rolls.")), Ok(vec!["unportable-name"]));
    }
}
