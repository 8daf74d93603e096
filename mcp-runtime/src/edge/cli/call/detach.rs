//! `--detach`: begins a run in another process, prints it, and does not wait for its end.
//!
//! A run ends with the process that executes it. So the program starts itself once more, with the same command line, and
//! this second process stays in the background until the run has ended. It has no terminal. The questions of the run wait
//! in the store until a call of `status` with `wait` asks them.

use std::{
    env,
    fs::File,
    io::{self, BufRead, BufReader, Write},
    os::{fd::AsFd, unix::process::CommandExt},
    process::{Command, ExitCode, Stdio},
};

use serde_json::{Value, value::RawValue};

use super::{
    conversation::{self, reason},
    outcome,
};
use crate::{
    edge::cli::{
        answers::InputRequests,
        exit::{fail, refuse},
        items::{
            item::TOOLS,
            runs::{run_manager, with_wait},
        },
        terminal::content::read_json,
    },
    engine::{runs::manager::RunManager, tool::registered::RegisteredTool},
    serve::server::Service,
};

/// The environment variable that tells the second process what it is.
const BACKGROUND: &str = "MCP_RUNTIME_BACKGROUND_RUN";

pub(crate) async fn act(service: &Service, tool: &RegisteredTool, arguments: &RawValue, json: bool) -> ExitCode {
    let name = &tool.definition.name;
    let Some((runs, arguments)) = run_manager(tool).zip(with_wait(tool, arguments, false)) else {
        let action = read_json(arguments)["action"].take();
        return refuse(format_args!("`--detach` needs an action that begins a run, and {action} does not"));
    };
    if !runs.outlives_process() {
        return refuse(format_args!(
            "`--detach` needs a store that outlives this process, and the runs of `{name}` are stored in memory; leave \
             it out to wait for the end of the run, or set another store in the program (`Actions::runs`)"
        ));
    }
    if env::var_os(BACKGROUND).is_some() {
        return run_in_background(service, name, runs, arguments).await;
    }
    match begin_in_background() {
        Ok(result) => outcome::show(&result, tool, json),
        Err(error) => fail(format_args!("the run cannot begin in the background: {error}")),
    }
}

/// Starts the second process, and returns the result of its call.
fn begin_in_background() -> io::Result<Box<RawValue>> {
    let mut program = Command::new(env::current_exe()?);
    program.args(env::args_os().skip(1)).env(BACKGROUND, "1");
    // Ctrl-C at the terminal ends only the processes of this group.
    program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    let mut process = program.spawn()?;
    let mut result = String::new();
    if let Some(output) = process.stdout.take() {
        BufReader::new(output).read_line(&mut result)?;
    }
    if result.is_empty() {
        return Err(io::Error::other(format!("its process has ended ({})", process.wait()?)));
    }
    Ok(serde_json::from_str(&result)?)
}

/// Begins the run, writes the result of the call on one line, and waits for the end of the run.
async fn run_in_background(service: &Service, name: &str, runs: &RunManager, arguments: Box<RawValue>) -> ExitCode {
    let request = TOOLS.request(name, arguments);
    let result = match conversation::request(service, name, request, None, InputRequests::of_background()).await {
        Ok(result) => result.to_string(),
        Err(failure) => match reason(&failure) {
            Some(reason) => error(&reason),
            None => return ExitCode::FAILURE,
        },
    };
    if let Err(error) = tell_parent(&result) {
        return refuse(error);
    }
    runs.all_ended().await;
    ExitCode::SUCCESS
}

/// Returns an error result as JSON text.
fn error(message: &str) -> String {
    let content: Value = serde_json::json!([{ "type": "text", "text": message }]);
    serde_json::json!({ "content": content, "isError": true }).to_string()
}

/// Writes the line. What the tool prints later does not go to the first process, which has ended by then.
fn tell_parent(line: &str) -> io::Result<()> {
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdout(io::stderr())?;
    writeln!(output, "{line}")
}
