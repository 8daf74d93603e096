//! `remote`: saves the tools of another server for `remote_tools!`, and says whether they have changed.

mod difference;

use std::{fs, path::PathBuf, process::ExitCode};

use clap::{Arg, ArgMatches, Command, value_parser};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::difference::differences;
use super::{
    exit::{CommandEnd, fail, refuse},
    terminal::print,
};
use crate::serve::remote::Remote;

const SAVE_NOTES: &str = "\
The file has the name of the variable, not the token.

Examples:
  remote save schemas/github.json --url https://mcp.example.com/mcp --bearer-token-env GITHUB_TOKEN
  remote save schemas/files.json -- npx -y @modelcontextprotocol/server-filesystem .";

const CHECK_NOTES: &str = "Exit code: 0 if nothing has changed, 1 if something has, or if a server cannot be reached.";

/// What a file says about a server. `remote_tools!` reads the tools.
#[derive(Serialize, Deserialize)]
struct SavedServer {
    source: SavedSource,
    server: Value,
    tools: Vec<Value>,
}

/// How the server is reached.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", untagged)]
enum SavedSource {
    Url {
        url: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        bearer_token_env: Option<String>,
    },
    Program {
        command: Vec<String>,
    },
}

pub(crate) fn command() -> Command {
    let url = Arg::new("url").long("url").value_name("URL").help("The URL of the server");
    let token = Arg::new("bearer-token-env").long("bearer-token-env").value_name("VARIABLE").requires("url");
    let token = token.help("The environment variable that has the bearer token for the URL");
    let program = Arg::new("command").value_name("COMMAND").num_args(1..).last(true).required_unless_present("url");
    let program = program.conflicts_with("url").help("The command that starts the server");
    let file = Arg::new("file").value_name("FILE").required(true).value_parser(value_parser!(PathBuf));
    let save = Command::new("save").about("Write the tools of a server to a file").after_help(SAVE_NOTES).args([
        file.clone().help("The file to write"),
        url,
        token,
        program,
    ]);
    let check = Command::new("check")
        .about("Compare saved tools with those that the server has now")
        .after_help(CHECK_NOTES)
        .arg(file.num_args(1..).help("Files that `remote save` has written"));
    Command::new("remote")
        .about("Save the tools of another server for `remote_tools!`, or compare them with the saved ones")
        .subcommand_required(true)
        .subcommands([save, check])
}

/// Runs the command.
pub(crate) async fn act(matches: &ArgMatches) -> CommandEnd {
    match matches.subcommand() {
        Some(("save", matches)) => save(matches).await,
        Some((_, matches)) => check(matches).await,
        None => Err(refuse("write `remote save` or `remote check`")),
    }
}

async fn save(matches: &ArgMatches) -> CommandEnd {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let source = match text("url") {
        Some(url) => SavedSource::Url { url, bearer_token_env: text("bearer-token-env") },
        None => SavedSource::Program { command: matches.get_many("command").into_iter().flatten().cloned().collect() },
    };
    let saved = source.read().await.map_err(fail)?;
    let file = matches.get_one::<PathBuf>("file").expect("it is required");
    let mut json = serde_json::to_string_pretty(&saved).map_err(|error| fail(error.to_string()))?;
    json.push('\n');
    fs::write(file, json).map_err(|error| fail(format!("cannot write `{}`: {error}", file.display())))?;
    let count = saved.tools.len();
    Ok(print(
        &format!("`{}` has {count} tool{}\n", file.display(), if count == 1 { "" } else { "s" }),
        ExitCode::SUCCESS,
    ))
}

async fn check(matches: &ArgMatches) -> CommandEnd {
    let (mut report, mut code) = (String::new(), ExitCode::SUCCESS);
    for file in matches.get_many::<PathBuf>("file").into_iter().flatten() {
        let shown = file.display();
        let text = fs::read_to_string(file).map_err(|error| refuse(format!("cannot read `{shown}`: {error}")))?;
        let saved: SavedServer = serde_json::from_str(&text)
            .map_err(|error| refuse(format!("`{shown}` is not a file of `remote save`: {error}")))?;
        let problems = match saved.source.read().await {
            Ok(now) => differences(&saved.tools, &now.tools),
            Err(reason) => vec![reason],
        };
        if problems.is_empty() {
            report.push_str(&format!("`{shown}`: nothing has changed\n"));
        } else {
            code = ExitCode::FAILURE;
            report.push_str(&format!("`{shown}`:\n  - {}\n", problems.join("\n  - ")));
        }
    }
    Ok(print(&report, code))
}

impl SavedSource {
    /// Asks the server for its tools.
    async fn read(&self) -> Result<SavedServer, String> {
        let remote = match self {
            Self::Url { url, bearer_token_env: None } => Remote::http(url),
            Self::Url { url, bearer_token_env: Some(variable) } => {
                let token = std::env::var(variable).map_err(|error| format!("the variable `{variable}`: {error}"))?;
                Remote::http(url).bearer_token(token)
            }
            Self::Program { command } => {
                let [program, arguments @ ..] = &command[..] else { return Err("the command is empty".to_owned()) };
                Remote::stdio(std::process::Command::new(program).args(arguments))
            }
        };
        let server = remote.identity().await.map_err(|error| error.to_string())?;
        let tools = remote.tools().await.map_err(|error| error.to_string())?;
        Ok(SavedServer { source: self.clone(), server, tools: tools.to_vec() })
    }
}
