//! The `params` of a request and their `_meta`.

use std::borrow::Cow;

use super::{
    error::RpcError,
    id::Id,
    level::Level,
    repeated::repeated,
    scan::{NotJson, Scanner, members, read_string},
    text::shortened,
};

/// The maximum length of an idempotency key in bytes.
pub(super) const LONGEST_KEY: usize = 255;

/// The client's answers to questions: the key of each question, and the answer as JSON text.
pub(crate) type InputResponses<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// The `params` of a request. One pass finds all members, and each method parses only the members that it needs. Each
/// member is JSON text. A client in the same process sets the members itself.
#[derive(Debug, Default)]
pub(crate) struct Params<'a> {
    /// All params as JSON text, or an empty text if the message has no params.
    pub(crate) text: &'a str,
    pub(crate) meta: Meta<'a>,
    pub(crate) name: Option<&'a str>,
    pub(crate) arguments: Option<&'a str>,
    pub(crate) input_responses: Option<&'a str>,
    pub(crate) request_state: Option<&'a str>,
    pub(crate) cursor: Option<&'a str>,
    pub(crate) level: Option<&'a str>,
    pub(crate) request_id: Option<&'a str>,
    /// The `taskId` of a method of tasks, as JSON text.
    pub(crate) task_id: Option<&'a str>,
    pub(crate) protocol_version: Option<&'a str>,
    pub(crate) capabilities: Option<&'a str>,
    pub(crate) client_info: Option<&'a str>,
    /// The error if `params` is not an object, or if a member appears twice.
    pub(crate) malformed: Option<&'static str>,
}

/// The members of `_meta`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meta<'a> {
    /// The protocol version, as JSON text. Only requests since 2026-07-28 have this member. The client may have sent a
    /// value of any JSON type.
    pub(crate) protocol_version: Option<&'a str>,
    pub(crate) capabilities: Option<&'a str>,
    pub(crate) client_info: Option<&'a str>,
    pub(crate) log_level: Option<&'a str>,
    pub(crate) progress_token: Option<&'a str>,
    pub(crate) idempotency_key: Option<&'a str>,
    pub(crate) traceparent: Option<&'a str>,
    pub(crate) tracestate: Option<&'a str>,
    pub(crate) baggage: Option<&'a str>,
    /// The number of servers that the request has come through.
    #[allow(dead_code, reason = "only clients of other servers pass it on")]
    pub(crate) hops: Option<&'a str>,
    pub(crate) ambiguous: bool,
}

impl<'a> Params<'a> {
    /// Reads the value at the position of the scanner. `null` counts as missing. If the value is not an object or
    /// repeats a member, stores the error for [`check`](Self::check).
    pub(super) fn read(&mut self, scanner: &mut Scanner<'a>) -> Result<(), NotJson> {
        // The names that no method reads, to detect repeated ones. A known name is repeated if its field is already
        // set.
        let mut others = Vec::new();
        let mut has_meta = false;
        let rest = scanner.rest();
        let object = scanner.object(|scanner, name| {
            let member = match &*name {
                "name" => &mut self.name,
                "arguments" => &mut self.arguments,
                "inputResponses" => &mut self.input_responses,
                "requestState" => &mut self.request_state,
                "cursor" => &mut self.cursor,
                "level" => &mut self.level,
                "requestId" => &mut self.request_id,
                "taskId" => &mut self.task_id,
                "protocolVersion" => &mut self.protocol_version,
                "capabilities" => &mut self.capabilities,
                "clientInfo" => &mut self.client_info,
                "_meta" => {
                    if std::mem::replace(&mut has_meta, true) {
                        self.malformed = Some("`_meta` appears twice in `params`");
                    }
                    let object = self.meta.read(scanner)?;
                    if !object && scanner.value()? != "null" {
                        self.malformed = Some("`_meta` must be an object");
                    }
                    return Ok(());
                }
                _ => {
                    others.push(name);
                    return scanner.value().map(drop);
                }
            };
            if member.replace(scanner.value()?).is_some() {
                self.malformed = Some("a member appears twice in `params`");
            }
            Ok(())
        })?;
        if !object && scanner.value()? != "null" {
            self.malformed = Some("`params` must be an object");
        }
        self.text = &rest[..rest.len() - scanner.rest().len()];
        if repeated(&others).is_some() {
            self.malformed = Some("a member appears twice in `params`");
        }
        if self.meta.ambiguous {
            self.malformed = Some("a member appears twice in `_meta`");
        }
        Ok(())
    }

    /// Rejects `params` that are not an object, or in which a member appears twice.
    pub(crate) fn check(&self) -> Result<(), RpcError> {
        self.malformed.map_or(Ok(()), |reason| Err(RpcError::invalid_params(reason)))
    }

    /// Returns the size in bytes of the members that the server keeps in memory until it answers the call.
    pub(crate) fn size(&self) -> usize {
        [self.arguments, self.input_responses, self.request_state].iter().flatten().map(|text| text.len()).sum()
    }

    /// Returns the `name` of `tools/call` or `prompts/get`.
    pub(crate) fn name(&self) -> Result<Cow<'a, str>, RpcError> {
        required("name", self.name)
    }

    /// Returns the `arguments` of `tools/call` or `prompts/get`: JSON text of an object.
    pub(crate) fn arguments(&self) -> Result<&'a str, RpcError> {
        match self.arguments {
            None | Some("null") => Ok("{}"),
            Some(text) if text.starts_with('{') => Ok(text),
            Some(_) => Err(RpcError::invalid_params("`arguments` must be an object")),
        }
    }

    /// Returns the `inputResponses` of the request. The value for each key is an object.
    pub(crate) fn input_responses(&self) -> Result<Option<InputResponses<'a>>, RpcError> {
        let Some(responses) = self.input_responses.filter(|&responses| responses != "null") else {
            return Ok(None);
        };
        // Most rounds have one question.
        let mut read = Vec::with_capacity(1);
        let object = Scanner::new(responses).object(|scanner, key| {
            read.push((key, Cow::Borrowed(scanner.value()?)));
            Ok(())
        });
        let keys: Vec<_> = if read.len() < 2 { Vec::new() } else { read.iter().map(|(key, _)| key).collect() };
        if let Some(key) = repeated(&keys) {
            let key = shortened(key);
            return Err(RpcError::invalid_params(format!("`{key}` appears twice in `inputResponses`")));
        }
        if object == Ok(true) && read.iter().all(|(_, response)| response.starts_with('{')) {
            Ok(Some(read))
        } else {
            Err(RpcError::invalid_params("`inputResponses` must be an object of objects"))
        }
    }

    /// Returns the `requestState` of the request.
    pub(crate) fn request_state(&self) -> Result<Option<Cow<'a, str>>, RpcError> {
        optional("requestState", self.request_state)
    }

    /// Returns the `cursor` of a list request.
    pub(crate) fn cursor(&self) -> Result<Option<Cow<'a, str>>, RpcError> {
        optional("cursor", self.cursor)
    }

    /// Returns the `cursor` of a list request as JSON text.
    pub(crate) fn cursor_text(&self) -> &'a str {
        self.cursor.unwrap_or("null")
    }

    /// Returns the `uri` of `resources/read` as JSON text.
    pub(crate) fn uri(&self) -> Result<&'a str, RpcError> {
        let uri = members(self.text, ["uri"]).and_then(|[uri]| uri);
        uri.filter(|uri| uri.starts_with('"')).ok_or_else(|| RpcError::invalid_params("`uri` must be a string"))
    }

    /// Returns the `level` of `logging/setLevel`.
    pub(crate) fn level(&self) -> Result<Level, RpcError> {
        read_level("level", self.level)
    }

    /// Returns the `protocolVersion` of `initialize`.
    pub(crate) fn protocol_version(&self) -> Result<Cow<'a, str>, RpcError> {
        required("protocolVersion", self.protocol_version)
    }

    /// Returns the `taskId` of a method of tasks.
    pub(crate) fn task_id(&self) -> Result<Cow<'a, str>, RpcError> {
        required("taskId", self.task_id)
    }

    /// Returns the `requestId` of `notifications/cancelled`.
    pub(crate) fn request_id(&self) -> Option<Id<'a>> {
        Id::read(self.request_id?)
    }
}

impl<'a> Meta<'a> {
    /// Returns the level of the least severe log messages that the client wants for this request.
    pub(crate) fn log_level(&self) -> Result<Option<Level>, RpcError> {
        let level = self.log_level.filter(|&level| level != "null");
        level.map(|level| read_level("io.modelcontextprotocol/logLevel", Some(level))).transpose()
    }

    /// Returns the token for progress notifications, as JSON text.
    pub(crate) fn progress_token(&self) -> Result<Option<Id<'a>>, RpcError> {
        let Some(token) = self.progress_token.filter(|&token| token != "null") else { return Ok(None) };
        match Id::read(token) {
            Some(token) => Ok(Some(token)),
            None => Err(RpcError::invalid_params("`progressToken` must be a string or an integer")),
        }
    }

    /// Returns the idempotency key, if the client sent it.
    pub(crate) fn idempotency_key(&self) -> Result<Option<Box<str>>, RpcError> {
        let Some(key) = self.idempotency_key.filter(|&key| key != "null") else { return Ok(None) };
        match read_string(key) {
            Some(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(Some(key.into())),
            _ => Err(RpcError::invalid_params("`idempotency-key` must be a string of 1 to 255 bytes")),
        }
    }

    fn read(&mut self, scanner: &mut Scanner<'a>) -> Result<bool, NotJson> {
        let mut others = Vec::new();
        let object = scanner.object(|scanner, name| {
            let member = match &*name {
                "io.modelcontextprotocol/protocolVersion" => &mut self.protocol_version,
                "io.modelcontextprotocol/clientCapabilities" => &mut self.capabilities,
                "io.modelcontextprotocol/clientInfo" => &mut self.client_info,
                "io.modelcontextprotocol/logLevel" => &mut self.log_level,
                "progressToken" => &mut self.progress_token,
                "idempotency-key" => &mut self.idempotency_key,
                "traceparent" => &mut self.traceparent,
                "tracestate" => &mut self.tracestate,
                "baggage" => &mut self.baggage,
                "hops" => &mut self.hops,
                _ => {
                    others.push(name);
                    return scanner.value().map(drop);
                }
            };
            self.ambiguous |= member.replace(scanner.value()?).is_some();
            Ok(())
        });
        self.ambiguous |= repeated(&others).is_some();
        object
    }
}

fn read_level(member: &str, text: Option<&str>) -> Result<Level, RpcError> {
    let name = required(member, text)?;
    Level::ALL.into_iter().find(|level| level.as_str() == name).ok_or_else(|| {
        let names = Level::ALL.map(Level::as_str).join(", ");
        RpcError::invalid_params(format!("`{member}` must be one of {names}"))
    })
}

fn optional<'a>(member: &str, text: Option<&'a str>) -> Result<Option<Cow<'a, str>>, RpcError> {
    let text = text.filter(|&text| text != "null");
    text.map(|text| required(member, Some(text))).transpose()
}

fn required<'a>(member: &str, text: Option<&'a str>) -> Result<Cow<'a, str>, RpcError> {
    text.and_then(read_string).ok_or_else(|| RpcError::invalid_params(format!("`{member}` must be a string")))
}
