//! Compiles a JSON schema into the form that checks values.

pub(crate) mod node;
mod query;
mod rules;

use std::borrow::Cow;

use serde_json::{Map, Value};

use self::query::is_endless;
use super::{foreign::Foreign, keyword};
use crate::wire::schema::{
    compile::node::{Beyond, Compiled, DefaultValue, Logic, Node, NodeId, Types},
    value::instance::{Instance, NameIndex},
};

/// Compiles a schema. All references in the schema must be internal. `enforced` is `false` for the schema of a tool's
/// output, which may contain keywords that cannot be checked.
///
/// # Errors
/// Returns all errors of the schema, each with its place and a correction.
pub(super) fn compile(schema: &Value, enforced: bool) -> Result<Compiled, Vec<String>> {
    let mut compiler = Compiler {
        root: schema,
        enforced,
        at: Vec::new(),
        nodes: Vec::new(),
        referred: NameIndex::default(),
        beyond: Beyond::Nothing,
        needs_whole: None,
        defaults: Vec::new(),
        problems: Vec::new(),
    };
    compiler.schema(schema);
    if is_endless(&compiler.nodes) {
        compiler.problems.push("a `$ref` leads back to itself without entering a property or an item".to_owned());
    }
    let whole = compiler.whole();
    let Compiler { nodes, beyond, defaults, problems, .. } = compiler;
    if problems.is_empty() { Ok(Compiled { nodes, beyond, whole, defaults }) } else { Err(problems) }
}

struct Compiler<'s> {
    root: &'s Value,
    enforced: bool,
    /// The path of the current keyword.
    at: Vec<Cow<'s, str>>,
    nodes: Vec<Node>,
    /// The node of each `$ref` target that was already compiled. Because of this index, a recursive schema is compiled
    /// only once.
    referred: NameIndex<'s>,
    beyond: Beyond,
    /// The place of the first keyword that cannot be checked separately. If there is one, a single check covers the
    /// whole schema.
    needs_whole: Option<String>,
    defaults: Vec<DefaultValue>,
    problems: Vec<String>,
}

impl<'s> Compiler<'s> {
    /// The maximum depth of a schema. The limit prevents a stack overflow.
    const DEEPEST: usize = 256;

    fn schema(&mut self, schema: &'s Value) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node::default());
        if self.at.len() > Self::DEEPEST {
            self.problem("nested too deeply");
        } else {
            match schema {
                Value::Bool(true) => {}
                Value::Bool(false) => {
                    self.beyond = Beyond::More;
                    self.nodes[id.0].types = Types::NONE;
                }
                Value::Object(keywords) => {
                    let node = self.keywords(keywords);
                    self.nodes[id.0] = node;
                    if let Some(value) = keywords.get("default") {
                        self.defaults.push(DefaultValue { node: id, place: self.place(), value: value.into() });
                    }
                }
                _ => self.problem("must be a schema: an object or a boolean"),
            }
        }
        id
    }

    fn keywords(&mut self, keywords: &'s Map<String, Value>) -> Node {
        let mut node = Node::default();
        for (keyword, value) in keywords {
            self.at.push(Cow::Borrowed(keyword));
            match keyword.as_str() {
                "type" => node.types = self.types(value),
                "description" => node.description = value.as_str().map(Box::from),
                "const" | "enum" => {
                    let literals = if keyword == "const" { std::slice::from_ref(value) } else { self.array(value) };
                    self.demand_literals(literals);
                    restrict(&mut node.literals, literals.iter().map(Instance::from).collect());
                }
                "$ref" => {
                    if let Some(target) = self.reference(value) {
                        node.logic.push(Logic::All(target));
                    }
                }
                "allOf" => node.logic.extend(self.schemas(value).into_iter().map(Logic::All)),
                "anyOf" => {
                    if !is_nullable(value) {
                        self.beyond = Beyond::More;
                    }
                    node.logic.push(Logic::AnyOf(self.schemas(value)));
                }
                "oneOf" => {
                    self.demand(if lists_names(value) { Beyond::Names } else { Beyond::More });
                    node.logic.push(Logic::OneOf(self.schemas(value)));
                }
                "not" => {
                    self.beyond = Beyond::More;
                    node.logic.push(Logic::Not(self.schema(value)));
                }
                "if" => {
                    self.beyond = Beyond::More;
                    let condition = self.schema(value);
                    let then = keywords.get("then").map(|schema| self.sibling("then", schema));
                    let otherwise = keywords.get("else").map(|schema| self.sibling("else", schema));
                    node.logic.push(Logic::If { condition, then, otherwise });
                }
                "then" | "else" => {}
                "unevaluatedProperties" | "unevaluatedItems" | "$dynamicRef" => {
                    self.beyond = Beyond::More;
                    if self.needs_whole.is_none() {
                        self.needs_whole = Some(self.place());
                    }
                }
                _ => self.rule(keyword, value, &mut node),
            }
            self.at.pop();
        }
        self.finish(keywords, &mut node);
        if node.literals.as_ref().is_some_and(|literals| literals.is_empty()) {
            node.types = Types::NONE;
        }
        node
    }

    fn demand(&mut self, beyond: Beyond) {
        self.beyond = self.beyond.max(beyond);
    }

    fn demand_literals(&mut self, literals: &[Value]) {
        let are_names = literals.iter().all(|literal| literal.is_string() || literal.is_null());
        self.demand(if are_names { Beyond::Names } else { Beyond::More });
    }

    fn types(&mut self, value: &'s Value) -> Types {
        let names = value.as_array().map_or(std::slice::from_ref(value), |names| names);
        for name in names.iter().filter(|name| name.as_str().and_then(Types::named).is_none()) {
            let name = serde_json::to_string(name).unwrap_or_default();
            self.problem(&format!("{name} is not a type of JSON Schema"));
        }
        Types::listed(value)
    }

    fn reference(&mut self, value: &'s Value) -> Option<NodeId> {
        let Some(reference) = value.as_str() else {
            self.problem("must be a string");
            return None;
        };
        if let Some(at) = self.referred.get(reference) {
            return Some(NodeId(*at));
        }
        if reference == "#" {
            return Some(Compiled::ROOT);
        }
        let target = super::refs::resolve(self.root, reference);
        let Some(target) = target else {
            self.problem(&format!("`{reference}` does not exist in this schema"));
            return None;
        };
        // Registered before the target is compiled, because the target may refer to itself.
        let id = NodeId(self.nodes.len());
        self.referred.insert(Cow::Borrowed(reference), self.nodes.len());
        let here = std::mem::replace(&mut self.at, vec![Cow::Borrowed(reference.trim_start_matches("#/"))]);
        self.schema(target);
        self.at = here;
        Some(id)
    }

    #[inline(never)]
    fn schemas(&mut self, value: &'s Value) -> Vec<NodeId> {
        let schemas = self.array(value);
        if schemas.is_empty() {
            self.problem("must have at least one schema");
        }
        let schemas = schemas.iter().enumerate();
        schemas.map(|(at, schema)| self.inside(Cow::Owned(at.to_string()), schema)).collect()
    }

    fn inside(&mut self, key: Cow<'s, str>, schema: &'s Value) -> NodeId {
        self.at.push(key);
        let id = self.schema(schema);
        self.at.pop();
        id
    }

    fn sibling(&mut self, keyword: &'s str, schema: &'s Value) -> NodeId {
        let here = self.at.pop();
        let id = self.inside(Cow::Borrowed(keyword), schema);
        self.at.extend(here);
        id
    }

    fn array(&mut self, value: &'s Value) -> &'s [Value] {
        match value {
            Value::Array(items) => items,
            _ => {
                self.problem("must be an array");
                &[]
            }
        }
    }

    fn whole(&mut self) -> Option<Foreign> {
        let place = self.needs_whole.take()?;
        match Foreign::schema(self.root) {
            Ok(whole) => Some(whole),
            Err(why) => {
                if self.enforced {
                    self.problems.push(format!("`{place}`: {why}"));
                }
                None
            }
        }
    }

    fn place(&self) -> String {
        self.at.join(".")
    }

    #[cold]
    fn problem(&mut self, what: &str) {
        let place = if self.at.is_empty() { "the root".to_owned() } else { format!("`{}`", self.place()) };
        self.problems.push(format!("{place}: {what}"));
    }

    #[inline(never)]
    fn foreign(&mut self, keyword: &str, value: &Value) -> Option<Foreign> {
        self.beyond = Beyond::More;
        match Foreign::keyword(keyword, value) {
            Ok(foreign) => Some(foreign),
            Err(why) => {
                if self.enforced {
                    self.problem(&why);
                }
                None
            }
        }
    }

    fn unknown(&mut self, keyword: &str) {
        if !keyword::describes(keyword)
            && let Some(what) = keyword::unknown(keyword)
        {
            self.problem(&what);
        }
    }
}

/// Combines `const` with `enum`. A value must satisfy both.
fn restrict(literals: &mut Option<Box<[Instance<'static>]>>, mut to: Vec<Instance<'static>>) {
    if let Some(literals) = literals {
        to.retain(|literal| literals.contains(literal));
    }
    *literals = Some(to.into());
}

/// Returns whether this is schemars' output for an `Option` of a type that cannot be listed in `type`.
fn is_nullable(any_of: &Value) -> bool {
    let branches = any_of.as_array().map_or(&[][..], Vec::as_slice);
    let is_null = |schema: &Value| {
        schema.as_object().is_some_and(|it| it.len() == 1 && it.get("type").is_some_and(|name| name == "null"))
    };
    branches.len() == 2 && is_null(&branches[1])
}

/// Returns whether this is schemars' output for a unit enum with documented variants.
fn lists_names(one_of: &Value) -> bool {
    let mut branches = one_of.as_array().map_or(&[][..], Vec::as_slice).iter();
    branches.all(|branch| branch.get("const").is_some() || branch.get("enum").is_some())
}
