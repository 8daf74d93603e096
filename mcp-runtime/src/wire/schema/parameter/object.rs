//! Reads the arguments object into one value for each parameter.
//!
//! The code here is not generic. Only implementations of [`Fill`] depend on the types of the parameters.

use serde::de::IgnoredAny;
use serde_json::de::StrRead;

use crate::wire::{
    protocol::scan::{NotJson, Scanner},
    schema::parameter::{Fill, Parameter, Reader, Takes},
};

/// The reason why arguments could not be read.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The value at this byte does not fit its type.
    Value(usize, serde_json::Error),
    /// The object itself is invalid.
    Object(String),
}

/// Reads the arguments from `text`, and fills one slot for each parameter.
///
/// # Errors
/// Fails if the text is not an object with these parameters as members. After a failure, all slots are empty.
pub(crate) fn read(text: &str, parameters: &[Parameter], slots: &mut [&mut dyn Fill]) -> Result<(), Unread> {
    let result = read_members(text, parameters, slots);
    if result.is_err() {
        slots.iter_mut().for_each(|slot| slot.clear());
    }
    result
}

fn read_members(text: &str, parameters: &[Parameter], slots: &mut [&mut dyn Fill]) -> Result<(), Unread> {
    let mut scanner = Scanner::new(text);
    let (mut filled, mut unread) = (0, None);
    let is_object = scanner.object(|scanner, name| {
        filled += 1;
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
    if filled == parameters.len() { Ok(()) } else { leave_absent(parameters, slots) }
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
    let mut reader = Reader::new(StrRead::new(scanner.rest()));
    match slots[index].fill(&mut reader) {
        Ok(()) => {
            scanner.advance(reader.into_iter::<IgnoredAny>().byte_offset());
            Ok(())
        }
        Err(_) if slots[index].is_filled() => {
            Err(Unread::Object(format!("duplicate field `{}`", parameters[index].name)))
        }
        Err(error) => Err(Unread::Value(scanner.at(), error)),
    }
}

fn leave_absent(parameters: &[Parameter], slots: &mut [&mut dyn Fill]) -> Result<(), Unread> {
    let mut absent = parameters.iter().zip(slots).filter(|(_, slot)| !slot.is_filled());
    match absent.find_map(|(parameter, slot)| (!slot.leave()).then_some(parameter.name)) {
        Some(missing) => Err(Unread::Object(format!("missing field `{missing}`"))),
        None => Ok(()),
    }
}

fn unknown(name: &str, parameters: &[Parameter]) -> String {
    let names: Vec<_> = parameters.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
    match names.is_empty() {
        true => format!("unknown field `{name}`, there are no fields"),
        false => format!("unknown field `{name}`, expected one of {}", names.join(", ")),
    }
}

impl Takes {
    /// Checks that the JSON text of arguments can be read into these parameters.
    ///
    /// # Errors
    /// Fails if the text cannot be read. The error says why.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::schema::parameter::Input;

    const QUERY: Input<String> = Input::of();
    const LIMIT: Input<Option<u8>> = Input::of();
    const PAGE: Input<u8> = Input::<u8>::of().or(|| Some(1), || None);
    static PARAMETERS: &[Parameter] = &[
        Parameter::new("query", &["q"], "", &QUERY),
        Parameter::new("limit", &[], "", &LIMIT),
        Parameter::new("page", &[], "", &PAGE),
    ];

    fn read_all(text: &str) -> Result<(String, Option<u8>, u8), String> {
        let (mut query, mut limit, mut page) = (QUERY.slot(), LIMIT.slot(), PAGE.slot());
        let result = read(text, PARAMETERS, &mut [&mut query, &mut limit, &mut page]).map_err(|unread| match unread {
            Unread::Value(at, error) => format!("{at}: {error}"),
            Unread::Object(problem) => problem,
        });
        let skipped = Takes::Parameters(PARAMETERS).reads(text);
        assert_eq!(result.is_ok(), skipped.is_ok(), "{skipped:?}");
        result.map(|()| (query.take(), limit.take(), page.take()))
    }

    #[test]
    fn reads_arguments_by_name_in_any_order() {
        let read = read_all(r#" { "page" : 3, "limit":2 , "query": "a\"b" } "#);
        assert_eq!(read, Ok(("a\"b".to_owned(), Some(2), 3)));
        assert_eq!(read_all(r#"{"\u0071":"x"}"#), Ok(("x".to_owned(), None, 1)));
        assert_eq!(read_all(r#"{"query":"x","limit":null}"#), Ok(("x".to_owned(), None, 1)));
    }

    #[test]
    fn reports_an_invalid_argument_with_its_place() {
        let error = read_all(r#"{"query":"x","limit": 256}"#).unwrap_err();
        assert!(error.starts_with("21: invalid value: integer `256`"), "{error}");
    }

    #[test]
    fn rejects_missing_repeated_and_unknown_arguments() {
        assert_eq!(read_all("{}").unwrap_err(), "missing field `query`");
        assert_eq!(read_all(r#"{"query":"x","q":"y"}"#).unwrap_err(), "duplicate field `query`");
        let unknown = read_all(r#"{"query":"x","pages":1}"#).unwrap_err();
        assert_eq!(unknown, "unknown field `pages`, expected one of `query`, `limit`, `page`");
    }

    #[test]
    fn rejects_all_but_one_object() {
        for text in [r#"["x"]"#, "null", "", r#"{"query":"x"} {}"#, r#"{"query":"x""#, r#"{"query":"x" "page":1}"#] {
            assert!(read_all(text).is_err(), "{text}");
        }
    }
}
