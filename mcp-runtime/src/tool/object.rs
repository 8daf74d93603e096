//! Reading the arguments object: one value for each parameter.
//!
//! Not generic: what depends on the parameters' types stands behind [`Fill`].

use serde::de::IgnoredAny;

use super::parameter::{Fill, Parameter, Reader, Takes};
use crate::wire::scan::{NotJson, Scanner};

/// Why arguments could not be read.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The value that begins at this byte does not fit.
    Value(usize, serde_json::Error),
    /// Something is wrong with the object.
    Object(String),
}

/// Fills the slots, one for each parameter.
///
/// # Errors
/// The text is not an object of these parameters.
pub(crate) fn read(text: &str, parameters: &[Parameter], slots: &mut [&mut dyn Fill]) -> Result<(), Unread> {
    slots.iter_mut().for_each(|slot| slot.clear());
    let mut scanner = Scanner::new(text);
    let mut unread = None;
    let is_object = scanner.object(|scanner, name| {
        let result = read_member(scanner, &name, parameters, slots);
        result.map_err(|error| {
            unread = Some(error);
            scanner.error("a member that can be read")
        })
    });
    if let Some(unread) = unread {
        return Err(unread);
    }
    if !is_object? {
        return Err(Unread::Object("invalid type: expected an object".to_owned()));
    }
    scanner.end()?;
    let mut absent = parameters.iter().zip(slots).filter(|(_, slot)| !slot.is_filled());
    match absent.find_map(|(parameter, slot)| (!slot.leave()).then_some(parameter.name)) {
        Some(missing) => Err(Unread::Object(format!("missing field `{missing}`"))),
        None => Ok(()),
    }
}

fn read_member(
    scanner: &mut Scanner<'_>,
    name: &str,
    parameters: &[Parameter],
    slots: &mut [&mut dyn Fill],
) -> Result<(), Unread> {
    let Some(index) = parameters.iter().position(|parameter| parameter.is_named(name)) else {
        return Err(Unread::Object(unknown(name, parameters)));
    };
    if slots[index].is_filled() {
        return Err(Unread::Object(format!("duplicate field `{}`", parameters[index].name)));
    }
    let mut reader = Reader::new(serde_json::de::StrRead::new(scanner.rest()));
    slots[index].fill(&mut reader).map_err(|error| Unread::Value(scanner.at(), error))?;
    scanner.advance(reader.into_iter::<IgnoredAny>().byte_offset());
    Ok(())
}

fn unknown(name: &str, parameters: &[Parameter]) -> String {
    let names: Vec<_> = parameters.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
    match names.is_empty() {
        true => format!("unknown field `{name}`, there are no fields"),
        false => format!("unknown field `{name}`, expected one of {}", names.join(", ")),
    }
}

impl Takes {
    /// Whether a text can be read.
    ///
    /// # Errors
    /// Why it cannot.
    pub(crate) fn reads(&self, text: &str) -> Result<(), String> {
        match self {
            Self::Whole(whole) => (whole.skip)(text).map_err(|error| error.to_string()),
            Self::Parameters(parameters) => {
                let mut slots: Vec<_> = parameters.iter().map(Parameter::dropping).collect();
                let mut slots: Vec<_> = slots.iter_mut().map(|slot| slot as &mut dyn Fill).collect();
                read(text, parameters, &mut slots).map_err(|unread| match unread {
                    Unread::Value(_, error) => error.to_string(),
                    Unread::Object(problem) => problem,
                })
            }
        }
    }
}

impl From<NotJson> for Unread {
    fn from(error: NotJson) -> Self {
        Self::Object(error.to_string())
    }
}
