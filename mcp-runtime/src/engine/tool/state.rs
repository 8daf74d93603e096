//! Shared state: values that tools take by reference.

use std::any::{Any, TypeId, type_name};

use crate::{base::error::ToolError, engine::call::observer::Runtime};

/// A type of shared state, which tools take by reference. The server holds one value of each such type.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be shared state",
    label = "not `Send + Sync + 'static`",
    note = "many calls use the state at the same time: put a part that is not `Sync` into a `Mutex`, or use an atomic type"
)]
pub trait State: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> State for T {}

/// The values given to [`Server::state`](crate::Server::state), one per type. The values are in a list and not in a
/// map, because there are few values.
#[derive(Default)]
pub(crate) struct States {
    values: Vec<Box<dyn Any + Send + Sync>>,
    /// The types whose values could not be made. Their absence was reported, or the command needs no values.
    #[cfg(feature = "settings")]
    absent: Vec<TypeId>,
}

impl States {
    /// Inserts a value and returns whether its type was new.
    pub(crate) fn insert<T: State>(&mut self, value: T) -> bool {
        let known = self.values.iter_mut().find(|state| state.is::<T>());
        let is_new = known.is_none();
        let value: Box<dyn Any + Send + Sync> = Box::new(value);
        match known {
            Some(known) => *known = value,
            None => self.values.push(value),
        }
        is_new
    }

    pub(crate) fn get<T: State>(&self) -> Option<&T> {
        self.values.iter().find_map(|state| state.downcast_ref())
    }

    /// Returns whether there is a value of this type, or its absence is no further problem.
    pub(crate) fn has(&self, need: &StateNeed) -> bool {
        #[cfg(feature = "settings")]
        if self.absent.contains(&need.id) {
            return true;
        }
        self.values.iter().any(|state| (**state).type_id() == need.id)
    }

    /// Says that the value of this type is absent, which is no further problem.
    #[cfg(feature = "settings")]
    pub(crate) fn set_absent<T: State>(&mut self) {
        self.absent.push(TypeId::of::<T>());
    }

    #[cfg(feature = "settings")]
    pub(crate) fn is_absent<T: State>(&self) -> bool {
        self.absent.contains(&TypeId::of::<T>())
    }
}

/// A type of state that a tool requires.
#[derive(Clone, Copy, Debug)]
pub struct StateNeed {
    id: TypeId,
    type_name: &'static str,
    /// Whether a function that the item names takes the state, and not the item itself.
    is_of_function: bool,
}

impl StateNeed {
    /// Creates the requirement that the server has a state of the type `T`.
    pub fn of<T: State>() -> Self {
        Self { id: TypeId::of::<T>(), type_name: type_name::<T>(), is_of_function: false }
    }
    /// Returns the same need of a function that the item names, such as a completion function.
    pub(crate) fn of_function(self) -> Self {
        Self { is_of_function: true, ..self }
    }

    pub(crate) fn is<T: State>(&self) -> bool {
        self.id == TypeId::of::<T>()
    }

    /// Returns the problem of an item that needs this state, for a server without it.
    pub(super) fn problem(&self) -> String {
        let takes = if self.is_of_function { "its completion or list function takes" } else { "takes" };
        if let Some(StateOfSetting { type_name, setting }) = Runtime::setting(self) {
            return format!("{takes} `&{type_name}`, but this list of the server cannot change; add `.{setting}()`");
        }
        let ty = self.type_name;
        format!("{takes} `&{ty}`, but the server has no state of this type; add `.state(…)` with a `{ty}`")
    }
}

/// Returns the error of a call that asks for state that the server does not have.
pub(crate) fn missing_state<T>() -> ToolError {
    format!("no state of type `{}`; add a value with `Server::state`", type_name::<T>()).into()
}

/// Knows the types of state that a setting of the server adds, and not [`Server::state`](crate::Server::state).
pub(crate) trait SettingsOfState {
    fn setting(need: &StateNeed) -> Option<StateOfSetting>;
}

/// A type of state, and the method of the server that adds it.
pub(crate) struct StateOfSetting {
    pub(crate) type_name: &'static str,
    pub(crate) setting: &'static str,
}
