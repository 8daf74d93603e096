//! Deserializes JSON text that matches a schema.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::wire::{
    protocol::{
        scan::{NotJson, Scanner},
        text::{offset, reason, shortened},
    },
    schema::{
        InputSchema,
        check::{report::Path, violations::ValuePath},
        parameter::object::Unread,
    },
};

impl InputSchema {
    /// Deserializes a text into the author's type.
    ///
    /// # Errors
    /// Returns the deserializer's error with the place of the error, in one line.
    #[inline]
    pub(crate) fn read<T: DeserializeOwned>(&self, text: &str) -> Result<T, String> {
        self.read_by(text, |text| serde_json::from_str(text).map_err(|error| Unread::Value(0, error)))
    }

    /// Deserializes a text with the function `read`. If `read` fails, calls it again with the
    /// [normalized](Self::normalized) text, if this text differs.
    ///
    /// # Errors
    /// Returns the deserializer's error with the place of the error, in one line.
    #[inline]
    pub(crate) fn read_by<T>(&self, text: &str, mut read: impl FnMut(&str) -> Result<T, Unread>) -> Result<T, String> {
        let mut text = Cow::Borrowed(text);
        // A loop, because a second call of `read` would repeat its code in each tool.
        loop {
            let error = match read(&text) {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            match text {
                Cow::Borrowed(sent) => match self.normalized(sent) {
                    Some(again) => text = Cow::Owned(again),
                    None => return Err(reported(sent, &error)),
                },
                Cow::Owned(text) => return Err(reported(&text, &error)),
            }
        }
    }
}

/// Returns a reader's error with its place.
#[cold]
fn reported(text: &str, error: &Unread) -> String {
    let mut found = None;
    let (at, reason) = match error {
        Unread::Value(start, error) => {
            let within = if error.line() > 0 { offset(&text[*start..], error) } else { 0 };
            (start + within, reason(error))
        }
        Unread::Object(problem) => (0, problem.clone()),
    };
    // Text that is not JSON has no places.
    let _ = find(&mut Scanner::new(text), at, &Path::ROOT, &mut found);
    let place = found.unwrap_or_default();
    format!("{place}: {}", shortened(&reason))
}

/// Finds the innermost value that contains the byte `at`, where the reader stopped.
fn find(scanner: &mut Scanner<'_>, at: usize, path: &Path<'_>, found: &mut Option<ValuePath>) -> Result<(), NotJson> {
    let start = scanner.at();
    let mut index = 0;
    let is_container = scanner.object(|scanner, name| find(scanner, at, &path.key(&name), found))?
        || scanner.elements(|scanner| {
            index += 1;
            find(scanner, at, &path.index(index - 1), found)
        })?;
    if !is_container {
        scanner.value()?;
    }
    if found.is_none() && (start + 1..=scanner.at()).contains(&at) {
        *found = Some(path.place());
    }
    Ok(())
}
