//! Resources, their methods and the outputs of methods, as generated code creates them.

use std::{borrow::Cow, fmt, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::error::ErrorFunctions;
use crate::{
    base::error::IntoToolError,
    engine::tool::{
        ToolDefinition,
        bound::{BoundMethod, RunFn},
        output::{Json, OutputFunctions, ToolOutput as _},
    },
    wire::schema::parameter::Takes,
};

/// A service with its methods: one resource of a [`Contract`](crate::contract::Contract). [`#[contract]`](macro@crate::contract)
/// generates the method `into_resource`, which creates the resource.
pub struct Resource {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Option<&'static str>,
    pub(crate) methods: Vec<Arc<Method>>,
}

/// A method that is bound to its service.
#[doc(hidden)]
pub struct Method {
    /// The definition of the tool. Its name is the method's name, without the name of the resource.
    pub(crate) definition: ToolDefinition,
    pub(crate) takes: Takes,
    pub(crate) output: OutputSchemaOf,
    pub(crate) errors: Option<ErrorFunctions>,
    pub(crate) route: Route,
    pub(crate) run: BoundMethod,
}

pub(crate) type OutputSchemaOf = fn(&mut SchemaGenerator) -> Option<Schema>;

/// The parts of a method's HTTP route that the author has set.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Route {
    pub verb: Option<&'static str>,
    pub path: Option<&'static str>,
    pub status: Option<u16>,
}

impl Resource {
    #[doc(hidden)]
    pub fn new(name: &'static str, description: Option<&'static str>, methods: Vec<Method>) -> Self {
        let methods = methods.into_iter().map(Arc::new).collect();
        Self { name: name.into(), description, methods }
    }

    /// Changes the name of the resource, for example if a contract has the same service twice.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the name of the resource.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let methods: Vec<_> = self.methods.iter().map(|method| method.name()).collect();
        f.debug_struct("Resource").field("name", &self.name).field("methods", &methods).finish()
    }
}

impl Method {
    #[allow(clippy::too_many_arguments, reason = "only generated code calls it")]
    pub fn new<S: Send + Sync + 'static>(
        definition: ToolDefinition,
        takes: Takes,
        output: OutputSchemaOf,
        errors: Option<ErrorFunctions>,
        route: Route,
        service: &Arc<S>,
        run: RunFn<S>,
    ) -> Self {
        let run = BoundMethod::new(service, run);
        Self { definition, takes, output, errors, route, run }
    }

    /// Returns the name of the method, without the name of its resource.
    pub(crate) fn name(&self) -> &str {
        self.definition.name()
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Method").field("name", &self.name()).field("route", &self.route).finish_non_exhaustive()
    }
}

/// A type that a method of a contract can return. Implemented for every type that is [`Serialize`] and [`JsonSchema`].
#[diagnostic::on_unimplemented(
    message = "a method of a contract cannot return `{Self}`",
    label = "cannot be written as JSON with a schema",
    note = "add `#[derive(serde::Serialize, schemars::JsonSchema)]` to `{Self}`; an alias of `Result` must be named `Result`"
)]
pub trait MethodOutput: Sized {
    #[doc(hidden)]
    const FUNCTIONS: OutputFunctions<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> MethodOutput for T {
    const FUNCTIONS: OutputFunctions<Self> =
        OutputFunctions { into_result: |value| Json(value).into_result(), schema: Json::<T>::output_schema };
}

/// A `Result` that a method of a contract can return.
#[diagnostic::on_unimplemented(
    message = "a method of a contract cannot return `{Self}`",
    label = "not a `std::result::Result`",
    note = "return a value, or `Result<T, E>` with an error of your own"
)]
pub trait MethodResult: Sized {
    #[doc(hidden)]
    const FUNCTIONS: OutputFunctions<Self>;
}

// Not `do_not_recommend`: the compiler must report the error for `T` or `E`, not for the whole `Result`.
impl<T: MethodOutput, E: IntoToolError> MethodResult for Result<T, E> {
    const FUNCTIONS: OutputFunctions<Self> = OutputFunctions {
        into_result: |result| match result {
            Ok(value) => (T::FUNCTIONS.into_result)(value),
            Err(error) => Err(error.into_tool_error()),
        },
        schema: T::FUNCTIONS.schema,
    };
}
