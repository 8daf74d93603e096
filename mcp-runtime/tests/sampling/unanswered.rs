//! Models without a reply: the user declines, a timeout, no sampling, or an invalid reply.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use mcp_runtime::{
    Revision,
    sample::{SampleError, SamplingOrder},
    testing::{Client, Reply},
};
use serde_json::{Value, json};

use super::{model::Say, *};

/// Says what came of it, whatever it is.
#[mcp_tool(replayable)]
async fn tell(ctx: &Ctx) -> String {
    match ctx.sample("Say hello.").timeout(Duration::from_secs(60)).await {
        Ok(reply) => reply.text,
        Err(error) => format!("{error:?}"),
    }
}

/// Says whether there is anybody to ask.
#[mcp_tool(read_only)]
async fn can_tell(ctx: &Ctx) -> Text<bool> {
    Text(ctx.can_sample())
}

/// What came of it where it is guaranteed: who gives nothing is not asked again.
#[mcp_tool(replayable)]
async fn tell_sure(ctx: &Ctx) -> String {
    match ctx.sample_schema::<Move>("Your move.").timeout(Duration::from_secs(60)).await {
        Ok(sure) => sure.parsed.cell.to_string(),
        Err(SampleError::Ask(error)) => format!("{error:?}"),
        Err(error) => format!("{error}"),
    }
}

/// Leaves it to whoever called.
#[mcp_tool(replayable)]
async fn leave(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample("Say hello.").timeout(Duration::from_secs(60)).await?.text)
}

/// Asks otherwise each time it is run.
#[mcp_tool(replayable)]
async fn drift(ctx: &Ctx<Ending>, runs: &AtomicU32) -> Result<String> {
    let run = runs.fetch_add(1, Ordering::Relaxed);
    let said = ctx.sample(format!("Say {run}.")).await.map(|reply| reply.text);
    ctx.elicit::<Done>("Done?").strict().await?;
    Ok(format!("{said:?}"))
}

fn server() -> Server {
    Server::new("games", "1").state(AtomicU32::new(0)).tools(tools![tell, can_tell, tell_sure, leave, drift])
}

fn service() -> Service {
    server().build().unwrap()
}

const SESSIONS: [Revision; 4] =
    [Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25];

#[tokio::test]
async fn a_refusal_is_a_value_in_a_session() {
    for revision in SESSIONS {
        let mut client = Client::legacy(&service(), revision);
        for tool in ["tell", "tell_sure"] {
            let told = client.call(tool, ()).refuse(-1, "User rejected sampling request").await;
            assert_eq!(told.text(), r#"Refused { code: -1, message: "User rejected sampling request" }"#);
            assert_eq!(sampled(&told, revision).len(), 1);
        }
        let left = client.call("leave", ()).refuse(-1, "no").await;
        assert!(left.is_error());
        assert_eq!(left.text(), "the client refused: no (code -1)");
    }
}

#[tokio::test(start_paused = true)]
async fn times_out_a_slow_client() {
    for revision in SESSIONS {
        let mut client = Client::legacy(&service(), revision);
        for reply in [Reply::silence(), Reply::sampled("Hello.").after(Duration::from_secs(61))] {
            for tool in ["tell", "tell_sure"] {
                let told = client.call(tool, ()).reply(reply.clone()).await;
                assert_eq!(told.text(), "Timeout(60s)");
            }
        }
        let told = client.call("tell", ()).reply(Reply::sampled("Hello.").after(Duration::from_secs(59))).await;
        assert_eq!(told.text(), "Hello.");
    }
}

/// This client retries without an answer again and again.
#[tokio::test]
async fn accepts_a_missing_reply_the_third_time() {
    for trouble in [false, true] {
        let client = Client::modern(&service());
        let mut client = if trouble { client.rebuilding() } else { client };
        for tool in ["tell", "tell_sure"] {
            let told = client.call(tool, ()).silence().silence().silence().await;
            assert_eq!(told.text(), "Unanswered");
            assert!(told.asked().iter().all(|question| question.key() == "sample"));
        }
        let told = client.call("tell", ()).silence().silence().sampled("Hello.").await;
        assert_eq!(told.text(), "Hello.");
        let left = client.call("leave", ()).silence().silence().silence().await;
        assert_eq!(left.text(), "the client was asked three times and sent no answer");
    }
}

#[tokio::test]
async fn the_provider_answers_for_a_silent_client() {
    for trouble in [false, true] {
        let model = Model::new(Default::default(), [Say::Text("Hello."), Say::Value(json!({ "cell": 4 }))]);
        let service = server().sampling_provider(model.clone()).build().unwrap();
        let client = Client::modern(&service);
        let mut client = if trouble { client.rebuilding() } else { client };
        let told = client.call("tell", ()).silence().silence().silence().await;
        assert_eq!(told.text(), "Hello.");
        let told = client.call("tell_sure", ()).silence().silence().silence().await;
        assert_eq!(told.text(), "4");
        assert_eq!(model.asked().len(), 2);
    }
}

#[tokio::test]
async fn drops_an_answer_that_fails_to_parse() {
    let wrong = [
        json!("Hello."),
        json!({}),
        json!({ "role": "assistant", "model": "m" }),
        json!({ "role": "assistant", "model": "m", "content": 5 }),
        json!({ "role": "assistant", "model": "m", "content": { "type": "text" } }),
        json!({ "role": "assistant", "model": "m", "content": [{ "type": "text", "text": 5 }] }),
        json!({ "role": "assistant", "model": "m", "content": { "type": "tool_use", "id": "1", "name": "x", "input": [] } }),
        json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "x" }, "stopReason": 5 }),
        json!({ "action": "accept", "content": {} }),
    ];
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let mut client = Client::new(&service(), revision);
        for wrong in &wrong {
            let told = client.call("tell", ()).answer(wrong.clone()).await;
            assert!(told.text().starts_with("Invalid("), "{wrong}: {}", told.text());
        }
    }
    let mut client = Client::modern(&service());
    // The newest revision rejects an answer that is not an object.
    for wrong in &wrong[1..] {
        let told = client.call("tell", ()).answer(wrong.clone()).await;
        assert!(told.text().starts_with("Invalid("), "{wrong}: {}", told.text());
    }
}

/// Later revisions may add members.
#[tokio::test]
async fn ignores_unknown_members_of_an_answer() {
    let block =
        |block: Value| json!({ "role": "assistant", "model": "m", "content": block, "stopReason": "odd", "x": {} });
    let text = json!({ "type": "text", "text": "Hello.", "annotations": {}, "_meta": {} });
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        for content in [text.clone(), json!([text]), json!([{ "type": "video", "data": "" }, text])] {
            let told = client.call("tell", ()).answer(block(content)).await;
            assert_eq!(told.text(), "Hello.");
        }
    }
}

#[tokio::test]
async fn the_order_decides_who_is_asked() {
    use SamplingOrder::{ClientFirst, ProviderFirst, ProviderOnly};
    for (order, has_provider, can_sample, by_client) in [
        (ClientFirst, true, true, Some(true)),
        (ClientFirst, true, false, Some(false)),
        (ClientFirst, false, true, Some(true)),
        (ClientFirst, false, false, None),
        (ProviderFirst, true, true, Some(false)),
        (ProviderFirst, true, false, Some(false)),
        (ProviderFirst, false, true, Some(true)),
        (ProviderFirst, false, false, None),
        (ProviderOnly, true, true, Some(false)),
        (ProviderOnly, true, false, Some(false)),
    ] {
        for revision in [Revision::V2024_11_05, Revision::V2025_11_25, Revision::V2026_07_28] {
            let model = Model::new(Default::default(), [Say::Text("By the server.")]);
            let server = server().sampling_order(order);
            let server = if has_provider { server.sampling_provider(model) } else { server };
            let client = Client::new(&server.build().unwrap(), revision);
            let mut client = if can_sample { client } else { client.without_sampling() };
            let call = client.call("tell", ());
            let told = if by_client == Some(true) { call.sampled("By the client.") } else { call }.await;
            let expected = match by_client {
                Some(true) => "By the client.",
                Some(false) => "By the server.",
                None => "Capability(Sampling)",
            };
            assert_eq!(told.text(), expected, "{order:?} {has_provider} {can_sample} {revision}");
            let can_tell = client.call("can_tell", ()).await;
            assert_eq!(can_tell.text(), by_client.is_some().to_string(), "{order:?} {has_provider} {can_sample}");
        }
    }
}

/// The model is asked once more, but not a third time.
#[tokio::test]
async fn reports_a_prompt_that_changes() {
    let mut client = Client::modern(&service()).rebuilding();
    let told = client.call("drift", ()).sampled("0").sampled("1").accept(Done { done: true }).await;
    assert!(told.text().contains(r#"Err(Drifted { key: "sample", part: "message" })"#), "{}", told.text());
}

#[tokio::test]
async fn an_invalid_reply_is_explained_in_words_of_the_protocol() {
    let block = r#"expected a content block, such as `{"type":"text","text":"…"}`, or a list of them"#;
    for (answer, reason) in [
        (json!(null), "invalid type: null, expected an object".to_owned()),
        (json!({ "role": "assistant" }), "missing field `content`".to_owned()),
        (json!({ "content": "hello" }), format!("`content`: invalid type: string \"hello\", {block}")),
        (json!({ "content": null }), format!("`content`: invalid type: null, {block}")),
        (json!({ "content": { "text": "hello" } }), "`content`: missing field `type`".to_owned()),
        (json!({ "content": { "type": "text" } }), "`content`: missing field `text`".to_owned()),
    ] {
        for revision in [Revision::V2025_11_25, Revision::LATEST] {
            // Since 2026-07-28 the request itself is invalid if an answer is not an object.
            if revision.is_modern() && !answer.is_object() {
                continue;
            }
            let mut client = Client::new(&service(), revision);
            let told = client.call("leave", ()).answer(answer.clone()).await;
            let expected = if reason.starts_with('`') {
                format!("the answer does not fit: {reason}")
            } else {
                format!("the answer does not fit: not a `CreateMessageResult`: {reason}")
            };
            assert_eq!(told.text(), expected, "{answer}");
        }
    }
}
