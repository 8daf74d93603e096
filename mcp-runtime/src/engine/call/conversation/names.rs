//! Unique keys for the questions and steps of a call.

use std::borrow::Cow;

/// The reserved names. Each has the number of its last repetition, such as 2 for `confirm` after `confirm#2` was
/// reserved. An author can also choose the name `confirm#2`, and repeat it.
#[derive(Default)]
pub(crate) struct Names(Vec<(Cow<'static, str>, usize)>);

impl Names {
    /// Reserves the name and returns its key. If the name was reserved before, the key has a number: `confirm#2`.
    pub(crate) fn reserve(&mut self, name: Cow<'static, str>) -> Cow<'static, str> {
        let Some(uses) = self.uses(&name) else {
            self.0.push((name.clone(), 1));
            return name;
        };
        *uses += 1;
        let mut number = *uses;
        let mut key = format!("{name}#{number}");
        while self.uses(&key).is_some() {
            number += 1;
            key = format!("{name}#{number}");
        }
        if let Some(uses) = self.uses(&name) {
            *uses = number;
        }
        self.0.push((key.clone().into(), 1));
        key.into()
    }

    /// Releases the key, if it is the last key that was reserved for `name`.
    pub(super) fn give_back(&mut self, name: &str, key: &str) {
        let Some(uses) = self.uses(name) else { return };
        let last = if *uses == 1 { name == key } else { key == format!("{name}#{uses}") };
        if last {
            *uses -= 1;
            self.0.retain(|(other, _)| other != key);
        }
    }

    /// Returns the number of keys that were reserved before this key.
    pub(super) fn position(&self, key: &str) -> Option<usize> {
        self.0.iter().position(|(other, _)| other == key)
    }

    fn uses(&mut self, name: &str) -> Option<&mut usize> {
        self.0.iter_mut().find_map(|(known, uses)| (known == name).then_some(uses))
    }
}
