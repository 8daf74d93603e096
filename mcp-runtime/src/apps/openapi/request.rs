//! The request of a call: where its arguments go.

use form_urlencoded::Serializer;
use reqwest::{
    Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use serde_json::{Map, Value};

use super::{
    table::{ApiBody, ApiBodyArguments, ApiBodyKind, ApiOperation, ApiParameter, ApiPlace, ApiStyle},
    write::{encoded, encoded_pairs, joined, pairs},
};

/// A request without credentials.
pub(super) struct ApiRequest {
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<String>,
}

impl ApiRequest {
    /// Makes a request from the arguments, which fit the schema.
    ///
    /// # Errors
    /// If an argument cannot be sent. The error is a message for the model.
    pub(super) fn new(base: &Url, operation: &ApiOperation, mut arguments: Map<String, Value>) -> Result<Self, String> {
        let mut path = operation.path.to_owned();
        let mut query = Vec::new();
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(operation.accept));
        for ApiParameter { argument, name, place, style } in operation.parameters {
            let value = arguments.remove(*argument).unwrap_or_default();
            match place {
                ApiPlace::Path if value.is_null() => {
                    return Err(format!("`{argument}` is null, which cannot be a part of a path"));
                }
                _ if value.is_null() => {}
                ApiPlace::Path => {
                    let text = joined(&value, *style, encoded);
                    // A URL that contains one of these leads to another operation.
                    if matches!(text.as_str(), "" | "." | "..") {
                        return Err(format!("`{argument}` is `{text}`, which cannot be a part of a path"));
                    }
                    path = path.replace(&format!("{{{name}}}"), &text);
                }
                ApiPlace::Query => query.extend(encoded_pairs(name, &value, *style)),
                ApiPlace::Header => {
                    let value = HeaderValue::try_from(joined(&value, *style, str::to_owned));
                    let (Ok(name), Ok(value)) = (HeaderName::try_from(*name), value) else {
                        return Err(format!("`{argument}` contains characters that a header cannot have"));
                    };
                    headers.insert(name, value);
                }
            }
        }
        let mut url = base.clone();
        url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
        let query = query.join("&");
        url.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
        let body = operation.body.as_ref().and_then(|body| written(body, arguments));
        if let (Some(body), Some(_)) = (&operation.body, &body) {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(body.media_type));
        }
        Ok(Self { url, headers, body })
    }
}

/// Writes the body. Returns `None` if there is none.
fn written(body: &ApiBody, mut arguments: Map<String, Value>) -> Option<String> {
    let value = match body.arguments {
        ApiBodyArguments::Whole(argument) => arguments.remove(argument)?,
        ApiBodyArguments::Members(names) => {
            arguments.retain(|name, _| names.contains(&name.as_str()));
            if arguments.is_empty() && !body.is_required {
                return None;
            }
            Value::Object(arguments)
        }
    };
    Some(match (body.kind, &value) {
        (ApiBodyKind::Form, Value::Object(members)) => {
            let mut form = Serializer::new(String::new());
            for (name, value) in members {
                let style = body.styles.iter().find(|(member, _)| member == name);
                form.extend_pairs(pairs(name, value, style.map_or(ApiStyle::Exploded, |(_, style)| *style)));
            }
            form.finish()
        }
        (ApiBodyKind::Text, Value::String(text)) => text.clone(),
        _ => value.to_string(),
    })
}
