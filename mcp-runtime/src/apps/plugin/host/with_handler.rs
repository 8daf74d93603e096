//! A tool together with the handler that answers its questions.

use super::handler::{NoHandler, OnElicit, shared};
use crate::engine::{
    elicit::HandledBy,
    tool::{AsksWith, IntoTool, Tool},
};

/// A tool and the handler that answers its questions inside an application.
///
/// The handler implements the trait that [`#[elicits]`](macro@crate::elicits) generates, with one method for each form.
/// A plugin whose forms have no handler does not compile. A handler that lacks a method for a form does not compile
/// either.
///
/// For a tool whose type is not known, such as one of a list, see
/// [`PluginHostBuilder::on_elicit`](crate::plugin::PluginHostBuilder::on_elicit). The
/// [module](crate::plugin) has an example.
#[must_use = "a plugin runs in a host: pass it to `PluginHostBuilder::plugin`"]
#[derive(Debug)]
pub struct Plugin<T, H = NoHandler> {
    pub(crate) tool: T,
    pub(crate) handler: H,
}

impl<T: Tool> Plugin<T> {
    /// Creates a plugin without a handler, for a tool that shows no form. The tool can be any [`IntoTool`], such as a
    /// value of a type with [`#[handoff]`](macro@crate::handoff), or the name of a function with
    /// [`#[mcp_tool]`](macro@crate::mcp_tool) in braces: `Plugin::new(search {})`.
    pub fn new<Kind>(tool: impl IntoTool<Kind, Tool = T>) -> Self {
        Self { tool: tool.into_tool(), handler: NoHandler(()) }
    }

    /// Sets the handler that answers the tool's forms, and the pages that the tool asks the user to open. The tool waits while the handler's future runs. If the call is
    /// cancelled, or if a program that follows the call answers first, the future is dropped.
    ///
    /// A handler whose answer does not fit the form is asked again, with the [reason](crate::elicit::ElicitRequest::rejected).
    /// After three such answers the call fails. After a restart of the application the handler is asked the open
    /// question again.
    pub fn on_elicit<H, S>(self, handler: H) -> Plugin<T, OnElicit>
    where
        T: AsksWith<S>,
        S: AsksForms + HandledBy<H>,
        H: Send + Sync + 'static,
    {
        Plugin { tool: self.tool, handler: OnElicit(shared::<S, H>(handler)) }
    }
}

/// A set that has forms.
#[diagnostic::on_unimplemented(
    message = "this tool shows no form, so a handler would have nothing to answer",
    label = "not needed: the tool takes `&Ctx` without a set of forms",
    note = "remove `.on_elicit(…)`"
)]
pub trait AsksForms {}

#[diagnostic::do_not_recommend]
impl<S: crate::engine::elicit::Declared> AsksForms for S {}
