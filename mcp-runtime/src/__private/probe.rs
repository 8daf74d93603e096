//! Selects an implementation by the traits of a type.

use std::marker::PhantomData;

/// Selects an implementation for `T`. Several traits have a method with the same name, for example one for `&Probe<T>`
/// and one for `Probe<T>`. When code calls the method on `&&Probe<T>`, the compiler uses the first of these traits
/// whose bounds `T` satisfies.
pub struct Probe<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Probe<T> {
    pub const NEW: Self = Self(PhantomData);
}
