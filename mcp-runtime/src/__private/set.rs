//! Finds the set of forms with which a tool asks, among the types that the tool takes by reference.

use super::Probe;
use crate::engine::call::{Conversing, Ctx};

impl<S> Probe<Ctx<S, Conversing>> {
    /// Hides the constant of [`IsContext`], so that the compiler also recognizes an alias of `Ctx`.
    pub const IS_CONTEXT: bool = true;
}

/// Used for all types except contexts that can ask.
pub trait IsContext {
    const IS_CONTEXT: bool = false;
}

impl<T: ?Sized> IsContext for Probe<T> {}

/// The set of a context, or `Else` for any other type. The constant says which of the two the type is.
pub trait SetOf<const IS_CONTEXT: bool, Else> {
    type Set;
}

impl<S, Else> SetOf<true, Else> for Ctx<S, Conversing> {
    type Set = S;
}

impl<T: ?Sized, Else> SetOf<false, Else> for T {
    type Set = Else;
}

/// `set_of!(Db, Ctx<Booking>)` is the type `Booking`. Without a context, it is `NoForms`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_set_of {
    () => { $crate::__private::NoForms };
    ($ty:ty $(, $rest:ty)*) => {
        <$ty as $crate::__private::SetOf<
            {
                #[allow(unused_imports)]
                use $crate::__private::IsContext as _;
                $crate::__private::Probe::<$ty>::IS_CONTEXT
            },
            $crate::__private::set_of!($($rest),*),
        >>::Set
    };
}
