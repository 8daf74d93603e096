//! `remote_tools!("…")`.

/// Generates types for the tools of another server from a saved list of them (feature `remote`).
///
/// The path is relative to the file in which it is written, as for `include_str!`. Each list belongs into a module of its
/// own:
///
/// ```
/// mod everything {
///     mcp_runtime::remote_tools!("remote_tools/everything.json");
/// }
///
/// use everything::{GetSum, GetStructuredContent, GetStructuredContentLocation, TriggerLongRunningOperation};
/// use mcp_runtime::remote::RemoteTool;
///
/// let sum = GetSum::new(2.0, 3.0);
/// let weather = GetStructuredContent::new(GetStructuredContentLocation::NewYork);
/// let long = TriggerLongRunningOperation { steps: Some(3.0), ..TriggerLongRunningOperation::new() };
///
/// assert_eq!(GetSum::NAME, "get-sum");
/// assert_eq!(serde_json::to_string(&sum).unwrap(), r#"{"a":2.0,"b":3.0}"#);
/// assert_eq!(serde_json::to_string(&weather).unwrap(), r#"{"location":"New York"}"#);
/// assert_eq!(serde_json::to_string(&long).unwrap(), r#"{"steps":3.0}"#);
/// ```
///
/// A tool becomes a struct of its arguments, which implements [`RemoteTool`](crate::remote::RemoteTool): `GetSum` for
/// `get-sum`. `new` takes the required ones. All others are `Option`s, which are left out of the call if they are `None`.
/// If the output schema of the tool is an object, a struct with `Output` in its name is what callers get. Otherwise they
/// get a [`CallToolResult`](crate::CallToolResult).
///
/// # The file
///
/// The example reads this file, which is a part of the list of `@modelcontextprotocol/server-everything`:
///
/// ```json
#[doc = include_str!("remote_tools/everything.json")]
/// ```
///
/// `tools` has the tools as the protocol defines them, as they are in the reply to `tools/list`. The command `manifest` of
/// a server that uses this crate prints such a file: `shop manifest > schemas/shop.json`. All other members are ignored.
/// If the file changes, cargo builds the program again: a tool that is gone, and an argument that has another type, are
/// compile errors where they are used.
///
/// # Types
///
/// | schema | type |
/// | --- | --- |
/// | `string` | `String` |
/// | `integer` | `i64`, or `u64` if the `minimum` is not negative |
/// | `number` | `f64` |
/// | `boolean` | `bool` |
/// | `array` | `Vec<T>` |
/// | `object` with `properties` | a struct, whose name is its path: `CreateIssueMilestone` |
/// | `object` without `properties` | `BTreeMap<String, T>` |
/// | a list of texts: `enum`, `const`, or `oneOf` of these | an enum; in outputs with a variant `Other(String)` |
/// | `T` or `null` | `Option<T>` |
/// | a reference inside of the schema, such as `#/$defs/Label` | the type of its target; a type that contains itself is in a `Box` |
/// | anything else | [`serde_json::Value`] |
///
/// Limits, such as `maxLength`, are not a part of the types: the other server checks them. Values that an object accepts
/// in addition to its `properties` have no field. Such a tool can be called by its name.
///
/// Names become those of Rust: the fields of `messageType` and `type` are `message_type` and `r#type`. If two names become
/// the same, the second one gets a number. The descriptions of the tools and their arguments become documentation, in
/// which nothing is code or HTML.
///
/// # Compile errors
///
/// Each mistake is reported at the path: a missing file, with the path where it was looked for; a file that is not JSON,
/// with the line and the column; no list `tools`; a tool without a name; two tools with one name.
#[macro_export]
macro_rules! remote_tools {
    ($($file:tt)*) => { $crate::__private::expand_remote_tools! { ($crate) $($file)* } };
}
