//! The HTTP routes of methods. Authors can set parts of a route; the other parts depend on the method's name.

use serde_json::{Map, Value};

use super::{
    descriptor::{Descriptor, HttpRoute, MethodDescriptor, ResourceDescriptor},
    resource::Route,
};

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
    pub(super) fn shape(&self) -> String {
        let segments = self.path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment });
        segments.collect::<Vec<_>>().join("/")
    }
}

/// Returns an error message for each route that two methods share, and for each path parameter that is not a field of
/// the method's input.
pub(super) fn problems(descriptor: &Descriptor) -> Vec<String> {
    let mut taken: Vec<(&str, String, String)> = Vec::new();
    let mut problems = Vec::new();
    for (resource, method) in methods(descriptor) {
        let (name, route) = (format!("{}.{}", resource.name, method.name), &method.http);
        let fields = descriptor.fields(method);
        for parameter in route.parameters().filter(|name| !fields.is_some_and(|fields| fields.contains_key(*name))) {
            problems.push(format!(
                "method `{name}`: the path `{}` has `{{{parameter}}}`, but the input has no field `{parameter}`; add \
                 it, or change the path: `#[method(path = \"…\")]`",
                route.path
            ));
        }
        let shape = route.shape();
        match taken.iter().find(|(verb, other, _)| *verb == route.verb && *other == shape) {
            Some((.., other)) => problems.push(format!(
                "the methods `{other}` and `{name}` both have the route `{} {}`; change one: `#[method(path = \"…\")]`",
                route.verb, route.path
            )),
            None => taken.push((&route.verb, shape, name)),
        }
    }
    problems
}

fn methods(descriptor: &Descriptor) -> impl Iterator<Item = (&ResourceDescriptor, &MethodDescriptor)> {
    descriptor.resources.iter().flat_map(|resource| resource.methods.iter().map(move |method| (resource, method)))
}
