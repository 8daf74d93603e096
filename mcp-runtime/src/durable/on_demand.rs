//! Values that are created when they are first used: servers whose tools never ask do not need them.

use std::{any::Any, marker::PhantomData, ops::Deref, sync::OnceLock};

/// A value created when it is first used, with the default of its type.
///
/// Its type is erased. A program that never uses it does not link the code that drops it.
pub(crate) struct OnDemand<T> {
    value: OnceLock<Box<dyn Any + Send + Sync>>,
    of: PhantomData<fn() -> T>,
}

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        Self { value: OnceLock::new(), of: PhantomData }
    }
}

impl<T: Default + Any + Send + Sync> Deref for OnDemand<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let value = self.value.get_or_init(|| Box::new(T::default()));
        value.downcast_ref().expect("the value was created with this type")
    }
}
