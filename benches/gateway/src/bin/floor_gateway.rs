//! The least a gateway can do before the server whose program is the argument: it reads each message once, and gives it
//! another id on its way. It has one request in flight, and checks nothing.

use std::{
    io::{BufRead, BufReader, Write, stdin, stdout},
    process::{Command, Stdio},
};

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    method: &'a str,
    params: &'a RawValue,
}

#[derive(Deserialize)]
struct Reply<'a> {
    #[serde(borrow)]
    result: &'a RawValue,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = std::env::args().nth(1).ok_or("no program")?;
    let mut behind = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut to_server = behind.stdin.take().ok_or("no standard input")?;
    let mut from_server = BufReader::new(behind.stdout.take().ok_or("no standard output")?);
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let (mut line, mut written) = (String::new(), Vec::new());
    for number in 1.. {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            break;
        }
        let Request { id, method, params } = serde_json::from_str(&line)?;
        written.clear();
        writeln!(written, r#"{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{}}}"#, params.get())?;
        to_server.write_all(&written)?;
        let id = id.get().to_owned();
        line.clear();
        from_server.read_line(&mut line)?;
        let Reply { result } = serde_json::from_str(&line)?;
        written.clear();
        writeln!(written, r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#, result.get())?;
        output.write_all(&written)?;
        output.flush()?;
    }
    drop(to_server);
    behind.wait()?;
    Ok(())
}
