//! Functions that an attribute names: `#[complete(languages)]` and `list = pages`. Before the request, such a function
//! can take shared state by reference.

use std::{marker::PhantomData, pin::Pin};

use crate::{
    base::error::ToolError,
    engine::{
        call::Call,
        tool::{State, StateNeed, bound::NamedFunction, into_tool::Never, state::missing_state},
    },
    serve::{
        complete::{CompleteFuture, Completion, CompletionFunction, CompletionOutput, CompletionRequest, TextArgument},
        resource::{ListFunction, ListOutput, ListRequest, ListResourcesFuture, ResourceDefinition, ResourcePage},
    },
};

/// Marks the implementation for functions that take only the request.
pub struct Fits;

/// Marks the implementation for functions that take state by reference. `S` is the tuple of the types of the state.
pub struct WithState<S>(PhantomData<fn(S)>);

/// Marks the implementation for no function. With this further implementation, the compiler reports the missing trait
/// with the trait's own message, and not the first bound that a function does not meet.
pub struct Misfits;

/// Declares the trait of the functions that one attribute accepts.
macro_rules! kind_of_function {
    ($(#[$attr:meta])* $kind:ident: $without_state:ident, $request:ident, $answer:ident, $future:ident) => {
        $(#[$attr])*
        pub trait $kind<Marker>: Sized {
            fn needs() -> Vec<StateNeed> {
                Vec::new()
            }

            fn begin(self, request: $request) -> $future;
        }

        #[diagnostic::do_not_recommend]
        impl<F: $without_state> $kind<Fits> for F {
            fn begin(self, request: $request) -> $future {
                $without_state::begin(self, request)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<F, S> $kind<WithState<S>> for F
        where
            F: for<'a> TakesState<'a, S, $request, $answer> + Copy + Send + Sync + 'static,
        {
            fn needs() -> Vec<StateNeed> {
                <F as TakesState<'static, S, $request, $answer>>::needs()
            }

            fn begin(self, request: $request) -> $future {
                let call = request.call.clone();
                Box::pin(async move { self.start(&call, request)?.await })
            }
        }

        #[diagnostic::do_not_recommend]
        impl<F: Never> $kind<Misfits> for F {
            fn begin(self, _: $request) -> $future {
                unreachable!("no type meets the condition")
            }
        }
    };
}

kind_of_function! {
    /// A function in `#[complete(…)]`.
    #[diagnostic::on_unimplemented(
        message = "this function cannot complete an argument",
        label = "not an `async fn` from a `CompletionRequest` to completions",
        note = "write `async fn languages(request: CompletionRequest) -> Vec<String>`; it can also return a \
                `Completion`, or a `Result` of one of these",
        note = "before the request, it can take up to three values of shared state by reference, such as `db: &Db`; \
                the request has the other arguments, `request.argument(\"name\")`",
        note = "its future must be `Send`"
    )]
    Completes: CompletionFunction, CompletionRequest, Completion, CompleteFuture
}

kind_of_function! {
    /// A function in `list = …`.
    #[diagnostic::on_unimplemented(
        message = "this function cannot list resources",
        label = "not an `async fn` from a `ListRequest` to resources",
        note = "write `async fn pages(request: ListRequest) -> Vec<ResourceEntry>`; it can also return a \
                `ResourcePage`, or a `Result` of one of these",
        note = "before the request, it can take up to three values of shared state by reference, such as `db: &Db`",
        note = "its future must be `Send`"
    )]
    Lists: ListFunction, ListRequest, ResourcePage, ListResourcesFuture
}

/// Sets the function that completes the argument.
pub fn completed_by<Marker, F>(mut argument: TextArgument, complete: F) -> TextArgument
where
    F: Completes<Marker> + Copy + Send + Sync + 'static,
{
    argument.completer = Some(NamedFunction::new(move |request| complete.begin(request), F::needs()));
    argument
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

/// A function that takes the state `S` by reference, and then the request `R`. The lifetime is that of the state.
pub trait TakesState<'a, S, R, A> {
    fn needs() -> Vec<StateNeed>;
    fn start(&self, call: &'a Call, request: R) -> Result<Started<'a, A>, ToolError>;
}

type Started<'a, A> = Pin<Box<dyn Future<Output = Result<A, ToolError>> + Send + 'a>>;

/// An output that answers a request of the type `R`. An answer to a completion depends on the text that the user typed.
pub trait AnswerTo<R, A> {
    fn typed(_: &R) -> String {
        String::new()
    }

    fn answer(self, typed: &str) -> Result<A, ToolError>;
}

impl<T: CompletionOutput> AnswerTo<CompletionRequest, Completion> for T {
    fn typed(request: &CompletionRequest) -> String {
        request.value().to_owned()
    }

    fn answer(self, typed: &str) -> Result<Completion, ToolError> {
        self.into_completion(typed)
    }
}

impl<T: ListOutput> AnswerTo<ListRequest, ResourcePage> for T {
    fn answer(self, _: &str) -> Result<ResourcePage, ToolError> {
        self.into_page()
    }
}

macro_rules! functions_with_state {
    ($($state:ident $name:ident),+) => {
        #[diagnostic::do_not_recommend]
        impl<'a, F, O, R, A, $($state: State),+> TakesState<'a, ($($state,)+), R, A> for F
        where
            F: Fn($(&'a $state,)+ R) -> O,
            O: Future<Output: AnswerTo<R, A>> + Send + 'a,
        {
            fn needs() -> Vec<StateNeed> {
                vec![$(StateNeed::of::<$state>()),+]
            }

            fn start(&self, call: &'a Call, request: R) -> Result<Started<'a, A>, ToolError> {
                let typed = O::Output::typed(&request);
                $(let $name = state::<$state>(call)?;)+
                let future = self($($name,)+ request);
                Ok(Box::pin(async move { future.await.answer(&typed) }))
            }
        }
    };
}
functions_with_state!(S1 a);
functions_with_state!(S1 a, S2 b);
functions_with_state!(S1 a, S2 b, S3 c);

fn state<T: State>(call: &Call) -> Result<&T, ToolError> {
    call.state().ok_or_else(missing_state::<T>)
}
