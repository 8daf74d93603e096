//! `check`: what it finds in a server that breaks each rule, in the examples, and in tools of well-known servers.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::{Value, json};

use crate::cli::program::{Ran, ended, program};

/// Runs the command with these variables and arguments, and without those of the operator.
fn check(server: &str, variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let mut command = program(server);
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("MCP_")) {
            command.env_remove(name);
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(server);
    // The examples find their data there.
    if folder.is_dir() {
        command.current_dir(folder);
    }
    command.envs(variables.iter().copied()).arg("check").args(arguments).stdin(Stdio::null());
    ended(command.output().unwrap())
}

fn json_of(ran: &Ran) -> Value {
    serde_json::from_str(&ran.output).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// Returns the rules of the findings, each with the kind and the name of the item.
fn rules(report: &Value) -> Vec<(&str, String)> {
    let findings = report["findings"].as_array().unwrap().iter();
    let text = |finding: &'_ Value, name: &str| finding[name].as_str().unwrap().to_owned();
    let item = |finding: &Value| format!("{} {}", text(finding, "kind"), text(finding, "name"));
    findings.map(|finding| (finding["rule"].as_str().unwrap(), item(finding))).collect()
}

const PUBLIC: (&str, &str) = ("MCP_HTTP_ADDR", "0.0.0.0:8080");

#[test]
fn each_rule_is_found_once() {
    let ran = check("cli_checks", &[PUBLIC], &["--format", "json"]);
    assert_eq!((ran.code, ran.errors.as_str()), (Some(1), ""), "{ran:?}");
    let report = json_of(&ran);
    let expected = [
        ("unportable-name", "tool hidden.find"),
        ("reduced-schema", "tool hide"),
        ("repeated-description", "tool search"),
        ("undescribed-parameter", "tool open"),
        ("rejected-schema", "tool clean"),
        ("long-description", "prompt letter"),
        ("unknown-parameter", "skill hiding"),
        ("unknown-tool", "skill hiding"),
        ("many-tools", "server house"),
        ("large-tool-list", "server house"),
        ("debug-build", "server house"),
        ("unauthorized-address", "server house"),
        ("undescribed-setting", "setting limit"),
    ];
    let expected: Vec<_> = expected.iter().map(|(rule, item)| (*rule, (*item).to_owned())).collect();
    assert_eq!(rules(&report), expected, "{report:#}");
    assert_eq!((&report["errors"], &report["warnings"]), (&json!(4), &json!(9)));
    // More tools break another rule.
    let ran = check("cli_checks", &[("MORE_TOOLS", "130")], &["--format", "json"]);
    let report = json_of(&ran);
    let of_server: Vec<_> =
        rules(&report).into_iter().map(|(rule, _)| rule).filter(|rule| rule.contains("many")).collect();
    assert_eq!(of_server, ["too-many-tools"]);
    assert!(ran.output.contains("the server has 136 tools"), "{ran:?}");
}

#[test]
fn a_finding_names_the_line_of_the_function_the_value_and_what_to_write() {
    let source = include_str!("checks_server.rs");
    let line = |text: &str| source.lines().position(|line| line.contains(text)).unwrap() + 1;
    let report = json_of(&check("cli_checks", &[PUBLIC], &["--format", "json"]));
    let place = |name: &str| {
        let finding = report["findings"].as_array().unwrap().iter().find(|finding| finding["name"] == name).unwrap();
        (finding["file"].as_str().unwrap().replace('\\', "/"), finding["line"].as_u64().unwrap() as usize)
    };
    let file = || "tests/cli/checks_server.rs".to_owned();
    assert_eq!(place("hidden.find"), (file(), line("fn find_hidden")));
    assert_eq!(place("letter"), (file(), line("fn letter")));
    assert_eq!(place("hiding"), (file(), line("skills![")));
    assert_eq!(place("clean"), (file(), line("ToolDefinition::new(\"clean\"")));
    let texts: Vec<_> =
        report["findings"].as_array().unwrap().iter().map(|found| found["found"].as_str().unwrap()).collect();
    for part in [
        "the name contains `.`",
        "`labels` is a map",
        "the description `Search.` only repeats the name",
        "the parameter `door.number` has no description",
        "the root of the schema has the rule `$ref`",
        "the server has 45 tools",
        "(estimated as bytes / 4); the largest: `paint_0` 265, ",
        "the address `0.0.0.0:8080` can be reached",
        "the description `The limit.` only repeats the name",
        "`SKILL.md`, line 7, names the parameter `owner`, which `hide` does not have",
        "`SKILL.md`, line 9, names the tool `open_door`, which the server does not have; did you mean `open`?",
    ] {
        assert!(texts.iter().any(|text| text.contains(part)), "{part}: {texts:#?}");
    }
}

#[test]
fn places_and_allowed_rules_are_not_published() {
    let manifest = ended(program("cli_checks").arg("manifest").stdin(Stdio::null()).output().unwrap()).output;
    assert!(manifest.contains("hidden.find"));
    for hidden in ["checks_server", "allow", "undescribed"] {
        assert!(!manifest.contains(hidden), "{hidden}: {manifest}");
    }
}

#[test]
fn a_public_address_of_a_server_that_requires_tokens_is_no_finding() {
    let variables = [PUBLIC, ("DOCTOR_TOKENS", "1")];
    assert_eq!(check("cli_doctors", &variables, &["--allow=debug-build"]).output, "nothing found\n");
    assert_eq!(check("cli_doctors", &[PUBLIC], &["--allow=debug-build"]).code, Some(1));
}

#[test]
fn text_is_written_as_compilers_write() {
    let ran = check("cli_checks", &[], &["--allow", "many-tools,large_tool_list", "--allow=debug-build"]);
    let expected =
        "error[unportable-name]: tool `hidden.find`: the name contains `.`\n  --> tests/cli/checks_server.rs:";
    assert!(ran.output.replace('\\', "/").starts_with(expected), "{ran:?}");
    assert!(ran.output.contains("\n  why: the APIs of OpenAI and Anthropic reject such a name"), "{ran:?}");
    assert!(ran.output.ends_with("\n\n3 errors, 6 warnings\n"), "{ran:?}");
    assert!(ran.output.lines().all(|line| line.chars().count() <= 140), "{ran:?}");
}

#[test]
fn only_errors_fail_unless_warnings_are_denied() {
    let errors = "--allow=unportable-name,rejected-schema,long-description";
    let ran = check("cli_checks", &[], &[errors]);
    assert!(ran.code == Some(0) && ran.output.ends_with(" warnings\n"), "{ran:?}");
    assert_eq!(check("cli_checks", &[], &[errors, "--deny-warnings"]).code, Some(1));
    let ran = check("hello", &[], &["--allow=debug-build", "--deny-warnings"]);
    assert_eq!((ran.code, ran.output.as_str()), (Some(0), "nothing found\n"));
}

#[test]
fn an_unknown_rule_is_rejected_with_a_suggestion() {
    let ran = check("cli_checks", &[], &["--allow", "many_tolls"]);
    assert_eq!((ran.code, ran.output.as_str()), (Some(2), ""));
    assert!(ran.errors.contains("there is no rule `many_tolls`; did you mean `many-tools`?"), "{ran:?}");
}

/// A folder that is removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let place = Self(std::env::temp_dir().join(format!("mcp_checks_{}_{name}", std::process::id())));
        for (path, text) in files {
            let path = place.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        place
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_long_skill_of_a_folder_is_found() {
    let text = "Do it slowly. ".repeat(1_500);
    let skill = format!("---\nname: slow\ndescription: Slow.\n---\n{text}");
    let place = Place::new("long", &[("slow/SKILL.md", &skill)]);
    let folder = place.0.to_str().unwrap();
    let report = json_of(&check("cli_checks", &[("SKILLS_FOLDER", folder)], &["--format", "json"]));
    let of_skill: Vec<_> = rules(&report).into_iter().filter(|(_, item)| item == "skill slow").collect();
    let item = || "skill slow".to_owned();
    assert_eq!(of_skill, [("repeated-description", item()), ("long-skill", item())]);
}

#[test]
fn an_embedded_skill_that_differs_from_its_folder_is_found() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["tests/cli/checks_server.rs", "tests/cli/skills/hiding/SKILL.md"];
    let texts = files.map(|file| (file, fs::read_to_string(here.join(file)).unwrap()));
    let changed = texts.each_ref().map(|(file, text)| (*file, format!("{text}\n")));
    let late = ("tests/cli/skills/hiding/late.md", "late".to_owned());
    for (name, files, expected) in [
        ("same", texts.to_vec(), "`references/places.md` is gone"),
        (
            "changed",
            [changed.to_vec(), vec![late]].concat(),
            "`SKILL.md` has changed, `late.md` is new, `references/places.md` is gone",
        ),
    ] {
        let files: Vec<_> = files.iter().map(|(file, text)| (*file, &**text)).collect();
        let place = Place::new(name, &files);
        let mut command = program("cli_checks");
        // The program may run in a folder of the workspace.
        let ran = command.current_dir(place.0.join("tests/cli")).args(["check", "--format=json"]).stdin(Stdio::null());
        let report = json_of(&ended(ran.output().unwrap()));
        let found = report["findings"].as_array().unwrap().iter().find(|it| it["rule"] == "outdated-skill").unwrap();
        let text = found["found"].as_str().unwrap().replace('\\', "/");
        assert!(text.ends_with(&format!("differs from the program: {expected}")), "{text}");
    }
}

#[test]
fn needs_no_values_of_settings() {
    let ran = check("cli_settings", &[], &["--allow=debug-build"]);
    assert_eq!((ran.code, ran.errors.as_str()), (Some(0), ""), "{ran:?}");
    let broken = check("cli_settings", &[("MCP_CONFIG", "/no/such/file")], &[]);
    assert!(broken.code == Some(2) && broken.errors.contains("/no/such/file"), "{broken:?}");
}

/// The schema is that of the npm package `@microsoft/jest-sarif`.
#[test]
fn sarif_matches_the_official_schema() {
    let schema =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/sarif-2.1.0.json")).unwrap();
    let mut schema: Value = serde_json::from_str(&schema).unwrap();
    // This pattern has a bracket that strict parsers of regular expressions reject.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"].as_object_mut().unwrap().remove("pattern").unwrap();
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (server, allow, count) in [("cli_checks", "debug-build", 12), ("hello", "debug-build,unauthorized-address", 0)]
    {
        let ran = check(server, &[PUBLIC], &["--format=sarif", "--allow", allow]);
        let log = json_of(&ran);
        let errors: Vec<_> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert_eq!(errors, [""; 0], "{log:#}");
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), count);
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        for result in results {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
    }
    // The schema rejects what is not SARIF, so it can fail.
    assert!(!validator.is_valid(&json!({ "version": "2.1.0", "runs": [{ "results": [] }] })));
}

#[test]
fn nothing_is_found_in_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let (mut checked, mut found) = (0, Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        // Libraries, applications without the command line, and the template are other kinds of programs.
        let main = fs::read_to_string(path.join("src/main.rs")).unwrap_or_default();
        if name == "template" || !main.contains(".run") {
            continue;
        }
        let ran = check(&name, &[], &["--allow=debug-build", "--deny-warnings"]);
        if (ran.code, ran.output.as_str()) != (Some(0), "nothing found\n") {
            found.push(format!("{name}: {}{}", ran.output, ran.errors));
        }
        checked += 1;
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(checked >= 8, "only {checked} examples have the command line");
}

/// The tools have the names, parameters and lengths of descriptions of those of the reference servers, and of the
/// servers of GitHub, Slack and Playwright, in other words.
#[test]
fn tools_of_well_known_servers_have_no_false_finding() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/published_tools.json");
    let tools: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert!(tools.len() >= 20);
    let ran =
        check("cli_checks", &[("PUBLISHED_TOOLS", path.to_str().unwrap())], &["--allow=debug-build", "--format=json"]);
    let expected = [
        // Says nothing about what happens to the dialog.
        ("repeated-description", "tool browser_handle_dialog"),
        // Their parameters have no descriptions.
        ("undescribed-parameter", "tool query"),
        ("undescribed-parameter", "tool git_status"),
        // Models of OpenAI reject it.
        ("long-description", "tool sequentialthinking"),
    ];
    let expected: Vec<_> = expected.iter().map(|(rule, item)| (*rule, (*item).to_owned())).collect();
    assert_eq!(rules(&json_of(&ran)), expected, "{ran:?}");
}
