//! A number that JSON cannot represent is an error of the tool. It does not become `null`, which the schema of the tool
//! does not allow.

use mcp_runtime::{Result, prelude::*};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::support::call;
use crate::support::log::{Log, set_default};

#[derive(Serialize, JsonSchema)]
struct Report {
    note: Option<String>,
    mean: f64,
    parts: Vec<f32>,
    known: Option<f64>,
}

/// Divides two numbers.
#[mcp_tool]
async fn divide(a: f64, b: f64) -> Json<Report> {
    let mean = a / b;
    Json(Report { note: None, mean, parts: vec![1.0, 2.0], known: None })
}

/// Divides within a list.
#[mcp_tool]
async fn parts(a: f32, b: f32) -> Result<Json<Report>> {
    Ok(Json(Report { note: None, mean: 1.0, parts: vec![1.0, a / b], known: Some(f64::NAN) }))
}

/// Divides one by zero with the other tool.
#[mcp_tool]
async fn calls_divide(ctx: &Ctx) -> Result<String> {
    let result = ctx.call("divide", json!({ "a": 1, "b": 0 })).await?;
    Ok(result.content()[0].as_text().unwrap_or_default().to_owned())
}

/// One test, because the log limits repeated lines to one in ten seconds and a count.
#[test]
fn a_number_that_is_not_finite_is_an_error_result_and_a_line_in_the_log() {
    let log = Log::default();
    let guard = set_default(tracing_subscriber::fmt().with_ansi(false).with_writer(log.clone()).finish());
    let result = call(tools![divide], json!({ "a": 1, "b": 0 }));
    {
        drop(guard);
        let log = log.text();
        assert!(log.contains("ERROR") && log.contains("the tool `divide` has a number that is not finite"), "{log}");
    }
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(
        result["content"][0]["text"],
        "the result of the tool `divide` has a number that is not finite, which JSON cannot carry: `mean`"
    );
    assert!(result.get("structuredContent").is_none(), "{result}");
    let nested = call(tools![calls_divide, divide], json!({}));
    assert_eq!(nested["content"][0]["text"], result["content"][0]["text"], "a tool that calls it gets the same result");
    let result = call(tools![parts], json!({ "a": 0, "b": 0 }));
    assert!(result["content"][0]["text"].as_str().unwrap().ends_with("cannot carry: `parts[1]`"), "{result}");
}

#[test]
fn keeps_other_nulls() {
    for tools in [tools![divide], tools![parts]] {
        let result = call(tools, json!({ "a": 1, "b": 2 }));
        assert_ne!(result["isError"], true, "{result}");
        assert_eq!(result["structuredContent"]["note"], json!(null), "{result}");
    }
}
