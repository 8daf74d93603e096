//! No URI reads anything that the folder does not serve.

use std::{sync::LazyLock, time::Duration};

use mcp_runtime::{Revision, testing::Client};
use proptest::prelude::*;
use tokio::runtime::{Builder, Runtime};

use crate::directory::{
    place::Place,
    rules::{self, SECRET, SERVED, attacked},
};

/// Paths that must read nothing. `{root}` is the absolute path of the folder that contains `docs`.
const ATTACKS: &[(&str, &str)] = &[
    // The parent of the folder.
    ("dot dot", "../secret.txt"),
    ("dot dot in the middle", "guide/../../secret.txt"),
    ("dot dot that stays inside", "guide/../start.md"),
    ("dot dot at the end", "guide/.."),
    ("dot", "./start.md"),
    ("dot in the middle", "guide/./a.md"),
    ("many dot dots", "../../../../../../../../../../../../etc/passwd"),
    ("three dots", ".../secret.txt"),
    ("doubled dots and slashes", "....//secret.txt"),
    // Encodings.
    ("encoded dots", "%2e%2e/secret.txt"),
    ("half encoded dots", ".%2E/secret.txt"),
    ("encoded slash", "..%2fsecret.txt"),
    ("encoded slash inside", "guide%2Fa.md"),
    ("everything encoded", "%2E%2E%2Fsecret.txt"),
    ("encoded backslash", "..%5csecret.txt"),
    ("backslash", "..\\secret.txt"),
    ("encoded twice", "%252e%252e%252fsecret.txt"),
    ("encoded three times", "%25252e%25252e%25252fsecret.txt"),
    ("overlong dot", "%c0%ae%c0%ae/secret.txt"),
    ("overlong slash", "..%c0%afsecret.txt"),
    ("overlong of three bytes", "%e0%80%ae%e0%80%ae/secret.txt"),
    ("full width dots", "\u{ff0e}\u{ff0e}/secret.txt"),
    ("full width slash", "..\u{ff0f}secret.txt"),
    ("division slash", "..\u{2215}secret.txt"),
    ("encoding of another kind", "%u002e%u002e/secret.txt"),
    ("broken encoding", "%2/secret.txt"),
    ("entity", "&#46;&#46;/secret.txt"),
    // Absolute paths.
    ("absolute", "{root}/secret.txt"),
    ("absolute after a slash", "/{root}/secret.txt"),
    ("absolute of the system", "/etc/passwd"),
    ("encoded absolute", "%2fetc%2fpasswd"),
    ("file URI inside", "file:///etc/passwd"),
    ("home", "~/secret.txt"),
    ("variable", "$HOME/secret.txt"),
    // Empty and odd names.
    ("nothing", ""),
    ("a space", "%20"),
    ("only a slash", "/"),
    ("a folder", "guide"),
    ("a folder with a slash", "guide/"),
    ("a file as a folder", "start.md/"),
    ("a file in a file", "start.md/a"),
    ("two slashes", "guide//a.md"),
    ("a slash first", "/start.md"),
    // Ends of strings and lines.
    ("NUL at the end", "start.md%00"),
    ("NUL before an extension", "secret.txt%00.md"),
    ("NUL in a folder", "gui%00de/a.md"),
    ("line feed", "start.md%0a"),
    ("carriage return", "start.md%0d%0a"),
    ("fragment", "start.md#x"),
    ("encoded question mark", "start.md%3Foffset=0"),
    // Links.
    ("link to a file outside", "link.txt"),
    ("link to a folder outside", "outside/secret.txt"),
    ("link to a file inside", "inside.md"),
    ("link to a hidden file", "env.txt"),
    ("link to itself", "loop"),
    ("link in a folder", "guide/up/secret.txt"),
    // What the folder has but does not serve.
    ("hidden file", ".env"),
    ("hidden folder", ".git/config"),
    ("encoded hidden file", "%2eenv"),
    ("ignored file", "private.log"),
    ("file in an ignored folder", "target/out.txt"),
    ("rules", ".gitignore"),
    // Spellings that a file system can treat as equal.
    ("hidden file in capitals", ".ENV"),
    ("ignored file in capitals", "PRIVATE.LOG"),
    ("ignored folder in capitals", "TARGET/out.txt"),
    ("served file in capitals", "START.MD"),
    ("letters with an accent, decomposed", "cafe\u{301}.md"),
    ("ignored with a sign that is ignored on some systems", "private\u{200c}.log"),
    // Windows.
    ("drive", "C:/Windows/win.ini"),
    ("drive without a slash", "C:secret.txt"),
    ("drive, encoded", "C%3a%5cWindows%5cwin.ini"),
    ("UNC path", "//server/share/secret.txt"),
    ("UNC path with backslashes", "%5c%5cserver%5cshare%5csecret.txt"),
    ("verbatim path", "%5c%5c?%5cC:%5csecret.txt"),
    ("device namespace", "%5c%5c.%5cC:"),
    ("device", "CON"),
    ("device in lower case", "nul"),
    ("device with an extension", "aux.txt"),
    ("device in a folder", "guide/COM1"),
    ("device with a colon", "NUL:"),
    ("device with a superscript", "COM\u{b9}"),
    ("stream", "start.md:secret"),
    ("default stream", "start.md::$DATA"),
    ("stream of the folder", "guide:$I30:$INDEX_ALLOCATION/a.md"),
    ("dot at the end", "start.md."),
    ("space at the end", "start.md%20"),
    ("dots and spaces at the end", ".env. ."),
    ("dot dot with spaces", "..%20/secret.txt"),
    ("short name", "PRIVAT~1.LOG"),
    // Things that are no files.
    ("pipe", "pipe"),
    ("device file", "/dev/zero"),
    ("process", "/proc/self/environ"),
    // Queries.
    ("query that is a path", "start.md?../../secret.txt"),
    ("query with an unknown name", "start.md?path=../secret.txt"),
    ("negative offset", "start.md?offset=-1"),
    ("offset that overflows", "start.md?offset=99999999999999999999999"),
    ("offset in another notation", "start.md?offset=0x10"),
];

#[tokio::test]
async fn attacks_read_nothing() {
    let place = attacked();
    let service = place.service();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision).limit(Duration::from_secs(5));
        for (name, path) in ATTACKS {
            let path = path.replace("{root}", place.0.to_str().unwrap());
            for prefix in ["dir://docs/", "DIR://docs/", "dir://docs/../docs/", "dir://../", "file:///", ""] {
                let read = client.read(&format!("{prefix}{path}")).await;
                let error = read.error().unwrap_or_else(|| panic!("{name}: {prefix}{path}: {read:?}"));
                let is_wrong_query = path.contains('?') && prefix == "dir://docs/";
                assert!(read.is_not_found() || is_wrong_query, "{name}: {prefix}{path}: {error:?}");
                let outside = place.0.to_str().unwrap();
                assert!(!error.message.contains(SECRET), "{name}: {error:?}");
                assert!(path.contains(outside) || !error.message.contains(outside), "{name}: {error:?}");
            }
        }
        for path in ["start.md", "guide/a.md", "caf%C3%A9.md", "%73tart.md"] {
            assert_eq!(client.read(&format!("dir://docs/{path}")).await.text(), SERVED);
        }
        let listed: Vec<_> = client.resources().await.iter().map(|entry| entry["uri"].clone()).collect();
        assert_eq!(listed, ["dir://docs/caf%C3%A9.md", "dir://docs/guide/a.md", "dir://docs/start.md"]);
    }
}

/// The pieces of which arbitrary paths consist.
const PIECES: &[&str] = &[
    "..",
    ".",
    "/",
    "\\",
    "%2e",
    "%2E%2e",
    "%2f",
    "%5c",
    "%25",
    "%00",
    "%c0%ae",
    ":",
    "~",
    "C:",
    "CON",
    "guide",
    "up",
    "outside",
    "secret.txt",
    "start.md",
    "a.md",
    ".env",
    ".git",
    "config",
    "target",
    "out.txt",
    "private.log",
    "link.txt",
    "docs",
    "?offset=",
    "&length=",
    "#",
    " ",
    "%20",
    "pipe",
    "é",
    "$",
    "{",
    "*",
    "0",
    "7",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_paths_read_only_what_is_served(
        pieces in prop::collection::vec(prop_oneof![4 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => ".{0,3}"], 0..12),
    ) {
        static RUNTIME: LazyLock<Runtime> =
            LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap());
        static PLACE: LazyLock<Place> = LazyLock::new(attacked);
        static SERVICE: LazyLock<mcp_runtime::Service> = LazyLock::new(|| PLACE.service());
        let uri = format!("dir://docs/{}", pieces.concat());
        RUNTIME.block_on(rules::hold(&SERVICE, &uri));
    }
}
