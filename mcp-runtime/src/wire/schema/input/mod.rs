//! The schema of a tool's arguments: published, checked, and used to read arguments.

mod collisions;
#[cfg(feature = "http")]
mod headers;
pub(crate) mod output;
pub(crate) mod reader;
mod reading;

use std::borrow::Cow;

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use self::reader::TestedReader;
use super::{
    check::{
        Checker,
        violations::{ValuePath, Violation, Violations},
    },
    compile,
    normalize::{Rewrites, normalized},
    parameter::Takes,
    portable::{self, SchemaGap, SchemaStyle},
    refs, shape,
};
use crate::wire::schema::{
    check::{
        defaults, names,
        report::{CheckReport, Path},
    },
    compile::node::{Beyond, Compiled},
    value::instance::Instance,
};

/// How the server publishes input schemas and reads arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputSettings {
    pub(crate) style: SchemaStyle,
    /// Whether a string that contains JSON is read as this JSON, where the schema allows no string.
    pub(crate) reads_json_strings: bool,
}

impl Default for InputSettings {
    fn default() -> Self {
        Self { style: SchemaStyle::Portable, reads_json_strings: true }
    }
}

/// The schema of a tool's arguments, in its published and its compiled form.
#[derive(Debug)]
pub(crate) struct InputSchema {
    /// The published schema as text. The server only sends it, and a `Value` would need many times as much memory.
    pub(crate) published: Box<RawValue>,
    pub(crate) compiled: Compiled,
    pub(crate) aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// Whether the arguments are deserialized after the check, into the types from which the schema was generated.
    typed: bool,
    /// Whether the deserializer rejects every name that the schema does not list.
    rejects_unknown_names: bool,
    rewrites: Rewrites,
    /// What the published schema cannot say.
    pub(crate) gaps: Vec<SchemaGap>,
}

impl InputSchema {
    /// Compiles and checks the schema of a tool's arguments, and creates its published form. If the schema was generated
    /// from Rust types, also tests whether generated arguments can be deserialized into these types.
    ///
    /// # Errors
    /// Returns all problems, as messages for the author.
    pub(crate) fn of_tool(schema: Value, takes: Option<Takes>, settings: InputSettings) -> Result<Self, Vec<String>> {
        let (schema, mut compiled) = shaped(schema)?;
        let mut problems: Vec<_> = defaults::unfit(&compiled).collect();
        compiled.defaults = Vec::new();
        collisions::find(&schema, takes.is_some(), &mut problems);
        let takes = takes.filter(|_| problems.is_empty());
        let tested = takes.map_or(Ok(TestedReader::default()), |takes| reader::tested(&schema, takes));
        let tested = tested.unwrap_or_else(|problem| {
            problems.push(problem);
            TestedReader::default()
        });
        if let Some(completed) = tested.completed {
            compiled = compile::compile(&completed, true)?;
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let rejects_unknown_names = tested.rejects_unknown_names;
        Ok(Self { rejects_unknown_names, ..Self::of_portable(schema, settings, compiled) })
    }

    /// Creates the schema of a tool that checks its arguments itself: the schema accepts everything. The published form
    /// of `schema` is created as for other tools.
    pub(crate) fn unchecked(schema: Value, settings: InputSettings) -> Self {
        let gaps = Vec::new();
        Self { gaps, ..Self::of_portable(schema, settings, Compiled::anything()) }
    }

    /// Creates the schema of a tool whose arguments another server checks: the schema accepts everything, and is published
    /// unchanged.
    ///
    /// # Errors
    /// Returns the reason why clients would reject the schema.
    pub(crate) fn passed_on(schema: &Value) -> Result<Self, String> {
        if schema.get("type").is_none_or(|name| name != "object") {
            return Err("the root must have `\"type\": \"object\"`: arguments are always an object".to_owned());
        }
        let published = to_raw_value(schema).map_err(|error| error.to_string())?;
        Ok(Self { published, ..Self::anything() })
    }

    fn of_portable(mut schema: Value, settings: InputSettings, compiled: Compiled) -> Self {
        shape::replace_number_formats(&mut schema);
        let portable::PortableSchema { schema, gaps } = portable::published(&schema, settings.style);
        let published = to_raw_value(&schema).unwrap_or_default();
        Self { published, rewrites: Rewrites::of(settings.reads_json_strings), gaps, ..Self::of(compiled) }
    }

    /// Compiles the schema. The published schema is as exact as the compiled one.
    ///
    /// # Errors
    /// Returns all problems, as messages for the author.
    pub(crate) fn new(schema: Value) -> Result<Self, Vec<String>> {
        let (mut schema, compiled) = shaped(schema)?;
        shape::replace_number_formats(&mut schema);
        let published = to_raw_value(&schema).map_err(|error| vec![error.to_string()])?;
        Ok(Self { published, ..Self::of(compiled) })
    }

    /// Creates a schema that publishes nothing.
    fn of(compiled: Compiled) -> Self {
        let (published, rewrites) = (Box::default(), Rewrites::ALL);
        let (aliases, gaps) = (Vec::new(), Vec::new());
        Self { published, compiled, aliases, typed: true, rejects_unknown_names: false, rewrites, gaps }
    }

    /// Compiles the schema and publishes it unchanged.
    ///
    /// # Errors
    /// Returns all problems, as messages for the author.
    pub(crate) fn verbatim(schema: &Value, settings: InputSettings) -> Result<Self, Vec<String>> {
        let compiled = compile::compile(schema, true)?;
        let unfit: Vec<_> = defaults::unfit(&compiled).collect();
        if !unfit.is_empty() {
            return Err(unfit);
        }
        if schema.get("type").is_none_or(|name| name != "object") {
            return Err(vec!["the root must have `\"type\": \"object\"`: arguments are always an object".to_owned()]);
        }
        let published = to_raw_value(schema).map_err(|error| vec![error.to_string()])?;
        let gaps = portable::gaps_of_verbatim(schema);
        Ok(Self {
            published,
            typed: false,
            rewrites: Rewrites::of(settings.reads_json_strings),
            gaps,
            ..Self::of(compiled)
        })
    }

    /// Creates a schema that accepts everything.
    pub(crate) fn anything() -> Self {
        Self::of(Compiled::anything())
    }

    /// Compiles the schema of a form, which needs no conversion.
    ///
    /// [`elicit::schema`](crate::engine::elicit::schema) creates the schema from known keywords. So the schema should always
    /// compile. If the schema does not compile, the returned `InputSchema` accepts every value, and the answer is
    /// checked only by the function that reads the form.
    pub(crate) fn of_form(schema: &Value) -> Self {
        let compiled = compile::compile(schema, true).unwrap_or_else(|_| Compiled::anything());
        Self { typed: false, rewrites: Rewrites::INTEGERS, ..Self::of(compiled) }
    }

    /// Sets aliases of arguments. The published schema does not contain these aliases.
    pub(crate) fn with_aliases(self, aliases: Vec<(Cow<'static, str>, Cow<'static, str>)>) -> Self {
        Self { aliases, ..self }
    }

    /// Declares that the arguments are not deserialized into the schema's types, so that the check is always needed.
    pub(crate) fn untyped(self) -> Self {
        Self { typed: false, ..self }
    }

    /// Returns whether a string that contains JSON is read as this JSON, where the schema allows no string.
    pub(crate) fn reads_json_strings(&self) -> bool {
        self.rewrites.json_strings
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
        let only_names = self.typed && self.compiled.beyond <= Beyond::Names;
        // serde reads the variant `Red` from `"Red"` and from `{"Red":null}`, and the schema allows only the first.
        let has_null = || memchr::memmem::find(arguments.as_bytes(), b"null").is_some();
        let only_listed = || self.rejects_unknown_names && !has_null();
        only_names && (only_listed() || names::surely_fit(&self.compiled, &self.aliases, arguments))
    }

    /// Checks the arguments of a call, given as JSON text.
    ///
    /// # Errors
    /// Returns all errors of the arguments, described for a model.
    pub(crate) fn check(&self, arguments: &str) -> Result<(), Violations> {
        self.checked(arguments).map(drop)
    }

    /// Checks the arguments of a call, and returns them in a form that the schema allows: [normalized](Self::normalized)
    /// if the arguments as they are do not fit.
    ///
    /// # Errors
    /// Returns all errors of the arguments, described for a model. They show the values that the model sent.
    pub(crate) fn checked<'t>(&self, arguments: &'t str) -> Result<Cow<'t, str>, Violations> {
        self.checked_with(arguments, self.reads_json_strings())
    }

    /// Checks arguments like [`checked`](Self::checked), but with the server's setting for JSON in strings.
    ///
    /// # Errors
    /// Returns all errors of the arguments, described for a model.
    pub(crate) fn checked_with<'t>(
        &self,
        arguments: &'t str,
        reads_json_strings: bool,
    ) -> Result<Cow<'t, str>, Violations> {
        let (value, has_whole_floats) = read(arguments)?;
        // With whole floats, the normalized text is checked, because the largest integers would be rounded as floats.
        let violations = if has_whole_floats { None } else { Some(self.hold(value, arguments)) };
        if let Some(Ok(())) = violations {
            return Ok(Cow::Borrowed(arguments));
        }
        let sent = || violations.unwrap_or_else(|| read(arguments).and_then(|(value, _)| self.hold(value, arguments)));
        let rewrites = Rewrites { json_strings: reads_json_strings, ..self.rewrites };
        let Some(text) = normalized(&self.compiled, &self.aliases, arguments, rewrites) else {
            return sent().map(|()| Cow::Borrowed(arguments));
        };
        let (value, _) = read(&text)?;
        match (self.hold(value, &text), sent) {
            (Ok(()), _) => Ok(Cow::Owned(text)),
            (Err(violations), sent) => Err(match sent() {
                Err(sent) => violations.in_words_of(&sent),
                Ok(()) => violations,
            }),
        }
    }

    /// Rewrites arguments that mean the right thing in a form that the schema does not allow, such as `null` for a
    /// property that can be left out. Returns `None` if nothing changes. See the module [`normalize`](super::normalize).
    #[cold]
    pub(crate) fn normalized(&self, text: &str) -> Option<String> {
        normalized(&self.compiled, &self.aliases, text, self.rewrites)
    }

    /// Checks arguments. `value` is the parsed form of the JSON text `arguments`.
    pub(crate) fn hold<'t>(&'t self, mut value: Instance<'t>, arguments: &str) -> Result<(), Violations> {
        value.rename(&self.aliases);
        // The time to check nested alternatives can grow exponentially, so malicious arguments need a limit. The limit also
        // protects what runs next: the deserializer of a recursive untagged enum takes exponential time too.
        let steps = 100_000 + 4 * arguments.len() as u64;
        let mut checker = Checker { schema: &self.compiled, report: CheckReport::new(steps) };
        checker.check(Compiled::ROOT, &value, &Path::ROOT);
        if checker.report.steps == 0 {
            return Err(Violations::one(too_many_alternatives()));
        }
        let fits = checker.report.score == 0;
        let foreign = self.compiled.whole.as_ref().map(|whole| whole.errors(arguments)).unwrap_or_default();
        if fits && foreign.is_empty() {
            return Ok(());
        }
        let mut violations = Checker::errors(&self.compiled, Compiled::ROOT, &value, steps).violations;
        if violations.listed.is_empty() {
            for (at, what) in foreign {
                if violations.has_room() {
                    violations.list(Violation { place: ValuePath::of_pointer(&at), what });
                }
            }
        }
        Err(if violations.listed.is_empty() { Violations::one(too_many_alternatives()) } else { violations })
    }
}

fn too_many_alternatives() -> Violation {
    Violation::of_whole("too many nested alternatives to check")
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

pub(crate) fn read(arguments: &str) -> Result<(Instance<'_>, bool), Violations> {
    let unread = |reason| Violations::one(Violation::of_whole(format!("not valid JSON: {reason}")));
    Instance::read(arguments).map_err(unread)
}
