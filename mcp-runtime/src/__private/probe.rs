//! Asking the compiler what a type can do.

use std::marker::PhantomData;

/// Asks what `T` can do. Of several traits with the method that is called, the one is found first that has the method for
/// a type with fewer references dereferenced, if `T` has what its implementation needs.
pub struct Probe<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Probe<T> {
    pub const NEW: Self = Self(PhantomData);
}
