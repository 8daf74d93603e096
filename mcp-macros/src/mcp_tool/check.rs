//! Rules on the whole tool, one function each.

use syn::{GenericParam, Safety};

use super::ast::Tool;
use crate::{errors::Errors, tool::check};

pub(crate) fn tool(errors: &mut Errors, tool: &Tool) {
    is_marked_once(errors, tool);
    is_async(errors, tool);
    is_plain(errors, tool);
    is_not_generic(errors, tool);
    check::interface(errors, &tool.interface);
}

/// A second attribute would generate a second tool with the same name.
fn is_marked_once(errors: &mut Errors, tool: &Tool) {
    for attr in &tool.marked_again {
        errors.push(attr, "`#[mcp_tool]` is given twice; keep one");
    }
}

/// A tool must be `async`, because calls run concurrently on one runtime, and a tool that blocks would delay other
/// calls.
fn is_async(errors: &mut Errors, tool: &Tool) {
    let sig = &tool.function.sig;
    if sig.asyncness.is_none() {
        errors.push(sig.fn_token, "a tool must be an `async fn`; write `async` before `fn`");
    }
}

/// The server calls a tool as a plain Rust function.
fn is_plain(errors: &mut Errors, tool: &Tool) {
    let sig = &tool.function.sig;
    if let Some(constness) = &sig.constness {
        errors.push(constness, "a tool cannot be a `const fn`; remove `const`");
    }
    if let Safety::Unsafe(unsafety) = &sig.safety {
        errors.push(
            unsafety,
            "a tool cannot be `unsafe`, because the model may call it with any arguments; remove `unsafe`",
        );
    }
    if let Some(abi) = &sig.abi {
        errors.push(abi, "a tool cannot be `extern`, because only Rust code calls it; remove `extern`");
    }
    if let Some(variadic) = &sig.variadic {
        errors.push(variadic, "a tool cannot have a variable number of parameters; take a `Vec`");
    }
}

/// A tool is one entry in the list of tools, with one schema.
fn is_not_generic(errors: &mut Errors, tool: &Tool) {
    let generics = &tool.function.sig.generics;
    for param in &generics.params {
        match param {
            GenericParam::Lifetime(lifetime) => {
                errors.push(lifetime, "a tool cannot have lifetime parameters; write `&T` without a named lifetime");
            }
            GenericParam::Type(_) | GenericParam::Const(_) => {
                errors.push(param, "a tool cannot be generic, because it has one schema; write a concrete type");
            }
        }
    }
    if let Some(clause) = &generics.where_clause {
        errors.push(clause, "a tool cannot have a `where` clause; remove it");
    }
}
