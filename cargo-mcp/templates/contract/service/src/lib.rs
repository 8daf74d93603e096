//! The service: a list of items in memory.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// The number of the item.
    pub id: u64,
    /// The name of the item.
    pub name: String,
}

/// A new item.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NewItem {
    /// The name of the item. No other item has it.
    #[schemars(length(min = 1))]
    pub name: String,
}

/// The reason why something was not done.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ItemError {
    #[error("there is no item {0}")]
    NotFound(u64),
    #[error("there is already an item `{0}`")]
    Taken(String),
}

/// The items.
#[derive(Debug, Default)]
pub struct Items(Mutex<BTreeMap<u64, Item>>);

impl Items {
    pub async fn create(&self, new: NewItem) -> Result<Item, ItemError> {
        let mut items = self.items();
        if items.values().any(|item| item.name == new.name) {
            return Err(ItemError::Taken(new.name));
        }
        let id = items.keys().last().map_or(1, |last| last + 1);
        let item = Item { id, name: new.name };
        items.insert(id, item.clone());
        Ok(item)
    }

    pub async fn get(&self, id: u64) -> Result<Item, ItemError> {
        self.items()
            .get(&id)
            .cloned()
            .ok_or(ItemError::NotFound(id))
    }

    pub async fn list(&self) -> Vec<Item> {
        self.items().values().cloned().collect()
    }

    pub async fn delete(&self, id: u64) -> Result<(), ItemError> {
        self.items()
            .remove(&id)
            .map(drop)
            .ok_or(ItemError::NotFound(id))
    }

    fn items(&self) -> MutexGuard<'_, BTreeMap<u64, Item>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
