//! Declares the set of forms that a tool asks with.

use super::DynamicTool;
use crate::engine::call::NoForms;

/// A tool that asks the user with the forms of the set `S`, an enum with [`#[elicits]`](macro@crate::elicits). A tool
/// that shows no form asks with [`NoForms`].
///
/// [`#[mcp_tool]`](macro@crate::mcp_tool) and [`#[handoff]`](macro@crate::docs::handoff) generate the implementation from the
/// parameter `&Ctx<S>`, which can also be an alias of this type. Implement it by hand for a tool that implements
/// [`Tool`](crate::Tool) by hand. A plugin needs a handler for exactly these forms.
#[diagnostic::on_unimplemented(
    message = "the forms of `{Self}` are not known",
    label = "does not implement `AsksWith`",
    note = "`#[mcp_tool]` and `#[handoff]` declare the forms of a tool, from its parameter `&Ctx<YourForms>`",
    note = "for a tool that implements `Tool` by hand, write `impl AsksWith<YourForms> for {Self} {{}}`, or \
            `AsksWith<NoForms>` if it shows no form",
    note = "for any other tool, such as one of a list, use `Server::tool` and `PluginHostBuilder::on_elicit`"
)]
// Not a subtrait of `Tool`: a type that cannot be a tool would cause a second error.
pub trait AsksWith<S> {}

impl<F> AsksWith<NoForms> for DynamicTool<F> {}
