//! `store`: prepares the store of the server.

use std::process::ExitCode;

use clap::Command;

use crate::{
    edge::cli::{
        exit::{CommandEnd, fail, refuse},
        terminal::print,
    },
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
pub(crate) async fn migrate(service: &Service) -> CommandEnd {
    let StoreMigration(migrate) = migration(service).ok_or_else(|| refuse("the store of this server has no tables"))?;
    let done = migrate().await.map_err(fail)?;
    Ok(print(&format!("{done}\n"), ExitCode::SUCCESS))
}
