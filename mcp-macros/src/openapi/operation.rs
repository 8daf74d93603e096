//! One operation of the document, as the table has it.

use serde_json::Value;

use super::{
    body::{self, BodyKind},
    document::{self, Document},
    input,
    parameter::{self, Parameter, Place, Style},
    response,
    security::{self, Scheme},
    text::{self, LONGEST_OF_TOOL},
};

/// An operation that the author has chosen.
pub(super) struct Operation {
    /// The `operationId`, if it has one.
    pub(super) id: Option<String>,
    /// The name of the tool.
    pub(super) name: String,
    pub(super) description: String,
    /// The method in capitals.
    pub(super) method: String,
    pub(super) path: String,
    /// The URL of its own server.
    pub(super) own_server: Option<String>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Option<RequestBody>,
    pub(super) accept: String,
    pub(super) input: Value,
    pub(super) output: Option<Value>,
    pub(super) redirects: bool,
    pub(super) security: Vec<Vec<usize>>,
}

pub(super) struct RequestBody {
    pub(super) kind: BodyKind,
    pub(super) media_type: String,
    pub(super) is_required: bool,
    /// The styles of members of a form that are not written as most are.
    pub(super) styles: Vec<(String, Style)>,
    pub(super) members: Option<Vec<String>>,
    pub(super) argument: String,
}

/// An operation where it stands in the document.
pub(super) struct Found<'d> {
    /// The `operationId`, if it has one.
    pub(super) id: Option<&'d str>,
    /// The method and the path: `GET /pets/{id}`.
    pub(super) place: String,
    pub(super) method: &'static str,
    pub(super) path: &'d str,
    /// The object with the operations of the path.
    pub(super) item: &'d Value,
    pub(super) value: &'d Value,
    /// The name of the tool.
    pub(super) name: String,
}

const METHODS: [(&str, &str); 7] = [
    ("get", "GET"),
    ("put", "PUT"),
    ("post", "POST"),
    ("delete", "DELETE"),
    ("patch", "PATCH"),
    ("head", "HEAD"),
    ("options", "OPTIONS"),
];

/// Returns the operations of the document, in its order. Other members of a path, such as callbacks, are not operations.
/// Reports each path whose operations are not in the document to `reject`.
pub(super) fn operations<'d>(document: &'d Document, reject: &mut dyn FnMut(&str, String)) -> Vec<Found<'d>> {
    let paths = document.root()["paths"].as_object();
    let mut found = Vec::new();
    let mut taken = Default::default();
    for (path, item) in paths.into_iter().flatten() {
        let item = match document.resolved(item) {
            Ok(item) => item,
            Err(problem) => {
                reject(path, problem);
                continue;
            }
        };
        for (key, value) in item.as_object().into_iter().flatten() {
            let Some((_, method)) = METHODS.iter().find(|(known, _)| known == key) else { continue };
            let id = value["operationId"].as_str().filter(|id| !id.is_empty());
            let place = format!("{method} {path}");
            // Of all operations, so that the name does not depend on the choice.
            let name = super::names::unique(&super::names::tool_name(id.unwrap_or(&place)), &mut taken);
            found.push(Found { id, place, method, path, item, value, name });
        }
    }
    found
}

impl Operation {
    pub(super) fn is_named(&self, text: &str) -> bool {
        self.id.as_deref() == Some(text) || format!("{} {}", self.method, self.path) == text
    }
}

impl<'d> Found<'d> {
    /// Returns the text with which an author names the operation.
    pub(super) fn named(&self) -> &str {
        self.id.unwrap_or(&self.place)
    }

    pub(super) fn is_named(&self, text: &str) -> bool {
        self.id == Some(text) || self.place == text
    }

    pub(super) fn has_tag(&self, tag: &str) -> bool {
        self.value["tags"].as_array().is_some_and(|tags| tags.iter().any(|known| known == tag))
    }

    /// Reads the operation.
    ///
    /// # Errors
    /// Returns everything in it that is not supported.
    pub(super) fn read(&self, document: &'d Document, schemes: &[Scheme]) -> Result<Operation, Vec<String>> {
        let mut problems = Vec::new();
        let mut parameters =
            parameter::parameters(document, [&self.item["parameters"], &self.value["parameters"]], &mut |problem| {
                problems.push(problem);
            });
        for name in places_in(self.path) {
            let is_declared =
                |(parameter, _): &(Parameter, _)| parameter.place == Place::Path && parameter.name == name;
            if problems.is_empty() && !parameters.iter().any(is_declared) {
                problems.push(format!("its path has `{{{name}}}`, and no parameter in the path is named so"));
            }
        }
        let own_server = self.own_server(document).map_err(|problem| problems.push(problem)).ok().flatten();
        let mut rejected = |problem| problems.push(problem);
        let security = security::alternatives(document, self.value, schemes).map_err(&mut rejected);
        // The credential has the place of such a parameter.
        let credentials = || security.iter().flatten().flatten().map(|scheme| &schemes[*scheme].kind);
        parameters.retain(|(parameter, _)| !credentials().any(|kind| kind.is_sent_as(parameter)));
        let body = body::body(document, self.value).map_err(&mut rejected).ok().flatten();
        let input = input::input(document, &mut parameters, body.as_ref(), self.path).map_err(&mut rejected);
        let response = response::response(document, self.value).map_err(&mut rejected);
        let (Ok(input), Ok(response), Ok(security), true) = (input, response, security, problems.is_empty()) else {
            return Err(problems);
        };
        let body = body.map(|body| RequestBody {
            kind: body.kind,
            media_type: body.media_type,
            is_required: body.is_required,
            styles: body.styles,
            members: input.members,
            argument: input.body_argument,
        });
        Ok(Operation {
            id: self.id.map(str::to_owned),
            name: self.name.clone(),
            description: self.description(),
            method: self.method.to_owned(),
            path: self.path.to_owned(),
            own_server,
            parameters: parameters.into_iter().map(|(parameter, _)| parameter).collect(),
            body,
            accept: response.accept,
            input: input.schema,
            // An answer to `HEAD` has no body, also if the document repeats that of `GET`.
            output: response.schema.filter(|_| self.method != "HEAD"),
            redirects: response.redirects,
            security,
        })
    }

    /// Returns the URL of the first of its own `servers`, unless it is that of the document.
    ///
    /// # Errors
    /// Fails if it is relative.
    fn own_server(&self, document: &Document) -> Result<Option<String>, String> {
        let Some(own) = self.value.get("servers").or(self.item.get("servers")).map(|servers| &servers[0]) else {
            return Ok(None);
        };
        let of_document = &document.root()["servers"][0];
        if own.is_null() || own["url"] == of_document["url"] {
            return Ok(None);
        }
        match document::whole_url(own) {
            Some(url) => Ok(Some(url)),
            None => {
                let url = own["url"].as_str().unwrap_or_default();
                Err(format!(
                    "it has a server of its own with the URL `{url}`, which does not begin with `https://` or `http://`"
                ))
            }
        }
    }

    /// Returns the summary and the description. A text that repeats the other one is left out.
    fn description(&self) -> String {
        let [summary, description] = ["summary", "description"]
            .map(|key| text::plain(self.value[key].as_str().unwrap_or_default(), LONGEST_OF_TOOL));
        let is_repeated = description.to_lowercase().starts_with(summary.trim_end_matches('.').to_lowercase().as_str());
        let text = match (summary.is_empty(), description.is_empty()) {
            (false, false) if !is_repeated => {
                let end = if summary.ends_with(['.', '!', '?', '…']) { "" } else { "." };
                format!("{summary}{end}\n{description}")
            }
            (false, true) => summary,
            _ => description,
        };
        let deprecated = if self.value["deprecated"] == true { "Deprecated. " } else { "" };
        let text = if text.is_empty() { format!("Sends `{}`.", self.place) } else { text };
        text::plain(&format!("{deprecated}{text}"), LONGEST_OF_TOOL)
    }
}

/// Returns the names in braces.
fn places_in(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name)
}
