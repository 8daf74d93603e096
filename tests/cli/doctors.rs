//! `doctor`: a program that examines itself, as hosts use it.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::Value;

use crate::cli::program::{Ran, ended, program};

/// The value of a secret, which must be in no output.
const SECRET: &str = "s3cr3t-77aa";

fn doctor(server: &str, variables: &[(&str, &str)], before: &[&str], arguments: &[&str]) -> Ran {
    let mut command = program(server);
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("MCP_") || name.starts_with("APP_")) {
            command.env_remove(name);
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(server);
    // The examples find their data there.
    if folder.is_dir() {
        command.current_dir(folder);
    }
    command.envs(variables.iter().copied()).args(before).arg("doctor").args(arguments).stdin(Stdio::null());
    let ran = ended(command.output().unwrap());
    assert!(!ran.output.contains(SECRET) && !ran.errors.contains(SECRET), "{ran:?}");
    ran
}

fn museum(variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
    doctor("cli_doctors", &[variables, &[("APP_TOKEN", SECRET)]].concat(), &[], arguments)
}

/// Returns a free address, so that no other program of this machine disturbs the test.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Returns whether a step was done. On a busy machine it can be slow, which is a warning.
fn was_done(ran: &Ran, part: &str) -> bool {
    let slow = part.replacen("ok: ", "warning: ", 1);
    !lines(ran, part).is_empty() || lines(ran, slow.trim_end_matches(" (")).iter().any(|line| line.contains(": slow; "))
}

fn lines<'t>(ran: &'t Ran, begin: &str) -> Vec<&'t str> {
    ran.output.lines().map(str::trim).filter(|line| line.starts_with(begin)).collect()
}

#[test]
fn a_server_that_works_is_examined_in_every_way() {
    let calls = std::env::temp_dir().join(format!("mcp-doctor-{}", std::process::id()));
    let address = free_address();
    let variables = [("DOCTOR_CALLS", calls.to_str().unwrap()), ("MCP_HTTP_ADDR", &*address)];
    let ran = museum(&variables, &[]);
    let called = fs::read_to_string(&calls).unwrap_or_default();
    let _ = fs::remove_file(&calls);
    assert_eq!((ran.code, ran.errors.as_str()), (Some(0), ""), "{ran:?}");
    // Only what is read-only and needs no arguments, and only once.
    assert_eq!(called, "count\nguests\nplan\n");
    for part in [
        "ok: museum 1.2.3, with mcp-runtime ",
        "ok: the clock shows 20",
        "ok: `greeting` has its default",
        "ok: `token` is read from `APP_TOKEN`",
        "ok: `mcp.http_addr` is read from `MCP_HTTP_ADDR`",
        "ok: 2026-07-28: the server answers (",
        "ok: 2026-07-28: it lists 5 tools (",
        "ok: 2026-07-28: `count` was called (",
        "warning: 2026-07-28: `guests` failed: the guest book is lost",
        "ok: 2026-07-28: `plan` asks the user or a model, and was not answered",
        "ok: 2026-07-28: did not call 2 tools: not `read_only`, or with arguments",
        "ok: 2025-11-25: it lists 5 tools (",
        "ok: 2026-07-28, then 2025-11-25: it lists 5 tools (",
        &format!("ok: the address `{address}` is free"),
        "ok: `/health/ready`: the store can be reached",
    ] {
        assert!(was_done(&ran, part), "{part}: {}", ran.output);
    }
    assert_eq!(lines(&ran, "wrong:"), [""; 0]);
    assert!(ran.output.contains("\nHTTP\n") && ran.output.contains("everything works; "), "{ran:?}");
}

#[test]
fn a_missing_setting_is_wrong() {
    let ran = doctor("cli_doctors", &[], &[], &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(lines(&ran, "wrong: `token`"), ["wrong: `token` is missing; set the variable `APP_TOKEN`"]);
    let stdio = lines(&ran, "wrong: 2026-07-28: ");
    assert!(stdio[0].contains("the server says: the server cannot be built: the setting `token`"), "{ran:?}");
    assert_eq!(
        lines(&ran, "wrong: the server cannot start: the server cannot be built: the setting").len(),
        1,
        "{ran:?}"
    );
}

#[test]
fn output_that_is_no_message_is_wrong() {
    let ran = museum(&[("DOCTOR_PRINTS", "1")], &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let wrong = lines(&ran, "wrong:");
    assert!(wrong[0].starts_with("wrong: 2026-07-28: the server wrote `ready`, which is not a message"), "{ran:?}");
}

#[test]
fn a_store_that_cannot_be_opened_is_wrong() {
    let ran = museum(&[("MCP_STORE", "sqlite:/no/such/folder/calls.db")], &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(lines(&ran, "ok: `mcp.store` is read from `MCP_STORE`").len() == 1, "{ran:?}");
    assert!(lines(&ran, "wrong:").iter().any(|line| line.contains("cannot open the store of `MCP_STORE`")), "{ran:?}");
}

#[test]
fn an_address_in_use_is_a_warning() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = museum(&[("MCP_HTTP_ADDR", &address)], &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(lines(&ran, &format!("warning: cannot listen at `{address}`: ")).len(), 1, "{ran:?}");
}

#[test]
fn a_server_that_requires_tokens_works() {
    let ran = museum(&[("DOCTOR_TOKENS", "1")], &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(lines(&ran, "ok: the server requires a token").len(), 1, "{ran:?}");
    assert_eq!(lines(&ran, "ok: `/health/ready`").len(), 1, "{ran:?}");
}

#[test]
fn the_report_as_json_has_the_worst_mark() {
    let ran = museum(&[], &["--json"]);
    let report: Value = serde_json::from_str(&ran.output).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert_eq!(report["mark"], "warning");
    let sections: Vec<_> = report["sections"].as_array().unwrap().iter().map(|section| &section["title"]).collect();
    assert_eq!(sections, ["Program", "Settings", "Standard input and output", "HTTP"]);
    let steps = report["sections"][2]["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["milliseconds"].is_u64() && step["mark"] == "ok"), "{report:#}");
}

#[test]
fn the_child_gets_the_options_of_the_program() {
    let options = [&["--greeting", "Hi"][..], &[]];
    for before in options {
        let after: &[&str] = if before.is_empty() { &["--greeting=Hi"] } else { &[] };
        let ran = doctor("cli_doctors", &[("APP_TOKEN", SECRET)], before, after);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(lines(&ran, "ok: `greeting` is read from `--greeting`").len(), 1, "{ran:?}");
    }
    // A file with the secret.
    let file: PathBuf = std::env::temp_dir().join(format!("mcp-doctor-{}.toml", std::process::id()));
    fs::write(&file, format!("token = \"{SECRET}\"\n")).unwrap();
    let ran = doctor("cli_doctors", &[], &["--config", file.to_str().unwrap()], &[]);
    let _ = fs::remove_file(&file);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(lines(&ran, "ok: `token` is read from `token` in `").len(), 1, "{ran:?}");
}

#[test]
fn a_program_with_flags_of_its_own_and_examples_work() {
    for (server, before) in [("cli_flags", &["--greeting", "Hi"][..]), ("hello", &[]), ("docs_server", &[])] {
        let ran = doctor(server, &[], before, &[]);
        assert_eq!(ran.code, Some(0), "{server}: {ran:?}");
    }
}
