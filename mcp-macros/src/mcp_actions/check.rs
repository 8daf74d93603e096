//! Rules on the whole tool, one function each.

use syn::{Ident, LitStr};

use super::{action::Action, ast::ActionBlock};
use crate::{
    errors::Errors,
    keys,
    tool::check::{self, SignatureNoun},
};

/// The action that every tool with actions has.
const DESCRIBE: &str = "describe";
/// The built-in actions of tools with runs, and the aliases of these actions.
const OF_RUNS: [&str; 5] = ["status", "result", "cancel", "restart", "runs"];
/// The parameter that every run has.
const WAIT: &str = "wait";

pub(crate) fn actions(errors: &mut Errors, block: &ActionBlock) {
    is_marked_once(errors, block);
    is_of_the_type_itself(errors, block);
    is_not_generic(errors, block);
    has_actions(errors, block);
    check::interface(errors, &block.interface);
    for action in &block.actions {
        check::signature(errors, &action.sig, SignatureNoun::ACTION);
        check::interface(errors, &action.interface);
        parameters_can_be_shown(errors, action);
        is_no_list_of_runs(errors, action);
        has_no_wait(errors, action);
        aliases_set_parameters(errors, action);
        inputs_are_of_an_entry(errors, action, block);
    }
    names_are_distinct(errors, &block.actions);
}

fn is_marked_once(errors: &mut Errors, block: &ActionBlock) {
    for attr in &block.marked_again {
        errors.push(attr, "`#[mcp_actions]` is given twice; keep one");
    }
}

fn is_of_the_type_itself(errors: &mut Errors, block: &ActionBlock) {
    if let Some((path, ..)) = &block.block.trait_ {
        let name = &block.interface.ident;
        errors.push(
            path,
            format_args!("actions are methods of the type, not of a trait; write `#[mcp_actions] impl {name} {{ … }}`"),
        );
    }
}

fn is_not_generic(errors: &mut Errors, block: &ActionBlock) {
    let generics = &block.block.generics;
    for param in &generics.params {
        errors.push(param, "a tool with actions cannot be generic, because it has one schema; write concrete types");
    }
    if generics.params.is_empty()
        && let Some(clause) = &generics.where_clause
    {
        errors.push(clause, "a tool with actions cannot have a `where` clause; remove it");
    }
}

fn has_actions(errors: &mut Errors, block: &ActionBlock) {
    if !block.has_actions {
        let name = &block.interface.ident;
        errors.push(name, format_args!("`{name}` has no actions; put `#[action]` above a method"));
    }
}

/// Rejects parameters with internal names. Such names do not leave the server, so clients would never see them.
fn parameters_can_be_shown(errors: &mut Errors, action: &Action) {
    for value in action.interface.values().filter(|value| value.whole.is_none()) {
        let name = value.wire_name();
        if name.value().starts_with('_') {
            errors.push(&name, "names that begin with `_` are internal and are never shown; choose another name");
        }
    }
}

/// Rejects an action that is both a list and a run, because the result of a run is not a list of summaries.
fn is_no_list_of_runs(errors: &mut Errors, action: &Action) {
    if let Some(span) = action.run
        && action.is_list
    {
        let message = "an action with `run` cannot return summaries; remove `list`, and return short outputs";
        errors.push(Ident::new("run", span), message);
    }
}

/// Rejects a parameter of a run if it has the name of the built-in parameter.
fn has_no_wait(errors: &mut Errors, action: &Action) {
    if action.run.is_none() {
        return;
    }
    for value in action.interface.values().filter(|value| value.whole.is_none()) {
        let name = value.wire_name();
        if name.value() == WAIT {
            let message =
                "`wait` is a built-in parameter that makes a call wait for the end of the run; choose another name";
            errors.push(&name, message);
        }
    }
}

/// Rejects an alias that sets a parameter which the action does not have.
fn aliases_set_parameters(errors: &mut Errors, action: &Action) {
    if action.interface.values().any(|value| value.whole.is_some()) {
        return;
    }
    let known: Vec<_> = action.interface.values().map(|value| value.wire_name().value()).collect();
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    for set in action.aliases.iter().flat_map(|alias| &alias.sets) {
        let name = set.parameter.to_string();
        if !known.contains(&&*name) {
            let owner = format!("`{}`", action.interface.ident);
            let message = match known[..] {
                [] => format!("the alias sets the parameter `{name}`, but {owner} has no parameters"),
                _ => keys::unknown("parameter", &name, &owner, &known),
            };
            errors.push(&set.parameter, message);
        }
    }
}

/// Rejects `inputs_of` without a catalog, and with the name of a parameter that the action does not have.
fn inputs_are_of_an_entry(errors: &mut Errors, action: &Action, block: &ActionBlock) {
    let known: Vec<_> = action.interface.values().map(|value| value.ident.to_string()).collect();
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    for (_, name) in &action.inputs {
        if block.attr.catalog.is_none() {
            let message = "`inputs_of` needs the catalog of the type; write `#[mcp_actions(catalog)]`";
            errors.push(name, message);
        } else if !known.contains(&&*name.to_string()) {
            let owner = format!("`{}`", action.interface.ident);
            errors.push(name, keys::unknown("parameter", &name.to_string(), &owner, &known));
        }
    }
}

/// Rejects two actions or aliases with the same name. Also rejects the name of a built-in action.
fn names_are_distinct(errors: &mut Errors, actions: &[Action]) {
    let has_runs = actions.iter().any(|action| action.run.is_some());
    let is_built_in = |name: &str| name == DESCRIBE || has_runs && OF_RUNS.contains(&name);
    let mut taken: Vec<(String, &Action)> = Vec::new();
    for action in actions {
        let own = match &action.interface.attr.name {
            Some(name) => name.clone(),
            None => LitStr::new(&action.interface.wire_name(), action.interface.ident.span()),
        };
        let aliases = action.aliases.iter().map(|alias| (alias.name.clone(), true));
        for (name, is_alias) in [(own, false)].into_iter().chain(aliases) {
            let text = name.value();
            let noun = if is_alias { "alias" } else { "action" };
            if is_built_in(&text) {
                let what = if text == DESCRIBE { "built in" } else { "a built-in action of tools with runs" };
                errors.push(&name, format_args!("`{text}` is {what}; choose another name for this {noun}"));
            } else if is_alias && !text.chars().all(check::is_name_char) || text.is_empty() {
                let message = "an alias has ASCII letters, digits, `_`, `-` and `.`, like the name of an action";
                errors.push(&name, message);
            } else if taken.iter().any(|(other, of)| {
                // rustc reports two functions of the same name.
                *other == text && (is_alias || std::ptr::eq(*of, action) || of.sig.ident != action.sig.ident)
            }) {
                errors.push(&name, format_args!("two actions or aliases are named `{text}`; rename one"));
            }
            taken.push((text, action));
        }
    }
}
