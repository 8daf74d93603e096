//! The macro of sampling, documented where it is used from.

/// Makes an enum a set of tools that a model may call: each variant is one.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[derive(SampleTools)]
/// enum Strategy {
///     /// Attack: make two in a row.                // what the model reads of the tool
///     PlayOffensive {                               // on the wire `play_offensive`
///         /// Why, in one sentence.                 // what it reads of the argument
///         reasoning: String,
///         #[schemars(range(min = 1, max = 9))]
///         cell: u8,
///         risky: Option<bool>,                      // may be left out
///     },
///     /// Look for a game that began in the same way.
///     #[tool(name = "search-games")]
///     Search(Query),                                // a type of yours reads the whole input
///     /// Give up.
///     Resign,                                       // takes nothing
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Query {
///     moves: Vec<u8>,
/// }
///
/// /// Lets the model choose how to play.
/// #[mcp_tool(requires(sampling))]
/// async fn choose(ctx: &Ctx, board: String) -> ToolResult<String> {
///     Ok(match ctx.sample_tools::<Strategy>(format!("Choose a strategy:\n{board}")).await?.into_first() {
///         Strategy::PlayOffensive { reasoning, cell, .. } => format!("takes {cell}, since {reasoning}"),
///         Strategy::Search(Query { moves }) => format!("looks for {moves:?}"),
///         Strategy::Resign => "resigns".to_owned(),
///     })
/// }
/// # let _ = tools![choose];
/// ```
///
/// These tools are no tools of the server: a model sees them in one request, and a call comes back as a variant. See
/// [`Ctx::sample_tools`](crate::Ctx::sample_tools) for one that surely comes, [`Sample::tools`](crate::sample::Sample::tools)
/// for one that may, and [`Ctx::sample_loop`](crate::Ctx::sample_loop) for a conversation. Tools that are known only at
/// run time are offered with [`Sample::tools_dyn`](crate::sample::Sample::tools_dyn).
///
/// # Variants
///
/// | variant | input of the tool |
/// | --- | --- |
/// | `Resign` | none |
/// | `Attack { cell: u8 }` | an object of the fields |
/// | `Search(Query)` | a `Query`, which is `Deserialize` and `JsonSchema` and an object in JSON |
///
/// The doc comment is the description: the model chooses by it, so a variant without one does not compile. Arguments that
/// a tool does not have are refused, so that a misspelt one is noticed; in a wrapped type that is
/// `#[serde(deny_unknown_fields)]`.
///
/// | key of a variant | value | default | meaning |
/// | --- | --- | --- | --- |
/// | `name` | string | the variant's, in snake case | what the model calls: 1 to 64 ASCII letters, digits, `_` and `-` |
/// | `description` | string | the doc comment | what the model reads; also `include_str!("…")` |
///
/// Above the enum may stand `#[tool(crate = ::path)]`, which says where the runtime is.
///
/// # Fields
///
/// A field is what a parameter is to [`#[mcp_tool]`](macro@crate::mcp_tool), with the same attributes:
///
/// | attribute | what it does |
/// | --- | --- |
/// | doc comment | describes the argument to the model |
/// | `#[serde(rename = "…")]`, `#[serde(alias = "…")]` | the argument's name, and other names it may have |
/// | `#[serde(default)]`, `#[serde(default = "function")]` | what it is when it is left out; shown in the schema |
/// | `#[serde(with = "module")]`, `#[serde(deserialize_with = "function")]` | what reads it |
/// | `#[serde(skip)]` | never read, always its default |
/// | `#[schemars(range(…), length(…), pattern(…), …)]` | what it must fulfil; checked before the call is yours |
/// | `#[schemars(with = "Type")]`, `#[schemars(title, example, extend, …)]` | how it is described |
///
/// # Beside serde
///
/// The enum itself needs no serde. Where it is stored or returned too, derive `Serialize`, `Deserialize` or `JsonSchema`
/// as on any enum: their attributes above the enum and on variants change what is stored, and never a tool. Those that
/// seem to name tools or arguments there (`rename`, `rename_all`) do not compile unless the tools are named alike.
///
/// # Compile errors
///
/// All mistakes are reported at once, each where it is. A type that cannot come from a model is one error:
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
/// error: `Resign` has no description, and the model chooses tools by their descriptions; write a doc comment: …
///  |
///  |     Resign,
///  |     ^^^^^^
///
/// error[E0277]: `Cell` cannot come from a model
///  |
///  |     Attack { cell: Cell },
///  |                    ^^^^ cannot be read from a model's call of a tool
///  |
///  = note: what a variant carries is written by the model: put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `Cell`, …
/// ```
pub use mcp_macros::SampleTools;
