//! `remote`: the saved tools of another server, and what has changed since.

use std::{env, fs, path::PathBuf, process};

use serde_json::Value;

use crate::{
    cli::program::{Ran, printed, run},
    support::example,
};

/// A file that is removed at the end of a test.
struct Saved(PathBuf);

impl Drop for Saved {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl Saved {
    fn new(name: &str) -> Self {
        Self(env::temp_dir().join(format!("remote-{name}-{}.json", process::id())))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn read(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(&self.0).unwrap()).unwrap()
    }
}

#[test]
fn saved_tools_are_compared_with_those_of_the_server() {
    let saved = Saved::new("saved");
    let server = example("cli_server");
    let server = server.to_str().unwrap();
    let ran = run(["remote", "save", saved.path(), "--", server, "stdio"]);
    assert_eq!((ran.code, ran.errors.as_str()), (Some(0), ""), "{ran:?}");
    let mut file = saved.read();
    assert_eq!(file["source"]["command"][0], server);
    assert!(file["server"]["name"].is_string() && file["tools"][0]["inputSchema"].is_object(), "{file}");

    let check = || run(["remote", "check", saved.path()]);
    assert_eq!(check(), printed(&format!("`{}`: nothing has changed\n", saved.path())));

    let tools = file["tools"].as_array_mut().unwrap();
    let name = tools[0]["name"].as_str().unwrap().to_owned();
    tools[0]["description"] = "Another one.".into();
    fs::write(&saved.0, file.to_string()).unwrap();
    let Ran { code, output, errors } = check();
    assert_eq!((code, errors.as_str()), (Some(1), ""));
    assert!(output.contains(&format!("`{name}`: `description` was \"Another one.\" and is ")), "{output}");
}

#[test]
fn what_cannot_be_compared_is_explained() {
    let saved = Saved::new("unreachable");
    let ran = run(["remote", "save", saved.path(), "--url", "http://127.0.0.1:9/mcp"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.errors.starts_with("error: the server `127.0.0.1:9` cannot be reached: "), "{}", ran.errors);
    let ran = run(["remote", "save", saved.path(), "--url", "http://127.0.0.1:9/mcp", "--bearer-token-env", "NO_SUCH"]);
    assert_eq!(ran.errors, "error: the variable `NO_SUCH`: environment variable not found\n");
    fs::write(&saved.0, "{}").unwrap();
    let ran = run(["remote", "check", saved.path()]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.errors.contains("is not a file of `remote save`: missing field `source`"), "{}", ran.errors);
}
