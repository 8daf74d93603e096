//! What other floors add to a server: their settings while it is put together, and what they keep of it while it serves.

#![cfg_attr(not(feature = "http"), allow(dead_code, reason = "the only such floor is that of HTTP"))]

use std::{
    any::Any,
    sync::{Arc, Mutex, PoisonError},
};

use super::{Inner, Server};
use crate::tool::registry::Registry;

/// The settings of another floor.
pub(crate) trait Settings: Any + Send + Sync {
    /// Checks them, and makes of them what the service keeps. What is wrong becomes a sentence in `problems`. `name` is what
    /// a person reads of the server.
    fn complete(self: Box<Self>, name: &str, registry: &Registry, problems: &mut Vec<String>) -> Part;
}

/// What a service keeps for another floor.
pub(crate) type Part = Arc<dyn Any + Send + Sync>;

/// The parts of a service, one of each type.
#[derive(Default)]
pub(crate) struct Parts(Mutex<Vec<Part>>);

impl Server {
    /// The settings of this type.
    pub(crate) fn settings<T: Settings + Default>(&mut self) -> &mut T {
        let is_wanted = |settings: &dyn Settings| (settings as &dyn Any).is::<T>();
        let index = self.settings.iter().position(|settings| is_wanted(&**settings)).unwrap_or_else(|| {
            self.settings.push(Box::<T>::default());
            self.settings.len() - 1
        });
        let settings: &mut dyn Any = &mut *self.settings[index];
        settings.downcast_mut().expect("settings are found by their type")
    }
}

impl Inner {
    /// What the service keeps of this type: made of its settings, or the default where there are none.
    pub(crate) fn part<T: Any + Send + Sync + Default>(&self) -> Arc<T> {
        let mut parts = self.parts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(part) = parts.iter().find_map(|part| Arc::clone(part).downcast().ok()) {
            return part;
        }
        let part = Arc::<T>::default();
        parts.push(Arc::clone(&part) as Part);
        part
    }
}

impl FromIterator<Part> for Parts {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        Self(Mutex::new(parts.into_iter().collect()))
    }
}
