//! Shared state that the functions of `#[complete(languages)]` and `list = pages` take by reference.

use std::{marker::PhantomData, pin::Pin};

use crate::{
    base::error::ToolError,
    engine::{
        call::Call,
        tool::{State, StateNeed, state::missing_state},
    },
    serve::{
        complete::{CompleteFuture, Completion, CompletionOutput, CompletionRequest},
        resource::{ListOutput, ListRequest, ListResourcesFuture, ResourcePage},
    },
};

use super::functions::{Completes, Lists};

/// Marks a function that takes state by reference. `S` is the tuple of the types of the state.
pub struct WithState<S>(PhantomData<fn(S)>);

type Started<'a, T> = Result<Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>, ToolError>;

/// A completion function that takes the state `S` by reference, and then the request. The lifetime is that of the state.
pub trait CompletesWith<'a, S> {
    fn needs() -> Vec<StateNeed>;
    fn start(&self, call: &'a Call, request: CompletionRequest) -> Started<'a, Completion>;
}

/// A list function that takes the state `S` by reference, and then the request. The lifetime is that of the state.
pub trait ListsWith<'a, S> {
    fn needs() -> Vec<StateNeed>;
    fn start(&self, call: &'a Call, request: ListRequest) -> Started<'a, ResourcePage>;
}

fn state<T: State>(call: &Call) -> Result<&T, ToolError> {
    call.state().ok_or_else(missing_state::<T>)
}

macro_rules! functions_with_state {
    ($($state:ident $name:ident),+) => {
        #[diagnostic::do_not_recommend]
        impl<'a, F, O, $($state: State),+> CompletesWith<'a, ($($state,)+)> for F
        where
            F: Fn($(&'a $state,)+ CompletionRequest) -> O,
            O: Future<Output: CompletionOutput> + Send + 'a,
        {
            fn needs() -> Vec<StateNeed> {
                vec![$(StateNeed::of::<$state>()),+]
            }

            fn start(&self, call: &'a Call, request: CompletionRequest) -> Started<'a, Completion> {
                let typed = request.value().to_owned();
                $(let $name = state::<$state>(call)?;)+
                let future = self($($name,)+ request);
                Ok(Box::pin(async move { future.await.into_completion(&typed) }))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'a, F, O, $($state: State),+> ListsWith<'a, ($($state,)+)> for F
        where
            F: Fn($(&'a $state,)+ ListRequest) -> O,
            O: Future<Output: ListOutput> + Send + 'a,
        {
            fn needs() -> Vec<StateNeed> {
                vec![$(StateNeed::of::<$state>()),+]
            }

            fn start(&self, call: &'a Call, request: ListRequest) -> Started<'a, ResourcePage> {
                $(let $name = state::<$state>(call)?;)+
                let future = self($($name,)+ request);
                Ok(Box::pin(async move { future.await.into_page() }))
            }
        }
    };
}
functions_with_state!(A a);
functions_with_state!(A a, B b);
functions_with_state!(A a, B b, C c);

#[diagnostic::do_not_recommend]
impl<F, S> Completes<WithState<S>> for F
where
    F: for<'a> CompletesWith<'a, S> + Copy + Send + Sync + 'static,
{
    fn needs() -> Vec<StateNeed> {
        <F as CompletesWith<'static, S>>::needs()
    }

    fn begin(self, request: CompletionRequest) -> CompleteFuture {
        let call = request.call.clone();
        Box::pin(async move { self.start(&call, request)?.await })
    }
}

#[diagnostic::do_not_recommend]
impl<F, S> Lists<WithState<S>> for F
where
    F: for<'a> ListsWith<'a, S> + Copy + Send + Sync + 'static,
{
    fn needs() -> Vec<StateNeed> {
        <F as ListsWith<'static, S>>::needs()
    }

    fn begin(self, request: ListRequest) -> ListResourcesFuture {
        let call = request.call.clone();
        Box::pin(async move { self.start(&call, request)?.await })
    }
}
