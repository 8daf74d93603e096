//! How often a search finds the right tool, and how many tokens it saves: measured with the tools and the questions of the
//! Berkeley Function-Calling Leaderboard (PyPI `bfcl-eval`). `.ci/search` gets them and runs this.

use std::{collections::BTreeMap, env, fs, path::Path};

use mcp_runtime::{Ctx, Server, search::Search, testing::Client, tool::DynamicTool};
use serde_json::{Map, Value, json};
use tiktoken_rs::o200k_base_singleton;

/// A set of questions, the sets whose tools are searched, and the lowest share of questions, in percent, whose tool must be
/// among the first five.
struct Questions {
    of: &'static str,
    tools: &'static [&'static str],
    lowest: f64,
}

/// The first two have a threshold. The others have questions of real users, many of which name nothing that the
/// description of the tool names; their thresholds are there to notice changes.
const SETS: [Questions; 4] = [
    Questions { of: "multiple", tools: &["multiple"], lowest: 95.0 },
    Questions { of: "simple_python", tools: &["simple_python", "multiple"], lowest: 92.0 },
    Questions { of: "live_multiple", tools: &["live_multiple"], lowest: 87.0 },
    Questions { of: "live_simple", tools: &["live_simple", "live_multiple"], lowest: 80.0 },
];

/// The first results that count.
const RANKS: [usize; 3] = [1, 5, 10];

fn read_lines(data: &Path, file: &str) -> Vec<Value> {
    let path = data.join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Converts the name of a parameter to one that hosts accept.
fn accepted(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii() { letter } else { '_' }).collect()
}

/// Converts a schema of the data to JSON Schema: its types have names of Python.
fn converted(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let mut object = Map::new();
            for (name, member) in members {
                let converted = match (&**name, member) {
                    ("type", Value::String(ty)) => match &**ty {
                        "dict" => json!("object"),
                        "float" => json!("number"),
                        "tuple" | "list" => json!("array"),
                        "any" => continue,
                        other => json!(other),
                    },
                    ("properties", Value::Object(properties)) => {
                        properties.iter().map(|(name, schema)| (accepted(name), converted(schema))).collect()
                    }
                    ("items", items) => converted(items),
                    ("required", Value::Array(names)) => names.iter().filter_map(Value::as_str).map(accepted).collect(),
                    ("description" | "enum", kept) => kept.clone(),
                    _ => continue,
                };
                object.insert(name.clone(), converted);
            }
            Value::Object(object)
        }
        other => other.clone(),
    }
}

/// Creates a server with the tools of these sets, and returns how many it has.
fn server(data: &Path, sets: &[&str]) -> (Server, usize) {
    let functions = sets.iter().flat_map(|set| read_lines(data, &format!("BFCL_v4_{set}.json")));
    let mut tools = BTreeMap::new();
    for function in functions.flat_map(|question| question["function"].as_array().cloned().unwrap()) {
        tools.entry(function["name"].as_str().unwrap().to_owned()).or_insert(function);
    }
    let count = tools.len();
    let tool = |(name, function): (String, Value)| {
        let description = function["description"].as_str().unwrap().to_owned();
        let schema = converted(&function["parameters"]);
        DynamicTool::from_schema(name, description, schema, async |_: Ctx, _: Value| "")
    };
    (tools.into_iter().map(tool).fold(Server::new("measured", "1"), Server::tool), count)
}

fn tokens(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

#[tokio::test]
#[ignore = "needs the data of PyPI `bfcl-eval`; run `.ci/search`"]
async fn finds_the_right_tool_for_a_part_of_the_tokens() {
    let data = env::var_os("MCP_TEST_QUESTIONS").expect("`.ci/search` sets it");
    let data = Path::new(&data);
    let mut failures = Vec::new();
    eprintln!("| questions | number | tools | first | among 5 | among 10 | plain list | one line for each | search |");
    eprintln!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for Questions { of, tools, lowest } in SETS {
        let (plain, count) = server(data, tools);
        let all = Client::modern(&plain.build().unwrap()).tools().await;
        let plain_list = tokens(&json!(all).to_string());
        // What `describe` of a tool with these actions shows.
        let line = |tool: &Value| {
            let description = tool["description"].as_str().unwrap();
            let first = description.split_inclusive(". ").next().unwrap();
            json!({ "name": tool["name"], "description": first.trim_end() })
        };
        let lines = tokens(&json!(all.iter().map(line).collect::<Vec<_>>()).to_string());
        let mut client = Client::modern(&server(data, tools).0.searchable(Search::new()).build().unwrap());
        let list = tokens(&json!(client.tools().await).to_string());
        let answers = read_lines(data, &format!("possible_answer/BFCL_v4_{of}.json"));
        let (mut hits, mut with_search, mut without) = ([0; RANKS.len()], 0, 0);
        let questions = read_lines(data, &format!("BFCL_v4_{of}.json"));
        for (question, answer) in questions.iter().zip(&answers) {
            assert_eq!(question["id"], answer["id"]);
            let (right, arguments) = answer["ground_truth"][0].as_object().unwrap().iter().next().unwrap();
            let texts = question["question"][0].as_array().unwrap().iter().filter(|message| message["role"] == "user");
            let query = texts.map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>().join(" ");
            let ten = client.call("search_tools", json!({ "query": query, "limit": 10 })).await;
            let ten = ten.structured::<Value>();
            let rank = ten["tools"].as_array().unwrap().iter().position(|tool| tool["name"] == **right);
            for (count, most) in hits.iter_mut().zip(RANKS) {
                *count += usize::from(rank.is_some_and(|rank| rank < most));
            }
            // What a model reads and writes until it has called the tool.
            let search = json!({ "query": query });
            let five = client.call("search_tools", search.clone()).await.text().to_owned();
            let call = json!({ "name": right, "arguments": arguments });
            with_search += list + tokens(&search.to_string()) + tokens(&five) + tokens(&call.to_string());
            without += plain_list + tokens(&call.to_string());
        }
        let share = hits.map(|hits| 100.0 * hits as f64 / questions.len() as f64);
        let (searched, listed) = (with_search / questions.len(), without / questions.len());
        let [first, five, ten] = share;
        eprintln!(
            "| {of} | {} | {count} | {first:.1} % | {five:.1} % | {ten:.1} % | {listed} | {lines} | {searched} |",
            questions.len()
        );
        if five < lowest {
            failures.push(format!("`{of}`: the right tool is among the first five in {five:.1} %, not in {lowest} %"));
        }
        if searched * 5 > listed {
            failures.push(format!("`{of}`: a search takes {searched} tokens, more than a fifth of {listed}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
