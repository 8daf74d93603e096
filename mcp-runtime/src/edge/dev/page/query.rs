//! The parameters of a URL.

use http::Uri;
use percent_encoding::percent_decode_str;

use super::error::PageError;
use crate::edge::dev::session::api::message::{Direction, MessageQuery};

/// Returns the parameter with this name. `None` if there is none, or if it is not UTF-8.
pub(super) fn parameter(uri: &Uri, name: &str) -> Option<String> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.into_iter().find(|(found, _)| *found == name)?;
    // A form writes a space as `+`.
    percent_decode_str(&value.replace('+', "%20")).decode_utf8().ok().map(Into::into)
}

/// Reads the query of the log.
pub(super) fn messages(uri: &Uri) -> Result<MessageQuery, PageError> {
    Ok(MessageQuery {
        text: parameter(uri, "text"),
        direction: match parameter(uri, "direction").as_deref() {
            None | Some("") => None,
            Some("sent") => Some(Direction::Sent),
            Some("received") => Some(Direction::Received),
            Some(other) => {
                let reason = format!("`direction` is `{other}`; it can be `sent` or `received`");
                return Err(PageError::Unreadable(reason));
            }
        },
        method: parameter(uri, "method"),
        call: parameter(uri, "call"),
        from: number(uri, "from")?,
        count: number(uri, "count")?,
        around: number(uri, "around")?,
    })
}

fn number<T: std::str::FromStr>(uri: &Uri, name: &str) -> Result<Option<T>, PageError> {
    let Some(text) = parameter(uri, name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let reason = || PageError::Unreadable(format!("`{name}` is `{text}`, which is not a number"));
    text.parse().map(Some).map_err(|_| reason())
}
