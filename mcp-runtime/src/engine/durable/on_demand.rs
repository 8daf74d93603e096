//! Values that are created when they are first used. A server whose tools never ask does not create them.

use std::{any::Any, marker::PhantomData, ops::Deref, sync::OnceLock};

/// A value that is created when it is first used.
///
/// The value is stored as a trait object. So a program that never uses the value does not contain the code that drops
/// it.
pub(crate) struct OnDemand<T> {
    value: OnceLock<Box<dyn Any + Send + Sync>>,
    of: PhantomData<fn() -> T>,
}

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        Self { value: OnceLock::new(), of: PhantomData }
    }
}

impl<T: Any + Send + Sync> OnDemand<T> {
    /// Returns the value, which `new` creates if it does not exist yet.
    pub(crate) fn get_or_init(&self, new: impl FnOnce() -> T) -> &T {
        let value = self.value.get_or_init(|| Box::new(new()));
        value.downcast_ref().expect("the value was created with this type")
    }
}

impl<T: Default + Any + Send + Sync> Deref for OnDemand<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.get_or_init(T::default)
    }
}
