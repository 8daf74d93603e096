//! What Git ignores is neither listed nor read.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs,
    io::Write as _,
    os::unix::ffi::OsStrExt as _,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use mcp_runtime::{Server, Service, resource::Directory, testing::Client};
use serde_json::{Value, json};

use crate::directory::place::{Place, serve};

/// Returns pseudo-random numbers, the same in each run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// Returns whether an event with this probability in percent happens.
    fn happens(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Few names, so that rules often match.
const NAMES: &[&str] = &[
    "a", "b", "ab", "ba", "aab", "A", "Ab", "a.key", "b.key", "key", ".a", "é", "a b", "a ", " a", "a\t", "!a", "#a",
    "\\a", "a*b", "a?", "[a]", "a]", "a-b", "0", "x1", "a\rb", "**", "-", "^", "secret",
];

/// The parts of a pattern.
const PARTS: &[&str] = &[
    "a",
    "b",
    "ab",
    "A",
    "key",
    ".key",
    "secret",
    "é",
    " ",
    "0",
    "*",
    "*",
    "*",
    "?",
    "**",
    "[ab]",
    "[!a]",
    "[^a]",
    "[a-c]",
    "[]a]",
    "[a-",
    "[[:alpha:]]",
    "[[:digit:]x]",
    "[[:upper:]]",
    "[[:no:]]",
    "[\\a]",
    "[a\\-c]",
    "[--0]",
    "\\a",
    "\\*",
    "\\[",
    "\\ ",
    "\\\\",
    "\\",
    "-",
    "^",
    "]",
    "\t",
    "\r",
    "#",
    "!",
];

const ENDS: &[&str] = &["", "", "", "", "", "/", "/", "/**", "/*", " ", "  ", "\\ ", "\t", "\r", "\\", "\0b"];

/// Returns a random line of a `.gitignore`, without its end.
fn rule(random: &mut Random) -> String {
    let mut rule = random.one(&["", "", "", "", "", "!", "!", "/", "/", "!/", "#", "\\", "**/", " "]).to_owned();
    for name in 0..=random.below(4) / 2 {
        if name > 0 {
            rule += random.one(&["/", "/", "/", "/**/", "//", "\\/"]);
        }
        if random.happens(50) {
            rule += random.one(NAMES);
        } else {
            (0..=random.below(2)).for_each(|_| rule += random.one(PARTS));
        }
    }
    rule + random.one(ENDS)
}

/// Returns whether versions of Git differ about the rule: older ones read `a**/b` as `a` and `**/b`.
fn is_disputed(rule: &str) -> bool {
    let pattern = rule.trim_start_matches('!').trim_start_matches('/');
    pattern.find(['*', '?', '[', '\\']).is_some_and(|first| {
        let (literal, wildcards) = pattern.split_at(first);
        wildcards.starts_with("**") && !literal.is_empty() && !literal.ends_with('/')
    })
}

fn ignore_file(random: &mut Random) -> Vec<u8> {
    let mut text = random.one(&["", "", "", "\u{feff}"]).as_bytes().to_vec();
    for _ in 0..=random.below(9) {
        let rule = rule(random);
        if !is_disputed(&rule) {
            text.extend(rule.bytes());
            text.extend(random.one(&["\n", "\n", "\n", "\r\n", "\n\n", "\n  \n"]).bytes());
        }
    }
    if random.happens(30) {
        text.pop();
    }
    text
}

/// Writes random files and ignore files to a folder, and pushes the path of each file.
fn grow(random: &mut Random, folder: &Path, depth: usize, paths: &mut Vec<String>) {
    fs::create_dir_all(folder).unwrap();
    if random.happens(if depth == 0 { 95 } else { 25 }) {
        fs::write(folder.join(".gitignore"), ignore_file(random)).unwrap();
    }
    let mut names: Vec<&str> = NAMES.to_vec();
    for _ in 0..4 + random.below(10) {
        let path = folder.join(names.swap_remove(random.below(names.len())));
        if depth < 3 && random.happens(35) {
            grow(random, &path, depth + 1, paths);
        } else {
            fs::write(&path, "").unwrap();
            paths.push(path.to_str().unwrap().to_owned());
        }
    }
}

/// Returns the paths that Git ignores. Returns `None` if Git is not installed.
fn ignored_by_git(repository: &Path, paths: &[String]) -> Option<HashSet<String>> {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(repository).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("GIT_DIR").spawn()
    };
    let mut init = git(&["init", "--quiet"]).ok()?;
    assert!(init.wait().unwrap().success());
    let mut check = git(&["check-ignore", "--no-index", "--stdin", "-z"]).unwrap();
    let mut stdin = check.stdin.take().unwrap();
    let input = paths.join("\0");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = check.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    // The exit code 1 means that no path is ignored.
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    let ignored = output.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    Some(ignored.map(|path| OsStr::from_bytes(path).to_str().unwrap().to_owned()).collect())
}

#[tokio::test]
async fn random_trees_are_listed_as_git_shows_them() {
    let place = Place::new();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut paths = Vec::new();
    let mut roots = Vec::new();
    while paths.len() < 10_000 {
        let root = place.0.join("docs").join(format!("tree{}", roots.len()));
        grow(&mut random, &root, 0, &mut paths);
        roots.push(root);
    }
    let Some(ignored) = ignored_by_git(&place.0.join("docs"), &paths) else {
        assert!(std::env::var_os("CI").is_none(), "CI needs `git` for this test");
        eprintln!("NOT TESTED: `git` is not on this machine, so its rules are not compared");
        return;
    };
    assert!((1_000..9_000).contains(&ignored.len()), "{} of {}", ignored.len(), paths.len());
    let mut differences = Vec::new();
    for root in roots {
        let service = serve_all(Directory::new(&root).hidden());
        let listed = Client::modern(&service).resources().await;
        let listed: HashSet<_> = listed.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
        for path in &paths {
            let Some(name) = Path::new(path).strip_prefix(&root).ok().and_then(Path::to_str) else { continue };
            if listed.contains(name) == ignored.contains(path) {
                differences.push(format!("listed: {}, {path:?}", listed.contains(name)));
            }
        }
    }
    if let Some(difference) = differences.first() {
        std::mem::forget(place);
        panic!("{} differences of {} paths, such as {difference}", differences.len(), paths.len());
    }
}

fn serve_all(directory: Directory) -> Service {
    Server::new("files", "1").resource(directory).build().unwrap()
}

#[tokio::test]
async fn a_byte_order_mark_hides_no_rule() {
    let place = Place::new();
    place.write("docs/.gitignore", "\u{feff}secret.key\n");
    place.write("docs/secret.key", "secret");
    place.write("docs/a.md", "");
    assert_eq!(listed(&place).await, ["a.md"]);
    assert!(Client::modern(&place.service()).read("dir://docs/secret.key").await.is_not_found());
}

#[tokio::test]
async fn rules_after_the_first_mebibyte_apply() {
    let place = Place::new();
    place.write("docs/.gitignore", "# comment\n".repeat(200_000) + "secret.key\n");
    place.write("docs/secret.key", "secret");
    place.write("docs/a.md", "");
    assert_eq!(listed(&place).await, ["a.md"]);
}

#[tokio::test]
async fn a_folder_with_unknown_rules_is_not_served() {
    let place = Place::new();
    for path in ["docs/pipe/a.md", "docs/link/a.md", "docs/large/a.md", "docs/open/a.md", "rules"] {
        place.write(path, "text");
    }
    let docs = place.0.join("docs");
    assert!(Command::new("mkfifo").arg(docs.join("pipe/.gitignore")).status().unwrap().success());
    std::os::unix::fs::symlink("../../rules", docs.join("link/.gitignore")).unwrap();
    let service = place.service();
    // More lists at once than tokio has threads for functions that block.
    let lists: Vec<_> = (0..600)
        .map(|_| {
            let mut client = Client::modern(&service).limit(Duration::from_secs(120));
            tokio::spawn(async move { client.resources().await.len() })
        })
        .collect();
    for list in lists {
        // Those of `large` and of `open`.
        assert_eq!(list.await.unwrap(), 2);
    }
    place.write("docs/large/.gitignore", "# comment\n".repeat(500_000));
    assert_eq!(listed(&place).await, ["open/a.md"]);
    let mut client = Client::modern(&service).limit(Duration::from_secs(20));
    assert_eq!(client.read("dir://docs/open/a.md").await.text(), "text");
    for (folder, reason) in [("pipe", "not a regular file"), ("link", "not a regular file"), ("large", "larger than")] {
        let read = client.read(&format!("dir://docs/{folder}/a.md")).await;
        let message = &read.error().unwrap().message;
        assert!(message.contains(&format!("`{folder}/.gitignore`")) && message.contains(reason), "{message}");
    }
}

#[tokio::test]
async fn a_root_with_unknown_rules_is_an_error() {
    let place = Place::new();
    place.write("docs/a.md", "");
    assert!(Command::new("mkfifo").arg(place.0.join("docs/.gitignore")).status().unwrap().success());
    let mut client = place.service().memory();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/list", "params": { "_meta": meta } });
    client.send(&list.to_string()).await;
    let listed: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
    let message = listed["error"]["message"].as_str().unwrap();
    assert!(message.contains("the ignore rules in `.gitignore` are unknown"), "{message}");
    assert_eq!(names(&serve(place.directory().ignored())).await, ["a.md"]);
}

#[tokio::test]
async fn the_folder_of_git_is_served_only_with_ignored_files() {
    let place = Place::new();
    place.write("docs/.git/config", "url = https://user:secret@example.com");
    place.write("docs/.github/a.yml", "");
    let names = async |directory: Directory| names(&serve(directory)).await;
    assert_eq!(names(place.directory().hidden()).await, [".github/a.yml"]);
    assert_eq!(names(place.directory().hidden().ignored()).await, [".git/config", ".github/a.yml"]);
}

async fn listed(place: &Place) -> Vec<String> {
    names(&place.service()).await
}

async fn names(service: &Service) -> Vec<String> {
    let resources = Client::modern(service).resources().await;
    resources.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}
