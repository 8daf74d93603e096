//! Rules on the whole prompt, one function each.

use darling::FromMeta;
use syn::{LitStr, ReturnType};

use super::ast::Prompt;
use crate::{
    errors::Errors,
    tool::check::{self, SignatureNoun, is_name_char},
};

pub(crate) fn prompt(errors: &mut Errors, prompt: &Prompt) {
    is_marked_once(errors, prompt);
    check::signature(errors, &prompt.function.sig, SignatureNoun::PROMPT);
    is_described(errors, prompt);
    name_is_plain(errors, prompt);
    check::meta_keys_are_accepted_by_clients(errors, &prompt.interface);
    check::capabilities_are_named_once(errors, &prompt.interface.attr);
    arguments_have_distinct_names(errors, prompt);
    has_output(errors, prompt);
    check::output_is_named(errors, &prompt.interface.output, SignatureNoun::PROMPT);
}

/// Rejects a second attribute, because it would generate a second prompt with the same name.
fn is_marked_once(errors: &mut Errors, prompt: &Prompt) {
    for attr in &prompt.marked_again {
        errors.push(attr, "`#[mcp_prompt]` is given twice; keep one");
    }
}

/// Requires a description, because users choose a prompt by its description.
fn is_described(errors: &mut Errors, prompt: &Prompt) {
    let name = &prompt.interface.ident;
    match &prompt.interface.description {
        None => errors.push(
            name,
            format_args!(
                "`{name}` has no description, but users choose a prompt by its description; \
                 write a doc comment: `/// What the prompt is for.`"
            ),
        ),
        Some(description) => {
            if let Ok(text) = LitStr::from_expr(description)
                && text.value().trim().is_empty()
            {
                errors.push(text, "the description is empty, but users choose a prompt by it; write what it is for");
            }
        }
    }
}

/// Checks the name of the prompt. Hosts show the name as a command, such as `/review`.
fn name_is_plain(errors: &mut Errors, prompt: &Prompt) {
    let (name, span) = match &prompt.interface.attr.name {
        Some(name) => (name.value(), name.span()),
        None => (prompt.interface.wire_name(), prompt.interface.ident.span()),
    };
    if name.is_empty() || name.len() > 128 || !name.chars().all(is_name_char) {
        errors.push(
            LitStr::new(&name, span),
            "many hosts reject this name of a prompt; \
             write `name = \"…\"` with 1 to 128 ASCII letters, digits, `_`, `-` and `.`",
        );
    }
}

/// Rejects two arguments with the same name, because the arguments are the members of one JSON object.
fn arguments_have_distinct_names(errors: &mut Errors, prompt: &Prompt) {
    for (index, argument) in prompt.arguments.iter().enumerate() {
        let name = argument.name.value();
        if name.is_empty() {
            errors.push(&argument.name, "the name of this argument is empty; write a name, or remove `name`");
        }
        if prompt.arguments[..index].iter().any(|earlier| earlier.name.value() == name) {
            errors.push(&argument.name, format_args!("two arguments are named `{name}`; rename one"));
        }
    }
}

/// Rejects a prompt that returns nothing. A prompt returns at least one message.
fn has_output(errors: &mut Errors, prompt: &Prompt) {
    if let ReturnType::Default = prompt.function.sig.output {
        let name = &prompt.interface.ident;
        errors.push(name, format_args!("`{name}` returns nothing, but a prompt returns messages; write `-> String`"));
    }
}
