//! The links in Markdown pages have existing targets. `cargo doc` checks the links in the documentation of the crates.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::repository::path;

/// Folders that contain no pages of the project.
const NO_PAGES: [&str; 5] = ["target", "node_modules", ".git", "fixture", "generated"];

#[test]
fn every_link_to_a_file_leads_to_one() {
    let mut pages = Vec::new();
    collect_pages(&path(""), &mut pages);
    assert!(pages.len() > 8, "{pages:?}");
    let mut broken = BTreeSet::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let folder = page.parent().unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { page.clone() } else { folder.join(file) };
            if !file.exists() || !heading.is_empty() && !has_heading(&file, heading) {
                broken.insert(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Adds the Markdown files below a folder.
pub(crate) fn collect_pages(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && !NO_PAGES.contains(&&*name) {
            collect_pages(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// Whether a page has the heading that a link names. The link spells the heading as GitHub and similar hosts do.
fn has_heading(page: &Path, wanted: &str) -> bool {
    let text = fs::read_to_string(page).unwrap();
    text.lines().filter(|line| line.starts_with('#')).any(|line| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
        kept.collect::<String>().replace(' ', "-") == wanted
    })
}
