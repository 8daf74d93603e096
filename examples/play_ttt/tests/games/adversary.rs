//! A model that gives whatever a model may give: right answers in many forms, and wrong ones in more.

use mcp_runtime::sample::{Sampled, SamplingContent, StopReason, ToolUse};
use serde_json::{Map, Value, json};

use super::chance::Chance;

/// What it is asked, as far as it looks.
pub(super) struct Asked<'a> {
    /// The first text of the conversation.
    pub(super) text: &'a str,
    /// The tools it may call by themselves.
    pub(super) tools: Vec<&'a str>,
}

/// What it says. Nothing, if it refuses or fails.
pub(super) fn answer(chance: &mut Chance, asked: &Asked<'_>) -> Option<Sampled> {
    if chance.percent(2) {
        return None;
    }
    let is_plan = asked.text.contains("How do you play");
    let kind = chance.below(100);
    let value = match kind {
        0..60 if is_plan => a_plan(chance),
        0..50 | 72..80 => a_cell(chance, asked, true),
        50..62 => a_cell(chance, asked, false),
        _ => nonsense(chance),
    };
    Some(match kind {
        0..72 => in_some_form(chance, asked, is_plan, &value),
        72..80 => cut_off(chance, &value),
        80..84 => words(""),
        84..88 => call("resign", &json!({ "reason": "nobody wins" })),
        _ => prose(chance),
    })
}

fn a_cell(chance: &mut Chance, asked: &Asked<'_>, is_free: bool) -> Value {
    let free = asked.text.lines().find_map(|line| line.strip_prefix("Free cells: ")).expect("free cells are told");
    let fits = |cell: &usize| free.contains(&cell.to_string()) == is_free;
    let cells: Vec<usize> = (1..=9).filter(fits).collect();
    // On an empty board there is no cell that is taken.
    let cell = if cells.is_empty() { 10 } else { *chance.pick(&cells) };
    json!({ "cell": cell })
}

fn a_plan(chance: &mut Chance) -> Value {
    match chance.below(3) {
        0 => json!({ "tool": "attack", "input": { "line": "the {top} row" } }),
        1 => json!({ "tool": "defend", "input": { "line": "\"left\" column" } }),
        _ => json!({ "tool": "develop", "input": {} }),
    }
}

fn nonsense(chance: &mut Chance) -> Value {
    chance
        .pick(&[
            json!({ "cell": "five" }),
            json!({ "cell": 5.5 }),
            json!({ "cell": 0 }),
            json!({ "cell": 10 }),
            json!({ "cell": -3 }),
            json!({ "cell": 1e300 }),
            json!({ "cell": null }),
            json!({ "cell": [5] }),
            json!({ "move": 5 }),
            json!({}),
            json!([]),
            json!("5"),
            json!(null),
            json!({ "tool": "attack", "input": { "line": 7 } }),
            json!({ "tool": "attack", "input": "everything" }),
            json!({ "tool": "win", "input": {} }),
            json!({ "tool": "defend", "input": { "line": "x".repeat(500) } }),
        ])
        .clone()
}

/// As JSON, in prose, in a fence, or as a call of a tool that was offered.
fn in_some_form(chance: &mut Chance, asked: &Asked<'_>, is_plan: bool, value: &Value) -> Sampled {
    if !asked.tools.is_empty() && chance.percent(70) {
        return match (is_plan, value["tool"].as_str()) {
            (true, Some(tool)) => call(tool, &value["input"]),
            _ => call(asked.tools[chance.below(asked.tools.len())], value),
        };
    }
    words(&match chance.below(5) {
        0 => format!("Sure! Here it is:\n```json\n{value}\n```\nGood luck {{to you}}!"),
        1 => format!("<think>{{\"cell\": maybe}} or {{}}</think>\n{value}"),
        2 => format!("Let me see [1, 2, {{3}}]: I say {value}."),
        3 => serde_json::to_string_pretty(value).expect("JSON"),
        _ => value.to_string(),
    })
}

fn cut_off(chance: &mut Chance, value: &Value) -> Sampled {
    let text = value.to_string();
    let half = text.chars().take(1 + chance.below(text.chars().count())).collect::<String>();
    words(&half).stopped(StopReason::MaxTokens)
}

fn prose(chance: &mut Chance) -> Sampled {
    words(&match chance.below(6) {
        0 => "I take the centre.".to_owned(),
        1 => "{".repeat(300),
        2 => "{\"cell\":".repeat(60),
        3 => "```json\n```".to_owned(),
        4 => "\u{0}\u{202e}🤖\u{feff}{\"ｃell\": ５}".to_owned(),
        _ => "As a language model I play no games.".to_owned(),
    })
}

fn words(text: &str) -> Sampled {
    Sampled::new(vec![SamplingContent::Text(text.to_owned())], "adversary").stopped(StopReason::EndTurn)
}

fn call(tool: &str, input: &Value) -> Sampled {
    let input = input.as_object().cloned().unwrap_or_else(|| Map::from_iter([("value".to_owned(), input.clone())]));
    let call = ToolUse::new("call_1", tool, input);
    Sampled::new(vec![SamplingContent::ToolUse(call)], "adversary").stopped(StopReason::ToolUse)
}
