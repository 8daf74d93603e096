//! Each host, with documents of every kind.

use super::*;
use crate::edge::hosts::{format::FileFormat, known::HOSTS};

/// Returns documents with other servers, in the format and with the tables of the host.
fn documents(host: &KnownHost) -> Vec<String> {
    let lines = |document: &str| {
        let crlf = document.replace('\n', "\r\n");
        let end = document.trim_end().to_owned();
        [document.to_owned(), crlf.clone(), format!("\u{feff}{document}"), format!("\u{feff}{crlf}"), end]
    };
    let mut all: Vec<_> = match host.format {
        FileFormat::Json => {
            let open: String = host.form.tables.iter().map(|table| format!("\"{table}\": {{")).collect();
            let close = "}".repeat(host.form.tables.len());
            [
                format!("{{\n  \"theme\": \"dark\",\n  {open}\n    \"github\": {{\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"x\"],\n      \"env\": {{\"TOKEN\": \"s3cret\"}}\n    }}\n  {close},\n  \"last\": [1, 2.50]\n}}\n"),
                format!("// settings\n{{\n\t// servers\n\t{open} // here\n\t\t\"github\": {{ \"command\": \"npx\" }}, // github\n\t\t/* \"old\": {{}}, */\n\t{close},\n}}\n"),
                format!("{{{open}\"github\": {{\"command\": \"npx\"}}{close}, \"theme\": \"dark\"}}"),
                format!("{{\n    {open}{close}\n}}\n"),
            ]
            .to_vec()
        }
        FileFormat::Toml => [
            "# Codex\nmodel = \"x\" # the model\n\n[mcp_servers.github]\ncommand = \"npx\"\nargs = [\"-y\", \"x\"]\n\n[mcp_servers.github.env]\nTOKEN = \"s3cret\"\n\n# trust\n[projects.\"/home/ada\"]\ntrust_level = \"trusted\"\n",
            "[mcp_servers]\n\tgithub = { command = 'npx' } # inline\n",
            "notify = [\n  \"a\", # [mcp_servers.flights]\n]\n",
        ]
        .map(str::to_owned)
        .to_vec(),
        FileFormat::Yaml => [
            "# goose\nGOOSE_MODEL: x # the model\nextensions:\n  developer: # built in\n    bundled: true\n    enabled: yes\n    type: builtin\n  # github\n  github:\n    cmd: npx\n    args:\n    - -y\n    - x\n    envs: {}\n\n# more\nGOOSE_MODE: auto\n",
            "extensions:\n    github:\n        cmd: npx\n        description: |-\n            extensions:\n              flights: no\n",
            "extensions: {}\nGOOSE_MODEL: x\n",
        ]
        .map(str::to_owned)
        .to_vec(),
    };
    all = all.iter().flat_map(|document| lines(document)).collect();
    // Files without entries.
    all.extend(["", "\n", "\u{feff}"].map(str::to_owned));
    all.extend(
        match host.format {
            FileFormat::Json => ["{}", "{\n}\n", "{\r\n\t\"theme\": \"dark\"\r\n}\r\n", "// nothing yet\n"],
            FileFormat::Toml => ["model = \"x\"", "# nothing yet\r\n", "a = 1\n\n\n", "[a]\n"],
            FileFormat::Yaml => ["GOOSE_MODEL: x", "# nothing yet\r\n", "a: 1\n\n\n", "---\na: 1\n...\n"],
        }
        .map(str::to_owned),
    );
    all
}

/// Returns the lines of a text that are more than brackets.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let trimmed = text.split_inclusive('\n').map(|line| line.trim_end_matches('\n'));
    trimmed.filter(|line| !line.trim_matches([' ', '\t', '\r', '{', '}', ',', '\u{feff}']).is_empty())
}

#[test]
fn install_and_remove_give_back_every_document_of_every_host() {
    for host in &HOSTS {
        for document in documents(host) {
            let computer = Computer::new();
            let path = computer.write(host, &document);
            let before = computer.files();
            let installer = computer.installer();
            let added = installer.install(host, &entry()).unwrap_or_else(|error| panic!("{document:?}: {error}"));
            assert!(matches!(added, Applied::Added { backup: Some(_), .. }), "{added:?}");
            let with = read(&path);
            let slot = host.form.slot("flights");
            let values = host.form.values(&entry(), host.title).unwrap();
            assert_eq!(host.format.get(&with, &slot), Ok(Some(values[0].1.clone())), "{with:?}");
            // All lines are still there, in their order. A line can have got a comma.
            if document.contains('\n') {
                let mut found = lines(&with);
                for line in lines(&document) {
                    let line = line.trim_end_matches(['\r', '}']).replace(',', "");
                    let is_kept = |found: &str| found.replace(',', "").starts_with(&line);
                    assert!(found.any(is_kept), "{line:?} is not in {with:?}");
                }
            }
            assert_eq!(installer.install(host, &entry()), Ok(Applied::Unchanged { path: path.display().to_string() }));
            let removed = installer.remove(host, "flights").unwrap();
            assert_eq!(removed, Applied::Removed { path: path.display().to_string(), backup: None });
            assert_eq!(computer.files(), before, "{}: {document:?}", host.name);
        }
    }
}

#[test]
fn the_text_of_an_entry_alone_is_that_of_a_new_file() {
    for host in &HOSTS {
        let url = ServerEntry {
            target: ServerTarget::Url("https://example.com/mcp".to_owned()),
            variables: Vec::new(),
            ..entry()
        };
        let mut has_one = false;
        for entry in [entry(), with_secret(entry(), "TOKEN"), url] {
            let Ok(values) = host.form.values(&entry, host.title) else { continue };
            assert_eq!(host.format.file_of(&values), host.format.insert("", &values), "{}", host.name);
            has_one = true;
        }
        assert!(has_one, "{}", host.name);
    }
}

/// What does not depend on the backup: the lines of others stay after a removal, too.
#[test]
fn a_removal_without_the_backup_keeps_all_lines_of_others() {
    for host in &HOSTS {
        for document in documents(host) {
            let computer = Computer::new();
            let path = computer.write(host, &document);
            let installer = computer.installer();
            installer.install(host, &entry()).unwrap();
            fs::remove_file(format!("{}.before-flights", path.display())).unwrap();
            installer.remove(host, "flights").unwrap();
            let back = if path.exists() { read(&path) } else { String::new() };
            let kept: Vec<_> = lines(&document).map(|line| line.trim_end_matches([',', '\r'])).collect();
            let mut found = lines(&back);
            for line in kept {
                assert!(
                    found.any(|found| found.trim_end_matches([',', '\r']).starts_with(line)),
                    "{line:?} is not in {back:?}"
                );
            }
        }
    }
}

#[test]
fn a_missing_file_is_created_and_deleted_again() {
    for host in &HOSTS {
        let computer = Computer::new();
        let installer = computer.installer();
        let added = installer.install(host, &entry()).unwrap();
        let path = computer.path(host);
        assert_eq!(added, Applied::Added { path: path.display().to_string(), backup: None });
        assert_eq!(computer.files().len(), 1, "no backup of a file that did not exist");
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions()) & 0o777, 0o600);
        installer.remove(host, "flights").unwrap();
        assert_eq!(computer.files(), [], "{}", host.name);
    }
}

#[test]
fn a_broken_file_stays_as_it_is() {
    for host in &HOSTS {
        let broken = match host.format {
            FileFormat::Json => "{\n  \"token\": \"s3cret\"\n  \"b\": [\n",
            FileFormat::Toml => "token = \"s3cret\"\nb = [\n",
            FileFormat::Yaml => "token: s3cret\nb: [\n",
        };
        let computer = Computer::new();
        let path = computer.write(host, broken);
        let before = computer.files();
        let installer = computer.installer();
        for error in [installer.install(host, &entry()).unwrap_err(), installer.remove(host, "flights").unwrap_err()] {
            let named = format!("`{}` cannot be edited: ", path.display());
            assert!(error.starts_with(&named) && !error.contains("s3cret"), "{error}");
        }
        assert_eq!(computer.files(), before, "{}", host.name);
    }
}

#[test]
fn a_dry_run_changes_nothing_and_shows_no_secret_of_others() {
    for host in &HOSTS {
        let document = documents(host).remove(0);
        let computer = Computer::new();
        computer.write(host, &document);
        let before = computer.files();
        let dry = Installer { dry_run: true, ..computer.installer() };
        let Ok(Applied::WouldChange { difference, .. }) = dry.install(host, &entry()) else { panic!("{}", host.name) };
        assert!(difference.contains("/opt/flights") && !difference.contains("s3cret"), "{difference}");
        assert_eq!(computer.files(), before, "{}", host.name);
        computer.installer().install(host, &entry()).unwrap();
        let before = computer.files();
        assert!(matches!(dry.remove(host, "flights"), Ok(Applied::WouldChange { .. })));
        assert_eq!(computer.files(), before, "{}", host.name);
    }
}

/// A value of each entry changes when it is installed again, and the first backup still leads back.
#[test]
fn a_new_version_replaces_the_entry_and_the_backup_stays() {
    for host in &HOSTS {
        for document in documents(host) {
            let computer = Computer::new();
            let path = computer.write(host, &document);
            let before = computer.files();
            let installer = computer.installer();
            installer.install(host, &entry()).unwrap();
            let newer = ServerEntry { variables: Vec::new(), ..entry() };
            let replaced = installer.install(host, &newer).unwrap();
            assert!(matches!(replaced, Applied::Replaced { .. }), "{replaced:?}");
            let value = host.format.get(&read(&path), &host.form.slot("flights")).unwrap().unwrap();
            assert_eq!(value.get(host.form.variables), None::<&Value>);
            installer.remove(host, "flights").unwrap();
            assert_eq!(computer.files(), before, "{}: {document:?}", host.name);
        }
    }
}
