//! The code of the page `actions`.
#![cfg(test)]

use mcp_runtime::{Result, Revision, prelude::*, runs::Runs, search::Search, testing::Client};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

// ANCHOR: actions
struct Printer;

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Paper {
    A4,
    A3,
}

/// Prints the documents of the office.
#[mcp_actions(name = "printer", title = "Printer")]
impl Printer {
    /// Lists the documents that can be printed.
    #[action(list)]
    async fn documents(&self) -> Json<Vec<Document>> {
        Json(vec![document("menu"), document("report")])
    }

    /// Returns a document.
    #[action(alias = "show")]
    async fn document(&self, name: String) -> Json<Document> {
        Json(document(&name))
    }

    /// Prints a document.
    #[action(run, alias("draft", copies = 1))]
    async fn print(
        &self,
        ctx: &Ctx<Printing>,
        /// The name of the document.
        #[param(hint = "`documents` lists the names.")]
        name: String,
        #[schemars(range(min = 1, max = 50))]
        #[serde(default = 1)]
        copies: u8,
        #[serde(default = Paper::A4)] paper: Paper,
    ) -> Result<String> {
        if copies > 10 {
            let sure = ctx.elicit::<Confirm>(format!("Print {copies} copies of {name}?")).strict().await?;
            if !sure.confirmed {
                return Err("the user does not want so many copies".into());
            }
        }
        for copy in 0..copies {
            ctx.progress(copy.into()).total(copies.into());
            print_once(&name, &paper).await;
        }
        Ok(format!("printed {copies}"))
    }
}

#[elicits]
enum Printing {
    Confirm { confirmed: bool },
}
// ANCHOR_END: actions

// ANCHOR: output
#[action_output]
#[derive(Serialize, JsonSchema)]
struct Document {
    name: String,
    /// Left out of the results of actions with `list`.
    #[summary(skip)]
    text: String,
    /// Left out of all results and errors.
    #[internal]
    file: String,
}
// ANCHOR_END: output

fn document(name: &str) -> Document {
    Document { name: name.to_owned(), text: format!("The text of {name}."), file: format!("/srv/{name}.pdf") }
}

async fn print_once(_name: &str, _paper: &Paper) {
    tokio::task::yield_now().await;
}

// ANCHOR: server
fn server() -> Server {
    Server::new("office", "1.0.0").tool(Printer.into_actions().runs(Runs::default()))
}
// ANCHOR_END: server

// ANCHOR: searchable
/// Returns the paper that is left.
#[mcp_tool(read_only)]
async fn paper_left() -> &'static str {
    "480 sheets"
}

fn many_tools() -> Server {
    let search = Search::new().pin("printer").about("the office: printers, paper, rooms");
    server().tools(tools![paper_left]).searchable(search)
}

#[tokio::test]
async fn a_search_lists_what_is_pinned() {
    let mut client = Client::modern(&many_tools().build().unwrap());
    let names: Vec<Value> = client.tools().await.into_iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["search_tools", "call_tool", "printer"]);
    let found = client.call("search_tools", json!({ "query": "how much paper is left" })).await;
    assert!(found.text().contains("paper_left"), "{}", found.text());
}
// ANCHOR_END: searchable

// ANCHOR: listed
#[tokio::test]
async fn the_list_has_one_tool_with_two_fields() {
    let service = server().build().unwrap();
    let tools = Client::modern(&service).tools().await;
    assert_eq!((tools.len(), &tools[0]["name"]), (1, &json!("printer")));
    let fields: Vec<&String> = tools[0]["inputSchema"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["action", "params"]);
}
// ANCHOR_END: listed

// ANCHOR: described
#[tokio::test]
async fn describe_shows_one_action_in_full() {
    let printer = Printer.into_actions().runs(Runs::default());
    let described = printer.handle(json!({ "action": "describe", "params": { "action": "print" } })).await;
    let [name, copies, ..] = &described["result"]["params"].as_array().unwrap()[..] else { unreachable!() };
    assert_eq!(name["hint"], "`documents` lists the names.");
    let expected =
        json!({ "name": "copies", "type": "integer", "required": false, "default": 1, "range": "between 1 and 50" });
    assert_eq!(copies, &expected);
    let example = json!({ "action": "print", "params": { "name": "a", "paper": "a4" } });
    assert_eq!(described["result"]["example"], example);

    let all = printer.handle(json!({ "action": "describe" })).await;
    let names: Vec<&Value> = all["result"]["actions"].as_array().unwrap().iter().map(|one| &one["action"]).collect();
    assert_eq!(names, ["documents", "document", "print", "status", "cancel", "restart", "runs", "describe"]);
}
// ANCHOR_END: described

// ANCHOR: wrong
#[tokio::test]
async fn an_error_says_what_to_correct() {
    let printer = Printer.into_actions().runs(Runs::default());
    let wrong = json!({ "action": "print", "params": { "nmae": "menu", "paper": "a5" } });
    let error = &printer.handle(wrong).await["error"];
    assert_eq!(error["kind"], "invalid_params");
    let messages: Vec<&str> =
        error["problems"].as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap()).collect();
    assert_eq!(
        messages,
        [
            "`nmae` is not a parameter; did you mean `name`?",
            "`paper` must be one of: a4, a3 (got 'a5'). Did you mean 'a4'?",
            "`name` is required: a string. Hint: `documents` lists the names.",
        ]
    );

    let unknown = &printer.handle(json!({ "action": "prnt", "params": {} })).await["error"];
    assert_eq!((&unknown["kind"], &unknown["did_you_mean"]), (&json!("unknown_action"), &json!("print")));
}
// ANCHOR_END: wrong

// ANCHOR: runs
#[tokio::test]
async fn a_run_outlives_its_request() {
    let service = server().build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let started = client.call("printer", json!({ "action": "print", "params": { "name": "menu" } })).await;
        let run = &started.structured_content().unwrap()["result"];
        assert_eq!(run["resolved_inputs"], json!({ "name": "menu", "copies": 1, "paper": "a4" }));

        let status = json!({ "action": "status", "params": { "run_id": run["run_id"], "wait": true } });
        let ended = client.call("printer", status).await;
        let ended = &ended.structured_content().unwrap()["result"];
        assert_eq!((&ended["status"], &ended["outputs"]), (&json!("completed"), &json!("printed 1")));
    }
}
// ANCHOR_END: runs

// ANCHOR: asking_run
#[tokio::test]
async fn a_run_asks_while_a_call_waits_for_it() {
    let service = server().build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let many = |wait: bool| json!({ "action": "print", "params": { "name": "menu", "copies": 20, "wait": wait } });
        let printed = client.call("printer", many(true)).accept(Confirm { confirmed: true }).await;
        assert_eq!(printed.structured_content().unwrap()["result"]["outputs"], "printed 20");

        let started = client.call("printer", many(false)).await;
        let id = started.structured_content().unwrap()["result"]["run_id"].clone();
        let cancelled = client.call("printer", json!({ "action": "cancel", "params": { "run_id": id } })).await;
        assert_eq!(cancelled.structured_content().unwrap()["result"]["status"], "cancelled");
    }
}
// ANCHOR_END: asking_run

#[tokio::test]
async fn marked_fields_do_not_leave() {
    let printer = Printer.into_actions().runs(Runs::default());
    let listed = printer.handle(json!({ "action": "documents" })).await;
    assert_eq!(listed["result"], json!([{ "name": "menu" }, { "name": "report" }]));
    let shown = printer.handle(json!({ "action": "show", "params": { "name": "menu" } })).await;
    assert_eq!(shown["result"], json!({ "name": "menu", "text": "The text of menu." }));
    let draft = json!({ "action": "draft", "params": { "name": "menu", "paper": "a3", "wait": true } });
    assert_eq!(printer.handle(draft).await["result"]["outputs"], "printed 1");
}
