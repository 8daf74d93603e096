//! A real model calls the example `pipelines`: it corrects a misspelt action until a run has finished.

use std::{fs, time::Duration};

use mcp_runtime::{
    Revision,
    sample::{Messages, ResponseSchema, SamplingProvider, SamplingRequest},
    testing::Client,
};
use serde_json::{Value, json};

use crate::{model::support::guided, support::example};

const TASKS: [&str; 3] = [
    "Run the pipeline top_customers and wait for it.",
    "Use the action run for the pipeline top_customers, and wait.",
    "The action is run, the name is top_customers, and wait is true.",
];

/// The shape of a call. The name of the action is free text: what it must be, only the error says.
fn call_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "action": { "type": "string", "maxLength": 20 },
            "params": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "maxLength": 30 },
                    "wait": { "type": "boolean" },
                },
                "required": ["name", "wait"],
            },
        },
        "required": ["action", "params"],
    })
}

/// A copy of the data of the example, without reports: a run that finds a report asks the user.
struct DataCopy(std::path::PathBuf);

impl DataCopy {
    fn new() -> Self {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pipelines/data");
        let folder = std::env::temp_dir().join(format!("pipelines-{}", std::process::id()));
        for part in ["pipelines", "orders"] {
            fs::create_dir_all(folder.join(part)).unwrap();
            for file in fs::read_dir(format!("{source}/{part}")).unwrap() {
                let file = file.unwrap();
                fs::copy(file.path(), folder.join(part).join(file.file_name())).unwrap();
            }
        }
        fs::copy(format!("{source}/customers.json"), folder.join("customers.json")).unwrap();
        Self(folder)
    }
}

impl Drop for DataCopy {
    fn drop(&mut self) {
        // The folder is a temporary one.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
#[ignore = "needs a model: `.ci/model`"]
async fn reaches_a_finished_run_from_a_misspelt_action_within_three_corrections() {
    let data = DataCopy::new();
    let mut program = std::process::Command::new(example("pipelines"));
    program.env("PIPELINES_DATA", &data.0);
    // What a client gives its model: the instructions and the definition of the tool.
    let manifest = program.arg("manifest").output().unwrap().stdout;
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    let told = format!("{}\n{}", manifest["instructions"].as_str().unwrap(), manifest["tools"][0]["inputSchema"]);

    // A small model depends on the words: one of these must be enough.
    for task in TASKS {
        if finishes(&data, &told, task).await {
            return;
        }
    }
    panic!("no run has finished after three corrections");
}

/// Returns whether a run finishes after at most three corrections.
async fn finishes(data: &DataCopy, told: &str, task: &str) -> bool {
    let mut server = std::process::Command::new(example("pipelines"));
    server.env("PIPELINES_DATA", &data.0);
    let mut client = Client::process(server).revision(Revision::V2026_07_28).limit(Duration::from_secs(60));
    let mut call = json!({ "action": "rum", "params": { "name": "top_customers", "wait": true } });
    let mut messages = Messages::new().user(task).assistant(call.to_string());
    eprintln!("call: {call}");
    for corrections in 0..=3 {
        let answer = client.call("pipelines", call).await;
        let envelope = answer.structured_content().unwrap().clone();
        let run = &envelope["result"];
        let error = envelope["error"]["message"].as_str().or_else(|| run["error"]["message"].as_str());
        if run["status"] == "completed" {
            assert_eq!(run["outputs"]["written"], json!(["reports/top_customers.csv"]));
            assert!(data.0.join("reports/top_customers.csv").exists());
            assert!(corrections > 0, "the first call is misspelt");
            eprintln!("result: completed (corrections: {corrections})");
            return true;
        }
        // Another action than `run` has a result without an error.
        let error = error.unwrap_or("this was another action");
        eprintln!("error: {error}");
        messages = messages.user(format!("{error}\nCorrect the call. {task}"));
        let mut request = SamplingRequest::new(messages.clone(), 160);
        request.temperature = Some(0.0);
        request.system_prompt = Some(told.to_owned());
        request.schema = Some(ResponseSchema::new("Call", call_schema()));
        let reply = guided().sample(&request).await.expect("the model replies");
        eprintln!("call: {}", reply.text);
        let Ok(corrected) = serde_json::from_str(&reply.text) else { return false };
        call = corrected;
        messages = messages.assistant(reply.text);
    }
    false
}
