//! Sends a request body to the server and receives its answer.

use reqwest::{Client, Response, Url, header};
use serde_json::Value;

use super::{
    dialect::Dialect,
    failure::{Failure, Refusal},
    secrets::Secrets,
};
use crate::{
    base::{backoff, error::chain},
    engine::call::observer::{Observer as _, observer},
};

/// The longest accepted answer, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;

pub(super) struct ModelExchange<'a> {
    pub(super) client: &'a Client,
    pub(super) url: Url,
    pub(super) dialect: Dialect,
    pub(super) secrets: Secrets<'a>,
    pub(super) retries: u32,
}

impl ModelExchange<'_> {
    /// Sends `body` and returns the server's answer. Retries as configured.
    pub(super) async fn post(&self, body: &Value) -> Result<Vec<u8>, Failure> {
        let body = body.to_string();
        let mut tries = 1;
        loop {
            let failure = match self.once(body.clone()).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure.after(tries),
            };
            if tries > self.retries || !failure.is_temporary() {
                return Err(failure);
            }
            let Some(delay) = backoff::delay(tries, failure.retry_after()) else { return Err(failure) };
            observer().chat_retried(&failure.kind(), delay);
            tokio::time::sleep(delay).await;
            tries += 1;
        }
    }

    async fn once(&self, body: String) -> Result<Vec<u8>, Failure> {
        let request = self.client.post(self.url.clone()).header(header::CONTENT_TYPE, "application/json");
        let request = self.dialect.authorize(request, self.secrets.key).body(body);
        let response = request.send().await.map_err(|error| self.lost(error))?;
        let (status, retry_after) = (response.status(), backoff::retry_after(response.headers()));
        let answer = self.whole(response).await;
        if status.is_success() {
            return answer;
        }
        // The status is enough if the body is lost.
        let answer = answer.unwrap_or_default();
        let (said, code) = said(&answer);
        let said = self.secrets.quote(&said);
        Err(Failure::Refused(Box::new(Refusal { status: status.as_u16(), said, code, retry_after, tries: 1 })))
    }

    async fn whole(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let mut answer = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.lost(error))? {
            if answer.len() + chunk.len() > MAX_BYTES {
                return Err(Failure::InvalidReply(format!("its answer is longer than {} MB", MAX_BYTES / 1024 / 1024)));
            }
            answer.extend_from_slice(&chunk);
        }
        Ok(answer)
    }

    fn lost(&self, error: reqwest::Error) -> Failure {
        let (connecting, error) = (error.is_connect(), error.without_url());
        let problem = self.secrets.quote(&chain(&error));
        if connecting {
            Failure::Unreachable { problem, tries: 1 }
        } else {
            Failure::ConnectionLost { problem, tries: 1 }
        }
    }
}

/// Returns the message and the code of an error answer. Each server has its own format.
fn said(answer: &[u8]) -> (String, Option<String>) {
    let Ok(json) = serde_json::from_slice::<Value>(answer) else {
        return (String::from_utf8_lossy(answer).into_owned(), None);
    };
    let text = |pointer| json.pointer(pointer).and_then(Value::as_str);
    let places = ["/error/message", "/error", "/message", "/detail"];
    let said = places.into_iter().find_map(text).map_or_else(|| json.to_string(), str::to_owned);
    let code = text("/error/code").or_else(|| text("/error/type")).map(str::to_owned);
    (said, code)
}
