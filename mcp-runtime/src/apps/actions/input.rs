//! Reads the input of a tool with actions: an object with `action` and `params`.

use serde_json::{Map, Value};

use super::{
    failure::{ActionFailure, FailureKind, shown},
    set::ActionSet,
};
use crate::wire::schema::nearest::nearest;

/// The input of a tool with actions, before the parameters are checked.
#[derive(Debug)]
pub(super) struct ActionInput {
    pub(super) action: String,
    pub(super) params: Map<String, Value>,
    /// What the caller should do differently the next time.
    pub(super) warnings: Vec<String>,
}

impl ActionInput {
    /// Reads the input. `reads_json_strings` states whether `params` can be a string that contains an object.
    ///
    /// # Errors
    /// Fails if the text is not such an input.
    pub(super) fn read(text: &str, set: &ActionSet, reads_json_strings: bool) -> Result<Self, ActionFailure> {
        let invalid = |message: String| ActionFailure::new(FailureKind::InvalidInput, message);
        let input: Value = serde_json::from_str(text).map_err(|error| invalid(format!("not valid JSON: {error}")))?;
        let Value::Object(mut input) = input else {
            return Err(invalid(format!(
                "the input must be an object with `action` and `params` (got {})",
                shown(&input)
            )));
        };
        let names = set.names().collect::<Vec<_>>().join(", ");
        let action = match input.remove("action") {
            Some(Value::String(action)) => action,
            Some(other) => return Err(invalid(format!("`action` must be one of: {names} (got {})", shown(&other)))),
            None => {
                let near = nearest("action", input.keys().map(String::as_str));
                let near = near.map(|near| format!("; did you write it as `{near}`?")).unwrap_or_default();
                return Err(invalid(format!("`action` is required: one of: {names}{near}")));
            }
        };
        let mut warnings = Vec::new();
        let params = match input.remove("params") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(params)) => params,
            Some(other) => match in_string(&other).filter(|_| reads_json_strings) {
                Some(params) => {
                    warnings.push("`params` was a string that holds JSON; send it as an object".to_owned());
                    params
                }
                None => return Err(invalid(format!("`params` must be an object (got {})", shown(&other)))),
            },
        };
        match input.keys().next() {
            None => Ok(Self { action, params, warnings }),
            Some(other) => Err(invalid(format!(
                "`{other}` is not allowed beside `action` and `params`; the parameters of an action belong in `params`: \
                 {{\"action\": {}, \"params\": {{{}: …}}}}",
                Value::from(action),
                Value::from(other.as_str()),
            ))),
        }
    }
}

/// Returns the JSON object that a string contains.
fn in_string(value: &Value) -> Option<Map<String, Value>> {
    match serde_json::from_str(value.as_str()?).ok()? {
        Value::Object(params) => Some(params),
        _ => None,
    }
}
