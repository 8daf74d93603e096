//! YAML as JSON.
//!
//! Never reads another value than the npm package `yaml`, with which hosts compare the frontmatter. What it cannot read
//! alike is an error: anchors, aliases, tags, a key that is not text, a key twice, a second document.

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::{
    FIRST_LINE, Problem,
    scalar::{Plain, plain},
};

/// How deep values can be nested.
const DEEPEST: usize = 64;

/// The maximum number of characters of a number that JavaScript does not round.
const LONGEST_NUMBER: usize = 15;

/// The fields of a frontmatter.
#[derive(Default)]
pub(crate) struct Fields {
    pub(crate) json: String,
    /// The fields of the frontmatter itself.
    pub(crate) top: Vec<Field>,
    /// The keys of `metadata`, with their lines.
    pub(crate) metadata: Vec<(String, usize)>,
}

pub(crate) struct Field {
    pub(crate) key: String,
    /// The value, if it is text.
    pub(crate) text: Option<String>,
    pub(crate) line: usize,
}

/// An open mapping or sequence.
struct Level {
    is_mapping: bool,
    /// The number of its keys and values so far.
    count: usize,
    keys: Vec<String>,
}

impl Level {
    /// Whether a key comes next.
    fn expects_key(&self) -> bool {
        self.is_mapping && self.count.is_multiple_of(2)
    }
}

/// Reads the lines of a frontmatter.
pub(crate) fn read(block: &str) -> Result<Fields, Problem> {
    if let Some((before, _)) = block.replace("\r\n", "\n").split_once('\r') {
        let line = before.matches('\n').count() + FIRST_LINE;
        return Err(Problem::at(line, "a carriage return must be followed by a line feed"));
    }
    let mut reader = Reader::default();
    for event in Parser::new_from_str(block) {
        let (event, span) = event.map_err(|error| {
            let line = error.marker().line() + FIRST_LINE - 1;
            let hint = if error.info().contains("mapping values") { TWO_COLONS } else { "" };
            Problem::at(line, format!("the YAML is invalid: {}{hint}", error.info()))
        })?;
        let line = span.start.line() + FIRST_LINE - 1;
        reader.read(event, line).map_err(|problem| Problem::at(line, problem))?;
    }
    if reader.fields.top.is_empty() {
        return Err(Problem::of_file("the frontmatter is empty"));
    }
    Ok(reader.fields)
}

#[derive(Default)]
struct Reader {
    fields: Fields,
    levels: Vec<Level>,
    documents: usize,
}

impl Reader {
    fn read(&mut self, event: Event<'_>, line: usize) -> Result<(), String> {
        match event {
            Event::Alias(_) => return Err("an alias is not allowed; write the value again".to_owned()),
            Event::Scalar(_, _, anchor, ref tag)
            | Event::SequenceStart(anchor, ref tag)
            | Event::MappingStart(anchor, ref tag)
                if anchor != 0 || tag.is_some() =>
            {
                return Err("an anchor or a tag is not allowed; write the value itself".to_owned());
            }
            Event::Scalar(text, style, ..) => self.scalar(&text, style == ScalarStyle::Plain, line)?,
            Event::SequenceStart(..) => self.open(false)?,
            Event::MappingStart(..) => self.open(true)?,
            Event::SequenceEnd => self.close(']'),
            Event::MappingEnd => self.close('}'),
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err("the frontmatter must be one document".to_owned());
                }
            }
            Event::DocumentEnd | Event::StreamStart | Event::StreamEnd | Event::Nothing => {}
        }
        Ok(())
    }

    fn open(&mut self, is_mapping: bool) -> Result<(), String> {
        match self.levels.last() {
            None if !is_mapping => return Err(NO_FIELDS.to_owned()),
            Some(level) if level.expects_key() => return Err("a key must be text".to_owned()),
            _ if self.levels.len() == DEEPEST => return Err(format!("values are nested more than {DEEPEST} deep")),
            _ => {}
        }
        self.begin_value();
        self.fields.json.push(if is_mapping { '{' } else { '[' });
        self.levels.push(Level { is_mapping, count: 0, keys: Vec::new() });
        Ok(())
    }

    fn close(&mut self, end: char) {
        self.levels.pop();
        self.fields.json.push(end);
    }

    /// Writes what stands before a key or a value, and counts it.
    fn begin_value(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            if level.is_mapping && level.count % 2 == 1 {
                self.fields.json.push(':');
            } else if level.count > 0 {
                self.fields.json.push(',');
            }
            level.count += 1;
        }
    }

    fn scalar(&mut self, text: &str, is_plain: bool, line: usize) -> Result<(), String> {
        let Some(level) = self.levels.last() else { return Err(NO_FIELDS.to_owned()) };
        let value = if is_plain { plain(text) } else { Plain::Text };
        if level.expects_key() {
            return self.key(text, &value, line);
        }
        let is_field = self.levels.len() == 1;
        self.begin_value();
        match value {
            Plain::Json(json) => self.fields.json.push_str(&json),
            Plain::Refused => return Err(format!("JSON has no number `{text}`; put it in quotes")),
            Plain::Text => {
                push_text(&mut self.fields.json, text);
                if let Some(field) = self.fields.top.last_mut().filter(|_| is_field) {
                    field.text = Some(text.to_owned());
                }
            }
        }
        Ok(())
    }

    fn key(&mut self, text: &str, value: &Plain, line: usize) -> Result<(), String> {
        // JavaScript turns other keys into text in its own way: `1.0` becomes `1`, and `~` the empty text.
        let is_text = match value {
            Plain::Text => true,
            Plain::Json(json) => json == text && json != "null" && json.len() <= LONGEST_NUMBER,
            Plain::Refused => false,
        };
        if !is_text {
            return Err(format!("the key `{text}` is not text; put it in quotes"));
        }
        self.begin_value();
        let depth = self.levels.len();
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        if level.keys.iter().any(|known| known == text) {
            return Err(format!("`{text}` is written twice; keep one"));
        }
        level.keys.push(text.to_owned());
        match depth {
            1 => self.fields.top.push(Field { key: text.to_owned(), text: None, line }),
            2 if self.fields.top.last().is_some_and(|field| field.key == "metadata") => {
                self.fields.metadata.push((text.to_owned(), line));
            }
            _ => {}
        }
        push_text(&mut self.fields.json, text);
        Ok(())
    }
}

/// The commonest mistake in a description.
const TWO_COLONS: &str = "; put a value that contains `: ` in quotes";

const NO_FIELDS: &str = "the frontmatter must consist of fields, such as `name: refunds`";

/// Appends a text as a JSON string.
fn push_text(json: &mut String, text: &str) {
    json.push('"');
    for char in text.chars() {
        match char {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            control if control < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => json.push(other),
        }
    }
    json.push('"');
}
