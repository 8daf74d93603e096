//! The compiled form of a schema. All nodes are in one list, so that a recursive schema can refer to an earlier node.

pub(crate) use crate::wire::schema::value::types::Types;
use crate::wire::schema::{
    foreign::Foreign,
    format::StringFormat,
    value::{
        instance::{Instance, NameIndex},
        number::Number,
    },
};

/// The index of a node in [`Compiled::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(pub(crate) usize);

/// A schema that is ready to check values.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) nodes: Vec<Node>,
    /// The checks that the schema demands and that the deserializer of the author's types does not make.
    pub(crate) beyond: Beyond,
    /// The whole schema, if it contains keywords that cannot be checked one by one.
    pub(crate) whole: Option<Foreign>,
    /// The defaults of the schema, until they are checked.
    pub(crate) defaults: Vec<DefaultValue>,
}

impl Compiled {
    pub(crate) const ROOT: NodeId = NodeId(0);

    /// Returns a schema that accepts every value.
    pub(crate) fn anything() -> Self {
        Self { nodes: vec![Node::default()], beyond: Beyond::Nothing, whole: None, defaults: Vec::new() }
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }
}

/// The checks that a schema demands in addition to the types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Beyond {
    Nothing,
    /// The schema restricts some values to listed strings, as for unit enums.
    Names,
    More,
}

/// One schema object. A field is empty if the schema has no keyword for it.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) types: Types,
    pub(crate) description: Option<Box<str>>,
    /// The values of `enum`, or the one value of `const`.
    pub(crate) literals: Option<Box<[Instance<'static>]>>,
    pub(crate) number: Option<Box<NumberRules>>,
    pub(crate) string: Option<Box<StringRules>>,
    pub(crate) array: Option<Box<ArrayRules>>,
    pub(crate) object: Option<Box<ObjectRules>>,
    pub(crate) logic: Vec<Logic>,
}

impl Node {
    /// Returns the target of a `$ref`, if the schema has only the `$ref` and possibly a description.
    pub(crate) fn only_reference(&self) -> Option<NodeId> {
        match self.logic.as_slice() {
            [Logic::All(target)] if self.says_nothing_itself() => Some(*target),
            _ => None,
        }
    }

    /// Returns whether the node has no rules of its own. It can still apply other schemas to the same value.
    pub(crate) fn says_nothing_itself(&self) -> bool {
        let of_types = self.number.is_some() || self.string.is_some() || self.array.is_some() || self.object.is_some();
        self.types == Types::ANY && self.literals.is_none() && !of_types
    }

    /// Returns the schemas that apply to the same value as this one: those that it must fit, and those of which it must
    /// fit one.
    pub(crate) fn applied(&self) -> impl Iterator<Item = NodeId> {
        let of_logic = self.logic.iter().flat_map(|logic| match logic {
            Logic::All(one) => vec![*one],
            Logic::AnyOf(branches) | Logic::OneOf(branches) => branches.clone(),
            Logic::If { then, otherwise, .. } => then.iter().chain(otherwise).copied().collect(),
            Logic::Not(_) => Vec::new(),
        });
        let dependent = self.object.iter().flat_map(|object| &object.dependent_schemas);
        of_logic.chain(dependent.map(|(_, schema)| *schema))
    }

    /// Returns the schemas that only test the value.
    pub(crate) fn tests(&self) -> impl Iterator<Item = NodeId> {
        self.logic.iter().filter_map(|logic| match logic {
            Logic::Not(test) | Logic::If { condition: test, .. } => Some(*test),
            _ => None,
        })
    }
}

#[derive(Debug, Default)]
pub(crate) struct NumberRules {
    pub(crate) low: Option<NumberBound>,
    pub(crate) high: Option<NumberBound>,
    pub(crate) multiple_of: Option<Number>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NumberBound {
    pub(crate) at: Number,
    /// Whether the bound itself is excluded.
    pub(crate) exclusive: bool,
}

/// The allowed number of items, characters or members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CountBound {
    pub(crate) min: Option<u64>,
    pub(crate) max: Option<u64>,
}

impl CountBound {
    pub(crate) fn allows(self, count: usize) -> bool {
        let count = count as u64;
        self.min.is_none_or(|min| count >= min) && self.max.is_none_or(|max| count <= max)
    }

    pub(crate) fn exactly(count: usize) -> Self {
        Self { min: Some(count as u64), max: Some(count as u64) }
    }

    pub(crate) fn is_any(self) -> bool {
        self == Self::default()
    }
}

#[derive(Debug, Default)]
pub(crate) struct StringRules {
    pub(crate) length: CountBound,
    pub(crate) format: Option<StringFormat>,
    /// The keyword `pattern`, and the formats that only the crate `jsonschema` checks.
    pub(crate) foreign: Vec<Foreign>,
}

#[derive(Debug, Default)]
pub(crate) struct ArrayRules {
    pub(crate) length: CountBound,
    pub(crate) unique: bool,
    pub(crate) prefix: Vec<NodeId>,
    pub(crate) items: Option<NodeId>,
    pub(crate) contains: Option<NodeId>,
    /// How many items must match `contains`. Without a minimum, one must.
    pub(crate) contained: CountBound,
}

#[derive(Debug, Default)]
pub(crate) struct ObjectRules {
    pub(crate) properties: Vec<Property>,
    /// Maps the name of each property to its index in `properties`. `None` if a linear search is fast enough.
    pub(crate) index: Option<NameIndex<'static>>,
    pub(crate) required: usize,
    pub(crate) patterns: Vec<(KeyPattern, NodeId)>,
    pub(crate) additional: Option<NodeId>,
    pub(crate) names: Option<NodeId>,
    pub(crate) size: CountBound,
    /// `dependentRequired`: if the first name is present, all the other names must be present too.
    pub(crate) dependent: Vec<(Box<str>, Vec<Box<str>>)>,
    pub(crate) dependent_schemas: Vec<(Box<str>, NodeId)>,
}

impl ObjectRules {
    /// The maximum number of properties that are searched linearly, without an index.
    pub(crate) const FEW: usize = 16;

    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        match &self.index {
            Some(index) => index.get(name).map(|at| &self.properties[*at]),
            None => self.properties.iter().find(|property| &*property.name == name),
        }
    }

    /// Returns the names that `properties` declares.
    pub(crate) fn declared(&self) -> impl Iterator<Item = &str> {
        self.properties.iter().filter(|property| property.node.is_some()).map(|property| &*property.name)
    }
}

#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) name: Box<str>,
    /// The schema of the property. `None` if only `required` names the property.
    pub(crate) node: Option<NodeId>,
    pub(crate) required: bool,
}

/// A key of `patternProperties`.
#[derive(Debug)]
pub(crate) enum KeyPattern {
    /// `^\d+$`, which schemars writes for maps with unsigned keys.
    Digits,
    /// `^-?\d+$`, which schemars writes for maps with signed keys.
    SignedDigits,
    Foreign(Foreign),
}

impl KeyPattern {
    pub(crate) fn matches(&self, key: &str) -> bool {
        let digits = |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Self::Digits => digits(key),
            Self::SignedDigits => digits(key.strip_prefix('-').unwrap_or(key)),
            Self::Foreign(pattern) => pattern.accepts(key),
        }
    }
}

/// Keywords that apply other schemas to the same value.
#[derive(Debug)]
pub(crate) enum Logic {
    /// `$ref`, and each member of `allOf`.
    All(NodeId),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    Not(NodeId),
    If {
        condition: NodeId,
        then: Option<NodeId>,
        otherwise: Option<NodeId>,
    },
}

/// A default and its schema.
#[derive(Debug)]
pub(crate) struct DefaultValue {
    pub(crate) node: NodeId,
    /// The place of the schema, for error messages.
    pub(crate) place: String,
    pub(crate) value: Instance<'static>,
}
