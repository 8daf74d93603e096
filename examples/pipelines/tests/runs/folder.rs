//! Nothing outside the data folder is read or written.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;

use pipelines::{DataFolder, Format, PipelineError, Table};
#[cfg(unix)]
use tempfile::TempDir;

use crate::support::data;

#[cfg(unix)]
fn outside() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("secret.csv"), "secret\n42\n").unwrap();
    folder
}

fn table() -> Table {
    Table::read(Format::Csv, b"a\n1\n").unwrap()
}

#[test]
fn globs_match_files_at_their_depth_in_the_order_of_their_names() {
    let data = data();
    let folder = DataFolder::open(data.path()).unwrap();
    let (table, files) = folder.read_tables("orders/2026-0[13].csv").unwrap();
    assert_eq!(files, ["orders/2026-01.csv", "orders/2026-03.csv"]);
    assert_eq!((table.rows.len(), &table.rows[0][0]), (12, &1001.into()));
    assert_eq!(folder.read_tables("**/2026-02.csv").unwrap().1, ["orders/2026-02.csv"]);
    let missing = folder.read_tables("*.xml").unwrap_err().to_string();
    assert_eq!(missing, "no file matches `*.xml`");
    assert!(matches!(folder.read_tables("orders/[").unwrap_err(), PipelineError::Glob { .. }));
}

#[test]
fn paths_that_lead_out_are_refused() {
    let data = data();
    let folder = DataFolder::open(data.path()).unwrap();
    for path in ["../secret.csv", "/etc/x.csv", "a/../../x.csv", "", "..\\x.csv"] {
        assert!(matches!(folder.read_tables(path), Err(PipelineError::Path(_))), "{path}");
        let report = folder.write_report(path, &table());
        assert!(matches!(report, Err(PipelineError::Path(_) | PipelineError::Format(_))), "{path}");
    }
    assert!(folder.definition("../customers").unwrap().is_none());
}

#[test]
#[cfg(unix)]
fn symbolic_links_do_not_lead_out() {
    let (data, outside) = (data(), outside());
    symlink(outside.path(), data.path().join("linked")).unwrap();
    symlink(outside.path().join("secret.csv"), data.path().join("secret.csv")).unwrap();
    symlink(outside.path(), data.path().join("reports")).unwrap();
    symlink(outside.path().join("secret.csv"), data.path().join("pipelines/secret.json")).unwrap();
    let folder = DataFolder::open(data.path()).unwrap();
    assert!(matches!(folder.read_tables("**/secret.csv"), Err(PipelineError::NoFile(_))));
    assert!(matches!(folder.read_tables("linked/*.csv"), Err(PipelineError::NoFile(_))));
    assert!(matches!(folder.definition("secret"), Err(PipelineError::File { doing: "read", .. })));
    assert!(matches!(folder.write_report("new.csv", &table()), Err(PipelineError::File { doing: "write", .. })));
    assert!(!outside.path().join("new.csv").exists());
}

#[test]
fn a_report_is_written_below_reports_as_a_whole() {
    let data = data();
    let folder = DataFolder::open(data.path()).unwrap();
    folder.write_report("2026/pipelines.json", &table()).unwrap();
    let written = fs::read_dir(data.path().join("reports/2026")).unwrap();
    let names: Vec<_> = written.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["pipelines.json"], "no draft remains");
    assert!(folder.report("2026/pipelines.json").unwrap().1);
}
