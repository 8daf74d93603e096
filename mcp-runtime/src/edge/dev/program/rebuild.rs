//! Builds the program when its sources change.

use std::{future::pending, sync::Arc};

use super::{
    processes::Processes,
    status::{add_diagnostic, build_begins, build_ends},
};
use crate::edge::dev::{
    project::{BuildOutcome, BuildStep, Project, SourceWatch, build},
    target::BuildStatus,
    terminal::Terminal,
};

/// Builds the program, and builds it again after each change. Changes during a build count for the next one.
pub(super) async fn run(processes: Arc<Processes>, mut project: Project, watches: bool, terminal: Arc<Terminal>) {
    let mut watch = watches.then(|| watch(&project, &terminal)).flatten();
    loop {
        build_once(&processes, &project, &terminal).await;
        let of_manifest = match &mut watch {
            Some(watch) => watch.changed(&project).await,
            None => pending().await,
        };
        // A manifest that cannot be read is an error of the build.
        if of_manifest
            && let Ok(found) = project.reread().await
            && found != project
        {
            project = found;
            watch = self::watch(&project, &terminal).or(watch);
        }
    }
}

fn watch(project: &Project, terminal: &Terminal) -> Option<SourceWatch> {
    let watch = SourceWatch::new(project);
    watch.map_err(|error| terminal.line(&format!("warning: {error}; start `dev` again after changes"))).ok()
}

async fn build_once(processes: &Processes, project: &Project, terminal: &Terminal) {
    processes.status.send_modify(|status| build_begins(&mut status.build));
    let mut step = |step: BuildStep<'_>| match step {
        BuildStep::Progress(line) => terminal.line(line),
        BuildStep::Diagnostic { diagnostic, coloured } => {
            terminal.diagnostic(&diagnostic, coloured);
            processes.status.send_modify(|status| add_diagnostic(&mut status.build, &diagnostic));
        }
    };
    let outcome = build(project, &mut step).await;
    let status = match outcome {
        BuildOutcome::Built(executable) => {
            processes.run_program(executable).await;
            BuildStatus::Built
        }
        BuildOutcome::Failed => BuildStatus::Failed,
    };
    processes.status.send_modify(|target| build_ends(&mut target.build, status));
}
