//! Calls of a tool on standard input and output.

use std::{
    io::{self, BufRead as _, BufReader, Write as _},
    process::{ChildStdin, Command, Stdio},
};

use serde_json::{Value, json};

use crate::{CALLS, Result, TEXT, callgrind};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Era {
    Modern,
    Legacy,
}

pub(crate) fn per_call(tool: &str, era: Era) -> Result<f64> {
    callgrind::per_call(CALLS, |count| {
        callgrind::instructions(&format!("contract-{tool}-{era:?}-{count}"), |wrapper, (name, value)| {
            let mut command = Command::new(wrapper[0]);
            command.args(&wrapper[1..]).arg(env!("CARGO_BIN_EXE_contract_tools")).env(name, value);
            converse(&mut command, tool, era, count)
        })
    })
}

fn converse(command: &mut Command, tool: &str, era: Era, count: u32) -> Result<()> {
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = server.stdin.take().ok_or("no input")?;
    let mut output = BufReader::new(server.stdout.take().ok_or("no output")?);
    let mut reply = String::new();
    let mut params = json!({ "name": tool, "arguments": { "text": TEXT } });
    match era {
        Era::Legacy => {
            let client = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" } });
            send(&mut input, &json!({ "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": client }))?;
            output.read_line(&mut reply)?;
            send(&mut input, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        }
        Era::Modern => {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
    }
    for id in 0..count {
        send(&mut input, &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))?;
        reply.clear();
        output.read_line(&mut reply)?;
    }
    let result: Value = serde_json::from_str(&reply)?;
    if result["result"]["structuredContent"]["text"] != TEXT {
        return Err(format!("a wrong reply: {reply}").into());
    }
    drop(input);
    let status = server.wait()?;
    if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
}

/// Sends a message in one write. In several, the server reads as many pieces as the scheduler lets it, and counts vary.
fn send(input: &mut ChildStdin, message: &Value) -> io::Result<()> {
    input.write_all(format!("{message}\n").as_bytes())
}
