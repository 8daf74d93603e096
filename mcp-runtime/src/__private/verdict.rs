//! Bounds on the author's types, each with an error message of its own. Generated code names one constant per type and
//! requires the bound nowhere else, so one mistake is one error.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{Input, OutputFunctions, State, ToolInput, ToolOutput, Whole};

/// A parameter with a schema made from another type or function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "cannot be read from the arguments of `tools/call`",
    note = "add `#[derive(serde::Deserialize)]` to `{Self}`, or read it with `#[serde(deserialize_with = \"…\")]`"
)]
pub trait Readable: Sized {
    const INPUT: Input<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Readable for T {
    const INPUT: Input<T> = Input::read();
}

/// A parameter with a deserializer other than its type's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "has no JSON schema",
    note = "add `#[derive(schemars::JsonSchema)]` to `{Self}`, or name a type that has one: `#[schemars(with = \"…\")]`"
)]
pub trait Described: Sized {
    const INPUT: Input<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema> Described for T {
    const INPUT: Input<T> = Input::described();
}

/// A parameter with `#[serde(default)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default",
    label = "`#[serde(default)]` needs `Default`",
    note = "implement `Default` for `{Self}`, name a function: `#[serde(default = \"…\")]`, or take an `Option`"
)]
pub trait Defaulted: Sized {
    const MAKE: fn() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> Defaulted for T {
    const MAKE: fn() -> T = T::default;
}

/// An output whose boxed error looks as if it lacks `Send` and `Sync`.
#[diagnostic::on_unimplemented(
    message = "the error of a tool is sent between threads",
    label = "write `Box<dyn Error + Send + Sync>`",
    note = "or return `mcp_runtime::Result<_>`, whose error `ToolError` is made by `?` from every error"
)]
pub trait BoxedError: Sized {
    const FUNCTIONS: OutputFunctions<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolOutput> BoxedError for T {
    const FUNCTIONS: OutputFunctions<Self> = <T as ToolOutput>::FUNCTIONS;
}

/// Declares traits for arguments whose tokens name a type of a well-known crate: its schema needs a feature of
/// `schemars`. The traits hold for the same types.
macro_rules! of_crates {
    ($($name:ident: $label:literal, $schema:literal, $reader:literal;)*) => {$(
        #[diagnostic::on_unimplemented(
            message = "`{Self}` has no JSON schema, or cannot be read from JSON",
            label = $label,
            note = $schema,
            note = $reader,
            note = "a type of yours with this name needs `#[derive(serde::Deserialize, schemars::JsonSchema)]`"
        )]
        pub trait $name: Sized {
            const INPUT: Input<Self>;
            const WHOLE: Whole<Self>;
        }

        #[diagnostic::do_not_recommend]
        impl<T: DeserializeOwned + JsonSchema> $name for T {
            const INPUT: Input<T> = Input::of();
            const WHOLE: Whole<T> = Whole::OF;
        }
    )*};
}

of_crates! {
    OfBytes: "needs the feature `bytes1` of `schemars`",
        "its schema comes with `schemars/bytes1`: `cargo add schemars --features bytes1`",
        "what reads it comes with `bytes/serde`: `cargo add bytes --features serde`";
    OfChrono: "needs the feature `chrono04` of `schemars`",
        "its schema comes with `schemars/chrono04`: `cargo add schemars --features chrono04`",
        "what reads it comes with `chrono/serde`: `cargo add chrono --features serde`";
    OfDecimal: "needs the feature `rust_decimal1` of `schemars`",
        "its schema comes with `schemars/rust_decimal1`: `cargo add schemars --features rust_decimal1`",
        "what reads it comes with `rust_decimal/serde`: `cargo add rust_decimal --features serde`";
    OfJiff: "needs the feature `jiff02` of `schemars`",
        "its schema comes with `schemars/jiff02`: `cargo add schemars --features jiff02`",
        "what reads it comes with `jiff/serde`: `cargo add jiff --features serde`";
    OfSemver: "needs the feature `semver1` of `schemars`",
        "its schema comes with `schemars/semver1`: `cargo add schemars --features semver1`",
        "what reads it comes with `semver/serde`: `cargo add semver --features serde`";
    OfUrl: "needs the feature `url2` of `schemars`",
        "its schema comes with `schemars/url2`: `cargo add schemars --features url2`",
        "what reads it comes with `url/serde`: `cargo add url --features serde`";
    OfUuid: "needs the feature `uuid1` of `schemars`",
        "its schema comes with `schemars/uuid1`: `cargo add schemars --features uuid1`",
        "what reads it comes with `uuid/serde`: `cargo add uuid --features serde`";
}

/// A parameter by reference.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be shared state of a tool",
    label = "not `Send + Sync + 'static`",
    note = "state is used by many calls at once: wrap it in a `Mutex` or an atomic where it is not `Sync`",
    note = "by reference comes from the server; what comes from the model is taken by value"
)]
pub trait Shared {
    const CHECK: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: State> Shared for T {}

/// A parameter by value that looks like the context. An argument may have such a type name too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is taken by reference",
    label = "write `&Ctx`",
    note = "by value comes from the model; by reference comes from the server"
)]
pub trait TakenByReference: Sized {
    const INPUT: Input<Self>;
    const WHOLE: Whole<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> TakenByReference for T {
    const INPUT: Input<T> = <T as ToolInput>::INPUT;
    const WHOLE: Whole<T> = <T as ToolInput>::WHOLE;
}

/// Like [`TakenByReference`], in the phases `before` and `after`.
#[diagnostic::on_unimplemented(
    message = "the context is taken by reference",
    label = "write `&PhaseCtx`",
    note = "by value comes from the model; by reference comes from the server"
)]
pub trait TakenByReferenceInPhase: Sized {
    const INPUT: Input<Self>;
    const WHOLE: Whole<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> TakenByReferenceInPhase for T {
    const INPUT: Input<T> = <T as ToolInput>::INPUT;
    const WHOLE: Whole<T> = <T as ToolInput>::WHOLE;
}

/// The data of a variant of a `#[derive(SampleTools)]` enum: a field, or the type it wraps.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot come from a model",
    label = "cannot be read from a model's call of a tool",
    note = "what a variant carries is written by the model: put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `{Self}`, or on the type inside it"
)]
pub trait FromModel: Sized {
    const INPUT: Input<Self>;
    const WHOLE: Whole<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> FromModel for T {
    const INPUT: Input<T> = Input::of();
    const WHOLE: Whole<T> = Whole::OF;
}

/// A field with a schema made from another type or function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot come from a model",
    label = "cannot be read from a model's call of a tool",
    note = "add `#[derive(serde::Deserialize)]` to `{Self}`, or read it with `#[serde(deserialize_with = \"…\")]`"
)]
pub trait ReadableFromModel: Sized {
    const INPUT: Input<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> ReadableFromModel for T {
    const INPUT: Input<T> = Input::read();
}

/// A field with a deserializer other than its type's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot come from a model",
    label = "has no JSON schema",
    note = "add `#[derive(schemars::JsonSchema)]` to `{Self}`, or name a type that has one: `#[schemars(with = \"…\")]`"
)]
pub trait DescribedToModel: Sized {
    const INPUT: Input<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema> DescribedToModel for T {
    const INPUT: Input<T> = Input::described();
}

/// A field that looks like the context. A type of the author can have that name too.
#[diagnostic::on_unimplemented(
    message = "the context does not come from a model",
    label = "lent by the server for one call",
    note = "what a variant carries is written by the model; use the context where the tool's call is handled"
)]
pub trait NotTheContext: Sized {
    const INPUT: Input<Self>;
    const WHOLE: Whole<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> NotTheContext for T {
    const INPUT: Input<T> = Input::of();
    const WHOLE: Whole<T> = Whole::OF;
}
