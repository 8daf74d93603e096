//! Functions that an attribute names: `#[complete(languages)]` and `list = pages`.

use crate::{
    engine::tool::{StateNeed, into_tool::Never, named_function::NamedFunction},
    serve::{
        complete::{CompleteFuture, CompletionFunction, CompletionRequest, TextArgument},
        resource::{ListFunction, ListRequest, ListResourcesFuture, ResourceDefinition},
    },
};

/// Marks the implementation for functions that have the right signature.
pub struct Fits;

/// Marks the implementation for no function. With this second implementation, the compiler reports the missing trait
/// with the trait's own message, and not the first bound that a function does not meet.
pub struct Misfits;

/// A function in `#[complete(…)]`.
#[diagnostic::on_unimplemented(
    message = "this function cannot complete an argument",
    label = "not an `async fn` from a `CompletionRequest` to completions",
    note = "write `async fn languages(request: CompletionRequest) -> Vec<String>`; it can also return a `Completion`, or \
            a `Result` of one of these",
    note = "before the request, it can take up to three values of shared state by reference, such as `db: &Db`; the \
            request has the other arguments, `request.argument(\"name\")`",
    note = "its future must be `Send`"
)]
pub trait Completes<Marker>: Sized {
    fn needs() -> Vec<StateNeed> {
        Vec::new()
    }

    fn begin(self, request: CompletionRequest) -> CompleteFuture;
}

#[diagnostic::do_not_recommend]
impl<F: CompletionFunction> Completes<Fits> for F {
    fn begin(self, request: CompletionRequest) -> CompleteFuture {
        CompletionFunction::begin(self, request)
    }
}

#[diagnostic::do_not_recommend]
impl<F: Never> Completes<Misfits> for F {
    fn begin(self, _: CompletionRequest) -> CompleteFuture {
        unreachable!("no type meets the condition")
    }
}

/// Sets the function that completes the argument.
pub fn completed_by<Marker, F>(mut argument: TextArgument, complete: F) -> TextArgument
where
    F: Completes<Marker> + Copy + Send + Sync + 'static,
{
    argument.completer = Some(NamedFunction::new(move |request| complete.begin(request), F::needs()));
    argument
}

/// A function in `list = …`.
#[diagnostic::on_unimplemented(
    message = "this function cannot list resources",
    label = "not an `async fn` from a `ListRequest` to resources",
    note = "write `async fn pages(request: ListRequest) -> Vec<ResourceEntry>`; it can also return a `ResourcePage`, or \
            a `Result` of one of these",
    note = "before the request, it can take up to three values of shared state by reference, such as `db: &Db`",
    note = "its future must be `Send`"
)]
pub trait Lists<Marker>: Sized {
    fn needs() -> Vec<StateNeed> {
        Vec::new()
    }

    fn begin(self, request: ListRequest) -> ListResourcesFuture;
}

#[diagnostic::do_not_recommend]
impl<F: ListFunction> Lists<Fits> for F {
    fn begin(self, request: ListRequest) -> ListResourcesFuture {
        ListFunction::begin(self, request)
    }
}

#[diagnostic::do_not_recommend]
impl<F: Never> Lists<Misfits> for F {
    fn begin(self, _: ListRequest) -> ListResourcesFuture {
        unreachable!("no type meets the condition")
    }
}

/// Sets the function that lists the resources of a template.
pub fn listed_by<Marker, F>(definition: ResourceDefinition, list: F) -> ResourceDefinition
where
    F: Lists<Marker> + Copy + Send + Sync + 'static,
{
    definition.listed_by(NamedFunction::new(move |request| list.begin(request), F::needs()))
}

/// Checks a list function.
pub const fn lists<Marker>(_: &impl Lists<Marker>) {}
