//! A call of a tool whose arguments and output were checked at compile time.

use std::{
    any::{TypeId, type_name},
    fmt,
    marker::PhantomData,
    sync::Arc,
};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::{
    base::error::{Result, ToolError},
    engine::{
        call::NoForms,
        elicit::Declared,
        tool::{Tool, live_registry::LiveRegistry, registered::RegisteredTool},
    },
    wire::protocol::text::push_json_string,
};

/// A tool and the arguments for a call of it: `order::with("tea")`. See [`Ctx::call_tool`](crate::Ctx::call_tool).
///
/// `F` is the set of forms with which the tool asks, and `O` is its output. A tool that was registered under several
/// names is called by its name, with [`Ctx::call`](crate::Ctx::call).
#[must_use = "a tool is called by `ctx.call_tool(…)`"]
pub struct PreparedCall<F, O> {
    pub(super) find: fn(&LiveRegistry) -> Result<Arc<RegisteredTool>>,
    pub(super) arguments: serde_json::Result<String>,
    kind: PhantomData<fn() -> (F, O)>,
}

/// The name of a parameter, and its value as JSON.
type NamedArgument = (&'static str, serde_json::Result<Box<RawValue>>);

impl<F, O> PreparedCall<F, O> {
    /// Creates a call of the tool `T` with these arguments: the name of each parameter, and its value as JSON.
    #[doc(hidden)]
    pub fn new<T: Tool, const N: usize>(arguments: [NamedArgument; N]) -> Self {
        Self { find: find::<T>, arguments: object(arguments), kind: PhantomData }
    }

    /// Creates a call of the tool `T` whose arguments are one value.
    #[doc(hidden)]
    pub fn whole<T: Tool>(arguments: serde_json::Result<Box<RawValue>>) -> Self {
        Self { find: find::<T>, arguments: arguments.map(|value| value.get().to_owned()), kind: PhantomData }
    }

    /// Allows a tool without the forms of the called tool to call it. The forms are then no forms of the caller: its
    /// clients do not need to support elicitation, and the call fails if the client does not.
    pub fn asks_apart(self) -> PreparedCall<NoForms, O> {
        PreparedCall { find: self.find, arguments: self.arguments, kind: PhantomData }
    }
}

impl<F, O> fmt::Debug for PreparedCall<F, O> {
    /// Omits the arguments, which can contain secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedCall").finish_non_exhaustive()
    }
}

/// A set of forms with which a tool can call tools that ask with the set `F`.
#[diagnostic::on_unimplemented(
    message = "the called tool asks with the forms of `{F}`, which this tool does not declare",
    label = "needs `&Ctx<{F}>`, but this is a `&Ctx<{Self}>`",
    note = "take `ctx: &Ctx<{F}>`, so that clients know what this tool needs",
    note = "or call it with `.asks_apart()`: the call then fails if the client cannot show forms"
)]
pub trait PassesOn<F> {}

#[diagnostic::do_not_recommend]
impl<S> PassesOn<NoForms> for S {}

#[diagnostic::do_not_recommend]
impl<S: Declared> PassesOn<S> for S {}

/// A value that can be the argument of a called tool of the type `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of this tool",
    label = "the type of the parameter is `{T}`",
    note = "an argument is a value of the parameter's type, which needs `#[derive(serde::Serialize)]`; for an \
            `Option<T>` it can also be a `T`, and for a `String` a `&str`"
)]
pub trait ToArgument<T> {
    /// Writes the value as JSON.
    ///
    /// # Errors
    /// Fails if the value cannot be written as JSON.
    fn to_argument(&self) -> serde_json::Result<Box<RawValue>>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> ToArgument<T> for T {
    fn to_argument(&self) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(self)
    }
}

#[diagnostic::do_not_recommend]
impl ToArgument<String> for &str {
    fn to_argument(&self) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> ToArgument<Option<T>> for T {
    fn to_argument(&self) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(self)
    }
}

#[diagnostic::do_not_recommend]
impl ToArgument<Option<String>> for &str {
    fn to_argument(&self) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(self)
    }
}

/// Writes the arguments as the text of an object.
fn object<const N: usize>(arguments: [NamedArgument; N]) -> serde_json::Result<String> {
    let mut text = vec![b'{'];
    for (index, (name, value)) in arguments.into_iter().enumerate() {
        text.extend_from_slice(if index == 0 { b"" } else { b"," });
        push_json_string(&mut text, name);
        text.push(b':');
        text.extend_from_slice(value?.get().as_bytes());
    }
    text.push(b'}');
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Finds the tool of the type `T`.
fn find<T: Tool>(registry: &LiveRegistry) -> Result<Arc<RegisteredTool>> {
    let mut tools = registry.find_all(TypeId::of::<T>());
    match (tools.pop(), tools.pop()) {
        (Some(tool), None) => Ok(tool),
        (None, _) => Err(ToolError::from(format!(
            "this server has no tool `{}`; add it with `Server::tools` or `Server::tool`",
            type_name::<T>()
        ))),
        (Some(one), Some(other)) => Err(ToolError::from(format!(
            "this server has `{}` as `{}` and as `{}`; call it by its name, with `ctx.call(\"…\", …)`",
            type_name::<T>(),
            other.definition.name,
            one.definition.name
        ))),
    }
}
