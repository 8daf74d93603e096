//! Rules on every kind of tool, one function each.

use darling::FromMeta;
use syn::{Expr, GenericParam, Ident, LitStr, Safety, Signature, Type};

use super::{Interface, ToolAttr, Value, constraint};
use crate::{
    errors::Errors,
    types::{self, Borrow},
};

/// Words for error messages about a signature.
#[derive(Clone, Copy)]
pub(crate) struct SignatureNoun {
    noun: &'static str,
    /// The end of the message "… cannot be generic, because it has".
    one: &'static str,
}

impl SignatureNoun {
    pub(crate) const TOOL: Self = Self { noun: "a tool", one: "one schema" };
    pub(crate) const METHOD: Self = Self { noun: "a method", one: "one schema" };
    pub(crate) const ACTION: Self = Self { noun: "an action", one: "one schema" };
    pub(crate) const RESOURCE: Self = Self { noun: "a resource", one: "one URI" };
    pub(crate) const PROMPT: Self = Self { noun: "a prompt", one: "one list of arguments" };
}

/// Checks one signature against the rules for functions that clients call.
pub(crate) fn signature(errors: &mut Errors, sig: &Signature, SignatureNoun { noun, one }: SignatureNoun) {
    // Calls run concurrently on one runtime, and a tool that blocks would delay other calls.
    if sig.asyncness.is_none() {
        errors.push(sig.fn_token, format_args!("{noun} must be an `async fn`; write `async` before `fn`"));
    }
    is_plain(errors, sig, noun);
    is_not_generic(errors, sig, noun, one);
}

/// Rejects `const`, `unsafe` and `extern` functions, and functions with a variable number of parameters.
fn is_plain(errors: &mut Errors, sig: &Signature, noun: &str) {
    if let Some(constness) = &sig.constness {
        errors.push(constness, format_args!("{noun} cannot be a `const fn`; remove `const`"));
    }
    if let Safety::Unsafe(unsafety) = &sig.safety {
        errors.push(
            unsafety,
            format_args!("{noun} cannot be `unsafe`, because clients may call it with any arguments; remove `unsafe`"),
        );
    }
    if let Some(abi) = &sig.abi {
        errors.push(abi, format_args!("{noun} cannot be `extern`, because only Rust code calls it; remove `extern`"));
    }
    if let Some(variadic) = &sig.variadic {
        errors.push(variadic, format_args!("{noun} cannot have a variable number of parameters; take a `Vec`"));
    }
}

/// Rejects generic parameters, because a tool has one schema.
fn is_not_generic(errors: &mut Errors, sig: &Signature, noun: &str, one: &str) {
    for param in &sig.generics.params {
        match param {
            GenericParam::Lifetime(lifetime) => {
                errors.push(
                    lifetime,
                    format_args!("{noun} cannot have lifetime parameters; write `&T` without a named lifetime"),
                );
            }
            GenericParam::Type(_) | GenericParam::Const(_) => {
                errors
                    .push(param, format_args!("{noun} cannot be generic, because it has {one}; write a concrete type"));
            }
        }
    }
    if let Some(clause) = &sig.generics.where_clause {
        errors.push(clause, format_args!("{noun} cannot have a `where` clause; remove it"));
    }
}

pub(crate) fn interface(errors: &mut Errors, tool: &Interface) {
    is_described(errors, tool);
    name_is_accepted_by_clients(errors, tool);
    meta_keys_are_accepted_by_clients(errors, tool);
    annotations_agree(errors, tool);
    arguments(errors, tool.values());
    whole_object_is_alone(errors, tool);
    output_is_named(errors, &tool.output, SignatureNoun::TOOL);
}

fn is_described(errors: &mut Errors, tool: &Interface) {
    described(errors, &tool.ident, tool.description.as_ref(), tool.origin.documented());
}

/// Requires a description, because a model chooses a tool by its description alone. `place` says where the doc comment
/// belongs.
pub(crate) fn described(errors: &mut Errors, name: &Ident, description: Option<&Expr>, place: &str) {
    match description {
        None => errors.push(
            name,
            format_args!(
                "`{name}` has no description, but the model chooses a tool by its description; \
                 write a doc comment{place}: `/// What it does and when to use it.`"
            ),
        ),
        Some(description) => {
            if let Ok(text) = LitStr::from_expr(description)
                && text.value().trim().is_empty()
            {
                errors.push(
                    text,
                    "the description is empty, but the model chooses a tool by its description; write what the tool does",
                );
            }
        }
    }
}

/// Checks that the protocol allows the name (SEP-986). A valid name has 1 to 128 characters, which are ASCII letters,
/// digits, `_`, `-` and `.`.
fn name_is_accepted_by_clients(errors: &mut Errors, tool: &Interface) {
    let Some(name) = &tool.attr.name else {
        if !tool.wire_name().is_ascii() {
            errors.push(
                &tool.ident,
                "the name of this tool is not ASCII; add `name = \"…\"` with ASCII letters, digits, `_`, `-` and `.`",
            );
        }
        return;
    };
    let text = name.value();
    if text.is_empty() {
        let noun = tool.origin.noun();
        errors.push(name, format_args!("the name of this tool is empty; remove `name` to use the name of the {noun}"));
    } else if let Some(odd) = text.chars().find(|c| !is_name_char(*c)) {
        let odd = if odd == ' ' { "spaces".to_owned() } else { format!("`{}`", odd.escape_default()) };
        errors.push(
            name,
            format_args!(
                "the name of a tool cannot contain {odd}; allowed are ASCII letters, digits, `_`, `-` and `.`"
            ),
        );
    } else if text.len() > 128 {
        errors.push(
            name,
            format_args!("the name of a tool can have at most 128 characters, but this one has {}", text.len()),
        );
    }
}

pub(crate) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Checks that each key of `_meta` follows the protocol's grammar, which is `label.label/name` or `name`. Rejects
/// prefixes that the protocol reserves, and keys that other keys of the attribute write.
pub(crate) fn meta_keys_are_accepted_by_clients(errors: &mut Errors, tool: &Interface) {
    let has_ui = tool.attr.view.is_some() || tool.attr.visibility.is_some();
    for member in &tool.attr.meta {
        let key = member.key.value();
        if has_ui && (key == "ui" || key == "ui/resourceUri") {
            errors.push(&member.key, format_args!("`view` and `visibility` write `{key}`; remove it here"));
            continue;
        }
        let (prefix, name) = match key.rsplit_once('/') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, &*key),
        };
        if !prefix.is_none_or(is_meta_prefix) || !is_meta_name(name) {
            errors.push(
                &member.key,
                format_args!(
                    "`{key}` is not a valid key of `_meta`; write `name`, or `com.example/name` with your own domain"
                ),
            );
        } else if prefix.is_some_and(is_reserved) {
            errors.push(&member.key, "the protocol reserves this prefix; use your own domain: `com.example/name`");
        }
    }
}

fn is_meta_prefix(prefix: &str) -> bool {
    prefix.split('.').all(|label| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.ends_with(|c: char| c.is_ascii_alphanumeric())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    })
}

/// Returns whether the protocol reserves the prefix. A prefix is reserved if its second label is `mcp` or
/// `modelcontextprotocol`. By a rule of 2025-06-18, it is also reserved if any label before the last one is one of
/// these words.
fn is_reserved(prefix: &str) -> bool {
    let labels: Vec<_> = prefix.split('.').collect();
    let is_own = |label: &str| label == "mcp" || label == "modelcontextprotocol";
    labels.iter().enumerate().any(|(index, label)| is_own(label) && (index == 1 || index + 1 < labels.len()))
}

fn is_meta_name(name: &str) -> bool {
    name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.ends_with(|c: char| c.is_ascii_alphanumeric())
            && name.chars().all(is_name_char)
}

/// Rejects hints that contradict each other. A host uses the hints to decide whether to ask the user before a call.
fn annotations_agree(errors: &mut Errors, tool: &Interface) {
    let attr = &tool.attr;
    let is = |flag: &Option<syn::LitBool>| flag.as_ref().is_some_and(|flag| flag.value);
    if is(&attr.read_only)
        && let Some(destructive) = attr.destructive.as_ref().filter(|flag| flag.value)
    {
        errors.push(destructive, "a tool cannot be both `read_only` and `destructive`; remove one of the two");
    }
    capabilities_are_named_once(errors, attr);
}

/// Rejects a capability that is both required and optional.
pub(crate) fn capabilities_are_named_once(errors: &mut Errors, attr: &ToolAttr) {
    for capability in &attr.optional {
        if attr.requires.contains(capability) {
            errors.push(
                &capability.word,
                format_args!("`{}` is in both `requires` and `optional`; remove it from one of them", capability.word),
            );
        }
    }
}

pub(crate) fn arguments<'a>(errors: &mut Errors, values: impl Iterator<Item = &'a Value> + Clone) {
    arguments_have_distinct_names(errors, values.clone());
    values.for_each(|value| constraint::can_be_met(errors, value));
}

/// Rejects two arguments with the same name, and names that the APIs of models do not accept. The arguments are the
/// members of one JSON object.
fn arguments_have_distinct_names<'a>(errors: &mut Errors, values: impl Iterator<Item = &'a Value>) {
    let mut taken = Vec::new();
    for value in values.filter(|value| value.whole.is_none() && value.serde.skip.is_none()) {
        let name = value.wire_name();
        if name.value().is_empty() || name.value().len() > 64 || !name.value().chars().all(is_name_char) {
            errors.push(
                &name,
                "model APIs reject this argument name; \
                 write `#[serde(rename = \"…\")]` with 1 to 64 ASCII letters, digits, `_`, `-` and `.`",
            );
        }
        for name in [name].into_iter().chain(value.serde.aliases.iter().cloned()) {
            if taken.contains(&name.value()) {
                errors.push(&name, format_args!("two arguments are named `{}`; rename one", name.value()));
            }
            taken.push(name.value());
        }
    }
}

/// Rejects `#[params]` beside other arguments. A parameter with `#[params]` takes the whole arguments object.
fn whole_object_is_alone(errors: &mut Errors, tool: &Interface) {
    let Some(first) = tool.values().find(|value| value.whole.is_some()) else { return };
    for value in tool.values().filter(|value| value.ident != first.ident) {
        match &value.whole {
            Some(second) => {
                errors.push(
                    second,
                    "two parameters take the whole arguments object, but only one can; merge their types",
                );
            }
            None => errors.push(
                &value.ident,
                format_args!(
                    "`#[params] {0}` takes the whole arguments object; make `{1}` a field of the type of `{0}`",
                    first.ident, value.ident
                ),
            ),
        }
    }
}

/// Rejects an output type that borrows data, or that contains `impl` or `Self`. The author must write a concrete type,
/// because the output type decides what the client gets.
pub(crate) fn output_is_named(errors: &mut Errors, output: &Type, SignatureNoun { noun, .. }: SignatureNoun) {
    let message = match types::borrow(output) {
        None => return,
        Some(Borrow::Reference | Borrow::Lifetime) => {
            format!("{noun} cannot return borrowed data; write `String`, or `&'static str` for a constant text")
        }
        Some(Borrow::Impl) => {
            "the output type decides what the client gets, so it cannot contain `impl`; name the type".to_owned()
        }
        Some(Borrow::SelfType) => {
            format!("`Self` has no meaning here, because {noun} is a free function; write the name of the type")
        }
    };
    errors.push(output, message);
}
