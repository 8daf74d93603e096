//! A session as a file: JSON lines, without secrets. A file can be read later, and nothing in it can be called.
//!
//! The first line names the format and its version. Each other line is an object with one member: `state`, `items`,
//! `call` or `message`.

mod redact;
mod target;

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::{redact::Redactor, target::RecordedTarget};
use super::{
    api::{
        call::DevCall,
        message::WireMessage,
        state::{Items, SessionSource},
    },
    core::{DevSession, SessionOptions},
};
use crate::{base::clock, edge::dev::target::ClientSetup};

const FORMAT: &str = "mcp-runtime dev recording";
const VERSION: u32 = 1;

/// A larger file is not read.
const LARGEST_FILE: u64 = 512 * 1024 * 1024;
const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// How many messages are copied from the log at once.
const BATCH: usize = 100;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    /// Milliseconds since 1970.
    at: u64,
    program: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RecordingLine {
    State(Value),
    Items { setup: ClientSetup, items: Items },
    Call(DevCall),
    Message(WireMessage),
}

impl DevSession {
    /// Returns the lines of a file with this session.
    pub(crate) fn recorded(self: &Arc<Self>) -> impl Iterator<Item = String> + Send + use<> {
        let redactor = Redactor::new(&self.options.secrets);
        let program = self.options.program.clone();
        let header = Header { format: FORMAT.to_owned(), version: VERSION, at: clock::now(), program };
        let header = serde_json::to_string(&header).unwrap_or_default() + "\n";
        let state = RecordingLine::State(serde_json::to_value(self.state()).unwrap_or_default());
        let items = self.items.lock().clone().into_iter().map(|(setup, items)| RecordingLine::Items { setup, items });
        let calls = self.calls.all().into_iter().rev().map(|call| RecordingLine::Call(call.shown(true)));
        let log = Arc::clone(&self.log);
        let mut next = 0;
        let messages = std::iter::from_fn(move || {
            let batch = log.from(next, BATCH);
            next = batch.last()?.summary.n + 1;
            Some(batch)
        });
        let lines =
            std::iter::once(state).chain(items).chain(calls).chain(messages.flatten().map(RecordingLine::Message));
        std::iter::once(header).chain(lines.map(move |line| redactor.line(line)))
    }
}

/// Opens a file with a session.
///
/// # Errors
/// Fails if the file cannot be read, or is not a recording of a known version.
pub(crate) fn open(path: &Path) -> Result<Arc<DevSession>, String> {
    let shown = path.display();
    let file = File::open(path).map_err(|error| format!("the recording `{shown}` cannot be opened: {error}"))?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    if length > LARGEST_FILE {
        return Err(format!("the recording `{shown}` has {length} bytes, and the limit is {LARGEST_FILE}"));
    }
    let mut lines = RecordingReader { reader: BufReader::new(file), number: 0 };
    let at_line = |(number, why): (usize, String)| format!("the recording `{shown}`, line {number}: {why}");
    let header: Header = match lines.next().map_err(at_line)? {
        Some(text) => serde_json::from_str(&text).map_err(|_| {
            format!("`{shown}` is not a recording of the command `dev`, which begins with `{{\"format\":…`")
        })?,
        None => return Err(format!("the recording `{shown}` is empty")),
    };
    if header.format != FORMAT || header.version != VERSION {
        let Header { format, version, .. } = header;
        return Err(format!(
            "`{shown}` has the format `{format}`, version {version}; this program reads `{FORMAT}`, version {VERSION}"
        ));
    }
    let mut read = Vec::new();
    let mut status = RecordedTarget::default();
    while let Some(text) = lines.next().map_err(at_line)? {
        match serde_json::from_str(&text) {
            Ok(RecordingLine::State(state)) => status = RecordedTarget::of(&state),
            Ok(line) => read.push(line),
            Err(error) => return Err(at_line((lines.number, format!("this is not a part of a recording: {error}")))),
        }
    }
    let source = SessionSource::Recording { file: shown.to_string() };
    let options = SessionOptions { program: header.program, source, model: None, secrets: Vec::new() };
    let session = DevSession::begin(Arc::new(status), options);
    for line in read {
        match line {
            RecordingLine::State(_) => {}
            RecordingLine::Items { setup, items } => session.keep_items(&setup, &items),
            RecordingLine::Call(call) => session.calls.restore(call),
            RecordingLine::Message(message) => session.log.restore(message),
        }
    }
    Ok(session)
}

struct RecordingReader {
    reader: BufReader<File>,
    /// The number of the line that was read last.
    number: usize,
}

impl RecordingReader {
    fn next(&mut self) -> Result<Option<String>, (usize, String)> {
        self.number += 1;
        let mut text = String::new();
        let read = self.reader.by_ref().take(LONGEST_LINE).read_line(&mut text);
        let read = read.map_err(|error| (self.number, format!("it cannot be read: {error}")))?;
        if read as u64 == LONGEST_LINE {
            return Err((self.number, format!("it has more than {LONGEST_LINE} bytes")));
        }
        Ok((read > 0).then_some(text))
    }
}
