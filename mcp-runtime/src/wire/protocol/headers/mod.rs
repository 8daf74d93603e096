//! The HTTP headers of 2026-07-28 that repeat parts of the body.
//!
//! Proxies route, limit and authorize by these headers and never read the body. The server rejects a request whose
//! headers and body disagree, because otherwise a proxy and the server would act on different values. The checks run in
//! this order: first [`check_request`](RepeatedHeaders::check_request), then
//! [`check_name`](RepeatedHeaders::check_name) if the request names a tool, prompt, resource or task, then
//! [`check_arguments`](RepeatedHeaders::check_arguments) once the tool is found.

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::{
    decimal::Decimal,
    error::RpcError,
    params::LONGEST_KEY,
    revision::Revision,
    scan::{Scanner, read_string},
    text::shortened,
};

/// A header of a request, which a client must not send more than once.
#[derive(Clone, Copy, Default)]
pub(crate) struct SentHeader<'h> {
    first: Option<&'h HeaderValue>,
    is_repeated: bool,
}

impl<'h> SentHeader<'h> {
    /// Finds a header by its name.
    fn of(headers: &'h HeaderMap, field: &HeaderName) -> Self {
        let mut header = Self::default();
        headers.get_all(field).iter().for_each(|value| header.add(value));
        header
    }

    /// Adds a value that the client has sent.
    pub(crate) fn add(&mut self, value: &'h HeaderValue) {
        self.is_repeated = self.first.is_some();
        self.first.get_or_insert(value);
    }

    /// Returns the first value, if the client has sent one.
    pub(crate) fn first(&self) -> Option<&'h HeaderValue> {
        self.first
    }

    /// Returns the value, if the client has sent one. Fails with `repeated` if it has sent more than one.
    pub(crate) fn only<E>(&self, repeated: E) -> Result<Option<&'h HeaderValue>, E> {
        if self.is_repeated { Err(repeated) } else { Ok(self.first) }
    }

    /// Returns the text of the header, which is called `shown`.
    fn text(&self, shown: &str) -> Result<Option<&'h str>, RpcError> {
        if self.is_repeated {
            return Err(RpcError::header_mismatch(format!("`{shown}` is sent more than once")));
        }
        let Some(value) = self.first else { return Ok(None) };
        match value.to_str() {
            Ok(text) => Ok(Some(text.trim_matches([' ', '\t']))),
            Err(_) => Err(RpcError::header_mismatch(format!(
                "`{shown}` contains characters other than visible ASCII; write it as `=?base64?…?=`"
            ))),
        }
    }

    /// Returns the text of the header, decoded from `=?base64?…?=` if it has that form.
    fn decoded(&self, shown: &str) -> Result<Option<Cow<'h, str>>, RpcError> {
        let Some(text) = self.text(shown)? else { return Ok(None) };
        let Some(encoded) = text.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
            return Ok(Some(Cow::Borrowed(text)));
        };
        let decoded = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        match decoded {
            Some(decoded) => Ok(Some(Cow::Owned(decoded))),
            None => Err(RpcError::header_mismatch(format!(
                "`{shown}` is `{}`, which is not Base64 of UTF-8 text",
                shortened(text)
            ))),
        }
    }
}

/// The headers of one request that can repeat parts of its body.
pub(crate) struct RepeatedHeaders<'h> {
    all: &'h HeaderMap,
    version: SentHeader<'h>,
    method: SentHeader<'h>,
    name: SentHeader<'h>,
    idempotency_key: SentHeader<'h>,
}

impl<'h> RepeatedHeaders<'h> {
    /// Finds the headers in one pass, because each look-up by name would hash the name.
    pub(crate) fn read(all: &'h HeaderMap) -> Self {
        let none = SentHeader::default();
        let mut headers = Self { all, version: none, method: none, name: none, idempotency_key: none };
        for (name, value) in all {
            let header = match name.as_str() {
                "mcp-protocol-version" => &mut headers.version,
                "mcp-method" => &mut headers.method,
                "mcp-name" => &mut headers.name,
                "idempotency-key" => &mut headers.idempotency_key,
                _ => continue,
            };
            header.add(value);
        }
        headers
    }

    /// Compares `MCP-Protocol-Version` with the version in the request's `_meta`, and `Mcp-Method` with the request's
    /// method. If `body_decides`, the header can name an older revision. The client then need not send the other
    /// headers.
    pub(crate) fn check_request(&self, version: &str, method: &str, body_decides: bool) -> Result<(), RpcError> {
        let shown = "MCP-Protocol-Version";
        let header = self.version.text(shown)?;
        if !(body_decides && self.names_older_revision()) {
            self.compare(shown, header, version)?;
        }
        let shown = "Mcp-Method";
        self.compare(shown, self.method.text(shown)?, method)
    }

    /// Compares the value of a header with what the body says. In older revisions the header can be missing.
    fn compare(&self, shown: &str, header: Option<&str>, body: &str) -> Result<(), RpcError> {
        match header {
            Some(header) if header == body => Ok(()),
            Some(header) => Err(differ(shown, header, body)),
            None if self.names_older_revision() => Ok(()),
            None => {
                Err(RpcError::header_mismatch(format!("`{shown}` is missing; the body says `{}`", shortened(body))))
            }
        }
    }

    /// Returns whether `MCP-Protocol-Version` names a revision that does not have the other headers.
    pub(crate) fn names_older_revision(&self) -> bool {
        let named = self.version.first.and_then(|value| Revision::parse(value.to_str().ok()?.trim()));
        named.is_some_and(|revision| !revision.is_modern())
    }

    /// Compares `Mcp-Name` with `name`: the name of the tool or prompt, the URI of the resource, or the id of the task.
    pub(crate) fn check_name(&self, name: &str) -> Result<(), RpcError> {
        let shown = "Mcp-Name";
        self.compare(shown, self.name.decoded(shown)?.as_deref(), name)
    }

    /// Compares each `Mcp-Param-…` header with the argument that it repeats. `arguments` is JSON text of an object.
    pub(crate) fn check_arguments(&self, repeated: &[ParamHeader], arguments: &str) -> Result<(), RpcError> {
        repeated.iter().try_for_each(|param| param.check(self, arguments))
    }

    /// Returns the value of `Idempotency-Key`, if the client sent it.
    pub(crate) fn idempotency_key(&self) -> Result<Option<Box<str>>, RpcError> {
        match self.idempotency_key.text("Idempotency-Key")? {
            Some(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(Some(key.into())),
            Some(_) => Err(RpcError::invalid_params("`Idempotency-Key` must have 1 to 255 bytes")),
            None => Ok(None),
        }
    }
}

/// An argument that clients repeat in a header. The schema of the tool names the header in `x-mcp-header`.
#[derive(Debug, PartialEq)]
pub(crate) struct ParamHeader {
    field: HeaderName,
    /// The name of the header as the author wrote it, for error messages.
    shown: Box<str>,
    /// The path to the argument: for each step the member's name and its aliases.
    path: Box<[MemberNames]>,
}

/// The names of one member: the published name, then its aliases.
pub(crate) type MemberNames = Vec<Box<str>>;

impl ParamHeader {
    /// Creates the header of the argument at `path`. Returns `None` if `suffix` is not a valid end of a header name.
    pub(crate) fn new(suffix: &str, path: Vec<MemberNames>) -> Option<Self> {
        let shown = format!("Mcp-Param-{suffix}");
        let field = HeaderName::from_bytes(shown.as_bytes()).ok().filter(|_| !suffix.is_empty())?;
        Some(Self { field, shown: shown.into(), path: path.into() })
    }

    /// Returns whether `self` and `other` have the same header name.
    pub(crate) fn is_same_header(&self, other: &Self) -> bool {
        self.field == other.field
    }

    /// Returns the path of the argument, for error messages.
    pub(crate) fn place(&self) -> String {
        let names: Vec<&str> = self.path.iter().filter_map(|names| names.first()).map(|name| &**name).collect();
        names.join(".")
    }

    fn check(&self, headers: &RepeatedHeaders<'_>, arguments: &str) -> Result<(), RpcError> {
        let header = SentHeader::of(headers.all, &self.field).decoded(&self.shown)?;
        match (header, self.find(arguments)?) {
            (None, None) => Ok(()),
            (Some(header), Some(value)) if says(&header, value) => Ok(()),
            (Some(header), Some(value)) => Err(differ(&self.shown, &header, value)),
            (None, Some(value)) => headers.compare(&self.shown, None, value),
            (Some(header), None) => Err(RpcError::header_mismatch(format!(
                "`{}` is `{}`, but the arguments have no value at `{}`",
                self.shown,
                shortened(&header),
                self.place(),
            ))),
        }
    }

    /// Returns the argument as JSON text. Returns `None` if it is missing or `null`. Also returns `None` for an object
    /// or an array, which the later check of the arguments rejects.
    fn find<'a>(&self, arguments: &'a str) -> Result<Option<&'a str>, RpcError> {
        let mut found = Some(arguments);
        for names in &self.path {
            let Some(object) = found.take() else { break };
            let mut twice = false;
            Scanner::new(object)
                .object(|scanner, name| {
                    let value = scanner.value()?;
                    if names.iter().any(|known| **known == *name) {
                        twice |= found.replace(value).is_some();
                    }
                    Ok(())
                })
                .map_err(|error| RpcError::header_mismatch(format!("the arguments cannot be read: {error}")))?;
            if twice {
                return Err(RpcError::header_mismatch(format!(
                    "`{}` appears twice in the arguments, so the value of `{}` is ambiguous",
                    self.place(),
                    self.shown,
                )));
            }
        }
        Ok(found.filter(|value| *value != "null" && !value.starts_with(['{', '['])))
    }
}

/// Returns whether a header value equals this JSON text.
fn says(header: &str, value: &str) -> bool {
    match value.as_bytes().first() {
        Some(b'"') => read_string(value).is_some_and(|text| text == header),
        Some(b'-' | b'0'..=b'9') => {
            header == value || Decimal::read(value).is_some_and(|number| Some(number) == Decimal::read(header))
        }
        _ => header == value,
    }
}

fn differ(shown: &str, header: &str, body: &str) -> RpcError {
    RpcError::header_mismatch(format!("`{shown}` is `{}`, but the body says `{}`", shortened(header), shortened(body)))
}

#[cfg(test)]
mod tests;
