//! Measures `mcp-runtime` over HTTP side by side with `rmcp` and with the least possible server. See
//! `benches/README.md`.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

mod asking;
#[path = "../../driver/burst.rs"]
mod burst;
#[path = "../../driver/callgrind.rs"]
mod callgrind;
mod client;
mod contestant;
#[path = "../../driver/figures.rs"]
mod figures;
#[path = "../../driver/free_address.rs"]
mod free_address;
mod instructions;
mod load;
mod memory;
#[path = "../../driver/memory_of.rs"]
mod memory_of;
#[path = "../../driver/parts.rs"]
mod parts;
#[path = "../../driver/processor_time.rs"]
mod processor_time;
#[path = "../../driver/processors.rs"]
mod processors;
#[path = "../../driver/report.rs"]
mod report;
mod response;
mod server;
#[allow(dead_code, reason = "not every workload is asked for over HTTP")]
#[path = "../../driver/workload.rs"]
mod workload;

use std::process::ExitCode;

use self::parts::Part;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const PARTS: [Part; 5] = [
    Part {
        name: "instructions",
        heading: "Instructions per call over HTTP, one in flight",
        measure: instructions::measure,
        needs: Some("valgrind"),
        optional: false,
    },
    Part { name: "memory", heading: "Memory over HTTP", measure: memory::measure, needs: None, optional: false },
    Part {
        name: "burst",
        heading: "Many calls at once over HTTP",
        measure: load::burst::measure,
        needs: None,
        optional: false,
    },
    // Before `load`, which keeps the client on one processor.
    Part {
        name: "threads",
        heading: "A second thread over HTTP",
        measure: load::threads::measure,
        needs: None,
        optional: false,
    },
    Part { name: "load", heading: "Load over HTTP", measure: load::measure, needs: None, optional: false },
];

fn main() -> ExitCode {
    parts::main(&PARTS, client::check_replies)
}
