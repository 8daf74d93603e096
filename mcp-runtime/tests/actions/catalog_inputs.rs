//! Parameters that hold the inputs of a catalog's entry.

use mcp_runtime::{
    Result,
    actions::{Actions, Catalog, CatalogEntry, CatalogParam},
    prelude::*,
};
use serde_json::{Map, Value, json};

struct Reports;

/// Writes reports.
#[mcp_actions(catalog)]
impl Reports {
    /// Writes a report in the background.
    #[action(run)]
    async fn write(
        &self,
        report: String,
        #[serde(default)]
        #[param(inputs_of = report)]
        inputs: Map<String, Value>,
    ) -> Json<Value> {
        Json(json!({ "report": report, "inputs": inputs }))
    }

    /// Shows what a report would be.
    #[action]
    async fn preview(&self, report: String, #[param(inputs_of = report)] inputs: Option<Value>) -> Json<Value> {
        Json(json!({ "report": report, "inputs": inputs }))
    }
}

impl Catalog for Reports {
    async fn names(&self) -> Result<Vec<(String, String)>> {
        Ok(vec![("sales".into(), "The sales.".into()), ("broken".into(), "Cannot be read.".into())])
    }

    async fn entry(&self, name: &str) -> Result<Option<CatalogEntry>> {
        let depth = json!({ "type": "string", "enum": ["s", "m"] });
        match name {
            "sales" => Ok(Some(
                CatalogEntry::new("sales", "The sales.")
                    .param(CatalogParam::new("year", json!({ "type": "integer" })).required())
                    .param(CatalogParam::new("depth", depth).default("s").hint("Use s first.")),
            )),
            "broken" => Err("the catalog cannot be read".into()),
            _ => Ok(None),
        }
    }
}

async fn handle(reports: &Actions, action: &str, params: Value) -> Value {
    reports.handle(json!({ "action": action, "params": params })).await
}

#[tokio::test]
async fn wrong_inputs_of_an_entry_begin_no_run() {
    let reports = Reports.into_actions();
    for (params, kind, message) in [
        (json!({ "report": "sales", "inputs": { "year": "now" } }), "invalid_params", "`year`"),
        (json!({ "report": "sales" }), "invalid_params", "`year`"),
        (json!({ "report": "sales", "inputs": { "year": 1, "depth": "l" } }), "invalid_params", "Use s first."),
        (json!({ "report": "sale" }), "unknown_name", "Did you mean 'sales'?"),
        (json!({ "report": "broken" }), "failed", "the catalog cannot be read"),
    ] {
        for action in ["write", "preview"] {
            let error = &handle(&reports, action, params.clone()).await["error"];
            assert_eq!(error["kind"], kind, "{params}: {error}");
            assert!(error["message"].as_str().unwrap().contains(message), "{params}: {error}");
        }
    }
    assert_eq!(handle(&reports, "runs", json!({})).await["result"]["runs"], json!([]));
}

#[tokio::test]
async fn resolved_inputs_have_the_defaults_of_the_entry() {
    let reports = Reports.into_actions();
    let params = json!({ "report": "sales", "inputs": { "year": 2026.0 }, "wait": true });
    let run = &handle(&reports, "write", params).await["result"];
    let inputs = json!({ "year": 2026, "depth": "s" });
    assert_eq!(run["resolved_inputs"], json!({ "report": "sales", "inputs": inputs }));
    assert_eq!(run["outputs"], json!({ "report": "sales", "inputs": inputs }));
    let again = &handle(&reports, "restart", json!({ "run_id": run["run_id"], "wait": true })).await["result"];
    assert_eq!(again["outputs"], run["outputs"]);

    let preview = handle(&reports, "preview", json!({ "report": "sales", "inputs": { "year": 1 } })).await;
    assert_eq!(preview["result"]["inputs"], json!({ "year": 1, "depth": "s" }));
}
