//! W3C Trace Context: `traceparent`, `tracestate` and `baggage`, from `_meta` or from HTTP headers.

#[cfg(test)]
mod tests;

use std::{collections::HashSet, sync::Arc};

use super::{params::Meta, scan::read_string};

/// The longest accepted `tracestate`, in bytes.
const LONGEST_STATE: usize = 8 * 1024;
const MOST_MEMBERS: usize = 32;
const LONGEST_BAGGAGE: usize = 8 * 1024;

/// The W3C Trace Context of a request. See [`Ctx::trace_context`](crate::Ctx::trace_context).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext(Arc<TraceFields>);

#[derive(Debug, PartialEq, Eq)]
struct TraceFields {
    traceparent: Box<str>,
    tracestate: Option<Box<str>>,
    baggage: Option<Box<str>>,
    /// Whether the context was in the message's `_meta`, and not in HTTP headers.
    in_message: bool,
}

impl TraceContext {
    /// Returns the value of `traceparent`: version, trace id, parent id and flags.
    pub fn traceparent(&self) -> &str {
        &self.0.traceparent
    }

    /// Returns the value of `tracestate`, with the entries of the tracing systems that handled the request.
    pub fn tracestate(&self) -> Option<&str> {
        self.0.tracestate.as_deref()
    }

    /// Returns the value of `baggage`, as the client sent it. It may hold personal data: pass it on only to services
    /// that should get it.
    pub fn baggage(&self) -> Option<&str> {
        self.0.baggage.as_deref()
    }

    /// Returns the id of the trace: 32 hexadecimal digits.
    pub fn trace_id(&self) -> &str {
        &self.0.traceparent[3..35]
    }

    /// Returns the id of the parent span: 16 hexadecimal digits.
    pub fn parent_id(&self) -> &str {
        &self.0.traceparent[36..52]
    }

    /// Returns whether the client records the trace.
    pub fn is_sampled(&self) -> bool {
        self.flags() & 1 == 1
    }

    pub(crate) fn flags(&self) -> u8 {
        u8::from_str_radix(&self.0.traceparent[53..55], 16).unwrap_or_default()
    }

    pub(crate) fn is_in_message(&self) -> bool {
        self.0.in_message
    }

    /// Reads the trace context from `_meta`, or else from the HTTP headers. The function `header` returns the
    /// values of a header. A value that violates the W3C format is ignored.
    pub(crate) fn of<'h>(meta: &Meta<'_>, header: impl Fn(&'static str) -> Vec<&'h [u8]>) -> Option<Self> {
        Self::of_message(meta).or_else(|| Self::of_headers(header))
    }

    fn of_message(meta: &Meta<'_>) -> Option<Self> {
        let text = |member: Option<&str>| read_string(member?).map(String::from);
        Self::new(&text(meta.traceparent)?, text(meta.tracestate), text(meta.baggage), true)
    }

    fn of_headers<'h>(header: impl Fn(&'static str) -> Vec<&'h [u8]>) -> Option<Self> {
        let [parent] = header("traceparent")[..] else { return None };
        let parent = std::str::from_utf8(parent).ok()?.trim_matches([' ', '\t']);
        // Several headers of one name form one list.
        let list = |name| String::from_utf8(header(name).join(&b","[..])).ok();
        Self::new(parent, list("tracestate"), list("baggage"), false)
    }

    pub(crate) fn new(
        traceparent: &str,
        tracestate: Option<String>,
        baggage: Option<String>,
        in_message: bool,
    ) -> Option<Self> {
        let fields = TraceFields {
            traceparent: Some(traceparent).filter(|text| is_traceparent(text))?.into(),
            tracestate: tracestate.filter(|text| is_tracestate(text)).map(Into::into),
            baggage: baggage.filter(|text| is_baggage(text)).map(Into::into),
            in_message,
        };
        Some(Self(Arc::new(fields)))
    }
}

/// Checks `00-<32 digits>-<16 digits>-<2 digits>`. Later versions may append fields.
fn is_traceparent(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_hex = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digits = |range: std::ops::Range<usize>| bytes[range].iter().all(is_hex);
    let not_zero = |range: std::ops::Range<usize>| bytes[range].iter().any(|byte| *byte != b'0');
    55 <= bytes.len()
        && bytes.is_ascii()
        && [2, 35, 52].iter().all(|&dash| bytes[dash] == b'-')
        && [0..2, 3..35, 36..52, 53..55].into_iter().all(digits)
        && [3..35, 36..52].into_iter().all(not_zero)
        && match &text[..2] {
            "ff" => false,
            "00" => bytes.len() == 55,
            // The value is sent on in a header, so its characters and its length are limited.
            _ => bytes.len() == 55 || bytes[55] == b'-' && bytes.len() <= 512 && bytes.iter().all(u8::is_ascii_graphic),
        }
}

/// Checks a list of `key=value` with unique keys.
fn is_tracestate(text: &str) -> bool {
    let mut keys = HashSet::new();
    let members = || text.split(',').map(|member| member.trim_matches([' ', '\t'])).filter(|member| !member.is_empty());
    text.len() <= LONGEST_STATE
        && (1..=MOST_MEMBERS).contains(&members().count())
        && members().all(|member| {
            let Some((key, value)) = member.split_once('=') else { return false };
            is_key(key) && is_value(value) && keys.insert(key)
        })
}

fn is_key(key: &str) -> bool {
    let allowed =
        |part: &str| part.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/'));
    let letter = |part: &str| part.starts_with(|first: char| first.is_ascii_lowercase());
    let letter_or_digit = |part: &str| letter(part) || part.starts_with(|first: char| first.is_ascii_digit());
    match key.split_once('@') {
        Some((tenant, system)) => {
            tenant.len() <= 241
                && system.len() <= 14
                && letter_or_digit(tenant)
                && letter(system)
                && allowed(tenant)
                && allowed(system)
        }
        None => key.len() <= 256 && letter(key) && allowed(key),
    }
}

fn is_value(value: &str) -> bool {
    (1..=256).contains(&value.len())
        && !value.ends_with(' ')
        && value.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b',' && byte != b'=')
}

/// Checks that the value can be written into a header. Its content is not interpreted.
fn is_baggage(text: &str) -> bool {
    (1..=LONGEST_BAGGAGE).contains(&text.len()) && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}
