//! Selects an implementation by the traits of a type.

use std::marker::PhantomData;

/// Selects an implementation for `T`. Several traits have the same method, each for a different number of references to
/// a probe. Of the traits whose bounds `T` satisfies, the compiler selects the one with the most references.
pub struct Probe<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Probe<T> {
    pub const NEW: Self = Self(PhantomData);
}
