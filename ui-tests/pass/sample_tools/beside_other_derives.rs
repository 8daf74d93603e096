//! Other derives have their own attributes, which change nothing here; on fields they are the same.

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, SampleTools, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Strategy {
    /// Attack.
    #[serde(alias = "hit")]
    AttackNow {
        #[serde(rename = "bestCell", skip_serializing_if = "Option::is_none")]
        best_cell: Option<u8>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        then: Vec<Strategy>,
    },
    /// Resign.
    #[default]
    #[serde(rename = "give-up")]
    #[tool(name = "give-up")]
    Resign,
}

#[derive(SampleTools, Serialize)]
#[serde(rename_all = "UPPERCASE")]
enum Answer {
    #[tool(name = "say-yes", description = "Yes.")]
    Yes,
    #[tool(name = "say-no", description = "No.")]
    No = 7,
}

fn main() {
    let names: Vec<_> = Strategy::tools().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["attack_now", "give-up"]);
    assert_eq!(Strategy::read("give-up", Default::default()), Ok(Strategy::default()));
    let attack = Strategy::read("attack_now", Default::default()).expect("all fields may be left out");
    assert_eq!(attack, Strategy::AttackNow { best_cell: None, then: Vec::new() });
    assert_eq!(Answer::tools().len(), 2);
}
