//! Schemas: what a host shows its model of a tool's arguments, and how the server reads arguments.
//!
//! A host does not give the schemas of `tools/list` to its model as they are. It converts them for the API of the model,
//! and each API knows another part of JSON Schema. What an API does not know is dropped, or the tool is refused, or the
//! whole request. So a tool has two schemas:
//!
//! - The **exact** schema comes from the Rust types, or from [`ToolDefinition::input_schema`]. It checks every call, and
//!   it is never made weaker.
//! - The **published** schema is made from it, once, when the server is built. It uses only keywords that all hosts keep.
//!
//! Output schemas are published as they are, because clients validate results against them. Only enums with documented
//! variants are written as below, and formats that JSON Schema does not define are left out.
//!
//! # What is published
//!
//! | Rust | published |
//! | --- | --- |
//! | `Option<T>` | the schema of `T`; the property is not in `required` |
//! | `Vec<Option<T>>`, `HashMap<_, Option<T>>` | the schema of `T`; the description says that `null` is allowed |
//! | an enum without data | `"type": "string"` with `enum`; the docs of the variants are part of the description |
//! | a tuple, such as `(String, u8)` | an array whose `items` are any of the types; the description gives the order |
//! | `HashSet<T>`, `BTreeSet<T>` | an array; the description says that no item occurs twice |
//! | `HashMap<String, T>` | an object with the schema of `T` as `additionalProperties` |
//! | `HashMap<u32, T>` | the same; the description says what the keys are |
//! | an enum with data | `anyOf`, with an `enum` of one value for each tag |
//! | `IpAddr`, and other types with a `format` that JSON Schema does not define | a string; the description says what it contains |
//! | `#[serde(deny_unknown_fields)]`, and parameters of a tool | nothing; unknown properties are rejected nevertheless |
//! | a type that contains itself | the type, written out twice; the description of the innermost one refers to the outer one |
//! | `serde_json::Value` | a schema that only has a description |
//!
//! [`Server::schema_style`] with [`SchemaStyle::Strict`] adds `additionalProperties: false` to each object whose
//! properties are listed, for hosts that demand it. A schema of [`ToolDefinition::input_schema_verbatim`] is published as
//! the author wrote it.
//!
//! # What cannot be said to every host
//!
//! [`Server::build`] logs one warning that lists the places of such types. The tools work, and calls are checked as
//! always, but the model of some hosts sees less than the tool accepts. `OpenAI strict` means that the host turns on
//! strict mode for a tool; without it, OpenAI's API behaves like Anthropic's.
//!
//! | | Anthropic, VS Code | OpenAI strict | Gemini (Google's SDKs) | instead |
//! | --- | --- | --- | --- | --- |
//! | a map | kept | not strict, or refused | an object without properties | a list of structs with a key and a value |
//! | any value | kept | refused | an untyped value | the type that is meant, or a string |
//! | a union of structs | kept | kept | kept, but descriptions beside it can get lost | one struct with optional fields, or one tool for each variant |
//! | recursion | two levels | not strict, or no deeper | two levels | a flat list, in which items refer to each other by id |
//! | a rule such as `not`, `if` or `dependentRequired` | not published | not published | not published | say it in the description |
//!
//! Names of tools can have up to 128 characters and can contain `.`, but most model APIs allow only up to 64 letters,
//! digits, `_` and `-`. Hosts drop or rename other tools, and [`Server::build`] logs a warning that lists them. With the
//! feature `cli`, the command `check` reports both, with the lines of the functions; see the guide `checking`.
//!
//! # How arguments are read
//!
//! Arguments are read as they are, if possible. If they do not fit, the server reads them again with these changes:
//!
//! - `null` for a property that is not required means that the property is left out, and so gets its default. This holds
//!   at any depth. Many agent frameworks send `null` for each argument that the model did not set. A type that accepts
//!   `null` itself keeps it: `Option<T>` becomes `None`, and `serde_json::Value` becomes `Value::Null`.
//! - A string that contains JSON is read as this JSON where the schema allows no string: `"[1, 2]"` for a list, `"3"` for
//!   a number. Many models write arguments in this way. A string inside of such JSON is not read as JSON again.
//!   [`Server::json_strings`] turns this off.
//! - `1.0` and `1e3` are integers.
//!
//! If the arguments still do not fit, the call fails, and the model gets one line for each value that is wrong. The line
//! shows the value as the model sent it. This holds for tools, actions and the methods of a contract, whichever way a
//! call comes.
//!
//! [`SchemaStyle::Strict`]: crate::tool::SchemaStyle::Strict
//! [`Server::build`]: crate::Server::build
//! [`Server::json_strings`]: crate::Server::json_strings
//! [`Server::schema_style`]: crate::Server::schema_style
//! [`ToolDefinition::input_schema`]: crate::tool::ToolDefinition::input_schema
//! [`ToolDefinition::input_schema_verbatim`]: crate::tool::ToolDefinition::input_schema_verbatim
