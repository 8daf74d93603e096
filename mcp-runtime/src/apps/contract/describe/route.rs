//! The HTTP routes of methods. Authors can set parts of a route; the other parts depend on the method's name.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::apps::contract::service::Route;

/// The HTTP route of a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HttpRoute {
    /// The verb: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
    pub verb: String,
    /// The path, with the parameters in braces: `/todos/{id}`.
    pub path: String,
    /// The status of a response without an error.
    pub status: u16,
}

/// Returns the route of a method. `fields` are the fields of the method's input.
pub(super) fn of(
    resource: &str,
    method: &str,
    route: Route,
    fields: Option<&Map<String, Value>>,
    has_output: bool,
) -> HttpRoute {
    let has_id = fields.is_some_and(|fields| fields.contains_key("id"));
    let (verb, is_item) = match method {
        "list" => ("GET", None),
        "create" => ("POST", None),
        "get" => ("GET", Some(has_id)),
        "update" => ("PUT", Some(has_id)),
        "patch" => ("PATCH", Some(has_id)),
        "delete" => ("DELETE", Some(has_id)),
        _ => ("POST", Some(false)),
    };
    let path = match (route.path, is_item) {
        (Some(path), _) => path.to_owned(),
        (None, None) => format!("/{resource}"),
        (None, Some(true)) => format!("/{resource}/{{id}}"),
        (None, Some(false)) => format!("/{resource}/{method}"),
    };
    let status = route.status.unwrap_or(match method {
        _ if !has_output => 204,
        "create" => 201,
        _ => 200,
    });
    HttpRoute { verb: route.verb.unwrap_or(verb).to_owned(), path, status }
}

impl HttpRoute {
    /// Returns the names of the parameters in the path, from left to right. For `/todos/{id}`, returns `id`.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
    }

    /// Returns the path with `{}` in place of each parameter. Two paths with the same shape match the same requests.
    pub(crate) fn shape(&self) -> String {
        let segments = self.path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment });
        segments.collect::<Vec<_>>().join("/")
    }
}
