//! Tools of another server as types.

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    base::error::{Result, ToolError},
    engine::{compose, tool::Json},
    wire::protocol::{content::Content, result::CallToolResult},
};

/// A tool of another server: a value is the arguments of one call.
///
/// [`remote_tools!`](crate::remote_tools) generates such types from the list of the server's tools. By hand, a type is
/// written like this:
///
/// ```
/// use mcp_runtime::{Json, remote::RemoteTool};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize)]
/// struct GetWeather {
///     city: String,
/// }
///
/// #[derive(Deserialize)]
/// struct Weather {
///     temperature: f64,
/// }
///
/// impl RemoteTool for GetWeather {
///     const NAME: &'static str = "get_weather";
///     type Output = Json<Weather>;
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool of another server",
    label = "does not implement `RemoteTool`",
    note = "`remote_tools!` generates such types from a saved list of tools"
)]
pub trait RemoteTool: Serialize + Send + Sync {
    /// The name of the tool on the other server.
    const NAME: &'static str;

    /// How the result is read: [`Json`] for structured content, and [`CallToolResult`] for the result as it is.
    type Output: ReadRemote;
}

/// The output of a [`RemoteTool`], as its callers get it.
///
/// | output of the tool | what its caller gets |
/// | --- | --- |
/// | [`Json<T>`](Json), if `T` is [`Deserialize`](serde::Deserialize) | `T`: the structured content, or the only text block if it is JSON |
/// | [`CallToolResult`] | [`CallToolResult`] |
#[diagnostic::on_unimplemented(
    message = "the result of a remote tool cannot be read as `{Self}`",
    label = "is neither `Json<T>` nor `CallToolResult`",
    note = "write `type Output = Json<T>;` with a `T` that is `Deserialize`, or `type Output = CallToolResult;`"
)]
pub trait ReadRemote {
    /// What the caller gets.
    type Value: Send;

    /// Reads the result of the tool.
    ///
    /// # Errors
    /// Fails with the text of the result if the tool has failed, or if the result cannot be read as a value of this type.
    fn read(result: CallToolResult) -> Result<Self::Value>;
}

impl ReadRemote for CallToolResult {
    type Value = Self;

    fn read(result: Self) -> Result<Self> {
        compose::successful(result)
    }
}

impl<T: DeserializeOwned + Send> ReadRemote for Json<T> {
    type Value = T;

    fn read(result: CallToolResult) -> Result<T> {
        let result = compose::successful(result)?;
        let text = match (result.structured.as_deref(), result.content()) {
            (Some(structured), _) => Some(structured),
            // Before 2025-06-18, servers send JSON as text.
            (None, [only]) => Content::as_text(only),
            (None, _) => None,
        };
        let text = text.ok_or("the tool has returned neither structured content nor a single text")?;
        serde_json::from_str(text).map_err(|error| {
            ToolError::from(format!("the tool has returned something else than its output schema says: {error}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Weather {
        degrees: f64,
    }

    fn read(result: CallToolResult) -> Result<Weather, String> {
        Json::<Weather>::read(result).map_err(|error| error.to_string())
    }

    #[test]
    fn reads_structured_content_before_text() {
        let structured = CallToolResult::json(&serde_json::json!({"degrees": 21.5, "more": 1})).unwrap();
        assert_eq!(read(structured.clone()), Ok(Weather { degrees: 21.5 }));
        assert_eq!(read(structured.text("21.5 degrees")), Ok(Weather { degrees: 21.5 }));
    }

    #[test]
    fn reads_the_only_text_if_there_is_no_structured_content() {
        let text = || Content::text(r#"{"degrees": 3}"#);
        assert_eq!(read(CallToolResult::new([text()])), Ok(Weather { degrees: 3.0 }));
        let neither = "the tool has returned neither structured content nor a single text";
        assert_eq!(read(CallToolResult::new([text(), text()])), Err(neither.to_owned()));
        assert_eq!(read(CallToolResult::new([])), Err(neither.to_owned()));
    }

    #[test]
    fn a_result_of_another_shape_is_an_error() {
        let expected = "the tool has returned something else than its output schema says: ";
        for text in [r#"{"degrees": "warm"}"#, "{}", "21.5 degrees"] {
            let error = read(CallToolResult::new([Content::text(text)])).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_failed_call_is_an_error_with_its_text() {
        let failed = || CallToolResult::error("no such city");
        assert_eq!(read(failed()), Err("no such city".to_owned()));
        let error = <CallToolResult as ReadRemote>::read(failed()).unwrap_err();
        assert_eq!(error.to_string(), "no such city");
        let fine = <CallToolResult as ReadRemote>::read(CallToolResult::new([Content::text("fine")])).unwrap();
        assert_eq!(fine.content()[0].as_text(), Some("fine"));
    }
}
