//! `store`: prepares the store of the server.

use std::process::ExitCode;

use clap::Command;

use crate::{
    edge::cli::terminal::{print, tell},
    engine::store::StoreMigration,
    serve::server::Service,
};

/// The command `store`, which servers have whose store has tables.
pub(crate) fn command() -> Command {
    let migrate =
        Command::new("migrate").about("Create the tables of the store, or change those of an earlier version");
    Command::new("store").about("Prepare the store of the server").subcommand_required(true).subcommand(migrate)
}

pub(crate) fn migration(service: &Service) -> Option<&StoreMigration> {
    service.0.settings.states.get()
}

/// Creates or changes the tables.
pub(crate) async fn migrate(service: &Service) -> ExitCode {
    let Some(StoreMigration(migrate)) = migration(service) else {
        return super::refuse("the store of this server has no tables");
    };
    match migrate().await {
        Ok(done) => print(&format!("{done}\n"), ExitCode::SUCCESS),
        Err(error) => {
            tell(format_args!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}
