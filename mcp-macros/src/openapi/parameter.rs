//! The parameters of an operation: where they go, and how they are written there.

use serde_json::Value;

use super::{document::Document, names};

/// A parameter, as the request has it.
pub(super) struct Parameter {
    /// The name of the argument.
    pub(super) argument: String,
    /// The name in the request.
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) style: Style,
    pub(super) is_required: bool,
    pub(super) description: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Path,
    Query,
    Header,
}

/// How a list or an object is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Style {
    /// With commas in one text.
    Joined,
    /// With a name for each value: `a=1&a=2`. In a path and a header, only the members of objects differ: `a=1,b=2`.
    Exploded,
    /// An object as `filter[a]=1`.
    Deep,
    /// As JSON.
    Json,
}

impl Place {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
        }
    }
}

/// Reads the parameters of an operation, with their schemas. Reports what is not supported to `reject`.
pub(super) fn parameters<'d>(
    document: &'d Document,
    lists: [&'d Value; 2],
    reject: &mut dyn FnMut(String),
) -> Vec<(Parameter, &'d Value)> {
    let mut found: Vec<(Parameter, &Value)> = Vec::new();
    // Those of the path come first, and those of the operation replace them.
    for listed in lists.iter().filter_map(|list| list.as_array()).flatten() {
        let read = document.resolved(listed).and_then(read);
        match read {
            Ok(Some((parameter, schema))) => {
                let is_same = |known: &Parameter| known.name == parameter.name && known.place == parameter.place;
                match found.iter().position(|(known, _)| is_same(known)) {
                    Some(at) => found[at] = (parameter, schema),
                    None => found.push((parameter, schema)),
                }
            }
            Ok(None) => {}
            Err(problem) => reject(problem),
        }
    }
    found
}

/// Reads a parameter. Returns `None` if it is one that the request has in any case.
fn read(parameter: &Value) -> Result<Option<(Parameter, &Value)>, String> {
    let name = parameter["name"].as_str().ok_or("a parameter has no `name`")?;
    let explode = parameter["explode"].as_bool();
    let style = parameter["style"].as_str();
    let not_supported = |what: &str| Err(format!("the parameter `{name}` is {what}, which is not supported"));
    let (place, style) = match (parameter["in"].as_str().unwrap_or_default(), style) {
        // The request has these in any case.
        ("header", _) if ["accept", "content-type", "authorization"].contains(&name.to_ascii_lowercase().as_str()) => {
            return Ok(None);
        }
        ("path", None | Some("simple")) => (Place::Path, flat(explode.unwrap_or(false))),
        ("header", None | Some("simple")) => (Place::Header, flat(explode.unwrap_or(false))),
        ("query", None | Some("form")) => (Place::Query, flat(explode.unwrap_or(true))),
        ("query", Some("deepObject")) => (Place::Query, Style::Deep),
        ("cookie", _) => return not_supported("a cookie"),
        ("path" | "header" | "query", Some(style)) => return not_supported(&format!("of the style `{style}`")),
        (place, _) => return not_supported(&format!("in `{place}`")),
    };
    let (style, schema) = match parameter["content"].as_object().and_then(|content| content.iter().next()) {
        Some((kind, content)) if kind.starts_with("application/json") => (Style::Json, &content["schema"]),
        Some((kind, _)) => return not_supported(&format!("of the type `{kind}`")),
        None => (style, &parameter["schema"]),
    };
    let argument = names::argument_name(name);
    if argument.is_empty() {
        return not_supported("named with no ASCII letter or digit");
    }
    // A description beside the schema is that of the argument.
    let description = parameter["description"].as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
    let is_required = place == Place::Path || parameter["required"] == true;
    let parameter = Parameter { argument, name: name.to_owned(), place, style, is_required, description };
    Ok(Some((parameter, schema)))
}

/// Returns the style of lists and objects in one text, or with a name for each value.
pub(super) fn flat(explode: bool) -> Style {
    if explode { Style::Exploded } else { Style::Joined }
}
