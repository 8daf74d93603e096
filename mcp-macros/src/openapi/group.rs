//! Operations that are the actions of one tool.

use std::collections::BTreeMap;

use super::{
    ast::{self, Call, Chosen},
    document::Document,
    operation::{Found, Operation},
    select::{NOT_A_NAME, is_name_of_tool, report_no_choice},
    text::{self, LONGEST_OF_TOOL},
};
use crate::errors::Errors;

/// A tool with actions, as the table has it.
pub(super) struct Group {
    pub(super) name: String,
    pub(super) description: String,
    /// The positions of its operations.
    pub(super) operations: Vec<usize>,
}

/// The name of an action that every such tool has.
const DESCRIBE: &str = "describe";

/// Returns the positions among the `chosen` operations of those of each group. An operation that is named in one group can
/// have the tag of another one. Reports each choice that chooses nothing, and each operation that is in two groups.
pub(super) fn members(errors: &mut Errors, call: &Call, all: &[Found<'_>], chosen: &[&Found<'_>]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); call.actions.len()];
    let mut is_wrong = vec![false; call.actions.len()];
    for (at, group) in call.actions.iter().enumerate() {
        for choice in &group.operations {
            if report_no_choice(errors, choice, all) {
                is_wrong[at] = true;
            } else if !chosen.iter().any(|found| choice.chooses(found)) {
                let written = choice.written();
                let what = if matches!(choice, Chosen::Tag(_)) { "all operations with this tag are" } else { "it is" };
                errors.push(written, format_args!("`{}` cannot be an action: {what} left out", written.value()));
                is_wrong[at] = true;
            }
        }
    }
    // The operations of each choice that are in another group, too.
    let mut repeated = BTreeMap::<_, Vec<&str>>::new();
    for (index, found) in chosen.iter().enumerate() {
        let named = places(call, found, true);
        let is_named = !named.is_empty();
        let places = if is_named { named } else { places(call, found, false) };
        let Some((first, _)) = places.first() else { continue };
        members[*first].push(index);
        for (at, choice) in &places[1..] {
            repeated.entry((*at, *choice, *first, is_named)).or_default().push(found.named());
            is_wrong[*at] = true;
        }
    }
    for ((at, choice, first, is_named), operations) in repeated {
        let [one, other] = [first, at].map(|at| &call.actions[at].name);
        let operations: Vec<_> = operations.iter().map(|operation| format!("`{operation}`")).collect();
        let (operations, them) = match operations.as_slice() {
            [operation] => (format!("the operation {operation} is"), "it"),
            all => (format!("the operations {} are", all.join(", ")), "each"),
        };
        let advice = if is_named { format!("remove {them} from one") } else { format!("name {them} in one") };
        let written = call.actions[at].operations[choice].written();
        errors.push(written, format_args!("{operations} in the tools `{one}` and `{other}`; {advice} of them"));
    }
    for ((group, members), is_wrong) in call.actions.iter().zip(&members).zip(is_wrong) {
        if members.is_empty() && !is_wrong {
            let name = &group.name;
            let message = if group.operations.is_empty() {
                format!("the tool `{name}` has no operations; name at least one")
            } else {
                format!("the tool `{name}` has no operations, because other tools name all of them; remove it")
            };
            errors.push(name, message);
        }
    }
    members
}

/// Returns the groups that an operation is in, by its name or by its tags, each with the choice that chooses it.
fn places(call: &Call, found: &Found<'_>, by_name: bool) -> Vec<(usize, usize)> {
    let is_place = |choice: &Chosen| matches!(choice, Chosen::Operation(_)) == by_name && choice.chooses(found);
    let groups = call.actions.iter().enumerate();
    groups.filter_map(|(at, group)| Some((at, group.operations.iter().position(is_place)?))).collect()
}

/// Returns the tools of the groups. Reports names that two tools have, or that none can have.
pub(super) fn groups(
    errors: &mut Errors,
    call: &Call,
    document: &Document,
    operations: &[Operation],
    members: &[Vec<usize>],
) -> Vec<Group> {
    let is_alone = |index: &usize| !members.iter().any(|members| members.contains(index));
    let alone: Vec<_> = (0..operations.len()).filter(is_alone).map(|index| &operations[index].name).collect();
    let mut groups: Vec<Group> = Vec::new();
    for (group, members) in call.actions.iter().zip(members) {
        let name = group.name.to_string();
        if !is_name_of_tool(&name) {
            errors.push(&group.name, NOT_A_NAME);
        } else if groups.iter().any(|known| known.name == name) || alone.contains(&&name) {
            errors.push(&group.name, format_args!("two tools have the name `{name}`; choose another one"));
        }
        for index in members.iter().filter(|index| operations[**index].name == DESCRIBE) {
            let operation = &operations[*index];
            let named = operation.id.clone().unwrap_or_else(|| format!("{} {}", operation.method, operation.path));
            errors.push(
                &group.name,
                format_args!(
                    "every tool with actions has the action `{DESCRIBE}`, so give the operation `{named}` another name with \
                     `rename(\"{named}\" = \"…\")`"
                ),
            );
        }
        let own = call.description.iter().rfind(|change| change.operation.value() == name);
        let description = own.map_or_else(|| description(group, document), |change| change.text.value());
        groups.push(Group { name, description, operations: members.clone() });
    }
    groups
}

/// Returns what the document says about the only tag of the group, or the title of the document.
fn description(group: &ast::ActionList, document: &Document) -> String {
    let root = document.root();
    let of_tag = match group.operations.as_slice() {
        [Chosen::Tag(tag)] => {
            let mut tags = root["tags"].as_array().into_iter().flatten();
            let tag = tags.find(|known| known["name"] == tag.value().as_str());
            tag.and_then(|tag| tag["description"].as_str())
        }
        _ => None,
    };
    match of_tag.filter(|text| !text.trim().is_empty()) {
        Some(text) => text::plain(text, LONGEST_OF_TOOL),
        None => format!("Operations of {}.", root["info"]["title"].as_str().unwrap_or("a service")),
    }
}
