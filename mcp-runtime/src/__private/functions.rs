//! Functions that an attribute names: `#[complete(languages)]` and `list = pages`.

use crate::{
    complete::{Completing, CompletionFunction, CompletionRequest},
    resource::{ListFunction, ListRequest, Listing},
    tool::into_tool::Never,
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
    note = "it takes nothing else: the request has the server's state, `request.state::<Db>()?`, and the other \
            arguments, `request.argument(\"name\")`",
    note = "its future must be `Send`"
)]
pub trait Completes<Marker> {
    fn begin(self, request: CompletionRequest) -> Completing;
}

#[diagnostic::do_not_recommend]
impl<F: CompletionFunction> Completes<Fits> for F {
    fn begin(self, request: CompletionRequest) -> Completing {
        CompletionFunction::begin(self, request)
    }
}

#[diagnostic::do_not_recommend]
impl<F: Never> Completes<Misfits> for F {
    fn begin(self, _: CompletionRequest) -> Completing {
        unreachable!("no type meets the condition")
    }
}

/// Runs a completion function.
pub fn completing<Marker>(complete: impl Completes<Marker>, request: CompletionRequest) -> Completing {
    complete.begin(request)
}

/// A function in `list = …`.
#[diagnostic::on_unimplemented(
    message = "this function cannot list resources",
    label = "not an `async fn` from a `ListRequest` to resources",
    note = "write `async fn pages(request: ListRequest) -> Vec<ResourceEntry>`; it can also return a `ResourcePage`, or \
            a `Result` of one of these",
    note = "it takes nothing else: the request has the server's state, `request.state::<Db>()?`",
    note = "its future must be `Send`"
)]
pub trait Lists<Marker> {
    fn begin(self, request: ListRequest) -> Listing;
}

#[diagnostic::do_not_recommend]
impl<F: ListFunction> Lists<Fits> for F {
    fn begin(self, request: ListRequest) -> Listing {
        ListFunction::begin(self, request)
    }
}

#[diagnostic::do_not_recommend]
impl<F: Never> Lists<Misfits> for F {
    fn begin(self, _: ListRequest) -> Listing {
        unreachable!("no type meets the condition")
    }
}

/// Runs a list function.
pub fn begin_listing<Marker>(list: impl Lists<Marker>, request: ListRequest) -> Listing {
    list.begin(request)
}
