//! The session and the pipeline in the README are what the program does.

use pipelines::{DataFolder, Definition, Pipelines};
use serde_json::{Value, json};

use crate::support::data;

const README: &str = include_str!("../../README.md");

/// The JSON blocks of a section.
fn blocks(section: &str) -> Vec<Value> {
    let text = README.split("\n## ").find(|text| text.starts_with(section)).unwrap();
    let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.map(|block| serde_json::from_str(block).unwrap_or_else(|error| panic!("{error}: {block}"))).collect()
}

/// Compares an answer with the README, which has `…` for what is long or random.
fn assert_shown(answer: &Value, shown: &Value, place: &str) {
    match (answer, shown) {
        (Value::String(_), Value::String(any)) if any == "…" => {}
        (Value::Object(answer), Value::Object(shown)) => {
            assert!(answer.keys().all(|name| shown.contains_key(name)), "{place} has more members: {answer:?}");
            for (name, shown) in shown {
                assert_shown(answer.get(name).unwrap_or(&Value::Null), shown, &format!("{place}.{name}"));
            }
        }
        (Value::Array(answer), Value::Array(shown)) if answer.len() == shown.len() => {
            (0..answer.len()).for_each(|at| assert_shown(&answer[at], &shown[at], &format!("{place}[{at}]")));
        }
        _ => assert_eq!(answer, shown, "{place}"),
    }
}

#[tokio::test]
async fn the_session_is_real() {
    let data = data();
    let actions = Pipelines::new(DataFolder::open(data.path()).unwrap()).into_actions();
    let session = blocks("A session");
    assert_eq!(session.len(), 8);
    for pair in session.chunks(2) {
        assert_shown(&actions.handle(pair[0].clone()).await, &pair[1], &pair[0].to_string());
    }
}

#[test]
fn the_pipeline_is_valid() {
    let text = blocks("A pipeline").remove(0).to_string();
    let steps = Definition::read("readme", &text).unwrap().steps(&json!({ "minimum": 1 })).unwrap();
    assert_eq!(steps.len(), 6);
}
