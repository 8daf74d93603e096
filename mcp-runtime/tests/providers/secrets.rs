//! Errors contain no key.

use mcp_runtime::{providers::Model, sample::SamplingRequest};
use serde_json::json;
use wiremock::ResponseTemplate;

use crate::providers::support::*;

#[tokio::test]
async fn hides_a_key_that_the_server_repeats() {
    let repeated = format!("your key {KEY}, Bearer {KEY}, sk-test-01*****cdef");
    for answer in [
        status(403, json!({ "error": { "message": repeated } })),
        status(400, json!({ "headers": { "authorization": format!("Bearer {KEY}") } })),
        status(429, json!({ "error": { "message": repeated, "code": KEY } })),
        status(500, json!({ "error": repeated })),
        ResponseTemplate::new(404).set_body_string(repeated.clone()),
        // The limit would cut the key in the middle.
        ResponseTemplate::new(400).set_body_string(format!("{} {KEY}", "x".repeat(290))),
        ResponseTemplate::new(200).set_body_string(repeated.clone()),
        ok(json!({ "error": { "message": repeated } })),
        ok(json!({ "choices": repeated })),
    ] {
        let server = server(answer).await;
        for model in
            [openai(&server), anthropic(&server), compatible(&server).api_key(KEY), ollama(&server).api_key(KEY)]
        {
            let model = model.retries(0);
            failed(&model).await;
            let error = sample(&model, &SamplingRequest::new("hi", 9)).await.unwrap_err();
            assert!(!format!("{error:?}").contains(&KEY[..8]), "{error:?}");
        }
    }
}

#[test]
fn debug_output_of_a_model_hides_its_key() {
    for model in
        [Model::openai("m"), Model::anthropic("m"), Model::ollama("m"), Model::openai_compatible("http://h", "m")]
    {
        let shown = format!("{:?} {:#?}", model.clone().api_key(KEY), model.api_key(KEY));
        assert!(shown.contains("***") && !shown.contains(&KEY[..6]), "{shown}");
    }
}
