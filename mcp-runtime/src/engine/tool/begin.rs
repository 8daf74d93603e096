//! Begins calls of registered tools: checks the arguments and creates the future.

use std::{borrow::Cow, sync::atomic::Ordering};

use super::{
    Arguments, ArgumentsError,
    guard::Pass,
    registered::{RegisteredTool, invalid_arguments},
};
use crate::{
    engine::call::{Call, running::CallFuture},
    wire::{protocol::result::CallToolResult, schema::Violations},
};

/// The reason why the arguments of a call are invalid.
#[derive(Debug)]
pub(crate) enum InvalidArguments {
    /// They do not fit the schema.
    Unfit(Violations),
    /// They fit the schema, but the tool could not read them.
    Unread(ArgumentsError),
}

impl RegisteredTool {
    /// Checks the arguments and creates the tool's future.
    #[inline]
    pub(crate) fn begin(&self, _: Pass, call: Call, arguments: &str) -> Result<CallFuture, InvalidArguments> {
        let schema = &self.schema;
        if call.nested().is_none() {
            call.0.arguments_len.store(arguments.len(), Ordering::Relaxed);
        }
        let needs_check = schema.needs_check() && !schema.surely_fits(arguments);
        let checked = if needs_check { schema.checked(arguments) } else { Ok(Cow::Borrowed(arguments)) };
        let checked = checked.map_err(InvalidArguments::Unfit)?;
        let once = call.begins_once().then(|| call.clone());
        let calling = self.item().call(call, Arguments::new(&checked, schema)).map_err(|unread| {
            // The schema's errors are preferred: they name the path of each invalid value.
            let violations = if self.is_tool() { schema.check(arguments).err() } else { None };
            violations.map_or(InvalidArguments::Unread(unread), InvalidArguments::Unfit)
        })?;
        Ok(match once {
            Some(call) => Box::pin(async move {
                call.begin_tool().await?;
                calling.await
            }),
            None => calling,
        })
    }

    /// Returns the result of a call whose arguments are invalid, for the model.
    pub(crate) fn refuse_arguments(&self, invalid: &InvalidArguments) -> CallToolResult {
        CallToolResult::error(match invalid {
            InvalidArguments::Unfit(violations) => invalid_arguments(&self.definition.name, violations),
            InvalidArguments::Unread(reason) => invalid_arguments(&self.definition.name, &format_args!("- {reason}")),
        })
    }

    /// Creates the tool's future again, for a call that is rebuilt in a later round. The guard has admitted the request
    /// of this round, and the arguments were checked in the first round.
    pub(crate) fn rebuild(&self, call: Call, arguments: &str) -> Result<CallFuture, ArgumentsError> {
        let checked = self.schema.needs_check().then(|| self.schema.checked(arguments).ok()).flatten();
        self.item().call(call, Arguments::new(checked.as_deref().unwrap_or(arguments), &self.schema))
    }
}
