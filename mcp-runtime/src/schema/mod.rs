//! The schemas a tool publishes, and what of them is enforced.
//!
//! A schema comes from schemars or from an author's hand. It is brought into the shape that hosts accept ([`shape`],
//! [`refs`]) and compiled ([`compile`]) into a form that checks arguments ([`check`]) and tells a model all that is
//! wrong with them ([`words`]).
//!
//! The schema of a tool is also held against itself, when the server is built: its defaults ([`defaults`]), the names of
//! variants ([`collisions`]), and what its reader takes ([`reader`], asked with an [`example`]).
//!
//! Enforced are the keywords of draft 2020-12 and the formats of [`mod@format`]. What is left to the crate `jsonschema`
//! ([`foreign`]: `pattern`, rare formats, `unevaluated…`) is refused without the feature of that name, so that
//! nothing is published that is not enforced.

mod beyond;
mod check;
mod collisions;
mod compile;
pub(crate) mod defaults;
pub(crate) mod example;
mod foreign;
pub(crate) mod format;
#[cfg(feature = "http")]
mod headers;
mod instance;
mod integers;
mod keyword;
mod names;
pub(crate) mod nearest;
mod node;
mod number;
pub(crate) mod object;
mod output;
pub(crate) mod parameter;
mod query;
pub(crate) mod reader;
mod reading;
mod refs;
mod report;
mod shape;
pub(crate) mod takes;
pub(crate) mod types;
mod union;
mod words;

use std::{
    borrow::Cow,
    error::Error,
    fmt::{self, Display},
    hash::BuildHasher,
};

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

pub(crate) use self::output::OutputSchema;
use self::{
    check::Checker,
    instance::Instance,
    node::{Beyond, Compiled},
    report::{Path, Purpose, Report},
};
use crate::schema::parameter::Takes;

/// The schema of a tool's arguments: as published, and ready to check them.
#[derive(Debug)]
pub(crate) struct InputSchema {
    /// Text: it is only ever written, and a tree of values takes many times as much memory.
    published: Box<RawValue>,
    compiled: Compiled,
    aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// Whether a reader made from the same types follows the check.
    typed: bool,
}

impl InputSchema {
    /// Brings the schema of a tool's arguments into the shape hosts accept, compiles it and holds it against itself, and
    /// against what reads the arguments, if the schema was made of the same types.
    ///
    /// # Errors
    /// Every problem, each a sentence for the person who builds the server.
    pub(crate) fn of_tool(schema: Value, takes: Option<Takes>) -> Result<Self, Vec<String>> {
        let (schema, mut compiled) = shaped(schema)?;
        let mut problems: Vec<_> = defaults::unfit(&compiled).collect();
        compiled.defaults = Vec::new();
        collisions::find(&schema, takes.is_some(), &mut problems);
        let takes = takes.filter(|_| problems.is_empty());
        match takes.map_or(Ok(None), |takes| reader::completed(&schema, takes)) {
            Ok(Some(completed)) => compiled = compile::compile(&completed, true)?,
            Ok(None) => {}
            Err(problem) => problems.push(problem),
        }
        if problems.is_empty() { Self::published_as(schema, compiled) } else { Err(problems) }
    }

    /// Brings the schema into the shape hosts accept and compiles it.
    ///
    /// # Errors
    /// Every problem, each a sentence for the person who builds the server.
    pub(crate) fn new(schema: Value) -> Result<Self, Vec<String>> {
        let (schema, compiled) = shaped(schema)?;
        Self::published_as(schema, compiled)
    }

    fn published_as(mut schema: Value, compiled: Compiled) -> Result<Self, Vec<String>> {
        shape::replace_number_formats(&mut schema);
        let published = to_raw_value(&schema).map_err(|error| vec![error.to_string()])?;
        Ok(Self { published, compiled, aliases: Vec::new(), typed: true })
    }

    /// Compiles the schema and publishes it as it stands.
    ///
    /// # Errors
    /// Every problem, each a sentence for the person who builds the server.
    pub(crate) fn verbatim(schema: &Value) -> Result<Self, Vec<String>> {
        let compiled = compile::compile(schema, true)?;
        let unfit: Vec<_> = defaults::unfit(&compiled).collect();
        if !unfit.is_empty() {
            return Err(unfit);
        }
        if schema.get("type").is_none_or(|name| name != "object") {
            return Err(vec!["the root must have `\"type\": \"object\"`: arguments are always an object".to_owned()]);
        }
        let published = to_raw_value(schema).map_err(|error| vec![error.to_string()])?;
        Ok(Self { published, compiled, aliases: Vec::new(), typed: false })
    }

    /// The schema of a form, which is in shape already.
    ///
    /// It is made by [`elicit::schema`](crate::elicit::schema) of keywords that are all known here; a schema that
    /// could not be compiled would check nothing, and the reader of the form would have the last word.
    pub(crate) fn of_form(schema: &Value) -> Self {
        let compiled = compile::compile(schema, true).unwrap_or_else(|_| Compiled::anything());
        Self { published: Box::default(), compiled, aliases: Vec::new(), typed: false }
    }

    /// Takes arguments under other names too, which are not published.
    pub(crate) fn with_aliases(self, aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>) -> Self {
        Self { aliases, ..self }
    }

    /// No reader made from the same types follows, so that the check is always needed.
    pub(crate) fn untyped(self) -> Self {
        Self { typed: false, ..self }
    }

    /// What `tools/list` shows.
    pub(crate) fn published(&self) -> &RawValue {
        &self.published
    }

    /// The same, to look into.
    pub(crate) fn to_value(&self) -> Value {
        serde_json::from_str(self.published.get()).unwrap_or_default()
    }

    /// Whether the schema demands more than a typed reader enforces on its own.
    ///
    /// A reader made from the same types refuses other types, missing and unknown fields, and integers out of
    /// range. Fixed values (`enum`, `const`) count as more, since those of a unit enum look like those an author
    /// added to a `String`; of names see [`surely_fits`](Self::surely_fits). Where no typed reader follows (a schema
    /// written by hand), the check is always needed.
    pub(crate) fn needs_check(&self) -> bool {
        !self.typed || self.compiled.beyond != Beyond::Nothing
    }

    /// Whether arguments surely fit, if the typed reader that follows reads them: a quick look, where the schema demands
    /// nothing but types and names.
    pub(crate) fn surely_fits(&self, arguments: &str) -> bool {
        self.typed
            && self.compiled.beyond <= Beyond::Names
            && names::surely_fit(&self.compiled, &self.aliases, arguments)
    }

    /// Checks the arguments of a call: JSON text.
    ///
    /// # Errors
    /// All that is wrong with them, in words for a model.
    pub(crate) fn check(&self, arguments: &str) -> Result<(), Violations> {
        self.checked(arguments).map(drop)
    }

    /// Checks the arguments of a call, and gives them with whole numbers written as integers where the schema wants one.
    ///
    /// # Errors
    /// All that is wrong with them, in words for a model.
    pub(crate) fn checked<'t>(&self, arguments: &'t str) -> Result<Cow<'t, str>, Violations> {
        let (value, has_whole_floats) = read(arguments)?;
        // Held against the schema as integers: as a float the largest would be one more.
        if has_whole_floats && let Some(integers) = self.with_integers(arguments) {
            let (value, _) = read(&integers)?;
            self.hold(value, &integers)?;
            return Ok(Cow::Owned(integers));
        }
        self.hold(value, arguments)?;
        Ok(Cow::Borrowed(arguments))
    }

    /// Holds arguments against the schema, given as a value and as its text.
    fn hold<'t>(&'t self, mut value: Instance<'t>, arguments: &str) -> Result<(), Violations> {
        value.rename(&self.aliases);
        // Alternatives inside alternatives can cost far more than their size: an end for arguments made to be slow.
        let steps = 100_000 + 4 * arguments.len() as u64;
        let mut checker = Checker { schema: &self.compiled, report: Report::new(steps) };
        checker.check(Compiled::ROOT, &value, &Path::ROOT);
        if checker.report.steps == 0 {
            let line = "the arguments: too many nested alternatives to check".to_owned();
            return Err(Violations { lines: vec![line], more: 0 });
        }
        let fits = checker.report.score == 0;
        let foreign = self.compiled.whole.as_ref().map(|whole| whole.errors(arguments)).unwrap_or_default();
        if fits && foreign.is_empty() {
            return Ok(());
        }
        checker.report = Report { purpose: Purpose::Words, ..Report::new(steps) };
        checker.check(Compiled::ROOT, &value, &Path::ROOT);
        let Report { mut lines, mut total, .. } = checker.report;
        if lines.is_empty() {
            lines = foreign.into_iter().map(|(at, what)| foreign_line(&at, &what)).collect();
            total = lines.len();
            lines.truncate(Report::TOLD);
        }
        if lines.is_empty() {
            lines.push("the arguments: too many nested alternatives to check".to_owned());
            total = 1;
        }
        Err(Violations { more: total - lines.len(), lines })
    }
}

/// Brings a schema into the shape hosts accept; gives it, and the same compiled.
fn shaped(schema: Value) -> Result<(Value, Compiled), Vec<String>> {
    let mut problems = Vec::new();
    let mut schema = shape::input_root(refs::inline(schema)?, &mut problems);
    shape::tidy(&mut schema, &mut problems);
    match compile::compile(&schema, true) {
        Ok(compiled) if problems.is_empty() => Ok((schema, compiled)),
        Ok(_) => Err(problems),
        Err(more) => {
            problems.extend(more);
            Err(problems)
        }
    }
}

fn read(arguments: &str) -> Result<(Instance<'_>, bool), Violations> {
    let unread = |reason| Violations { lines: vec![format!("the arguments: not valid JSON: {reason}")], more: 0 };
    Instance::read(arguments).map_err(unread)
}

/// A line from a JSON pointer and the words of the crate `jsonschema`.
fn foreign_line(pointer: &str, what: &str) -> String {
    if pointer.is_empty() {
        return format!("the arguments: {what}");
    }
    let mut place = String::new();
    for step in pointer.split('/').skip(1) {
        match step.parse::<usize>() {
            Ok(index) => place.push_str(&format!("[{index}]")),
            Err(_) if place.is_empty() => place.push_str(step),
            Err(_) => place.push_str(&format!(".{step}")),
        }
    }
    format!("`{place}`: {what}")
}

/// A number that is the same for arguments that are the same, however they are spelt, and most likely another for
/// others.
pub(crate) fn fingerprint(arguments: &str, keys: &impl BuildHasher) -> u64 {
    // What is no JSON was refused before, and is like nothing else.
    Instance::read(arguments).map_or(0, |(value, _)| value.fingerprint(keys))
}

/// All that is wrong with the arguments of a call, one line each.
#[derive(Debug)]
pub(crate) struct Violations {
    lines: Vec<String>,
    /// How many are not told.
    more: usize,
}

impl Violations {
    /// The same in other words, line by line. A line begins with its place in backquotes, and a colon.
    pub(crate) fn reworded(&self, words: impl Fn(&str) -> String) -> Self {
        Self { lines: self.lines.iter().map(|line| words(line)).collect(), more: self.more }
    }
}

impl Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, line) in self.lines.iter().enumerate() {
            let separator = if at == 0 { "" } else { "\n" };
            write!(f, "{separator}- {line}")?;
        }
        if self.more > 0 {
            write!(f, "\n- and {} more", self.more)?;
        }
        Ok(())
    }
}

impl Error for Violations {}

#[cfg(test)]
mod tests;
