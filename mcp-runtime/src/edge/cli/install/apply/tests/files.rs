//! Files that are not just files: permissions, links, and other programs.

use super::*;

const DOCUMENT: &str = "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"b\"\n    }\n  }\n}\n";

#[test]
fn a_read_only_file_stays_as_it_is() {
    let computer = Computer::new();
    let host = host("cursor").unwrap();
    let path = computer.write(host, DOCUMENT);
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let before = computer.files();
    let error = computer.installer().install(host, &entry()).unwrap_err();
    assert_eq!(error, format!("`{}` is read-only; make it writable first", path.display()));
    assert_eq!(computer.files(), before);
}

#[test]
fn a_folder_or_binary_in_place_of_the_file_is_rejected() {
    let computer = Computer::new();
    let host = host("cursor").unwrap();
    let path = computer.path(host);
    fs::create_dir_all(&path).unwrap();
    let error = computer.installer().install(host, &entry()).unwrap_err();
    assert_eq!(error, format!("`{}` is not a file", path.display()));
    fs::remove_dir(&path).unwrap();
    fs::write(&path, b"{\"\xff\": 1}").unwrap();
    let error = computer.installer().install(host, &entry()).unwrap_err();
    assert_eq!(error, format!("`{}` is not UTF-8 text", path.display()));
}

#[test]
fn a_folder_that_cannot_be_created_is_an_error() {
    let computer = Computer::new();
    let host = host("cursor").unwrap();
    fs::write(computer.places.home.join(".cursor"), "a file").unwrap();
    let error = computer.installer().install(host, &entry()).unwrap_err();
    assert!(error.contains(".cursor/mcp.json` cannot be read: "), "{error}");
}

#[cfg(unix)]
#[test]
fn the_permissions_of_the_file_and_its_backup_stay() {
    use std::os::unix::fs::PermissionsExt;

    let host = host("claude-code").unwrap();
    for mode in [0o600, 0o640, 0o664] {
        let computer = Computer::new();
        let path = computer.write(host, DOCUMENT);
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let modes = |computer: &Computer| {
            let files = computer.files().into_iter();
            files.map(|(path, _)| fs::metadata(path).unwrap().permissions().mode() & 0o777).collect::<Vec<_>>()
        };
        computer.installer().install(host, &entry()).unwrap();
        assert_eq!(modes(&computer), [mode, mode]);
        computer.installer().remove(host, "flights").unwrap();
        assert_eq!(modes(&computer), [mode]);
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_stays_a_link() {
    use std::os::unix::fs::symlink;

    let computer = Computer::new();
    let host = host("claude-desktop").unwrap();
    let target = computer.root.join("dotfiles.json");
    fs::write(&target, DOCUMENT).unwrap();
    let path = computer.write(host, "");
    fs::remove_file(&path).unwrap();
    symlink("../../../dotfiles.json", &path).unwrap();
    let added = computer.installer().install(host, &entry()).unwrap();
    assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
    assert!(read(&target).contains("\"flights\""));
    assert_eq!(
        added,
        Applied::Added { path: path.display().to_string(), backup: Some(format!("{}.before-flights", path.display())) }
    );
    computer.installer().remove(host, "flights").unwrap();
    assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
    assert_eq!(read(&target), DOCUMENT);
    assert_eq!(computer.files().len(), 2, "the link and its target");
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_rejected() {
    let computer = Computer::new();
    let host = host("cursor").unwrap();
    let path = computer.write(host, "");
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("missing.json", &path).unwrap();
    let error = computer.installer().install(host, &entry()).unwrap_err();
    assert_eq!(error, format!("`{}` is a symbolic link to a file that does not exist", path.display()));
}

#[test]
fn a_change_of_another_program_at_the_same_time_is_kept() {
    let computer = Computer::new();
    let path = computer.write(host("cursor").unwrap(), DOCUMENT);
    let file = ConfigFile::open(&path).unwrap();
    fs::write(&path, "{\"theirs\": 1}").unwrap();
    let expected = format!("another program has just changed `{}`; run the command again", path.display());
    assert_eq!(file.replace("{\"ours\": 1}", NewFile::Private), Err(expected.clone()));
    assert_eq!(file.delete(), Err(expected.clone()));
    assert_eq!(read(&path), "{\"theirs\": 1}");
    // The same for a file that another program has created or deleted.
    fs::remove_file(&path).unwrap();
    assert_eq!(file.replace("{\"ours\": 1}", NewFile::Private), Err(expected.clone()));
    let file = ConfigFile::open(&path).unwrap();
    fs::write(&path, "{\"theirs\": 2}").unwrap();
    assert_eq!(file.replace("{\"ours\": 1}", NewFile::Private), Err(expected));
    assert_eq!(computer.files().len(), 1, "nothing is left beside the file");
}

#[test]
fn a_file_that_is_left_over_is_not_overwritten() {
    let computer = Computer::new();
    let host = host("cursor").unwrap();
    let path = computer.write(host, DOCUMENT);
    let left_over = format!("{}.{}-0.tmp", path.display(), process::id());
    fs::write(&left_over, "left over").unwrap();
    computer.installer().install(host, &entry()).unwrap();
    assert_eq!(read(Path::new(&left_over)), "left over");
    assert!(read(&path).contains("\"flights\""));
}

#[test]
fn a_file_of_a_project_is_in_the_folder_of_the_project() {
    let computer = Computer::new();
    let installer = Installer { scope: Scope::Project, ..computer.installer() };
    for (name, file) in [("claude-code", ".mcp.json"), ("vscode", ".vscode/mcp.json"), ("codex", ".codex/config.toml")]
    {
        let path = computer.places.project.join(file);
        let added = installer.install(host(name).unwrap(), &entry()).unwrap();
        assert_eq!(added, Applied::Added { path: path.display().to_string(), backup: None });
        installer.remove(host(name).unwrap(), "flights").unwrap();
        assert!(!path.exists());
    }
    let error = installer.install(host("zed").unwrap(), &entry()).unwrap_err();
    assert_eq!(error, "Zed has no file for a project; leave out `--project`");
}
