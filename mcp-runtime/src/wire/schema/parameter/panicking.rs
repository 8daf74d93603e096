//! Finds the code of an author that panics while a schema is made: the function of a default, or an own `JsonSchema`.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::takes::generator;
use crate::wire::schema::parameter::{Parameter, Takes};

impl Takes {
    /// Returns the schema of the arguments object, like [`schema`](Self::schema).
    ///
    /// # Errors
    /// Fails if code of the author panics. The error is a message for the author, and names the parameter.
    pub(crate) fn try_schema(&self) -> Result<Value, String> {
        caught(|| self.schema()).map_err(|reason| {
            let parameters = match self {
                Self::Whole(_) => &[],
                Self::Parameters(parameters) => *parameters,
            };
            let found = parameters.iter().find_map(panicking);
            found.unwrap_or_else(|| in_type("the schema of the arguments", &reason))
        })
    }
}

/// Returns a message if the default or the schema of this parameter panics.
fn panicking(parameter: &Parameter) -> Option<String> {
    let name = parameter.name;
    if let Err(reason) = caught(|| parameter.default()) {
        return Some(format!("the default of `{name}` panics: {reason}"));
    }
    let described = caught(|| parameter.schema(&mut generator(SchemaSettings::draft2020_12())));
    described.err().map(|reason| in_type(&format!("the schema of `{name}`"), &reason))
}

fn in_type(what: &str, reason: &str) -> String {
    format!("{what} cannot be made, because code of its type panics, such as the default of a field: {reason}")
}

/// Runs code of the author. If it panics, returns the message of the panic.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| message(&*panic).to_owned())
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("the panic has no message")
}
