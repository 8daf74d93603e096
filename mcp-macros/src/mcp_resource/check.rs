//! Rules on the whole resource, one function each.

use darling::FromMeta;
use syn::{LitStr, ReturnType};

use super::ast::Resource;
use crate::{
    errors::Errors,
    keys,
    tool::check::{self, SignatureNoun},
};

pub(super) fn resource(errors: &mut Errors, resource: &Resource) {
    is_marked_once(errors, resource);
    check::signature(errors, &resource.function.sig, SignatureNoun::RESOURCE);
    is_described(errors, resource);
    is_named(errors, resource);
    check::meta_keys_are_accepted_by_clients(errors, &resource.interface);
    check::capabilities_are_named_once(errors, &resource.interface.attr);
    variables_are_parameters(errors, resource);
    keys_fit_the_uri(errors, resource);
    has_output(errors, resource);
    check::output_is_named(errors, &resource.interface.output, SignatureNoun::RESOURCE);
}

/// Rejects a second attribute, because it would generate a second resource.
fn is_marked_once(errors: &mut Errors, resource: &Resource) {
    for attr in &resource.marked_again {
        let name = if resource.attr.page.is_some() { "mcp_view" } else { "mcp_resource" };
        errors.push(attr, format_args!("`#[{name}]` is given twice; keep one"));
    }
}

/// Requires a description, because users choose a resource by its description.
fn is_described(errors: &mut Errors, resource: &Resource) {
    let name = &resource.interface.ident;
    match &resource.interface.description {
        None => errors.push(
            name,
            format_args!(
                "`{name}` has no description, but users choose a resource by its description; \
                 write a doc comment: `/// What the resource contains.`"
            ),
        ),
        Some(description) => {
            if let Ok(text) = LitStr::from_expr(description)
                && text.value().trim().is_empty()
            {
                errors
                    .push(text, "the description is empty, but users choose a resource by its description; write what the resource contains");
            }
        }
    }
}

fn is_named(errors: &mut Errors, resource: &Resource) {
    if let Some(name) = resource.interface.attr.name.as_ref().filter(|name| name.value().trim().is_empty()) {
        errors.push(name, "the name of this resource is empty; remove `name` to use the name of the function");
    }
}

/// Requires a parameter by value for each variable of the URI, and a variable for each parameter by value.
fn variables_are_parameters(errors: &mut Errors, resource: &Resource) {
    let (Some(uri), Some(variables)) = (&resource.attr.uri, &resource.attr.variables) else { return };
    let mut missing: Vec<&str> = variables.iter().map(String::as_str).collect();
    missing.retain(|variable| resource.variables.iter().all(|parameter| parameter.name.value() != *variable));
    missing.retain(|variable| !resource.refused.iter().any(|refused| refused == variable));
    let mut taken: Vec<String> = Vec::new();
    for parameter in &resource.variables {
        let name = parameter.name.value();
        if taken.contains(&name) {
            errors.push(&parameter.name, format_args!("two parameters are named `{name}`; rename one"));
        } else if !variables.contains(&name) {
            let hint = match keys::nearest(&name, &missing) {
                Some(meant) => {
                    // One mistake causes one error, so the variable is not also reported as missing.
                    missing.retain(|variable| *variable != meant);
                    format!("did you mean `{meant}`?")
                }
                None => {
                    format!("write `{{{name}}}` into the URI, or take the parameter by reference if it is shared state")
                }
            };
            errors.push(&parameter.name, format_args!("`{name}` is not a variable of the URI; {hint}"));
        }
        if let Some(title) = &parameter.title {
            errors.push(title, "in the protocol, a variable of a URI template cannot have a title; remove `title`");
        }
        taken.push(name);
    }
    for variable in missing {
        let ty = if super::uri::can_be_absent(&uri.value(), variable) { "Option<String>" } else { "String" };
        let message = format_args!("the variable `{variable}` is not a parameter; add `{variable}: {ty}`");
        errors.push(uri, message);
    }
}

/// Rejects keys for templates on a fixed URI, and keys for fixed URIs on a template.
fn keys_fit_the_uri(errors: &mut Errors, resource: &Resource) {
    let attr = &resource.attr;
    let Some(variables) = &attr.variables else { return };
    if let Some(list) = attr.list.as_ref().filter(|_| variables.is_empty()) {
        errors.push(list, "`list` is for a template; a resource with a fixed URI is always listed, so remove `list`");
    }
    if let Some(size) = attr.size.as_ref().filter(|_| !variables.is_empty()) {
        errors.push(size, "a template cannot have a size, because its resources differ in size; remove `size`");
    }
}

fn has_output(errors: &mut Errors, resource: &Resource) {
    if let ReturnType::Default = resource.function.sig.output {
        let name = &resource.interface.ident;
        errors.push(name, format_args!("`{name}` returns nothing, but a resource has contents; write `-> String`"));
    }
}
