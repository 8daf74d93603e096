//! Prompts and the completion of their arguments.

use std::time::Duration;

use mcp_runtime::{
    Call, Result, Revision, Service,
    complete::{CompletionRequest, TextArgument, TextArguments},
    content::{Audience, EmbeddedResource},
    prelude::*,
    prompt::{GetPromptFuture, GetPromptResult, Prompt, PromptDefinition},
    tool::ArgumentsError,
};
use serde_json::{Value, json};

use crate::protocol::{LEGACY, client::Client};

mod asking;

struct Languages(&'static [&'static str]);

#[derive(Choice)]
enum Depth {
    Quick,
    Thorough,
}

#[derive(Form)]
struct Topic {
    topic: String,
}

#[elicits]
enum Letter {
    Topic(Topic),
}

async fn languages(request: CompletionRequest) -> Result<Vec<&'static str>> {
    if request.argument("code") == Some("fail") {
        return Err("the list of languages cannot be read".into());
    }
    let Languages(all) = request.state()?;
    Ok(all.to_vec())
}

/// Asks for a review of some code.
#[mcp_prompt(title = "Code review", meta("example.com/kind" = "review"))]
async fn review(
    ctx: &Ctx,
    /// The code to review.
    #[arg(title = "Code")]
    code: String,
    #[complete(languages)] language: Option<String>,
    depth: Option<Depth>,
    lines: Option<u8>,
) -> Vec<PromptMessage> {
    ctx.log(Level::Info, "reviewing");
    let depth = if matches!(depth, Some(Depth::Thorough)) { "thoroughly" } else { "quickly" };
    let language = language.unwrap_or_else(|| "code".to_owned());
    let lines = lines.map(|lines| format!(", at most {lines} lines")).unwrap_or_default();
    vec![
        PromptMessage::user(format!("Review this {language} {depth}{lines}: {code}")),
        PromptMessage::assistant("I see"),
    ]
}

/// Asks what a picture shows.
#[mcp_prompt]
async fn describe_all() -> [PromptMessage; 3] {
    [
        PromptMessage::user(Content::image(b"png", "image/png")),
        PromptMessage::user(Content::audio(b"wav", "audio/wav")),
        PromptMessage::user(EmbeddedResource::text("test://a", "text").mime_type("text/plain")),
    ]
}

/// Asks for a letter about a topic that the user names.
#[mcp_prompt(replayable)]
async fn letter(ctx: &Ctx<Letter>, to: String) -> Result<String> {
    match ctx.elicit::<Topic>("About what?").await? {
        Elicited::Accept(Topic { topic }) => Ok(format!("Write to {to} about {topic}.")),
        _ => Err("no letter without a topic".into()),
    }
}

/// Asks for a letter, and fails if the user gives no topic.
#[mcp_prompt(replayable)]
async fn strict_letter(ctx: &Ctx<Letter>) -> Result<String> {
    Ok(ctx.elicit::<Topic>("About what?").strict().await?.topic)
}

/// Has the name of a prompt and its form.
#[mcp_tool(name = "letter", replayable)]
async fn letter_tool(ctx: &Ctx<Letter>, to: String) -> Result<String> {
    let answer = ctx.elicit::<Topic>("About what?").await?;
    Ok(format!("{to}: {}", matches!(answer, Elicited::Accept(_))))
}

/// A tool that every client sees.
#[mcp_tool]
async fn add(a: i64, b: i64) -> Text<i64> {
    Text(a + b)
}

/// Fails.
#[mcp_prompt]
async fn fails() -> Result<String> {
    Err("the file is gone".into())
}

/// Panics.
#[mcp_prompt]
async fn panics() -> String {
    panic!("on purpose")
}

/// Never ends.
#[mcp_prompt(timeout = "50ms")]
async fn waits() -> String {
    tokio::time::sleep(Duration::from_secs(600)).await;
    String::new()
}

struct Numbered(usize);

impl Prompt for Numbered {
    fn definition(&self) -> PromptDefinition {
        PromptDefinition::new(format!("p{}", self.0), "One of many.").argument(TextArgument::required("topic"))
    }

    fn get(&self, _: Call, arguments: TextArguments<'_>) -> Result<GetPromptFuture, ArgumentsError> {
        let topic = arguments.get("topic").ok_or_else(|| ArgumentsError::new("`topic` is missing"))?.to_owned();
        Ok(Box::pin(async move {
            let content =
                Content::text(topic).annotated(mcp_runtime::content::Annotations::new().audience(Audience::User));
            Ok(GetPromptResult::new([PromptMessage::user(content)]).description("Its own.").meta("a", 1))
        }))
    }
}

pub(crate) fn service() -> Service {
    let server = Server::new("prompts", "1.0.0").state(Languages(&["rust", "ruby", "trust", "go"]));
    let server = server.tools(tools![add, letter_tool]).prompt(Numbered(0));
    server.prompts(prompts![review, describe_all, letter, strict_letter, fails, panics, waits]).build().unwrap()
}

async fn get(client: &mut Client, name: &str, arguments: Value) -> Value {
    client.result("prompts/get", json!({ "name": name, "arguments": arguments })).await
}

#[tokio::test]
async fn all_revisions_list_prompts_and_get_them() {
    for revision in Revision::ALL {
        let mut client = Client::silent(&service(), revision);
        client.capabilities = json!({ "elicitation": {} });
        let mut client = client.ready().await;
        let listed = client.result("prompts/list", json!({})).await;
        let names: Vec<_> = listed["prompts"].as_array().unwrap().iter().map(|prompt| prompt["name"].clone()).collect();
        let with_forms = ["p0", "review", "describe_all", "letter", "strict_letter", "fails", "panics", "waits"];
        let asks = revision >= Revision::V2025_06_18;
        assert_eq!(names.contains(&json!("letter")), asks, "{revision}");
        assert_eq!(names.len(), with_forms.len() - 2 * usize::from(!asks), "two prompts ask");
        let review = &listed["prompts"][1];
        assert_eq!(review["description"], "Asks for a review of some code.");
        assert_eq!(review.get("title").is_some(), asks, "{revision}");
        assert_eq!(review["arguments"][0]["required"], true);
        assert_eq!(review["arguments"][0]["description"], "The code to review.");
        assert_eq!(review["arguments"][1]["required"], false);

        let got = get(&mut client, "review", json!({ "code": "fn f() {}", "depth": "thorough", "lines": "7" })).await;
        assert_eq!(got["description"], "Asks for a review of some code.");
        assert_eq!(got["messages"][0]["role"], "user");
        let text = "Review this code thoroughly, at most 7 lines: fn f() {}";
        assert_eq!(got["messages"][0]["content"], json!({ "type": "text", "text": text }));
        assert_eq!(got["messages"][1]["role"], "assistant");
        client.notifications();

        let got = get(&mut client, "describe_all", json!({})).await;
        assert_eq!(got["messages"][0]["content"]["data"], "cG5n");
        let audio = if revision == Revision::V2024_11_05 { "text" } else { "audio" };
        assert_eq!(got["messages"][1]["content"]["type"], audio);
        assert_eq!(got["messages"][2]["content"]["resource"]["uri"], "test://a");

        let got = get(&mut client, "p0", json!({ "topic": "x" })).await;
        assert_eq!((&got["description"], &got["_meta"]["a"]), (&json!("Its own."), &json!(1)));
        client.works().await;
    }
}

#[tokio::test]
async fn arguments_can_be_missing_null_empty_or_a_number() {
    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    let params = json!({ "code": "c", "language": null, "depth": "", "lines": "" });
    for arguments in [json!({ "code": "c" }), params] {
        let text = json!({ "name": "review", "arguments": arguments });
        let message = client.message(&json!("a"), "prompts/get", text).to_string();
        client.send(&message).await;
        let response = client.next_response().await;
        let text = &response["result"]["messages"][0]["content"]["text"];
        assert_eq!(text, "Review this code quickly: c", "{response}");
    }
    let arguments = json!({ "name": "review", "arguments": { "code": true, "lines": 3 } });
    let message = client.message(&json!("b"), "prompts/get", arguments).to_string();
    client.send(&message).await;
    let response = client.next_response().await;
    assert_eq!(response["result"]["messages"][0]["content"]["text"], "Review this code quickly, at most 3 lines: true");
}

#[tokio::test]
async fn invalid_arguments_are_one_error_with_all_problems() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let arguments = json!({ "depth": "thorouh", "lines": "700", "langauge": "rust" });
        let error = client.error("prompts/get", json!({ "name": "review", "arguments": arguments })).await;
        assert_eq!(error["code"], -32602);
        assert_eq!(
            error["message"],
            "invalid arguments for the prompt `review`:\n\
             - unknown argument `langauge`; did you mean `language`?\n\
             - `code` is missing\n\
             - `depth` must be one of `quick`, `thorough` (did you mean `thorough`?), but got \"thorouh\"\n\
             - `lines` must be an integer from 0 to 255, but got \"700\""
        );
        let error = client.error("prompts/get", json!({ "name": "letter to" })).await;
        assert_eq!((&error["code"], &error["message"]), (&json!(-32602), &json!("Unknown prompt: letter to")));
        // `prompts/get` rejects the name of a tool, and `tools/call` rejects the name of a prompt.
        client.error("prompts/get", json!({ "name": "letter_tool" })).await;
        let error = client.error("tools/call", json!({ "name": "prompts/get review" })).await;
        assert_eq!(error["message"], "Unknown tool: prompts/get review");
        let request =
            client.message(&json!("c"), "prompts/get", json!({ "name": "review", "arguments": { "code": [] } }));
        let error = client.refused(&request.to_string()).await;
        assert!(error["message"].as_str().unwrap().ends_with("- `code` must be a string"), "{error}");
        client.works().await;
    }
}

#[tokio::test]
async fn failures_are_errors_and_not_results() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        for (name, message) in [
            ("fails", "the file is gone"),
            ("panics", "internal error: the prompt `panics` panicked"),
            ("waits", "the prompt `waits` did not finish within 50ms"),
        ] {
            let error = client.error("prompts/get", json!({ "name": name })).await;
            assert_eq!((&error["code"], &error["message"]), (&json!(-32603), &json!(message)), "{revision}");
        }
        client.works().await;
    }
}

async fn complete(client: &mut Client, argument: &str, value: &str, others: Value) -> Value {
    let mut params = json!({
        "ref": { "type": "ref/prompt", "name": "review" },
        "argument": { "name": argument, "value": value },
    });
    if !others.is_null() {
        params["context"] = json!({ "arguments": others });
    }
    client.request("completion/complete", params).await
}

#[tokio::test]
async fn arguments_are_completed_by_functions_and_by_the_values_of_an_enum() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let response = complete(&mut client, "language", "RU", Value::Null).await;
        let values = json!({ "values": ["rust", "ruby", "trust"], "total": 3, "hasMore": false });
        assert_eq!(response["result"]["completion"], values);
        let response = complete(&mut client, "depth", "t", Value::Null).await;
        assert_eq!(response["result"]["completion"]["values"], json!(["thorough"]));
        let response = complete(&mut client, "code", "t", Value::Null).await;
        assert_eq!(response["result"]["completion"]["values"], json!([]));
        let response = complete(&mut client, "colour", "t", Value::Null).await;
        assert_eq!(response["error"]["code"], -32602);
        assert_eq!(response["error"]["message"], "the prompt `review` has no argument `colour`");
    }
    let mut client = Client::open(&service(), Revision::V2025_06_18).await;
    let response = complete(&mut client, "language", "", json!({ "code": "fail" })).await;
    assert_eq!(response["error"]["message"], "the list of languages cannot be read");
    let unknown = json!({ "ref": { "type": "ref/prompt", "name": "x" }, "argument": { "name": "a", "value": "" } });
    assert_eq!(client.error("completion/complete", unknown).await["message"], "Unknown prompt: x");
    let request = r#"{"jsonrpc":"2.0","id":9,"method":"completion/complete","params":{"argument":{}}}"#;
    assert_eq!(client.refused(request).await["code"], -32602);
    client.works().await;
}

#[tokio::test]
async fn capabilities_tell_what_the_server_has() {
    for revision in LEGACY {
        let mut client = Client::silent(&service(), revision);
        let capabilities = client.initialize().await["capabilities"].take();
        assert_eq!(capabilities["prompts"], json!({}));
        assert_eq!(capabilities.get("completions").is_some(), revision >= Revision::V2025_03_26);
        let tools_only = Server::new("s", "1").tools(tools![add, letter_tool]).build().unwrap();
        let mut client = Client::silent(&tools_only, revision);
        assert!(client.initialize().await["capabilities"].get("prompts").is_none());
        assert_eq!(client.error("prompts/list", json!({})).await["code"], -32601);
    }
    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    let found = client.result("server/discover", json!({})).await;
    assert_eq!(found["capabilities"]["prompts"], json!({}));
}

#[tokio::test]
async fn long_lists_have_pages() {
    let server = (0..7).fold(Server::new("many", "1").page_size(3), |server, number| server.prompt(Numbered(number)));
    let service = server.tools(tools![add, letter_tool]).build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::open(&service, revision).await;
        let (mut names, mut params) = (Vec::new(), json!({}));
        loop {
            let page = client.result("prompts/list", params).await;
            names.extend(page["prompts"].as_array().unwrap().iter().map(|prompt| prompt["name"].clone()));
            match page.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => break,
            }
        }
        assert_eq!(names, (0..7).map(|number| json!(format!("p{number}"))).collect::<Vec<_>>());
        assert_eq!(client.error("prompts/list", json!({ "cursor": "page-9" })).await["code"], -32602);
    }
}

#[test]
fn build_rejects_prompts_that_clients_could_not_use() {
    struct Wrong(fn() -> PromptDefinition);

    impl Prompt for Wrong {
        fn definition(&self) -> PromptDefinition {
            self.0()
        }

        fn get(&self, _: Call, _: TextArguments<'_>) -> Result<GetPromptFuture, ArgumentsError> {
            unreachable!("the server is not built")
        }
    }

    let twice =
        || PromptDefinition::new("a", "A.").argument(TextArgument::required("x")).argument(TextArgument::optional("x"));
    let server = Server::new("s", "1").prompt(Wrong(twice)).prompt(Wrong(twice)).prompts(prompts![review]);
    let error = server.prompt(Wrong(|| PromptDefinition::new("b", " "))).build().unwrap_err();
    let problems = error.problems().join("\n");
    for expected in [
        "prompt `a`: two prompts have this name; rename one with `#[mcp_prompt(name = \"…\")]`",
        "prompt `a`: two arguments are named `x`; rename one",
        "prompt `b`: it has no description, and users choose prompts by their descriptions",
    ] {
        assert!(problems.contains(expected), "{problems}");
    }
}
