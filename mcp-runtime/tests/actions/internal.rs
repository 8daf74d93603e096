//! No internal state leaks: markers are hidden in internal fields, and every byte that leaves is searched.

use std::collections::BTreeMap;

use mcp_runtime::{Revision, Server, prelude::*, testing::Client};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

const MARKER: &str = "MARKER-7f3a";

#[action_output]
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Node {
    id: u32,
    #[internal]
    secret: Secret,
    #[internal]
    #[serde(rename = "renamed")]
    other: Vec<String>,
    children: Vec<Node>,
    by_name: BTreeMap<String, Option<Kind>>,
    dynamic: Value,
}

#[action_output]
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Kind {
    Plain {
        text: String,
        #[internal]
        hidden: String,
    },
    Nested {
        node: Box<Node>,
    },
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
enum Secret {
    None,
    Text(String),
    Parts { a: String, b: (u8, String) },
}

/// A value with markers in each of its internal fields, and where it leaves.
struct Leaky(Node);

#[derive(Debug, thiserror::Error)]
#[error("failed for {0}")]
struct LeakyError(String);

/// Returns nodes in many ways.
#[mcp_actions]
impl Leaky {
    /// Returns the node.
    #[action]
    async fn get(&self) -> Json<Node> {
        Json(self.0.clone())
    }

    /// Returns the node in a list.
    #[action(list)]
    async fn list(&self) -> Json<Vec<Option<Node>>> {
        Json(vec![None, Some(self.0.clone())])
    }

    /// Returns dynamic JSON.
    #[action]
    async fn dynamic(&self) -> Json<Value> {
        Json(json!([self.0.dynamic]))
    }

    /// Fails with a text that contains the node.
    #[action]
    async fn fails(&self, form: String) -> Result<Json<Node>, LeakyError> {
        Err(LeakyError(self.text(&form)))
    }

    /// Returns a text that contains the node.
    #[action]
    async fn text_of(&self, form: String) -> String {
        self.text(&form)
    }

    /// Logs the node, and then returns it or fails.
    #[action(run)]
    async fn work(&self, ctx: &Ctx, form: Option<String>) -> Result<Json<Node>, LeakyError> {
        ctx.log(Level::Info, &self.0);
        ctx.log(Level::Warning, self.text(form.as_deref().unwrap_or("debug")));
        match form {
            Some(form) => Err(LeakyError(self.text(&form))),
            None => Ok(Json(self.0.clone())),
        }
    }

    /// Returns an error result with a text that contains the node.
    #[action]
    async fn error_result(&self, form: String) -> mcp_runtime::CallToolResult {
        mcp_runtime::CallToolResult::error(self.text(&form)).meta("data", json!({ "_state": MARKER, "n": 1 }))
    }
}

impl Leaky {
    fn text(&self, form: &str) -> String {
        match form {
            "debug" => format!("{:?}", self.0),
            "pretty" => format!("{:#?}", self.0),
            "json" => serde_json::to_string(&self.0).unwrap(),
            "json in json" => json!(serde_json::to_string(&self.0).unwrap()).to_string(),
            _ => format!("_token={MARKER} and more; id={}", self.0.id),
        }
    }
}

/// Values of which every internal part contains the marker.
fn dynamic() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(1)), Just(json!("text, with {braces} and \"quotes\"")), Just(Value::Null)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            (prop::collection::vec(("[a-z]{1,4}", inner.clone()), 0..4), "_[a-z]{0,3}", inner, any::<bool>()).prop_map(
                |(members, internal, value, is_deep)| {
                    let mut object: Map<_, _> = members.into_iter().collect();
                    let hidden = if is_deep { json!({ "x": [value, { "y": MARKER }] }) } else { json!(MARKER) };
                    object.insert(internal, hidden);
                    Value::Object(object)
                }
            ),
        ]
    })
}

fn secret() -> impl Strategy<Value = Secret> {
    let text = prop_oneof![
        Just(MARKER.to_owned()),
        Just(format!("a, \"b\" {{ [ {MARKER}")),
        Just(format!("' {MARKER} }} ) ]; \n \\ \" x"))
    ];
    prop_oneof![
        Just(Secret::None),
        text.clone().prop_map(Secret::Text),
        (text.clone(), text).prop_map(|(a, b)| Secret::Parts { a, b: (1, b) }),
    ]
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = (any::<u32>(), secret(), dynamic()).prop_map(|(id, secret, dynamic)| Node {
        id,
        secret,
        other: vec![MARKER.to_owned(), format!("\"{MARKER}")],
        children: Vec::new(),
        by_name: BTreeMap::from([(
            "_own".to_owned(),
            Some(Kind::Plain { text: MARKER.into(), hidden: String::new() }),
        )]),
        dynamic,
    });
    leaf.prop_recursive(3, 12, 3, |inner| {
        (inner.clone(), prop::collection::vec(inner.clone(), 0..3), inner, "[a-z]{1,4}").prop_map(
            |(node, children, kind, name)| {
                let mut by_name = node.by_name.clone();
                by_name.insert(name, Some(Kind::Nested { node: Box::new(kind) }));
                by_name.insert("plain".into(), Some(Kind::Plain { text: "open".into(), hidden: MARKER.into() }));
                Node { children, by_name, ..node }
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_internal_state_leaks(node in node()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let actions = Leaky(node).into_actions();
            let service = Server::new("s", "1.0.0").tool(actions.clone()).build().unwrap();
            let forms = ["debug", "pretty", "json", "json in json", "pairs"];
            let texts = ["fails", "text_of", "error_result"];
            let with_text = texts.iter().flat_map(|action| forms.map(|form| json!({ "action": action, "params": { "form": form } })));
            let others = ["get", "list", "dynamic", "describe", "wrong"].map(|action| json!({ "action": action }));
            for input in with_text.chain(others) {
                let handled = actions.handle(input.clone()).await.to_string();
                assert!(!handled.contains(MARKER), "{input}: {handled}");
                for revision in [Revision::V2024_11_05, Revision::V2026_07_28] {
                    let mut client = Client::new(&service, revision);
                    let left = client.call("leaky", input.clone()).await.result().to_string();
                    assert!(!left.contains(MARKER), "{input}: {left}");
                }
            }
            for form in forms.into_iter().map(Some).chain([None]) {
                let mut client = Client::new(&service, Revision::V2026_07_28);
                let input = json!({ "action": "work", "params": { "form": form, "wait": true } });
                let begun = client.call("leaky", input).await;
                let restart = |id: &Value| json!({ "action": "restart", "params": { "run_id": id, "wait": true } });
                let restarted = client.call("leaky", restart(&begun.result()["structuredContent"]["result"]["run_id"])).await;
                let run = &restarted.result()["structuredContent"]["result"];
                assert_eq!(run["status"], if form.is_some() { "failed" } else { "completed" });
                let result = json!({ "action": "result", "params": { "run_id": run["run_id"] } });
                let result = client.call("leaky", result).await;
                assert_eq!(result.result()["structuredContent"]["result"]["trace"].as_array().unwrap().len(), 4);
                for answer in [begun, restarted, result] {
                    // Also the notifications that were sent before the result.
                    let left = format!("{:?}", answer.transcript().received());
                    assert!(!left.contains(MARKER), "{form:?}: {left}");
                }
            }
        });
    }
}

#[tokio::test]
async fn what_is_not_internal_stays() {
    let node = Node {
        id: 7,
        secret: Secret::Text(MARKER.into()),
        other: Vec::new(),
        children: Vec::new(),
        by_name: BTreeMap::from([("k".into(), Some(Kind::Plain { text: "open".into(), hidden: MARKER.into() }))]),
        dynamic: json!({ "a": [{ "_b": MARKER, "c": 2 }] }),
    };
    let actions = Leaky(node).into_actions();
    let result = &actions.handle(json!({ "action": "get" })).await["result"];
    let kind = json!({ "kind": "plain", "text": "open" });
    let expected = json!({ "id": 7, "children": [], "by_name": { "k": kind }, "dynamic": { "a": [{ "c": 2 }] } });
    assert_eq!(result, &expected);
    let failed = actions.handle(json!({ "action": "fails", "params": { "form": "pairs" } })).await;
    assert_eq!(failed["error"]["message"], "failed for _token=…; id=7");
}
