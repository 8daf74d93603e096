//! Rules on the whole view, one function each.

use syn::LitStr;

use super::{
    ast::{View, ViewStruct},
    html::{Placeholder, Reference, covers, is_document, is_origin, placeholders},
};
use crate::errors::Errors;

const SCHEME: &str = "ui://";

pub(super) fn view_struct(errors: &mut Errors, view: &ViewStruct) {
    is_marked_once(errors, view);
    is_not_generic(errors, view);
    uri_has_no_variables(errors, &view.view);
    self::view(errors, &view.view);
}

/// Checks what structs and functions share.
pub(super) fn view(errors: &mut Errors, view: &View) {
    uri_is_of_a_view(errors, view);
    has_a_page(errors, view);
    is_named(errors, view);
    let before = errors.count();
    origins_are_origins(errors, view);
    page_is_a_document(errors, view);
    if errors.count() == before {
        origins_are_declared(errors, view);
    }
}

/// Rejects placeholders in places where a value could become code.
pub(super) fn placeholders_are_safe(errors: &mut Errors, view: &View) {
    let Some((page, html)) = view.page.as_ref().zip(view.attr.html.as_ref()) else { return };
    for Placeholder { name, at, problem } in placeholders(&page.text) {
        if let Some(problem) = problem {
            let (file, place) = (html.value(), page.place(at));
            errors.push(html, format_args!("`{{{{{name}}}}}` in `{file}` ({place}): {problem}"));
        }
    }
}

/// Rejects a second attribute, because a struct is one view.
fn is_marked_once(errors: &mut Errors, view: &ViewStruct) {
    for attr in &view.marked_again {
        errors.push(attr, "`#[mcp_view]` is given twice; keep one");
    }
}

/// Rejects generic parameters, because a view has one URI.
fn is_not_generic(errors: &mut Errors, view: &ViewStruct) {
    for param in &view.item.generics.params {
        errors.push(param, "a view cannot be generic, because it has one URI; remove this parameter");
    }
}

/// Rejects variables, because the page of a struct is the same for all of their values.
fn uri_has_no_variables(errors: &mut Errors, view: &View) {
    if let Some(uri) = view.attr.uri.as_ref().filter(|uri| uri.value().contains(['{', '}'])) {
        errors.push(
            uri,
            "the URI of this view has variables, but its page is always the same; remove the braces, or put \
             `#[mcp_view]` on a function that takes the variables",
        );
    }
}

fn uri_is_of_a_view(errors: &mut Errors, view: &View) {
    let Some(uri) = &view.attr.uri else { return };
    let text = uri.value();
    let Some(rest) = text.strip_prefix(SCHEME) else {
        let rest = text.split_once("://").map_or(&*text, |(_, rest)| rest).trim_start_matches('/');
        let rest = if rest.is_empty() { "flights/seats" } else { rest };
        errors.push(uri, format_args!("the URI of a view begins with `ui://`; write `\"ui://{rest}\"`"));
        return;
    };
    if rest.is_empty() || rest.starts_with('/') {
        errors.push(uri, "the URI of a view has a name after `ui://`; write one such as `\"ui://flights/seats\"`");
    } else if let Some(wrong) = rest.chars().find(|char| !is_allowed(*char)) {
        let wrong = if wrong == ' ' { "spaces".to_owned() } else { format!("`{}`", wrong.escape_debug()) };
        errors.push(
            uri,
            format_args!("the URI of a view cannot contain {wrong}; use ASCII letters, digits, `/`, `-`, `_` and `.`"),
        );
    }
}

fn is_allowed(char: char) -> bool {
    char.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%{}".contains(char)
}

fn has_a_page(errors: &mut Errors, view: &View) {
    if !view.attr.has_html {
        let name = view.wire_name();
        errors.push(
            &view.ident,
            format_args!("this view has no page; write `html = \"{name}.html\"`, a path relative to this source file"),
        );
    }
}

fn is_named(errors: &mut Errors, view: &View) {
    if let Some(name) = view.attr.name.as_ref().filter(|name| name.value().trim().is_empty()) {
        errors.push(name, "the name of this view is empty; remove `name` to use the name of the struct");
    }
}

/// Rejects entries that are not origins, because hosts write them into a header, where they could be directives.
fn origins_are_origins(errors: &mut Errors, view: &View) {
    for (_, origin) in view.attr.origins.iter().filter(|(_, origin)| !is_origin(&origin.value())) {
        let text = origin.value();
        let message = match nearest_origin(origin) {
            Some(meant) => format!("`{text}` is not an origin, which has no path; write `\"{meant}\"`"),
            None => format!(
                "`{text}` is not an origin; write a scheme and a host, such as `\"https://api.example\"`, or \
                 `\"https://*.example\"` for all subdomains"
            ),
        };
        errors.push(origin, message);
    }
}

/// Returns the origin of a URL that has more parts.
fn nearest_origin(written: &LitStr) -> Option<String> {
    let text = written.value();
    let (scheme, rest) = text.split_once("://")?;
    let host = rest.split('/').next()?;
    let origin = format!("{scheme}://{host}");
    is_origin(&origin).then_some(origin)
}

fn page_is_a_document(errors: &mut Errors, view: &View) {
    if let (Some(html), Some(page)) = (&view.attr.html, &view.page)
        && !is_document(&page.text)
    {
        let name = html.value();
        errors.push(html, format_args!("`{name}` is not an HTML document; begin the file with `<!doctype html>`"));
    }
}

/// Rejects a page that loads from an origin which hosts would block.
fn origins_are_declared(errors: &mut Errors, view: &View) {
    let Some(html) = &view.attr.html else { return };
    for message in undeclared(view, true) {
        errors.push(html, message);
    }
}

/// Returns a message for each undeclared origin. `is_certain` selects between what the page loads without doubt, and what
/// its scripts may load.
pub(super) fn undeclared(view: &View, is_certain: bool) -> impl Iterator<Item = String> {
    let declared = |reference: &Reference| {
        let mut entries = view.attr.origins.iter().filter(|(kind, _)| *kind == reference.kind);
        entries.any(|(_, entry)| covers(&entry.value(), &reference.origin))
    };
    let page = view.page.as_ref().zip(view.attr.html.as_ref());
    page.into_iter().flat_map(move |(page, html)| {
        let references = page.references().into_iter();
        let undeclared = references.filter(move |it| it.is_certain == is_certain && !declared(it));
        undeclared.map(move |Reference { kind, origin, at, .. }| {
            format!(
                "`{}` loads from `{origin}` ({}), which hosts block; declare it with `csp({} = \"{origin}\")`",
                html.value(),
                page.place(at),
                kind.key()
            )
        })
    })
}
