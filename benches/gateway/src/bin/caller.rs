//! An application that calls the tool `echo` of the server whose program is the first argument, as often as the second
//! one says.

use std::process::Command;

use mcp_runtime::remote::Remote;
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(program), Some(count)) = (arguments.next(), arguments.next()) else {
        return Err("no program, or no count".into());
    };
    let behind = Remote::stdio(&Command::new(program));
    for _ in 0..count.parse()? {
        let text = "x".repeat(100);
        let result = behind.call("echo", json!({ "text": text })).await?;
        assert_eq!(result.content()[0].as_text(), Some(&*text));
    }
    Ok(())
}
