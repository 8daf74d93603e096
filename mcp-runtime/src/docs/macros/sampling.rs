//! The macro for sampling, documented at its re-export.

/// Turns an enum into a set of tools for a model: each variant is one tool.
///
/// ```
/// use mcp_runtime::{Result, prelude::*};
///
/// #[derive(SampleTools)]
/// enum Strategy {
///     /// Attack: make two in a row.                // the tool's description
///     PlayOffensive {                               // on the wire `play_offensive`
///         /// Why, in one sentence.                 // the argument's description
///         reasoning: String,
///         #[schemars(range(min = 1, max = 9))]
///         cell: u8,
///         risky: Option<bool>,                      // optional
///     },
///     /// Look for a game that began in the same way.
///     #[tool(name = "search-games")]
///     Search(Query),                                // `Query` is read from the whole input
///     /// Give up.
///     Resign,                                       // no arguments
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Query {
///     moves: Vec<u8>,
/// }
///
/// /// Lets the model choose how to play.
/// #[mcp_tool(requires(sampling))]
/// async fn choose(ctx: &Ctx, board: String) -> Result<String> {
///     Ok(match ctx.sample_tools::<Strategy>(format!("Choose a strategy:\n{board}")).await?.into_first() {
///         Strategy::PlayOffensive { reasoning, cell, .. } => format!("takes {cell}, since {reasoning}"),
///         Strategy::Search(Query { moves }) => format!("looks for {moves:?}"),
///         Strategy::Resign => "resigns".to_owned(),
///     })
/// }
/// # let _ = tools![choose];
/// ```
///
/// The variants are not tools of the server. The model sees them in one request, and the model's tool call is returned
/// as a variant. See [`Ctx::sample_tools`](crate::Ctx::sample_tools) to require a call,
/// [`Sample::tools`](crate::sample::Sample::tools) to offer the tools, and
/// [`Ctx::sample_loop`](crate::Ctx::sample_loop) for a conversation. For tools that are known only at run time see
/// [`Sample::tools_dyn`](crate::sample::Sample::tools_dyn).
///
/// # Variants
///
/// | variant | input of the tool |
/// | --- | --- |
/// | `Resign` | none |
/// | `Attack { cell: u8 }` | an object with these fields |
/// | `Search(Query)` | a `Query`: a type that is `Deserialize` and `JsonSchema`, and whose JSON is an object |
///
/// The doc comment is the description. The model chooses tools by their descriptions, so a variant without a
/// description does not compile. Arguments that a tool does not have are rejected, so that a misspelled name is
/// noticed. For a variant such as `Search(Query)`, put `#[serde(deny_unknown_fields)]` on `Query` to reject such
/// arguments.
///
/// | key of `#[tool(…)]` | value | default | meaning |
/// | --- | --- | --- | --- |
/// | `name` | string | the variant's, in snake case | the name that the model calls: 1 to 64 ASCII letters, digits, `_` and `-` |
/// | `description` | string | the doc comment | the text that the model reads; also `include_str!("…")` |
///
/// Put `#[tool(crate = ::path)]` above the enum to set the path of the runtime crate.
///
/// # Fields
///
/// A field works like a parameter of [`#[mcp_tool]`](macro@crate::mcp_tool), with the same attributes:
///
/// | attribute | what it does |
/// | --- | --- |
/// | doc comment | describes the argument to the model |
/// | `#[serde(rename = "…")]`, `#[serde(alias = "…")]` | the argument's name, and the aliases that deserialization accepts |
/// | `#[serde(default)]`, `#[serde(default = "function")]` | the value if the argument is missing; published in the schema |
/// | `#[serde(with = "module")]`, `#[serde(deserialize_with = "function")]` | how to deserialize the argument |
/// | `#[serde(skip)]` | the argument is never read and always has its default |
/// | `#[schemars(range(…), length(…), pattern(…), …)]` | constraints; checked before the call is returned |
/// | `#[schemars(with = "Type")]`, `#[schemars(title, example, extend, …)]` | how the schema describes the argument |
///
/// # serde and schemars
///
/// The enum itself does not need serde. To store or return it, derive `Serialize`, `Deserialize` or `JsonSchema` as on
/// any enum. Attributes of these derives above the enum and on variants change only the stored value, not the tools. An
/// attribute such as `rename` or `rename_all` does not compile if it gives a variant a name that differs from the
/// tool's name.
///
/// # Compile errors
///
/// All mistakes are reported together, each at its own place. A type that cannot come from a model causes one error:
///
/// ```compile_fail
/// # use mcp_runtime::prelude::*;
/// struct Cell(u8);
///
/// #[derive(SampleTools)]
/// enum Strategy {
///     /// Attack.
///     Attack { cell: Cell },
///     Resign,
/// }
/// ```
///
/// ```text
/// error: `Resign` has no description, but the model chooses a tool by its description; write a doc comment: …
///  |
///  |     Resign,
///  |     ^^^^^^
///
/// error[E0277]: `Cell` cannot be an argument from a model
///  |
///  |     Attack { cell: Cell },
///  |                    ^^^^ cannot be read from the arguments of a tool call
///  |
///  = note: put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `Cell`, or on the type that it contains
/// ```
pub use mcp_macros::SampleTools;
