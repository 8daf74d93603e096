//! Begins calls of registered tools: checks the arguments and creates the future.

use std::{borrow::Cow, fmt::Display};

use super::{
    Arguments, ArgumentsError,
    guard::Pass,
    registered::{RegisteredTool, invalid_arguments},
};
use crate::{
    engine::call::{Call, running::Calling},
    wire::protocol::result::CallToolResult,
};

impl RegisteredTool {
    /// Checks the arguments and creates the tool's future. If the arguments are invalid, returns an error result for
    /// the model.
    #[inline]
    pub(crate) fn begin(&self, _: Pass, call: Call, arguments: &str) -> Result<Calling, CallToolResult> {
        let invalid = |reason: &dyn Display| CallToolResult::error(invalid_arguments(&self.definition.name, reason));
        let schema = &self.schema;
        #[cfg(feature = "tasks")]
        call.0.note_arguments(arguments);
        let needs_check = schema.needs_check() && !schema.surely_fits(arguments);
        let checked = if needs_check { schema.checked(arguments) } else { Ok(Cow::Borrowed(arguments)) };
        let checked = checked.map_err(|violations| invalid(&violations))?;
        self.item().call(call, Arguments::new(&checked, schema)).map_err(|unread| {
            if !self.is_tool() {
                return CallToolResult::error(unread.to_string());
            }
            // The schema's errors are preferred: they name the path of each invalid value.
            match schema.check(arguments) {
                Err(violations) => invalid(&violations),
                Ok(()) => invalid(&format_args!("- {unread}")),
            }
        })
    }

    /// Checks the arguments against the schema. Returns an error result for the model if they do not fit.
    #[cfg(any(feature = "actions", feature = "contract"))]
    pub(crate) fn check_arguments(&self, arguments: &str) -> Result<(), CallToolResult> {
        let checked = self.schema.check(arguments);
        checked.map_err(|violations| CallToolResult::error(invalid_arguments(&self.definition.name, &violations)))
    }

    /// Creates the tool's future again, for a call that is rebuilt in a later round. The guard has admitted the request
    /// of this round, and the arguments were checked in the first round.
    pub(crate) fn rebuild(&self, call: Call, arguments: &str) -> Result<Calling, ArgumentsError> {
        let checked = self.schema.needs_check().then(|| self.schema.checked(arguments).ok()).flatten();
        self.item().call(call, Arguments::new(checked.as_deref().unwrap_or(arguments), &self.schema))
    }
}
