//! Parses the HTTP/1.1 responses that MCP servers send.

use std::borrow::Cow;

use crate::Result;

/// The head of a response.
pub(crate) struct Head<'a> {
    pub(crate) status: u16,
    pub(crate) session: Option<&'a str>,
    /// The length of the body. `None` if the body is chunked.
    length: Option<usize>,
    /// The position at which the body begins.
    body: usize,
}

impl<'a> Head<'a> {
    /// Parses the head of a response. Returns `None` if a part of the head is still missing.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Option<Self>> {
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let mut response = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(body) = response.parse(bytes)? else { return Ok(None) };
        let status = response.code.ok_or("no status")?;
        let header = |name: &str| {
            let header = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
            header.map(|header| str::from_utf8(header.value)).transpose()
        };
        let (session, length) = (header("mcp-session-id")?, header("content-length")?);
        let length = match length {
            Some(length) => Some(length.parse()?),
            None if header("transfer-encoding")? == Some("chunked") => None,
            None => Some(0),
        };
        Ok(Some(Self { status, session, length, body }))
    }

    /// Returns the body and the position of the next response. Returns `None` if a part of the body is still missing.
    pub(crate) fn body(&self, bytes: &'a [u8]) -> Result<Option<(Cow<'a, str>, usize)>> {
        let bytes = &bytes[self.body..];
        let Some(length) = self.length else {
            let (body, end) = unchunked(bytes)?;
            return Ok(end.map(|end| (body.into(), self.body + end)));
        };
        let Some(body) = bytes.get(..length) else { return Ok(None) };
        Ok(Some((str::from_utf8(body)?.into(), self.body + length)))
    }

    /// Returns the part of a chunked body that has arrived.
    pub(crate) fn begun(&self, bytes: &[u8]) -> Result<String> {
        let bytes = &bytes[self.body..];
        match self.length {
            None => Ok(unchunked(bytes)?.0),
            Some(_) => Err(format!("no stream: {}, {}", self.status, String::from_utf8_lossy(bytes)).into()),
        }
    }
}

/// Returns the message of a body. If the body is an event stream, this is the last event with a message. Otherwise it
/// is the whole body.
pub(crate) fn message(body: &str) -> &str {
    if body.starts_with('{') {
        return body;
    }
    let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
    events.map(str::trim).rfind(|event| !event.is_empty()).unwrap_or(body)
}

/// Joins all complete chunks. If the last chunk has arrived, also returns the position at which it ends.
fn unchunked(mut bytes: &[u8]) -> Result<(String, Option<usize>)> {
    let (mut body, whole) = (Vec::new(), bytes.len());
    while let httparse::Status::Complete((start, length)) =
        httparse::parse_chunk_size(bytes).map_err(|_| "no chunk's size")?
    {
        let end = start + usize::try_from(length)?;
        let Some(chunk) = bytes.get(start..end).filter(|_| bytes.len() >= end + 2) else { break };
        body.extend_from_slice(chunk);
        bytes = &bytes[end + 2..];
        if length == 0 {
            return Ok((String::from_utf8(body)?, Some(whole - bytes.len())));
        }
    }
    Ok((String::from_utf8(body)?, None))
}
