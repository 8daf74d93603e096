//! The progress of a called tool, and that of its caller.

use std::time::Duration;

use mcp_runtime::{
    Result, Revision, in_every_mode,
    prelude::*,
    testing::{Client, Report},
};
use tokio::time::sleep;

use super::{Confirm, Trip, YES};

/// The server sends at most one report in this time.
const INTERVAL: Duration = Duration::from_millis(60);

/// Copies a file, and reports each half of it.
#[mcp_tool(read_only)]
async fn copy(ctx: &Ctx) {
    for (value, message) in [(0.5, "half"), (1.0, "all")] {
        ctx.progress(value).message(message);
        sleep(INTERVAL).await;
        ctx.progress(value);
    }
}

/// Copies a file in another tool.
#[mcp_tool(read_only)]
async fn copy_silently(ctx: &Ctx) -> Result<()> {
    ctx.call_tool(copy::with()).await
}

/// Copies two files, and reports each of them.
#[mcp_tool(read_only)]
async fn copy_both(ctx: &Ctx) -> Result<()> {
    ctx.progress(0.0).total(2.0).message("copying");
    sleep(INTERVAL).await;
    for file in [1.0, 2.0] {
        ctx.call_tool(copy_silently::with()).await?;
        ctx.progress(file).total(2.0);
        sleep(INTERVAL).await;
    }
    // There is no larger value left for a message.
    ctx.call_tool(copy::with()).await
}

/// Asks whether to go on, and reports that it does.
#[mcp_tool(replayable)]
async fn go_on(ctx: &Ctx<Trip>) -> Result<()> {
    ctx.elicit::<Confirm>("Go on?").strict().await?;
    ctx.progress(0.9).message("going on");
    Ok(())
}

/// Is half done when it asks.
#[mcp_tool(replayable)]
async fn ask_half_way(ctx: &Ctx<Trip>) -> Result<()> {
    ctx.progress(0.5);
    sleep(INTERVAL).await;
    ctx.call_tool(go_on::with()).await?;
    sleep(INTERVAL).await;
    ctx.progress(0.75);
    Ok(())
}

fn server() -> Server {
    Server::new("files", "1").tools(tools![copy, copy_silently, copy_both, go_on, ask_half_way])
}

/// Returns the reports. A value is rounded to a part of a million.
fn rounded(reports: &[Report]) -> Vec<(f64, Option<f64>, Option<&str>)> {
    let rounded = |value: f64| (value * 1e6).round() / 1e6;
    reports.iter().map(|report| (rounded(report.progress), report.total, report.message.as_deref())).collect()
}

#[tokio::test]
async fn the_values_of_a_called_tool_are_sent_if_its_caller_reports_none() {
    let service = server().build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let copied = Client::new(&service, revision).call("copy_silently", ()).await;
        let expected = [(0.5, Some(1.0), Some("half")), (1.0, Some(1.0), Some("all"))];
        assert_eq!(rounded(copied.progress()), expected, "{revision}");
    }
}

#[tokio::test]
async fn the_messages_of_a_called_tool_have_the_value_of_its_caller() {
    let service = server().build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let copied = Client::new(&service, revision).call("copy_both", ()).await;
        let total = Some(2.0);
        let expected = [
            (0.0, total, Some("copying")),
            (0.0, total, Some("half")),
            (0.0, total, Some("all")),
            (1.0, total, None),
            (1.0, total, Some("half")),
            (1.0, total, Some("all")),
            (2.0, total, None),
        ];
        assert_eq!(rounded(copied.progress()), expected, "{revision}");
        assert!(copied.progress().is_sorted_by(|one, next| one.progress < next.progress), "{:?}", copied.progress());
    }
}

#[tokio::test]
async fn the_value_of_the_caller_is_kept_in_later_rounds_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let asked = client.call("ask_half_way", ()).accept(YES).await;
        let mut reports = rounded(asked.progress());
        // A round whose reply was lost is run again, and reports again.
        reports.dedup();
        assert_eq!(reports, [(0.5, Some(1.0), None), (0.5, Some(1.0), Some("going on")), (0.75, Some(1.0), None)]);
    });
}
