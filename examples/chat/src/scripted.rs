//! A model that follows a script: the page works without one, and tests know what it says.

use mcp_runtime::sample::{
    ProviderAbilities, Role, Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest, StopReason,
    ToolUse,
};
use serde_json::{Map, Value, json};

/// A model that recognizes a few words of the user, and plays tic-tac-toe.
#[derive(Clone, Copy, Debug)]
pub struct Scripted;

impl SamplingProvider for Scripted {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        Box::pin(async move {
            let content = reply(request);
            let calls = content.iter().any(|part| part.as_tool_use().is_some());
            Ok(Sampled::new(content, "scripted").stopped(if calls { StopReason::ToolUse } else { StopReason::EndTurn }))
        })
    }

    fn abilities(&self) -> ProviderAbilities {
        ProviderAbilities::new().schema().tools()
    }
}

fn reply(request: &SamplingRequest) -> Vec<SamplingContent> {
    let Some(last) = request.messages.last() else { return vec![text("Hello!")] };
    let results: Vec<_> = last.content.iter().filter_map(result_text).collect();
    let has_tool = |name: &str| request.tools.iter().any(|tool| tool.name == name);
    if request.schema.is_some() {
        return vec![text(&best_move(&last.text()).to_string())];
    }
    if !results.is_empty() {
        return vec![text(&results.join("\n\n"))];
    }
    if has_tool("book_flight") && last.role == Role::User {
        return in_conversation(&last.text());
    }
    if let Some(tool) = request.tools.iter().find(|tool| tool.input_schema.get("required").is_none()) {
        return vec![tool_use("plan", &tool.name, json!({}))];
    }
    vec![text("Have a good flight!")]
}

/// Answers a message of the user.
fn in_conversation(message: &str) -> Vec<SamplingContent> {
    let message = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    let book = || tool_use("book", "book_flight", json!({ "destination": "HEL" }));
    let play = || tool_use("play", "play_ttt", json!({ "user_plays": "X" }));
    let seat = |tool: &str| tool_use("seat", tool, json!({ "flight": "AL143-04" }));
    if says(&["map"]) {
        vec![seat("seat_map")]
    } else if says(&["seat"]) {
        vec![seat("choose_seat")]
    } else if says(&["both"]) {
        vec![text("I do both."), book(), play()]
    } else if says(&["flight"]) {
        vec![text("I look for flights to Helsinki."), book()]
    } else if says(&["tic-tac-toe", "game"]) {
        vec![play()]
    } else if says(&["search", "where", "defined", "find"]) {
        vec![tool_use("search", "code_search", json!({ "pattern": "async fn", "globs": ["*.rs"], "limit": 20 }))]
    } else {
        vec![text(HELP)]
    }
}

/// Takes the centre, else a corner, else the first free cell. The message ends with the free cells.
fn best_move(message: &str) -> Value {
    let free = message.rsplit(':').next().unwrap_or_default();
    let free: Vec<u8> = free.split(',').filter_map(|cell| cell.trim().parse().ok()).collect();
    let cell = [5, 1, 3, 7, 9].into_iter().find(|cell| free.contains(cell)).or(free.first().copied());
    json!({ "cell": cell.unwrap_or(5) })
}

/// Returns the first words of a result. The page shows data better than a message does.
fn result_text(part: &SamplingContent) -> Option<String> {
    let SamplingContent::ToolResult(result) = part else { return None };
    let mut lines = result.content.iter().filter_map(|block| block.as_text()).flat_map(str::lines);
    let is_data = |line: &&str| serde_json::from_str::<Value>(line).is_ok_and(|value| value.is_object());
    Some(lines.find(|line| !is_data(line)).unwrap_or(SEE_RESULT).to_owned())
}

fn text(text: &str) -> SamplingContent {
    SamplingContent::Text(text.to_owned())
}

fn tool_use(id: &str, name: &str, input: Value) -> SamplingContent {
    let Value::Object(input) = input else { return text("") };
    SamplingContent::ToolUse(ToolUse::new(id, name, Map::from_iter(input)))
}

const SEE_RESULT: &str = "Here is what I found; the result of the call has all of it.";

const HELP: &str = "\
I am a script, not a model. Set `MCP_MODEL` to talk with a real one. I know a few things:

| say | I call |
| --- | --- |
| *a flight* | `book_flight` |
| *a seat* | `choose_seat` |
| *a seat map* | `seat_map` |
| *a game of tic-tac-toe* | `play_ttt` |
| *search the code* | `code_search` |

1. The tools ask **you**, here in the conversation.
2. You can decline, or close a form.

```rust
let picked = ctx.elicit::<PickFlight>(\"Which flight?\").strict().await?;
```";
