//! Rules on the whole contract, one function each.

use quote::ToTokens;
use syn::{LitStr, ext::IdentExt};

use super::{
    ast::{Contract, Item},
    method::Method,
};
use crate::{
    errors::Errors,
    tool::check::{self, SignatureNoun},
};

pub(crate) fn contract(errors: &mut Errors, contract: &Contract) {
    is_marked_once(errors, contract);
    is_of_the_type_itself(errors, contract);
    is_not_generic(errors, contract);
    has_resource(errors, contract);
    has_methods(errors, contract);
    for method in &contract.methods {
        check::signature(errors, &method.sig, SignatureNoun::METHOD);
        check::interface(errors, &method.interface);
        has_plain_name(errors, method);
        path_parameters_are_parameters(errors, method);
    }
    names_are_distinct(errors, &contract.methods);
    routes_are_distinct(errors, &contract.methods);
}

fn is_marked_once(errors: &mut Errors, contract: &Contract) {
    for attr in &contract.marked_again {
        errors.push(attr, "`#[contract]` is given twice; keep one");
    }
}

/// Rejects `impl Trait for Type`. The attribute belongs on the trait.
fn is_of_the_type_itself(errors: &mut Errors, contract: &Contract) {
    if let Item::Impl(item) = &contract.item
        && let Some((path, ..)) = &item.trait_
    {
        let name = path.to_token_stream();
        errors.push(
            path,
            format_args!("the contract is the trait; put `#[contract]` above `trait {name}` and remove it here"),
        );
    }
}

/// Rejects generic parameters, because the schemas of a contract are fixed at compile time.
fn is_not_generic(errors: &mut Errors, contract: &Contract) {
    let generics = match &contract.item {
        Item::Trait(item) => &item.generics,
        Item::Impl(item) => &item.generics,
    };
    for param in &generics.params {
        errors.push(param, "a contract cannot be generic, because its schemas are fixed; write concrete types");
    }
    if generics.params.is_empty()
        && let Some(clause) = &generics.where_clause
    {
        errors.push(clause, "a contract cannot have a `where` clause; remove it");
    }
}

fn has_resource(errors: &mut Errors, contract: &Contract) {
    let Some(name) = &contract.attr.resource else {
        if !contract.attr.has_resource {
            let item = contract.item.name();
            errors.push(
                &item,
                format_args!("`{item}` has no resource; name what it manages: `#[contract(resource = \"todos\")]`"),
            );
        }
        return;
    };
    if name.value() == "rpc" {
        errors.push(name, "JSON-RPC reserves the names that begin with `rpc.`; choose another resource");
        return;
    }
    check_name(errors, name, "a resource");
}

fn has_methods(errors: &mut Errors, contract: &Contract) {
    let (name, is_empty) = match &contract.item {
        Item::Trait(item) => (contract.item.name(), item.items.is_empty()),
        Item::Impl(item) => (contract.item.name(), item.items.is_empty() && item.trait_.is_none()),
    };
    if is_empty {
        errors.push(
            &name,
            format_args!("`{name}` has no methods; write `async fn list(&self) -> Vec<…>` or another method"),
        );
    }
}

fn has_plain_name(errors: &mut Errors, method: &Method) {
    if let Some(name) = &method.interface.attr.name {
        check_name(errors, name, "a method");
    }
}

/// Checks the name of a resource or a method. REST puts the name into URLs, and JSON-RPC puts it before or after a `.`.
fn check_name(errors: &mut Errors, name: &LitStr, noun: &str) {
    let text = name.value();
    let odd = text.chars().find(|c| !c.is_ascii_alphanumeric() && *c != '_' && *c != '-');
    if let Some(odd) = odd {
        let odd = odd.escape_default();
        errors.push(
            name,
            format_args!("the name of {noun} cannot contain `{odd}`; allowed are ASCII letters, digits, `_` and `-`"),
        );
    } else if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        errors.push(name, format_args!("the name of {noun} must begin with a letter"));
    }
}

/// Rejects a parameter in the path that is not a parameter of the method. The fields of `input: T` are checked when the
/// contract is built.
fn path_parameters_are_parameters(errors: &mut Errors, method: &Method) {
    let Some(path) = &method.route.path else { return };
    if method.interface.values().any(|value| value.whole.is_some()) {
        return;
    }
    let known: Vec<_> = method.interface.values().map(|value| value.wire_name().value()).collect();
    for name in method.route.parameters() {
        if !known.contains(&name) {
            let method = &method.interface.ident;
            errors.push(
                path,
                format_args!(
                    "the path has `{{{name}}}`, but `{method}` has no parameter `{name}`; add it, or remove it here"
                ),
            );
        }
    }
}

fn names_are_distinct(errors: &mut Errors, methods: &[Method]) {
    for (index, method) in methods.iter().enumerate() {
        let name = method.interface.wire_name();
        // rustc reports two functions of the same name.
        let is_other = |earlier: &&Method| {
            earlier.interface.wire_name() == name && earlier.sig.ident.unraw() != method.sig.ident.unraw()
        };
        if methods[..index].iter().find(is_other).is_some() {
            let message = format!("two methods are named `{name}`; rename one: `#[method(name = \"…\")]`");
            match &method.interface.attr.name {
                Some(name) => errors.push(name, message),
                None => errors.push(&method.sig.ident, message),
            }
        }
    }
}

/// Rejects two methods with the same verb and path, if both are written in attributes. Default routes are checked when
/// the contract is built.
fn routes_are_distinct(errors: &mut Errors, methods: &[Method]) {
    let mut taken: Vec<(String, String)> = Vec::new();
    for method in methods {
        let (Some(verb), Some(path)) = (&method.route.verb, &method.route.path) else { continue };
        let path_text = path.value();
        let shape = path_text.split('/').map(|part| if part.starts_with('{') { "{}" } else { part });
        let shape: Vec<_> = shape.collect();
        let route = (verb.value(), shape.join("/"));
        if taken.contains(&route) {
            errors.push(
                path,
                format_args!("another method has the route `{} {}`; change one of them", verb.value(), path.value()),
            );
        }
        taken.push(route);
    }
}
