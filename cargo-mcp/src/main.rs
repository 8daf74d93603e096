//! `cargo mcp new NAME`: starts a project with an MCP server. The templates are a part of the program.

mod name;
mod project;
mod template;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

use crate::{
    name::PackageName,
    project::{NewProject, create},
    template::Template,
};

#[derive(Parser)]
#[command(name = "cargo", bin_name = "cargo")]
enum Cargo {
    /// Start projects with MCP servers
    #[command(version, arg_required_else_help = true)]
    Mcp {
        #[command(subcommand)]
        command: Command,
    },
}

#[derive(Subcommand)]
enum Command {
    /// Start a project with an MCP server
    New(New),
}

#[derive(Args)]
struct New {
    /// The folder of the project. It must not exist, or be empty
    folder: PathBuf,
    /// The name of the package. The default is the name of the folder
    #[arg(long)]
    name: Option<String>,
    /// What the project starts with
    #[arg(long, value_enum, default_value_t = Template::Tool)]
    template: Template,
    /// The folder of a checkout of `mcp-runtime`, which the project uses instead of a published version
    #[arg(long, value_name = "FOLDER")]
    runtime: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Cargo::Mcp { command: Command::New(new) } = Cargo::parse();
    match run(new) {
        Ok(message) => {
            eprint!("{message}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Returns what the user is told.
fn run(New { folder, name, template, runtime }: New) -> Result<String, String> {
    let name = match name {
        Some(name) => name,
        None => {
            // `.` and `..` have no name of their own.
            let absolute = std::path::absolute(&folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
            let last = absolute.file_name().and_then(|name| name.to_str());
            last.ok_or_else(|| format!("`{}` does not end with a name; add `--name NAME`", folder.display()))?
                .to_owned()
        }
    };
    let name = PackageName::new(name, template)?;
    create(&NewProject { folder: &folder, name: &name, template, runtime: runtime.as_deref() })?;
    let steps = template.next_steps().iter().map(|step| format!("  {step}\n"));
    Ok(format!(
        "Created the package `{name}` in `{}`. Next:\n  cd {}\n{}",
        folder.display(),
        folder.display(),
        steps.collect::<String>()
    ))
}
