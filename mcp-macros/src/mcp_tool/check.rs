//! Rules on the whole tool, one function each.

use super::ast::Tool;
use crate::{
    errors::Errors,
    tool::check::{self, SignatureNoun},
};

pub(crate) fn tool(errors: &mut Errors, tool: &Tool) {
    is_marked_once(errors, tool);
    check::signature(errors, &tool.function.sig, SignatureNoun::TOOL);
    check::interface(errors, &tool.interface);
}

/// Rejects a second attribute, because it would generate a second tool with the same name.
fn is_marked_once(errors: &mut Errors, tool: &Tool) {
    for attr in &tool.marked_again {
        errors.push(attr, "`#[mcp_tool]` is given twice; keep one");
    }
}
