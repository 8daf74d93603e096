//! The schemas of tools: how they are published and enforced.
//!
//! A schema comes from schemars or is written by the author. It is converted to a shape that hosts accept ([`shape`],
//! [`refs`]) and then compiled ([`compile`]). The compiled form checks arguments ([`check`]) and describes all errors
//! to a model ([`messages`]).
//!
//! When the server is built, the schema itself is checked: its defaults ([`defaults`]), the names of variants
//! ([`collisions`]), and the names that its types accept ([`reader`], tested with an [`example`]).
//!
//! The server enforces everything that it publishes. This module enforces most keywords of draft 2020-12, and the
//! formats of [`mod@format`]. The crate `jsonschema` enforces the others: `pattern`, less common formats and
//! `unevaluated…` ([`foreign`]). Without the feature `jsonschema`, a schema with one of these is rejected.

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
mod messages;
mod name_index;
mod names;
pub(crate) mod nearest;
mod node;
mod number;
pub(crate) mod object;
mod output;
mod panicking;
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
    report::{CheckPurpose, CheckReport, Path},
};
use crate::schema::parameter::Takes;

/// The schema of a tool's arguments, in its published and its compiled form.
#[derive(Debug)]
pub(crate) struct InputSchema {
    /// The published schema as text. The server only sends it, and a `Value` would need many times as much memory.
    published: Box<RawValue>,
    compiled: Compiled,
    aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// Whether the arguments are deserialized after the check, into the types from which the schema was generated.
    typed: bool,
}

impl InputSchema {
    /// Converts the schema of a tool's arguments to a shape that hosts accept, compiles it and checks it. If the schema
    /// was generated from Rust types, also tests whether generated arguments can be deserialized into these types.
    ///
    /// # Errors
    /// Returns all problems, as messages for the author.
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

    /// Converts the schema to a shape that hosts accept and compiles it.
    ///
    /// # Errors
    /// Returns all problems, as messages for the author.
    pub(crate) fn new(schema: Value) -> Result<Self, Vec<String>> {
        let (schema, compiled) = shaped(schema)?;
        Self::published_as(schema, compiled)
    }

    fn published_as(mut schema: Value, compiled: Compiled) -> Result<Self, Vec<String>> {
        shape::replace_number_formats(&mut schema);
        let published = to_raw_value(&schema).map_err(|error| vec![error.to_string()])?;
        Ok(Self { published, compiled, aliases: Vec::new(), typed: true })
    }

    /// Compiles the schema and publishes it unchanged.
    ///
    /// # Errors
    /// Returns all problems, as messages for the author.
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

    /// Creates a schema that accepts everything.
    pub(crate) fn anything() -> Self {
        Self { published: Box::default(), compiled: Compiled::anything(), aliases: Vec::new(), typed: true }
    }

    /// Creates a schema that accepts everything, but publishes the given `schema` unchanged.
    #[cfg(feature = "actions")]
    pub(crate) fn only_published(schema: &Value) -> Self {
        Self { published: to_raw_value(schema).unwrap_or_default(), ..Self::anything() }
    }

    /// Compiles the schema of a form, which needs no conversion.
    ///
    /// [`elicit::schema`](crate::elicit::schema) creates the schema from known keywords. So the schema should always
    /// compile. If the schema does not compile, the returned `InputSchema` accepts every value, and the answer is
    /// checked only by the function that reads the form.
    pub(crate) fn of_form(schema: &Value) -> Self {
        let compiled = compile::compile(schema, true).unwrap_or_else(|_| Compiled::anything());
        Self { published: Box::default(), compiled, aliases: Vec::new(), typed: false }
    }

    /// Sets aliases of arguments. The published schema does not contain these aliases.
    pub(crate) fn with_aliases(self, aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>) -> Self {
        Self { aliases, ..self }
    }

    /// Declares that the arguments are not deserialized into the schema's types, so that the check is always needed.
    pub(crate) fn untyped(self) -> Self {
        Self { typed: false, ..self }
    }

    /// Returns the schema as `tools/list` shows it.
    pub(crate) fn published(&self) -> &RawValue {
        &self.published
    }

    /// Returns the published schema as a value.
    pub(crate) fn to_value(&self) -> Value {
        serde_json::from_str(self.published.get()).unwrap_or_default()
    }

    /// Returns whether arguments need a check against the schema in addition to their deserialization.
    ///
    /// The deserializer of the author's types rejects values of other types, missing and unknown fields, and integers
    /// out of range. Fixed values (`enum`, `const`) need a check: a unit enum has the same schema as a `String` whose
    /// values the author listed, and the deserializer of a `String` accepts every string. For the names of variants,
    /// see [`surely_fits`](Self::surely_fits). A schema written by hand has no such deserializer, so the check is
    /// always needed.
    pub(crate) fn needs_check(&self) -> bool {
        !self.typed || self.compiled.beyond != Beyond::Nothing
    }

    /// Returns whether these arguments certainly need no check in addition to their deserialization. This is a fast
    /// path for schemas that demand only types and the names of variants.
    pub(crate) fn surely_fits(&self, arguments: &str) -> bool {
        self.typed
            && self.compiled.beyond <= Beyond::Names
            && names::surely_fit(&self.compiled, &self.aliases, arguments)
    }

    /// Checks the arguments of a call, given as JSON text.
    ///
    /// # Errors
    /// Returns all errors of the arguments, described for a model.
    pub(crate) fn check(&self, arguments: &str) -> Result<(), Violations> {
        self.checked(arguments).map(drop)
    }

    /// Checks the arguments of a call, and returns them. Where the schema requires integers, whole numbers are
    /// rewritten first: `1.0` becomes `1`.
    ///
    /// # Errors
    /// Returns all errors of the arguments, described for a model.
    pub(crate) fn checked<'t>(&self, arguments: &'t str) -> Result<Cow<'t, str>, Violations> {
        let (value, has_whole_floats) = read(arguments)?;
        // Checked after rewriting: as floats, the largest integers would be rounded.
        if has_whole_floats && let Some(integers) = self.with_integers(arguments) {
            let (value, _) = read(&integers)?;
            self.hold(value, &integers)?;
            return Ok(Cow::Owned(integers));
        }
        self.hold(value, arguments)?;
        Ok(Cow::Borrowed(arguments))
    }

    /// Checks arguments. `value` is the parsed form of the JSON text `arguments`.
    fn hold<'t>(&'t self, mut value: Instance<'t>, arguments: &str) -> Result<(), Violations> {
        value.rename(&self.aliases);
        // The time to check nested alternatives can grow exponentially, so malicious arguments need a limit.
        let steps = 100_000 + 4 * arguments.len() as u64;
        let mut checker = Checker { schema: &self.compiled, report: CheckReport::new(steps) };
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
        checker.report = CheckReport { purpose: CheckPurpose::Words, ..CheckReport::new(steps) };
        checker.check(Compiled::ROOT, &value, &Path::ROOT);
        let CheckReport { mut lines, mut total, .. } = checker.report;
        if lines.is_empty() {
            lines = foreign.into_iter().map(|(at, what)| foreign_line(&at, &what)).collect();
            total = lines.len();
            lines.truncate(CheckReport::MAX_LINES);
        }
        if lines.is_empty() {
            lines.push("the arguments: too many nested alternatives to check".to_owned());
            total = 1;
        }
        Err(Violations { more: total - lines.len(), lines })
    }
}

/// Converts a schema to a shape that hosts accept, and compiles it.
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

/// Creates an error line from a JSON pointer and a message of the crate `jsonschema`.
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

/// Returns a hash that is equal for equal arguments in any notation, and most likely different for different arguments.
pub(crate) fn fingerprint(arguments: &str, keys: &impl BuildHasher) -> u64 {
    // Text that is not JSON was rejected before.
    Instance::read(arguments).map_or(0, |(value, _)| value.fingerprint(keys))
}

/// All errors of the arguments of a call, one line each.
#[derive(Debug)]
pub(crate) struct Violations {
    lines: Vec<String>,
    /// The number of errors that are not listed.
    more: usize,
}

impl Violations {
    /// Returns the errors, one line each. A line starts with the place of the error and a colon. The place is a path in
    /// backquotes, or the words `the arguments`.
    #[cfg(any(feature = "actions", feature = "plugin"))]
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Replaces each line by the result of `words`. A line starts with the place of the error and a colon. The place is
    /// a path in backquotes, or the words `the arguments`.
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
