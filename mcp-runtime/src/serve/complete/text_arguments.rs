//! Arguments that clients send as text: how they are read.

use std::borrow::Cow;

use serde_json::Value;

use crate::{
    engine::{elicit::ChoiceEntry, tool::ArgumentsError},
    wire::{protocol::text::shortened, schema::nearest::nearest},
};

/// The properties that the type of an argument determines: whether clients must send the argument, and which values it
/// can have.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct TextKind {
    pub(crate) is_required: bool,
    pub(crate) choices: &'static [ChoiceEntry],
}

/// The functions that read an argument of type `T`. This struct has no bound on `T`.
#[derive(Debug)]
#[doc(hidden)]
pub struct TextInput<T> {
    pub(crate) read: fn(&str) -> Result<T, Cow<'static, str>>,
    pub(crate) absent: fn() -> Option<T>,
    pub(crate) kind: TextKind,
}

impl<T> TextInput<T> {
    /// Returns the [`TextKind`], which does not depend on `T`.
    pub const fn described(&self) -> TextKind {
        self.kind
    }
}

/// The arguments of one call: names and texts.
#[derive(Clone, Debug, Default)]
pub struct TextArguments<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> TextArguments<'a> {
    /// Reads the JSON text of an object. The protocol allows only strings as values. Numbers and `true` and `false` are
    /// read as text too, because some clients send them.
    pub(crate) fn read(json: &str) -> Result<Self, ArgumentsError> {
        let object: serde_json::Map<String, Value> =
            serde_json::from_str(json).map_err(|error| ArgumentsError::new(error.to_string()))?;
        let mut read = Vec::with_capacity(object.len());
        for (name, value) in object {
            let text = match value {
                Value::Null => continue,
                Value::String(text) => text,
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                Value::Array(_) | Value::Object(_) => {
                    let name = shortened(&name);
                    return Err(ArgumentsError::new(format!("- `{name}` must be a string")));
                }
            };
            read.push((name.into(), text.into()));
        }
        Ok(Self(read))
    }

    /// Returns the text of an argument, if the client sent the argument.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, text)| &**text)
    }

    /// Returns the names and texts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (&**name, &**text))
    }

    /// Creates a reader for the arguments with the names in `declared`.
    #[doc(hidden)]
    pub fn reader<'r>(&'r self, declared: &'r [&'r str]) -> ArgumentReader<'r> {
        let mut reader = ArgumentReader { arguments: self, declared, next: 0, problems: Vec::new() };
        for (name, _) in self.iter().filter(|(name, _)| !declared.contains(name)) {
            let hint = match nearest(name, declared.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None if declared.is_empty() => "the prompt takes no arguments".to_owned(),
                None => format!("the arguments are `{}`", declared.join("`, `")),
            };
            reader.problems.push(format!("- unknown argument `{}`; {hint}", shortened(name)));
        }
        reader
    }
}

impl<'a, N: Into<Cow<'a, str>>, T: Into<Cow<'a, str>>> FromIterator<(N, T)> for TextArguments<'a> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(arguments: I) -> Self {
        Self(arguments.into_iter().map(|(name, text)| (name.into(), text.into())).collect())
    }
}

/// Reads the arguments of a call in the order of their declaration, and collects all problems.
#[doc(hidden)]
#[derive(Debug)]
pub struct ArgumentReader<'a> {
    arguments: &'a TextArguments<'a>,
    declared: &'a [&'a str],
    next: usize,
    problems: Vec<String>,
}

impl ArgumentReader<'_> {
    /// Reads the next declared argument. Returns `None` if the argument has a problem.
    #[expect(clippy::needless_pass_by_value, reason = "generated code passes a constant")]
    pub fn read<T>(&mut self, input: TextInput<T>) -> Option<T> {
        let name = *self.declared.get(self.next)?;
        self.next += 1;
        match self.arguments.get(name) {
            Some(text) => {
                let wrong = |expected| format!("- `{name}` must be {expected}, but got {:?}", shortened(text));
                (input.read)(text).map_err(|expected| self.problems.push(wrong(expected))).ok()
            }
            None => {
                let value = (input.absent)();
                if value.is_none() {
                    self.problems.push(format!("- `{name}` is missing"));
                }
                value
            }
        }
    }

    /// Returns whether no problem was found so far.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns the error that lists all problems.
    pub fn into_error(self) -> ArgumentsError {
        ArgumentsError::new(self.problems.join("\n"))
    }
}
