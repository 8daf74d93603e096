//! Bounds on the author's types. Each bound has its own error message. For each type, generated code requires the bound
//! in only one constant, so one mistake causes one error.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{Input, OutputFunctions, State, ToolInput, ToolOutput, Whole};
use crate::engine::call::Ctx;

/// Declares traits that are implemented for all types with the given bounds. Each trait has its own error message.
macro_rules! verdicts {
    ($(
        $(#[$doc:meta])*
        $name:ident: $($bound:ident)&+ { $($const:ident: $ty:ty = $value:expr),+ }
        $message:literal, $label:literal, $($note:literal),+;
    )*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = $message, label = $label, $(note = $note),+)]
        pub trait $name: Sized {
            $(const $const: $ty;)+
        }

        #[diagnostic::do_not_recommend]
        impl<T: $($bound +)+> $name for T {
            $(const $const: $ty = $value;)+
        }
    )*};
}

verdicts! {
    /// A parameter whose schema comes from another type or function. So the parameter's type needs only `Deserialize`.
    Readable: DeserializeOwned { INPUT: Input<Self> = Input::read() }
        "`{Self}` cannot be a parameter",
        "cannot be read from the arguments of `tools/call`",
        "add `#[derive(serde::Deserialize)]` to `{Self}`, or deserialize it with `#[serde(deserialize_with = \"…\")]`";

    /// A parameter that the author's own function deserializes. So the parameter's type needs only a schema.
    Described: JsonSchema { INPUT: Input<Self> = Input::described() }
        "`{Self}` cannot be a parameter",
        "has no JSON schema",
        "add `#[derive(schemars::JsonSchema)]` to `{Self}`, or use another type's schema: `#[schemars(with = \"…\")]`";

    /// A parameter with `#[serde(default)]`.
    Defaulted: Default { MAKE: fn() -> Self = Self::default }
        "`{Self}` has no default",
        "`#[serde(default)]` needs `Default`",
        "implement `Default` for `{Self}`, or name a function in `#[serde(default = \"…\")]`, or take an `Option`";

    /// An output with a boxed error type that seems to lack `Send` or `Sync`.
    BoxedError: ToolOutput { FUNCTIONS: OutputFunctions<Self> = <Self as ToolOutput>::FUNCTIONS }
        "an error type must be `Send` and `Sync`",
        "write `Box<dyn Error + Send + Sync>`",
        "or return `mcp_runtime::Result<_>`: then `?` converts any error to a `ToolError`";

    /// A parameter by value whose type has the same name as the context. This type may be the author's own.
    TakenByReference: ToolInput {
        INPUT: Input<Self> = <Self as ToolInput>::INPUT, WHOLE: Whole<Self> = <Self as ToolInput>::WHOLE
    }
        "`{Self}` must be taken by reference",
        "write `&Ctx`",
        "arguments from the model are taken by value; what the server provides is taken by reference";

    /// Like [`TakenByReference`], but for the phases `before` and `after`.
    TakenByReferenceInPhase: ToolInput {
        INPUT: Input<Self> = <Self as ToolInput>::INPUT, WHOLE: Whole<Self> = <Self as ToolInput>::WHOLE
    }
        "the context must be taken by reference",
        "write `&PhaseCtx`",
        "arguments from the model are taken by value; what the server provides is taken by reference";

    /// A parameter by value of a method of a contract.
    MethodInput: ToolInput {
        INPUT: Input<Self> = <Self as ToolInput>::INPUT, WHOLE: Whole<Self> = <Self as ToolInput>::WHOLE
    }
        "`{Self}` cannot be a parameter of a contract's method",
        "cannot be read from the input of a call",
        "a parameter comes from the caller: put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `{Self}`, or on the type inside it",
        "what the method shares with other calls is a field of the service: remove this parameter and use `self`";

    /// The type of a field of a `#[derive(SampleTools)]` variant, or the type that such a variant wraps.
    FromModel: DeserializeOwned & JsonSchema { INPUT: Input<Self> = Input::of(), WHOLE: Whole<Self> = Whole::OF }
        "`{Self}` cannot be an argument from a model",
        "cannot be read from the arguments of a tool call",
        "put `#[derive(serde::Deserialize, schemars::JsonSchema)]` on `{Self}`, or on the type that it contains";

    /// A field whose schema comes from another type or function. So the field's type needs only `Deserialize`.
    ReadableFromModel: DeserializeOwned { INPUT: Input<Self> = Input::read() }
        "`{Self}` cannot be an argument from a model",
        "cannot be read from the arguments of a tool call",
        "add `#[derive(serde::Deserialize)]` to `{Self}`, or deserialize it with `#[serde(deserialize_with = \"…\")]`";

    /// A field that the author's own function deserializes. So the field's type needs only a schema.
    DescribedToModel: JsonSchema { INPUT: Input<Self> = Input::described() }
        "`{Self}` cannot be an argument from a model",
        "has no JSON schema",
        "add `#[derive(schemars::JsonSchema)]` to `{Self}`, or use another type's schema: `#[schemars(with = \"…\")]`";

    /// A field whose type has the same name as the context. This type may be the author's own.
    NotTheContext: DeserializeOwned & JsonSchema { INPUT: Input<Self> = Input::of(), WHOLE: Whole<Self> = Whole::OF }
        "a variant cannot contain the context",
        "remove the context from the variant",
        "a model writes the values of a variant; use the context in the code that handles the tool call";
}

/// Declares traits for arguments whose type has a name from a well-known crate. Such a type has a schema only if a
/// feature of `schemars` is enabled. All these traits are implemented for the same types.
macro_rules! of_crates {
    ($($name:ident: $label:literal, $schema:literal, $reader:literal;)*) => {
        verdicts! {$(
            $name: DeserializeOwned & JsonSchema { INPUT: Input<Self> = Input::of(), WHOLE: Whole<Self> = Whole::OF }
            "`{Self}` has no JSON schema, or cannot be read from JSON",
            $label,
            $schema,
            $reader,
            "if `{Self}` is your own type, add `#[derive(serde::Deserialize, schemars::JsonSchema)]` to it";
        )*}
    };
}

of_crates! {
    OfBytes: "needs the feature `bytes1` of `schemars`",
        "its `JsonSchema` needs the feature `schemars/bytes1`: `cargo add schemars --features bytes1`",
        "its `Deserialize` needs the feature `bytes/serde`: `cargo add bytes --features serde`";
    OfChrono: "needs the feature `chrono04` of `schemars`",
        "its `JsonSchema` needs the feature `schemars/chrono04`: `cargo add schemars --features chrono04`",
        "its `Deserialize` needs the feature `chrono/serde`: `cargo add chrono --features serde`";
    OfDecimal: "needs the feature `rust_decimal1` of `schemars`",
        "its `JsonSchema` needs the feature `schemars/rust_decimal1`: `cargo add schemars --features rust_decimal1`",
        "its `Deserialize` needs the feature `rust_decimal/serde`: `cargo add rust_decimal --features serde`";
    OfJiff: "needs the feature `jiff02` of `schemars`",
        "its `JsonSchema` needs the feature `schemars/jiff02`: `cargo add schemars --features jiff02`",
        "its `Deserialize` needs the feature `jiff/serde`: `cargo add jiff --features serde`";
    OfSemver: "needs the feature `semver1` of `schemars`",
        "its `JsonSchema` needs the feature `schemars/semver1`: `cargo add schemars --features semver1`",
        "its `Deserialize` needs the feature `semver/serde`: `cargo add semver --features serde`";
    OfUrl: "needs the feature `url2` of `schemars`",
        "its `JsonSchema` needs the feature `schemars/url2`: `cargo add schemars --features url2`",
        "its `Deserialize` needs the feature `url/serde`: `cargo add url --features serde`";
    OfUuid: "needs the feature `uuid1` of `schemars`",
        "its `JsonSchema` needs the feature `schemars/uuid1`: `cargo add schemars --features uuid1`",
        "its `Deserialize` needs the feature `uuid/serde`: `cargo add uuid --features serde`";
}

/// A type of shared state, which a parameter can take by reference.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be shared state",
    label = "this type is not `Send + Sync + 'static`",
    note = "many calls use the state at the same time: if it is not `Sync`, wrap it in a `Mutex` or use an atomic type",
    note = "a parameter by reference comes from the server; an argument from the model must be taken by value"
)]
pub trait Shared {
    const CHECK: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: State> Shared for T {}

/// A type that a method of a contract can take by reference.
#[diagnostic::on_unimplemented(
    message = "a method of a contract cannot take `&{Self}`",
    label = "the only reference that a method can take is `&Ctx`",
    note = "take inputs by value; keep what calls share in fields of the service, which is `&self`"
)]
pub trait TakenByMethod {
    const CHECK: () = ();
}

#[diagnostic::do_not_recommend]
impl<S> TakenByMethod for Ctx<S> {}
