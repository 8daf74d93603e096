//! The actions without a server.

use mcp_runtime::actions::Actions;
use pipelines::{DataFolder, Pipelines};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{data, input, report};

fn actions(data: &TempDir) -> Actions {
    Pipelines::new(DataFolder::open(data.path()).unwrap()).into_actions()
}

async fn call(actions: &Actions, action: &str, params: Value) -> Value {
    let answer = actions.handle(input(action, params)).await;
    assert!(answer.get("error").is_none(), "{answer}");
    answer["result"].clone()
}

/// Runs a pipeline, and returns what the action says at its end.
async fn run(actions: &Actions, name: &str, inputs: Value) -> Value {
    call(actions, "run", json!({ "name": name, "inputs": inputs, "wait": true })).await
}

#[tokio::test]
async fn list_and_describe_lead_to_a_run() {
    let data = data();
    let actions = actions(&data);
    let listed = call(&actions, "list", json!({})).await;
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["product_sales", "revenue_by_region", "top_customers"]);
    let described = call(&actions, "describe", json!({ "name": names[1] })).await;
    let expected = json!({
        "name": "minimum", "type": "number", "required": false, "default": 0, "range": "at least 0",
        "description": "Only orders of at least this amount.",
    });
    assert_eq!(described["params"][1], expected);
    assert_eq!(described["params"][0]["hint"], "Write 2026-02 for February.");

    let ended = run(&actions, names[1], json!({ "month": "2026-02", "minimum": 50 })).await;
    assert_eq!((&ended["status"], &ended["outputs"]["rows"]), (&json!("completed"), &json!(4)), "{ended}");
    assert_eq!(ended["outputs"]["inputs"], json!({ "month": "2026-02", "minimum": 50, "report": "csv" }));
    let text = "region,orders,revenue\nnorth,1,237.0\nsouth,2,152.2\neast,1,59.4\nwest,1,59.0\n";
    assert_eq!(report(&data, "revenue_by_region.csv"), text);
}

#[tokio::test]
async fn each_pipeline_of_the_example_runs_without_inputs_that_are_optional() {
    let data = data();
    let actions = actions(&data);
    let sales = run(&actions, "product_sales", json!({ "product": "MUG" })).await["outputs"].clone();
    let row = json!({
        "product": "mug-blue", "sold": 22, "mean_amount": 54.45, "title": "Mug, blue", "stock": 14, "reorder_at": 25,
    });
    assert_eq!((&sales["first_rows"], &sales["written"]), (&json!([row]), &json!([])));
    // The order of an unknown customer counts for no region.
    let regions = run(&actions, "revenue_by_region", json!({ "report": "json" })).await["outputs"].clone();
    let revenue = |row: &Value| row["revenue"].as_f64().unwrap();
    let all: f64 = regions["first_rows"].as_array().unwrap().iter().map(revenue).sum();
    assert!((all - 1454.5).abs() < 1e-6, "{all}");
    let top = run(&actions, "top_customers", json!({})).await["outputs"].clone();
    assert_eq!((&top["rows"], &top["first_rows"][0]["company"]), (&json!(3), &json!("Nordlys AS")));
}

#[tokio::test]
async fn the_trace_has_the_rows_after_each_step() {
    let data = data();
    let actions = actions(&data);
    let ended = run(&actions, "top_customers", json!({ "region": "south", "count": 1 })).await;
    let traced = call(&actions, "result", json!({ "run_id": ended["run_id"] })).await;
    let logs = traced["trace"].as_array().unwrap().iter().filter(|entry| entry["event"] == "log");
    let rows: Vec<_> = logs.map(|entry| (entry["data"]["kind"].clone(), entry["data"]["rows"].clone())).collect();
    let expected = [("read", 18), ("aggregate", 7), ("join", 6), ("filter", 2), ("sort", 1), ("write", 1)];
    assert_eq!(rows, expected.map(|(kind, rows)| (json!(kind), json!(rows))));
    assert!(!traced.to_string().contains("pipelines/top_customers.json"), "internal: {traced}");
}

#[tokio::test]
async fn errors_say_what_to_correct() {
    let data = data();
    let actions = actions(&data);
    let refused = |name: &str, inputs: Value| {
        let input = input("run", json!({ "name": name, "inputs": inputs, "wait": true }));
        async { actions.handle(input).await["error"].clone() }
    };
    let problems = &refused("top_customers", json!({ "count": 0, "regin": "north" })).await["problems"];
    assert_eq!(problems[0]["message"], "`count` must be between 1 and 50 (got 0)");
    assert_eq!(problems[1]["did_you_mean"], "region");
    let unknown = refused("top_customer", json!({})).await;
    let known = "Did you mean 'top_customers'? The known names are: product_sales, revenue_by_region, top_customers";
    assert!(unknown["message"].as_str().unwrap().ends_with(known), "{unknown}");
    assert_eq!(call(&actions, "runs", json!({})).await["runs"], json!([]), "no run has begun");
    for (file, reason) in [("../x.csv", "is not a path inside"), ("x.txt", "must end with `.csv` or `.json`")] {
        let refused = run(&actions, "top_customers", json!({ "file": file })).await;
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("step 6 (write) failed: ") && message.contains(reason), "{message}");
        let traced = call(&actions, "result", json!({ "run_id": refused["run_id"] })).await;
        let events: Vec<_> = traced["trace"].as_array().unwrap().iter().map(|entry| &entry["event"]).collect();
        assert_eq!(events, ["started", "ended"], "no step has begun");
    }
}

#[tokio::test]
async fn a_report_is_replaced_only_if_the_caller_says_so() {
    let data = data();
    let actions = actions(&data);
    run(&actions, "top_customers", json!({ "count": 1 })).await;
    let before = report(&data, "top_customers.csv");
    // There is no client that could ask the user.
    let kept = run(&actions, "top_customers", json!({ "count": 2 })).await;
    let message = kept["error"]["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("`reports/top_customers.csv` exists and was kept"), "{kept}");
    assert_eq!(report(&data, "top_customers.csv"), before);
    let params = json!({ "name": "top_customers", "inputs": { "count": 2 }, "overwrite": true, "wait": true });
    assert_eq!(call(&actions, "run", params).await["status"], "completed");
    assert_eq!(report(&data, "top_customers.csv").lines().count(), 3);
}

/// Corrects a call as the data of its error says, and in no other way.
fn corrected(mut call: Value, error: &Value) -> Value {
    if error["kind"] == "unknown_action" {
        call["action"] = error["did_you_mean"].clone();
    }
    for problem in error["problems"].as_array().into_iter().flatten() {
        let place = if call["params"]["inputs"].get(problem["param"].as_str().unwrap()).is_some() {
            &mut call["params"]["inputs"]
        } else {
            &mut call["params"]
        };
        if let (Some(near), Some(params)) = (problem["did_you_mean"].as_str(), place.as_object_mut()) {
            let value = params.remove(problem["param"].as_str().unwrap()).unwrap();
            params.insert(near.to_owned(), value);
        }
    }
    call
}

#[tokio::test]
async fn the_errors_lead_from_a_misspelt_action_to_a_finished_run_within_three_corrections() {
    let data = data();
    let actions = actions(&data);
    let mut call =
        json!({ "action": "rn", "params": { "nam": "top_customers", "inputs": { "cuont": 2 }, "wiat": true } });
    let mut corrections = 0;
    loop {
        let answer = actions.handle(call.clone()).await;
        let error = answer.get("error").or_else(|| answer["result"].get("error"));
        let Some(error) = error else {
            assert_eq!((&answer["result"]["status"], corrections), (&json!("completed"), 3), "{answer}");
            break;
        };
        assert!(corrections < 3, "{answer}");
        call = corrected(call, error);
        corrections += 1;
    }
    assert_eq!(report(&data, "top_customers.csv").lines().count(), 3);
}
