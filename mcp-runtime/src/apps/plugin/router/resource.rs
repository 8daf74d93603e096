//! Resources for a page. The user of the page reads them as an MCP client of this user would.

use std::convert::Infallible;

use axum::http::Uri;
use percent_encoding::percent_decode_str;
use serde_json::{Value, value::RawValue};

use super::error::RouterError;
use crate::{
    apps::plugin::host::PluginHost,
    engine::call::Principal,
    serve::client::{AnswersQuestions, ClientReply, ClientRequest, Question, RoundInput, ServerNotification},
    wire::protocol::text::shortened,
};

/// Returns the parameter `uri` of the query.
pub(super) fn uri_of(request: &Uri) -> Result<String, RouterError> {
    let query = request.query().unwrap_or_default();
    let uri = query.split('&').find_map(|pair| pair.strip_prefix("uri=")).filter(|uri| !uri.is_empty());
    let uri = uri.ok_or_else(|| RouterError::Unreadable("the query lacks `uri`".to_owned()))?;
    let uri = percent_decode_str(uri).decode_utf8();
    uri.map(Into::into)
        .map_err(|error| RouterError::Unreadable(format!("the `uri` of the query is not UTF-8: {error}")))
}

/// Returns the result of `resources/read`. Dropping the future cancels the request, because the page does not wait any
/// more.
pub(super) async fn read(host: &PluginHost, user: Principal, uri: &str) -> Result<Box<RawValue>, RouterError> {
    if host.server().0.find_resource(uri).is_none() {
        return Err(RouterError::UnknownResource(shortened(uri).into_owned()));
    }
    let request = ClientRequest::Resource { uri: uri.to_owned() };
    match host.0.client.exchange(request, RoundInput::default(), Some(user), &mut NobodyAnswers).await {
        Ok(ClientReply::Result(result)) => result.into_json().map_err(|_| RouterError::ResourceFailed),
        Ok(ClientReply::Refused(error, status)) => Err(RouterError::Refused(error.message, status)),
        Ok(ClientReply::Asks(..)) => Err(RouterError::ResourceAsks(shortened(uri).into_owned())),
        Err(_) => Err(RouterError::ResourceFailed),
    }
}

/// Nobody answers questions of a resource, and nothing shows its notifications.
struct NobodyAnswers;

impl AnswersQuestions for NobodyAnswers {
    type Stop = Infallible;

    async fn answer(&mut self, _: &Question) -> Result<Option<Value>, Infallible> {
        Ok(None)
    }

    fn notice(&mut self, _: ServerNotification) {}
}
