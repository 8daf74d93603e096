//! Resources and their methods, as generated code creates them.

use std::{borrow::Cow, fmt, sync::Arc};

use schemars::{Schema, SchemaGenerator};

use super::error::ErrorFunctions;
use crate::{
    engine::{
        call::{Call, running::CallFuture},
        tool::{
            Arguments, ArgumentsError, ToolDefinition,
            bound::{BoundMethod, RunFn},
        },
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
    run: BoundMethod,
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

    pub(crate) fn run(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        self.run.run(call, arguments)
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Method").field("name", &self.name()).field("route", &self.route).finish_non_exhaustive()
    }
}
