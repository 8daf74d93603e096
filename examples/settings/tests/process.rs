//! The program as a client and as its operator meet it: a process, with settings.

use std::process::{Command, Stdio};

use mcp_runtime::testing::Client;
use serde_json::json;

/// The program, with no settings of the shell that runs the tests.
fn program(variables: &[(&str, &str)], options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_settings"));
    for name in ["SHOP_PRICES", "SHOP_CURRENCY", "SHOP_CODE", "SHOP_CODE_FILE", "MCP_CONFIG"] {
        command.env_remove(name);
    }
    command.current_dir(env!("CARGO_MANIFEST_DIR")).envs(variables.iter().copied()).args(options);
    command
}

#[tokio::test]
async fn settings_come_from_variables_and_options() {
    let mut client = Client::process(program(&[("SHOP_CODE", "spring")], &["--currency", "usd"]));
    assert_eq!(client.call("price", json!({ "article": "tea" })).await.text(), "$4.00");
    assert_eq!(client.call("price", json!({ "article": "tea", "code": "spring" })).await.text(), "$3.60");
    let refused = client.call("price", json!({ "article": "tea", "code": "winter" })).await;
    assert_eq!(refused.text(), "this code is not valid");
}

#[test]
fn one_error_lists_what_is_missing_and_wrong() {
    let mut command = program(&[("SHOP_CURRENCY", "yen")], &["call", "price", "--article", "tea"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("  - `SHOP_CURRENCY` is `yen`, not `eur` or `usd`\n"), "{errors}");
    assert!(
        errors.contains("  - the setting `code` (The code that takes a tenth off each price) is missing"),
        "{errors}"
    );
}
