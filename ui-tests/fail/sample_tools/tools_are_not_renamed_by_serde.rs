use mcp_runtime::prelude::*;

#[derive(SampleTools, serde::Serialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Strategy {
    /// Attack.
    AttackNow { best_cell: u8 },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
