//! The registry of a running server, which can change.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard},
};

use crate::engine::{
    call::operation::Operation,
    tool::{registered::RegisteredTool, registry::Registry},
};

/// The registry as it was built, and the changed registry if the server's lists have changed. A server whose lists
/// never change reads its registry without a lock.
pub(crate) struct LiveRegistry {
    built: Registry,
    changed: OnceLock<RwLock<Registry>>,
}

/// Access to the current registry. Author code must not run while a value of this type exists, because a tool can
/// change the registry.
pub(crate) enum CurrentRegistry<'a> {
    Built(&'a Registry),
    Changed(RwLockReadGuard<'a, Registry>),
}

impl LiveRegistry {
    pub(crate) fn new(built: Registry) -> Self {
        Self { built, changed: OnceLock::new() }
    }

    #[inline]
    pub(crate) fn read(&self) -> CurrentRegistry<'_> {
        match self.changed.get() {
            None => CurrentRegistry::Built(&self.built),
            Some(changed) => CurrentRegistry::Changed(changed.read().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// Returns the tool with this name.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<Arc<RegisteredTool>> {
        self.read().find(name).cloned()
    }

    /// Returns the item with this name. Searches only the items that are called by requests of this kind.
    pub(crate) fn find_other(&self, operation: Operation, name: &str) -> Option<Arc<RegisteredTool>> {
        self.read().find_other(operation, name).cloned()
    }

    /// Changes the registry. `change` must not run author code. Drop removed tools after this call, because their
    /// destructors are author code.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Registry) -> T) -> T {
        let changed = self.changed.get_or_init(|| RwLock::new(self.built.clone()));
        change(&mut changed.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Deref for CurrentRegistry<'_> {
    type Target = Registry;

    #[inline]
    fn deref(&self) -> &Registry {
        match self {
            Self::Built(registry) => registry,
            Self::Changed(registry) => registry,
        }
    }
}
