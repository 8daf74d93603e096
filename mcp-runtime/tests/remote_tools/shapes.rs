//! The shapes of schemas that generators write, and those that nobody should write.

use std::collections::BTreeMap;

use mcp_runtime::remote::RemoteTool;
use proptest::{collection, option, prelude::*};
use serde_json::json;

use super::{assert_accepted, assert_written};

pub(super) mod list {
    #![deny(warnings, missing_docs, unreachable_pub, clippy::all)]
    mcp_runtime::remote_tools!("shapes.json");
}
use list::*;

const LIST: &str = include_str!("shapes.json");

#[test]
fn optional_arguments_are_left_out() {
    let counts = BTreeMap::from([("a".to_owned(), 1)]);
    let expected = json!({"title": "t", "issueNumber": 1, "counts": {"a": 1}});
    assert_written(LIST, &CreateIssue::new("t", 1, counts), &expected);
}

#[test]
fn each_type_is_written_as_its_schema_says() {
    let issue = CreateIssue {
        body: Some("b".into()),
        offset: Some(-1),
        weight: Some(0.5),
        draft: Some(false),
        r#type: Some(CreateIssueType::FeatureRequest),
        self_: Some("s".into()),
        labels: Some(vec![CreateIssueLabels { color: Some("red".into()), ..CreateIssueLabels::new("n") }]),
        matrix: Some(vec![vec![1.0, 2.0], vec![]]),
        milestone: Some(CreateIssueMilestone::new(None)),
        anything: Some(json!([1, null])),
        either: Some(json!(5)),
        free: Some(BTreeMap::from([("k".to_owned(), json!("v"))])),
        ..CreateIssue::new("t", u64::MAX, BTreeMap::new())
    };
    let expected = json!({
        "title": "t", "body": "b", "issueNumber": u64::MAX, "offset": -1, "weight": 0.5, "draft": false,
        "type": "feature request", "self": "s", "labels": [{"name": "n", "color": "red"}], "counts": {},
        "matrix": [[1.0, 2.0], []], "milestone": {"due": null}, "anything": [1, null], "either": 5, "free": {"k": "v"},
    });
    assert_written(LIST, &issue, &expected);
}

#[test]
fn fields_are_in_the_order_of_the_schema() {
    let text = serde_json::to_string(&CreateIssue::new("t", 1, BTreeMap::new())).unwrap();
    assert_eq!(text, r#"{"title":"t","issueNumber":1,"counts":{}}"#);
}

#[test]
fn each_text_of_an_enum_has_a_variant() {
    use CreateIssueType::{Bug, FeatureRequest, Value, Value1, Value1_2, Value2_0, Value2_0_2};
    let all = [Bug, FeatureRequest, Value2_0, Value2_0_2, Value1, Value1_2, Value];
    let texts = serde_json::to_value(all).unwrap();
    assert_eq!(texts, json!(["bug", "feature request", "2.0", "2_0", "+1", "-1", ""]));
}

#[test]
fn schemas_of_pydantic() {
    let item = || PydanticItem { sizes: Some(vec![PydanticSize::Large]), ..PydanticItem::new(PydanticColor::Green) };
    let all = Pydantic {
        second: Some(item()),
        color: Some(PydanticColor::Red),
        limit: Some(-3),
        ..Pydantic::new(item(), Some("n".to_owned()))
    };
    let written = json!({"color": "green", "sizes": ["large"]});
    let expected = json!({"first": written, "second": written, "color": "red", "limit": -3, "nullable": "n"});
    assert_written(LIST, &all, &expected);
    // A required argument that can be `null` is never left out.
    let least = Pydantic::new(PydanticItem::new(PydanticColor::Red), None);
    assert_written(LIST, &least, &json!({"first": {"color": "red"}, "nullable": null}));
}

#[test]
fn schemas_of_schemars() {
    let all = Schemars {
        level: Some(SchemarsLevel::High),
        pair: Some(vec![json!("a"), json!(1)]),
        port: Some(80),
        ..Schemars::new(SchemarsMode::Slower)
    };
    assert_written(LIST, &all, &json!({"mode": "slower", "level": "high", "pair": ["a", 1], "port": 80}));
}

#[test]
fn types_can_contain_themselves() {
    let leaf = TreeLeaf::new(TreeNode::new("in a leaf").into());
    let root = TreeNode {
        left: Some(TreeNode::new("left").into()),
        right: Some(TreeNode::new("right").into()),
        children: Some(vec![TreeNode::new("child")]),
        leaf: Some(leaf),
        ..TreeNode::new("root")
    };
    let tree = Tree {
        parent: Some(Tree::new(TreeNode::new("parent")).into()),
        again: Some(TreeNode::new("again")),
        forest: Some(TreeAlias { inside: Some(vec![TreeAlias::new()]) }),
        ..Tree::new(root)
    };
    let expected = json!({
        "root": {
            "value": "root", "left": {"value": "left"}, "right": {"value": "right"}, "children": [{"value": "child"}],
            "leaf": {"of": {"value": "in a leaf"}},
        },
        "parent": {"root": {"value": "parent"}},
        "again": {"value": "again"},
        "forest": {"inside": [{}]},
    });
    assert_written(LIST, &tree, &expected);
}

#[test]
fn references_without_an_end_are_any_json() {
    let endless = Endless {
        one: Some(json!(1)),
        lists: Some(vec![json!([[]])]),
        missing: Some(json!(2)),
        elsewhere: Some(json!(3)),
    };
    let expected = json!({"one": 1, "lists": [[[]]], "missing": 2, "elsewhere": 3});
    // No validator accepts references like these.
    assert_eq!(serde_json::to_value(&endless).unwrap(), expected);
}

#[test]
fn names_that_rust_lacks_or_that_are_the_same_are_changed() {
    let text = || Some("x".to_owned());
    let names = Names {
        user_id2: text(),
        user_id3: text(),
        crate_: text(),
        field_1st: text(),
        field: text(),
        field2: text(),
        größe: text(),
        名前: text(),
        a_b_c_d: text(),
        ..Names::new("x", json!(1))
    };
    let expected = json!({
        "user_id": "x", "userId": "x", "user-id": "x", "crate": "x", "1st": "x", "$": "x", "": "x", "größe": "x",
        "名前": "x", "a`b\"c\\d": "x", "undescribed": 1,
    });
    assert_written(LIST, &names, &expected);
    assert_eq!((ToolSelf::NAME, Tool3dRender::NAME), ("self", "3d-render"));
    assert_eq!((GetX::NAME, GetX2::NAME, GetX3::NAME), ("get-x", "get_x", "getX"));
    assert_eq!((CreateIssue::NAME, CreateIssueOutput::NAME), ("create_issue", "create_issue_output"));
}

#[test]
fn the_names_of_the_standard_library_can_be_those_of_tools() {
    let tool = Option { string: Some(OptionString { vec: Some("v".to_owned()) }) };
    assert_written(LIST, &tool, &json!({"string": {"vec": "v"}}));
}

#[test]
fn a_schema_that_does_not_say_what_is_inside_has_no_arguments() {
    assert_written(LIST, &ToolSelf::default(), &json!({}));
    assert_written(LIST, &GetX2 {}, &json!({}));
    assert_written(LIST, &GetX3 {}, &json!({}));
    assert_written(LIST, &GetX::new(1.5), &json!({"x": 1.5}));
    let mixed = Tool3dRender { mixed: Some(json!(1)), constant: Some(json!(5)) };
    assert_written(LIST, &mixed, &json!({"mixed": 1, "constant": 5}));
}

proptest! {
    /// The fields whose types say all that the schema says can have any value.
    #[test]
    fn every_value_is_accepted(
        title: String,
        number in 1_u64..,
        counts in collection::btree_map(any::<String>(), any::<u64>(), 0..4),
        body: std::option::Option<String>,
        offset: std::option::Option<i64>,
        weight in option::of(proptest::num::f64::NORMAL | proptest::num::f64::ZERO),
        draft: std::option::Option<bool>,
        labels in option::of(collection::vec((any::<String>(), any::<std::option::Option<String>>()), 0..4)),
        due: std::option::Option<std::option::Option<String>>,
    ) {
        let label = |(name, color): (String, _)| CreateIssueLabels { color, ..CreateIssueLabels::new(name) };
        let issue = CreateIssue {
            body,
            offset,
            weight,
            draft,
            labels: labels.map(|labels| labels.into_iter().map(label).collect()),
            milestone: due.map(CreateIssueMilestone::new),
            ..CreateIssue::new(title, number, counts)
        };
        assert_accepted::<CreateIssue>(LIST, &serde_json::to_value(&issue).unwrap());
    }
}
