//! Measures `mcp-runtime` side by side with `rmcp` and with the least possible server. See `benches/README.md`.

#![expect(clippy::print_stdout, reason = "a report is what standard output is for")]

mod burst;
mod burst_on_stdio;
mod callgrind;
mod contestant;
mod conversation;
mod figures;
mod instructions;
mod lists;
mod memory_of;
mod parked;
mod parts;
mod processor_time;
mod report;
mod start;
mod states;
mod system_calls;
mod tasks;
mod throughput;
#[allow(dead_code, reason = "not every workload is asked for on stdio")]
mod workload;

use std::process::ExitCode;

use self::parts::Part;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const PARTS: [Part; 6] = [
    Part {
        name: "instructions",
        heading: "Instructions per call, one in flight",
        measure: instructions::measure,
        needs: Some("valgrind"),
        optional: false,
    },
    Part {
        name: "system-calls",
        heading: "System calls per call, one in flight",
        measure: system_calls::measure,
        needs: Some("strace"),
        optional: true,
    },
    Part {
        name: "parked",
        heading: "Memory of a call that waits, of 10,000",
        measure: parked::measure,
        needs: None,
        optional: false,
    },
    Part { name: "start", heading: "From start to first list", measure: start::measure, needs: None, optional: false },
    Part {
        name: "burst",
        heading: "Many calls at once",
        measure: burst_on_stdio::measure,
        needs: None,
        optional: false,
    },
    Part { name: "throughput", heading: "Throughput", measure: throughput::measure, needs: None, optional: false },
];

fn main() -> ExitCode {
    parts::main(&PARTS, contestant::check_replies)
}
