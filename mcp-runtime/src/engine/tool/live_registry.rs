//! The registry of a running server, which can change.

use std::{
    any::TypeId,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard},
};

use super::{nested, registered::RegisteredTool, registry::Registry};
use crate::engine::call::operation::Operation;

/// The registry of a running server, which can change.
pub(crate) struct LiveRegistry(RwLock<Registry>);

impl LiveRegistry {
    pub(crate) fn new(built: Registry) -> Self {
        Self(RwLock::new(built))
    }

    /// Returns access to the registry. Author code must not run while the result exists, because a tool can change the
    /// registry.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Registry> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the tool with this name.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<RegisteredTool>> {
        self.read().find(name).cloned()
    }

    /// Returns the tools of this type, and those that wrap one.
    pub(crate) fn find_all(&self, of: TypeId) -> Vec<Arc<RegisteredTool>> {
        // `Tool::wrapped` is author code, so it runs without the lock.
        let mut items = self.read().list(Operation::CallTool).items.clone();
        items.retain(|item| nested(item.item()).any(|tool| tool.type_id() == of));
        items
    }

    /// Returns the item with this name. Searches only the items that are called by requests of this kind.
    pub(crate) fn find_other(&self, operation: Operation, name: &str) -> Option<Arc<RegisteredTool>> {
        self.read().find_other(operation, name).cloned()
    }

    /// Changes the registry. `change` must not run author code. Drop removed tools after this call, because their
    /// destructors are author code.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Registry) -> T) -> T {
        change(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }
}
