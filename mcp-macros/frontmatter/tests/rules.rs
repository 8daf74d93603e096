//! What a skill must be.

use std::{fs, path::PathBuf, process};

use mcp_frontmatter::{Frontmatter, digest, files};

const BOM: &str = "\u{feff}";

fn problem(file: &str, folder: &str) -> String {
    Frontmatter::of_skill(file.as_bytes(), folder).expect_err(file).to_string()
}

#[test]
fn reads_any_line_ends_and_a_byte_order_mark() {
    for file in [
        "---\nname: a-1\ndescription: b\n---\n# A\n",
        "---\nname: a-1\ndescription: b\n---",
        "---\nname: a-1\ndescription: b\n--- \t\nname: other",
        "---\r\nname: a-1\r\ndescription: b\r\n---\r\n# A\r\n",
        &format!("{BOM}---\nname: a-1\ndescription: b\n---\n"),
        "---\nname: a-1\ndescription: b\nx: '---'\n---\n",
    ] {
        let frontmatter =
            Frontmatter::of_skill(file.as_bytes(), "a-1").unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!((&*frontmatter.name, &*frontmatter.description), ("a-1", "b"), "{file}");
    }
}

#[test]
fn requires_a_frontmatter() {
    for file in [
        "",
        "# A",
        "name: a\n",
        "---\nname: a\n",
        " ---\nname: a\n---\n",
        "---\nname: a\n----\n",
        "--- \nname: a\n---\n",
    ] {
        let problem = problem(file, "a");
        assert!(problem.starts_with("the file must begin with its frontmatter"), "{file}: {problem}");
    }
    assert_eq!(problem("---\n# nothing\n---\n", "a"), "the frontmatter is empty");
    assert_eq!(
        problem("---\n- a\n---\n", "a"),
        "line 2: the frontmatter must consist of fields, such as `name: refunds`"
    );
    let latin = b"---\nname: a\ndescription: caf\xe9\n---\n";
    assert_eq!(Frontmatter::of_skill(latin, "a").unwrap_err().to_string(), "line 3: the text is not UTF-8");
}

#[test]
fn requires_a_name_and_a_description() {
    for (fields, reason) in [
        ("description: b", "the frontmatter has no `name`; add the line `name: a`"),
        ("name: a", "the frontmatter has no `description`"),
        ("name: a\ndescription: ' '", "line 3: the description is empty"),
        ("name: a\ndescription: 7", "line 3: `description` must be text; put its value in quotes"),
        ("name: a\ndescription: b\nlicense: 7", "line 4: `license` must be text"),
        ("name: a\ndescription: b\nallowed-tools: [x]", "line 4: `allowed-tools` must be text"),
        ("name: a\ndescription: b\ncompatibility: ''", "line 4: `compatibility` must have 1 to 500 characters"),
        ("name: b\ndescription: b", "line 2: the name is `b`, but the folder is `a`; give both the same name"),
        (
            "name: a\ndescription: b\nmetadata:\n  io.modelcontextprotocol/x: 1",
            "line 5: the key `io.modelcontextprotocol/x` is reserved",
        ),
    ] {
        let problem = problem(&format!("---\n{fields}\n---\n"), "a");
        assert!(problem.starts_with(reason), "{fields}: {problem}");
    }
}

#[test]
fn a_name_consists_of_small_letters_digits_and_single_hyphens() {
    let longest = "a".repeat(64);
    let file = |name: &str| format!("---\nname: \"{name}\"\ndescription: b\n---\n");
    for name in ["a", "a-b", "1", "2-b-3", &longest] {
        assert!(Frontmatter::of_skill(file(name).as_bytes(), name).is_ok(), "{name}");
    }
    for name in ["", "A", "a_b", "-a", "a-", "a--b", "é", "a b", &format!("{longest}a")] {
        assert!(problem(&file(name), name).contains("is not the name of a skill"), "{name}");
    }
}

#[test]
fn lengths_are_counted_in_characters() {
    let file = |length: usize| format!("---\nname: a\ndescription: {}\n---\n", "é".repeat(length));
    assert!(Frontmatter::of_skill(file(1024).as_bytes(), "a").is_ok());
    assert!(problem(&file(1025), "a").contains("the description has 1025 characters; write 1 to 1024 characters"));
}

#[test]
fn files_are_sorted_and_links_and_hidden_names_left_out() {
    let folder: PathBuf = std::env::temp_dir().join(format!("mcp_frontmatter_{}", process::id()));
    for name in ["SKILL.md", "b/z.md", "b/a/c.md", ".hidden/x", "b/.DS_Store", "a b.txt"] {
        let place = folder.join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, "12345").unwrap();
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("SKILL.md"), folder.join("link.md")).unwrap();
        std::os::unix::fs::symlink(folder.join("b"), folder.join("linked")).unwrap();
    }
    let found = files(&folder);
    fs::remove_dir_all(&folder).unwrap();
    let found = found.unwrap();
    let paths: Vec<_> = found.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, ["SKILL.md", "a b.txt", "b/a/c.md", "b/z.md"]);
    assert!(found.iter().all(|file| file.size == 5));
}

#[test]
fn a_digest_is_sha256_in_small_hexadecimal_digits() {
    // From the standard that defines SHA-256.
    let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(digest(b"abc"), abc);
}
