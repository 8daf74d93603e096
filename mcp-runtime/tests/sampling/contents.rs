//! Content other than text in messages and replies, in each revision.

use mcp_runtime::{
    Revision,
    sample::{Messages, ModelPreferences, Sampled, SamplingContent, StopReason, ToolUse},
    testing::{Client, Reply, in_every_mode},
};
use serde_json::{Value, json};

use super::*;

/// Says all there is to say.
#[mcp_tool(replayable)]
async fn all(ctx: &Ctx) -> Result<String> {
    let messages = Messages::new()
        .user([
            Content::text("Look and listen."),
            Content::image(b"\x89PNG", "image/png"),
            Content::audio(b"RIFF", "audio/wav"),
        ])
        .assistant("A cat.")
        .user(vec![Content::text("Which breed?"), Content::text("Be honest.")]);
    let preferences = ModelPreferences::new().hint("haiku").hint("mini").cost(2.0).speed(-1.0).intelligence(f64::NAN);
    let reply = ctx
        .sample(messages)
        .system("You know cats.")
        .max_tokens(7)
        .temperature(0.5)
        .stop_sequences(["\n", "END"])
        .model(preferences)
        .await?;
    let kinds: Vec<_> = reply.content.iter().map(kind).collect();
    let stopped = reply.stop_reason.map(|reason| reason.to_string());
    Ok(format!("{} | {} | {} | {stopped:?}", reply.text, kinds.join(" "), reply.model))
}

fn kind(part: &SamplingContent) -> String {
    match part {
        SamplingContent::Text(_) => "text".to_owned(),
        SamplingContent::Image { mime_type, .. } | SamplingContent::Audio { mime_type, .. } => mime_type.clone(),
        other => format!("{other:?}"),
    }
}

/// Goes on after calls, whatever they gave.
#[mcp_tool(replayable)]
async fn go_on(ctx: &Ctx, again: bool) -> Result<String> {
    let messages = Messages::from("Choose.");
    let chosen = ctx.sample(messages.clone()).tools::<Strategy>().await?;
    let results = chosen.calls.iter().enumerate().map(|(index, call)| match index {
        0 => call.tool_use.result(Json(json!({ "taken": true }))),
        1 => call.tool_use.result([Content::text("A picture:"), Content::image(b"\x89PNG", "image/png")]),
        _ => call.tool_use.error("taken already"),
    });
    let messages = messages.answered(&chosen.reply, results)?.user("And now?");
    let ask = ctx.sample(messages);
    if again { Ok(ask.tools::<Strategy>().await?.reply.text) } else { Ok(ask.await?.text) }
}

fn server() -> Server {
    Server::new("games", "1").tools(tools![all, go_on])
}

#[tokio::test]
async fn sends_all_content_in_one_question_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let told = client.call("all", ()).sampled("Siamese.").await;
        assert_eq!(told.text(), r#"Siamese. | text | scripted | Some("endTurn")"#);
        let asked = sampled(&told, mode.revision());
        let params = asked[0].params();
        assert_eq!(params["modelPreferences"]["costPriority"], 1.0);
        assert_eq!(params["modelPreferences"]["speedPriority"], 0.0);
        assert_eq!(params["modelPreferences"]["intelligencePriority"], 0.0);
        assert_eq!(params["modelPreferences"]["hints"], json!([{ "name": "haiku" }, { "name": "mini" }]));
        assert_eq!((&params["temperature"], &params["maxTokens"]), (&json!(0.5), &json!(7)));
        assert_eq!(params["stopSequences"], json!(["\n", "END"]));
        assert_eq!(params["systemPrompt"], "You know cats.");
    });
}

#[tokio::test]
async fn describes_unsupported_content_in_words() {
    for revision in Revision::ALL {
        let mut client = Client::new(&server().build().unwrap(), revision);
        let told = client.call("all", ()).sampled("Siamese.").await;
        let asked = sampled(&told, revision);
        let messages = asked[0].params()["messages"].as_array().unwrap();
        let kinds: Vec<_> =
            messages.iter().map(|message| message["content"]["type"].as_str().unwrap_or("several")).collect();
        match revision {
            Revision::V2024_11_05 => {
                assert_eq!(kinds, ["text", "image", "text", "text", "text", "text"]);
                let sound = "[a sound of the type audio/wav, which cannot be sent here]";
                assert_eq!(messages[2]["content"]["text"], sound);
            }
            Revision::V2025_03_26 | Revision::V2025_06_18 => {
                assert_eq!(kinds, ["text", "image", "audio", "text", "text", "text"]);
            }
            _ => assert_eq!(kinds, ["several", "text", "several"]),
        }
    }
}

#[tokio::test]
async fn continues_a_conversation_after_calls_in_every_mode() {
    in_every_mode!(|mode| {
        for again in [false, true] {
            let mut client = mode.client(server);
            let calls = Reply::sampled_tool("wait", ()).and_tool("wait", ()).and_tool("attack", json!({ "cell": 3 }));
            let told = client.call("go_on", json!({ "again": again })).reply(calls).sampled("Done.").await;
            assert_eq!(told.text(), "Done.");
            let asked = sampled(&told, mode.revision());
            let said = asked[1].params().to_string();
            for part in ["taken", "A picture:", "image/png", "taken already", "And now?"] {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    });
}

/// A client without sampling tools gets no tool calls in the messages either.
#[tokio::test]
async fn describes_calls_in_words_without_tools() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&server().build().unwrap(), revision).without_sampling_tools();
        let told = client.call("go_on", json!({ "again": true })).sampled_tool("wait", ()).sampled("Done.").await;
        let asked = sampled(&told, revision);
        for question in asked {
            let said = question.params().to_string();
            assert!(
                !said.contains("tool_use") && !said.contains("tool_result") && !said.contains("toolChoice"),
                "{said}"
            );
        }
    }
}

#[tokio::test]
async fn accepts_a_reply_with_several_parts() {
    let picture = || SamplingContent::Image { data: "iVBORw==".to_owned(), mime_type: "image/png".to_owned() };
    let text = |text: &str| SamplingContent::Text(text.to_owned());
    let reply =
        |content: Vec<SamplingContent>| Sampled::new(content, "painter").stopped(StopReason::Other("odd".to_owned()));
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&server().build().unwrap(), revision);
        let several = reply(vec![text("One."), picture(), text("Two.")]);
        let told = client.call("all", ()).reply(Reply::sampled_as(several)).await;
        assert_eq!(told.text(), "One.\nTwo. | text image/png text | painter | Some(\"odd\")");
        let one = client.call("all", ()).reply(Reply::sampled_as(reply(vec![picture()]))).await;
        assert_eq!(one.text(), " | image/png | painter | Some(\"odd\")");
    }
}

/// The question offered no tools.
#[tokio::test]
async fn rejects_an_unexpected_tool_call() {
    let call = SamplingContent::ToolUse(ToolUse::new("1", "wait", serde_json::Map::new()));
    let mut client = Client::modern(&server().build().unwrap());
    let told = client.call("all", ()).reply(Reply::sampled_as(Sampled::new(vec![call], "m"))).await;
    assert!(told.text().starts_with(" | ToolUse("), "{}", told.text());
    assert!(!told.is_error());
}

#[tokio::test]
async fn rejects_an_empty_prompt() {
    /// Asks nothing.
    #[mcp_tool(replayable)]
    async fn nothing(ctx: &Ctx) -> Result<String> {
        Ok(ctx.sample(Messages::new()).await?.text)
    }
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service(tools![nothing], None), revision);
        let told = client.call("nothing", ()).await;
        assert_eq!(told.text(), "this question cannot be asked: the request to the model has no messages; add one");
        assert_eq!(told.result().get("isError"), Some(&Value::Bool(true)));
    }
}
