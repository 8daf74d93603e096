//! The extension points of a server: settings and values that other modules, such as `http`, store in the server.

use std::{any::Any, sync::Arc};

use super::{HttpRules, Inner, Limits, Server};
use crate::base::mutex::Mutex;

/// The settings of another module, such as `http`.
pub(crate) trait Settings: Any + Send + Sync {
    /// Checks the settings and converts them to the value that the service stores. Pushes a sentence to `problems` for
    /// each problem. `name` is the display name of the server, and `limits` are its limits.
    fn complete(self: Box<Self>, name: &str, limits: &Limits, problems: &mut Vec<String>) -> Part;
}

/// A value that another module, such as `http`, stores in a service.
pub(crate) type Part = Arc<dyn Any + Send + Sync>;

/// The values that other modules store in a service, one of each type.
#[derive(Default)]
pub(crate) struct Parts(Mutex<Vec<Part>>);

impl Server {
    /// Returns the rules for requests over HTTP.
    pub(crate) fn http_rules(&mut self) -> &mut HttpRules {
        &mut self.0.http_rules
    }

    /// Returns the settings of type `T`, and creates them if necessary.
    pub(crate) fn settings<T: Settings + Default>(&mut self) -> &mut T {
        let is_wanted = |settings: &dyn Settings| (settings as &dyn Any).is::<T>();
        let index = self.0.settings.iter().position(|settings| is_wanted(&**settings)).unwrap_or_else(|| {
            self.0.settings.push(Box::<T>::default());
            self.0.settings.len() - 1
        });
        let settings: &mut dyn Any = &mut *self.0.settings[index];
        settings.downcast_mut().expect("the settings at this index have the type `T`")
    }
}

impl Inner {
    /// Returns the value of type `T`, which was made from the settings. If there were no settings, `default` makes it.
    pub(crate) fn part<T: Any + Send + Sync>(&self, default: impl FnOnce(&Limits) -> T) -> Arc<T> {
        let mut parts = self.parts.0.lock();
        if let Some(part) = parts.iter().find_map(|part| Arc::clone(part).downcast().ok()) {
            return part;
        }
        let part = Arc::new(default(&self.limits));
        parts.push(Arc::clone(&part) as Part);
        part
    }
}

impl FromIterator<Part> for Parts {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        Self(Mutex::new(parts.into_iter().collect()))
    }
}
