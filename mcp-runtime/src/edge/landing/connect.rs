//! How hosts connect: the URL, links with one click, and the entry for each host.

use super::html::Html;
use crate::edge::hosts::{
    entry::{ServerEntry, ServerTarget, entry_name_of},
    known::{HOSTS, KnownHost, Scope},
    links::links,
    own_command::shell_command,
    place::{OperatingSystem, PlacePath},
};

/// Appends the section. `url` is that of the endpoint.
pub(super) fn connect(html: &mut Html, server: &str, url: &str) {
    let entry = ServerEntry {
        name: entry_name_of(server),
        target: ServerTarget::Url(url.to_owned()),
        variables: Vec::new(),
        secrets: Vec::new(),
    };
    html.markup("<section aria-labelledby=\"connect\">\n<h2 id=\"connect\">Connect</h2>\n");
    html.markup("<p>Add this URL to a host, such as Claude or VS Code:</p>\n");
    html.element("<pre class=\"url\"><code>", url, "</code></pre>\n");
    html.markup("<ul class=\"links\">\n");
    for (title, link) in links(&entry) {
        html.element("<li><a href=\"", &link, "\">").element("Add to ", title, "</a></li>\n");
    }
    html.markup("</ul>\n");
    for host in &HOSTS {
        self::host(html, host, &entry);
    }
    html.markup("</section>\n");
}

fn host(html: &mut Html, host: &KnownHost, entry: &ServerEntry) {
    html.element("<details>\n<summary>", host.title, "</summary>\n");
    let command = host.own_command.and_then(|command| command(entry, Scope::User));
    if let Some(words) = &command {
        html.markup("<p>Run:</p>\n").element("<pre><code>", &shell_command(words), "</code></pre>\n");
    }
    match host.form.values(entry, host.title).and_then(|values| host.format.file_of(&values)) {
        Ok(text) => {
            html.markup(if command.is_some() { "<p>Or add to " } else { "<p>Add to " });
            if let Ok(file) = host.file(Scope::User) {
                files(html, file);
            }
            html.markup(":</p>\n").element("<pre><code>", text.trim_end(), "</code></pre>\n");
            html.markup("<p class=\"note\">Then ").inline(host.next_step).markup(".</p>\n");
        }
        Err(reason) => drop(html.element("<p>", &reason, ".</p>\n")),
    }
    html.markup("</details>\n");
}

/// Appends the paths of a file, which can differ between systems.
fn files(html: &mut Html, file: &PlacePath) {
    let systems =
        [("Linux", OperatingSystem::Linux), ("macOS", OperatingSystem::MacOs), ("Windows", OperatingSystem::Windows)];
    let paths = systems.map(|(name, system)| (name, usual(file.on(system))));
    if paths.iter().all(|(_, path)| *path == paths[0].1) {
        html.element("<code>", &paths[0].1, "</code>");
        return;
    }
    for (index, (name, path)) in paths.iter().enumerate() {
        html.markup(if index == 0 { "" } else { ", " }).element("<code>", path, "</code>");
        html.element(" (", name, ")");
    }
}

/// Returns a path with the usual folder in place of `{VARIABLE:FOLDER}`.
fn usual(path: &str) -> String {
    let parts = path.strip_prefix('{').and_then(|path| path.split_once('}'));
    match parts.and_then(|(folder, rest)| Some((folder.split_once(':')?.1, rest))) {
        Some((folder, rest)) => format!("{}/{}", folder.trim_end_matches('/'), rest.trim_start_matches('/')),
        None => path.to_owned(),
    }
}
