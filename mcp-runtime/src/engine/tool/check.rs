//! Checks the definition of a tool, and compiles its schemas.

use std::fmt::Display;

use super::ToolDefinition;
use crate::wire::schema::{InputSchema, InputSettings, OutputSchema};

/// Checks the parts of a definition that only tools have, and compiles its schemas. Returns `None` if the input schema
/// is invalid.
pub(super) fn tool_schemas(
    definition: &mut ToolDefinition,
    settings: InputSettings,
    reject: &mut dyn FnMut(&dyn Display),
) -> Option<(InputSchema, Option<OutputSchema>)> {
    if let Some(reason) = invalid_name(&definition.name) {
        reject(&reason);
    }
    if definition.description.trim().is_empty() {
        reject(
            &"it has no description, and the model chooses tools by their descriptions; pass one to \
              `ToolDefinition::new`",
        );
    }
    if definition.passes_on {
        let input = InputSchema::passed_on(&std::mem::take(&mut definition.input_schema));
        let input = input.map_err(|reason| reject(&format_args!("input schema: {reason}"))).ok()?;
        return Some((input, definition.output_schema.take().as_ref().and_then(OutputSchema::passed_on)));
    }
    let mut reject_all = |part: &str, reasons: Vec<String>| {
        reasons.into_iter().for_each(|reason| reject(&format_args!("{part}: {reason}")));
    };
    let output = definition.output_schema.take().map(OutputSchema::new).transpose();
    let output = output.map_err(|reasons| reject_all("output schema", reasons)).ok().flatten();
    let input = std::mem::take(&mut definition.input_schema);
    if definition.checks_itself {
        return Some((InputSchema::unchecked(input, settings), output));
    }
    let schema = match definition.verbatim {
        true => InputSchema::verbatim(&input, settings),
        false => InputSchema::of_tool(input, definition.reads, settings),
    };
    let schema = schema.map_err(|reasons| reject_all("input schema", reasons)).ok()?;
    let schema = schema.with_aliases(std::mem::take(&mut definition.aliases));
    Some((if definition.typed { schema } else { schema.untyped() }, output))
}

/// Returns whether the text is a `scope-token` of RFC 6749. Such a token can be written into a header unescaped.
pub(crate) fn is_scope(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\')
}

/// Returns the reason why this cannot be the name of a tool, or `None` if it can.
fn invalid_name(name: &str) -> Option<&'static str> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if name.is_empty() {
        Some("the name is empty; a name has 1 to 128 characters")
    } else if name.len() > 128 {
        Some("the name is too long; a name has 1 to 128 characters")
    } else if !name.bytes().all(is_allowed) {
        Some("a name can have only ASCII letters, digits, `_`, `-` and `.`")
    } else {
        None
    }
}
