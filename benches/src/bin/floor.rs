//! The least possible server. One thread reads a line, parses it into a typed struct that borrows from the line, and
//! writes a reply made of literals. The server knows one tool, checks nothing, and cannot run an author's code.

#[path = "../tools/floor.rs"]
mod message;
#[path = "../tools/names.rs"]
mod names;

use std::io::{self, BufRead as _, BufReader, Write as _};

use self::message::{Request, answer, resources, tools};

fn main() -> io::Result<()> {
    let tools = match std::env::args().nth(1).as_deref() {
        Some("resources" | "resources-with-template") => resources(),
        served => tools(served == Some("100")),
    };
    let (mut input, mut output) = (BufReader::new(io::stdin().lock()), io::stdout().lock());
    let (mut line, mut reply) = (Vec::new(), Vec::new());
    while input.read_until(b'\n', &mut line)? > 0 {
        if let Ok(Request { id: Some(id), method, params, .. }) = serde_json::from_slice(&line) {
            answer(id.get(), &method, &params, &tools, &mut reply)?;
        }
        // What has arrived is answered before anything is written: one write for all that is ready.
        if !reply.is_empty() && input.buffer().is_empty() {
            output.write_all(&reply)?;
            output.flush()?;
            reply.clear();
        }
        line.clear();
    }
    output.write_all(&reply)
}
