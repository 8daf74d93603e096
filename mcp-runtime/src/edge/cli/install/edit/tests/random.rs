//! Random documents.

use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};

use super::Sample;

/// Writes a document with the choices of a test case.
struct Writer<'a> {
    choices: &'a [u8],
    line_end: &'static str,
    text: String,
    keys: usize,
}

impl<'a> Writer<'a> {
    fn new(choices: &'a [u8]) -> Self {
        let mut writer = Self { choices, line_end: "\n", text: String::new(), keys: 0 };
        writer.line_end = writer.one_of(&["\n", "\n", "\r\n"]);
        if writer.chance(8) {
            writer.text.push('\u{feff}');
        }
        writer
    }

    fn pick(&mut self, below: usize) -> usize {
        let Some((first, rest)) = self.choices.split_first() else { return 0 };
        self.choices = rest;
        usize::from(*first) % below
    }

    fn chance(&mut self, of: usize) -> bool {
        self.pick(of) + 1 == of
    }

    fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.pick(options.len())]
    }

    fn key(&mut self) -> String {
        self.keys += 1;
        let prefix = self.one_of(&["k", "key-", "K_"]);
        format!("{prefix}{}", self.keys)
    }

    /// A value on one line, which is the same in JSON and YAML.
    fn scalar(&mut self) -> &'static str {
        self.one_of(&[
            "1",
            "\"x\"",
            "true",
            "-1.5e3",
            "\"{ \\\" } // # ,\"",
            "[]",
            "{}",
            "[1, [2]]",
            "\"ours\"",
            "null",
        ])
    }

    fn line(&mut self, indent: usize, line: &str) {
        self.text.push_str(&format!("{:indent$}{line}{}", "", self.line_end));
    }

    fn without_last_line_end(mut self) -> String {
        if self.chance(4) {
            self.text.truncate(self.text.trim_end_matches(['\r', '\n']).len());
        }
        self.text
    }

    fn json_space(&mut self) {
        let line_end = self.line_end;
        let space = match self.pick(9) {
            0 | 1 => String::new(),
            2 => " ".to_owned(),
            3 => "\t".to_owned(),
            4 => line_end.to_owned(),
            5 => format!("{line_end}    "),
            6 => format!(" // \"ours\": {{,{line_end}"),
            7 => "/* , */".to_owned(),
            _ => format!("{line_end}  // line{line_end}  "),
        };
        self.text.push_str(&space);
    }

    /// Writes an object that has at least `path`, one in another.
    fn json_object(&mut self, path: &[&str], depth: usize) {
        self.text.push('{');
        let count = self.pick(4).max(usize::from(!path.is_empty()));
        let at = self.pick(count.max(1));
        for member in 0..count {
            self.json_space();
            let is_path = member == at && !path.is_empty();
            let key = if is_path { path[0].to_owned() } else { self.key() };
            self.text.push_str(&format!("\"{key}\""));
            self.json_space();
            self.text.push(':');
            self.json_space();
            if is_path {
                self.json_object(&path[1..], depth + 1);
            } else if depth < 3 && self.chance(3) {
                self.json_object(&[], depth + 1);
            } else {
                let scalar = self.scalar();
                self.text.push_str(scalar);
            }
            self.json_space();
            if member + 1 < count || self.chance(4) {
                self.text.push(',');
            }
        }
        self.json_space();
        self.text.push('}');
    }

    fn toml_members(&mut self) {
        for _ in 0..self.pick(4) {
            let key = self.key();
            let value = self.one_of(&["1", "'x'", "[ 'a', [1] ]", "{ a = 1 }", "\"\"\"", "2026-11-28", "[ # c"]);
            match value {
                "\"\"\"" => {
                    self.line(0, &format!("{key} = \"\"\""));
                    self.line(0, "[mcp_servers.ours] # no header");
                    self.line(0, "\"\"\"");
                }
                "[ # c" => {
                    self.line(0, &format!("{key} = [ # c"));
                    self.line(0, "[1, { x = 1 }],");
                    self.line(0, "]");
                }
                value => self.line(0, &format!("{key} = {value} # c")),
            }
            self.toml_space();
        }
    }

    fn toml_space(&mut self) {
        match self.pick(6) {
            0 => self.line(0, ""),
            1 => self.line(0, "# [mcp_servers.ours]"),
            2 => self.line(1, ""),
            _ => {}
        }
    }

    fn yaml_space(&mut self, indent: usize) {
        match self.pick(6) {
            0 => self.line(0, ""),
            1 => self.line(indent, "# ours: 1"),
            2 => self.line(0, "# extensions: {}"),
            _ => {}
        }
    }

    fn yaml_member(&mut self, indent: usize, unit: usize) {
        let key = self.key();
        let key = match self.pick(3) {
            0 => format!("\"{key}\""),
            1 => format!("'{key}'"),
            _ => key,
        };
        match self.pick(6) {
            0 => {
                self.line(indent, &format!("{key}: |"));
                self.line(indent + unit, "text # no comment");
                self.line(indent + unit, "# no comment");
            }
            1 => {
                self.line(indent, &format!("{key}:"));
                self.line(indent, "- x");
                self.line(indent, "- ours: 1");
            }
            2 if indent < 6 => {
                self.line(indent, &format!("{key}: # c"));
                self.yaml_space(indent + unit);
                self.line(indent + unit, "ours: 1");
                self.yaml_member(indent + unit, unit);
            }
            _ => {
                let scalar = self.scalar();
                self.line(indent, &format!("{key}: {scalar}"));
            }
        }
        self.yaml_space(indent);
    }
}

fn json(choices: &[u8]) -> String {
    let mut writer = Writer::new(choices);
    writer.json_space();
    let has_table = !writer.chance(4);
    writer.json_object(if has_table { &["mcpServers"] } else { &[] }, 0);
    writer.json_space();
    writer.text
}

fn toml(choices: &[u8]) -> String {
    let mut writer = Writer::new(choices);
    writer.toml_space();
    writer.toml_members();
    for _ in 0..writer.pick(5) {
        let key = writer.key();
        let header = match writer.pick(4) {
            0 => format!("[{key}]"),
            1 => format!("[[{key}]]"),
            2 => format!("[mcp_servers.{key}] # c"),
            _ => format!("[ mcp_servers . {key} . \"env\" ]"),
        };
        writer.line(0, &header);
        writer.toml_members();
    }
    writer.without_last_line_end()
}

fn yaml(choices: &[u8]) -> String {
    let mut writer = Writer::new(choices);
    let unit = writer.one_of(&[2, 4]);
    if writer.chance(4) {
        writer.line(0, "---");
    }
    writer.yaml_space(0);
    for _ in 0..writer.pick(3) {
        writer.yaml_member(0, unit);
    }
    if writer.chance(4) {
        writer.line(0, "extensions: {a: {b: 1}}");
    } else {
        writer.line(0, "extensions: # c");
        writer.yaml_space(unit);
        for _ in 0..=writer.pick(3) {
            writer.yaml_member(unit, unit);
        }
    }
    for _ in 0..writer.pick(3) {
        writer.yaml_member(0, unit);
    }
    // A text block at the end of a file would get the line end that the file lacks.
    writer.line(0, "last: 1");
    writer.without_last_line_end()
}

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[ -~]{0,12}", "\\PC{0,6}", any::<String>()];
    (text, vec("[ -~]{0,8}", 0..3), any::<bool>()).prop_map(|(text, list, is_nested)| match is_nested {
        true => json!({ "command": text, "args": list, "env": { "A": text, "on": "off" } }),
        false => json!({ "command": text, "enabled": true, "timeout": 300 }),
    })
}

/// Whether only white space is missing: a table without members closes on the line on which it opens.
fn is_collapsed(file: &str, back: &str) -> bool {
    let squeezed = |text: &str| text.chars().filter(|char| !char.is_whitespace()).collect::<String>();
    squeezed(file) == squeezed(back)
}

proptest! {
    #[test]
    fn json_comes_back(choices in vec(any::<u8>(), 0..200), value in value()) {
        let (file, sample) = (json(&choices), Sample { value, ..Sample::json() });
        let with = sample.inserted(&file);
        if file.contains("\"mcpServers\"") {
            let back = sample.remove(&with, None).unwrap().unwrap();
            prop_assert!(back == file || is_collapsed(&file, &back), "{file:?}\n{with:?}\n{back:?}");
        }
    }

    #[test]
    fn toml_comes_back(choices in vec(any::<u8>(), 0..120), value in value()) {
        Sample { value, ..Sample::toml() }.there_and_back(&toml(&choices));
    }

    #[test]
    fn yaml_comes_back(choices in vec(any::<u8>(), 0..120), value in value()) {
        Sample { value, ..Sample::yaml() }.there_and_back(&yaml(&choices));
    }

    #[test]
    fn no_text_makes_an_edit_panic(file in "(?s).{0,60}", other in "[{}\\[\\]:,\"' \n#a=-]{0,40}") {
        for sample in Sample::all() {
            for file in [&file, &other] {
                if let Ok(with) = sample.insert(file) {
                    prop_assert_eq!(sample.remove(&with, Some(file)), Ok(Some(file.clone())));
                    prop_assert!(matches!(sample.remove(&with, None), Ok(Some(_)) | Err(_)));
                }
            }
        }
    }
}
