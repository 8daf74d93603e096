//! The compiled form of a schema. All nodes are in one list, so that a recursive schema can refer to an earlier node.

pub(super) use super::types::Types;
use super::{
    defaults::DefaultValue, foreign::Foreign, format::StringFormat, instance::Instance, name_index::NameIndex,
    number::Number,
};

/// The index of a node in [`Compiled::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(pub(super) u32);

impl NodeId {
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// A schema that is ready to check values.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) nodes: Vec<Node>,
    /// The checks that the schema demands and that the deserializer of the author's types does not make.
    pub(super) beyond: Beyond,
    /// The whole schema, if it contains keywords that cannot be checked one by one.
    pub(super) whole: Option<Foreign>,
    /// The defaults of the schema, until they are checked.
    pub(super) defaults: Vec<DefaultValue>,
}

impl Compiled {
    pub(super) const ROOT: NodeId = NodeId(0);

    /// Returns a schema that accepts every value.
    pub(super) fn anything() -> Self {
        Self { nodes: vec![Node::default()], beyond: Beyond::Nothing, whole: None, defaults: Vec::new() }
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

/// The checks that a schema demands in addition to the types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Beyond {
    Nothing,
    /// The schema restricts some values to listed strings, as for unit enums.
    Names,
    More,
}

/// One schema object. A field is empty if the schema has no keyword for it.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) types: Types,
    pub(super) description: Option<Box<str>>,
    /// The values of `enum`, or the one value of `const`.
    pub(super) literals: Option<Box<[Instance<'static>]>>,
    pub(super) number: Option<Box<NumberRules>>,
    pub(super) string: Option<Box<StringRules>>,
    pub(super) array: Option<Box<ArrayRules>>,
    pub(super) object: Option<Box<ObjectRules>>,
    pub(super) logic: Vec<Logic>,
}

impl Node {
    /// Returns the target of a `$ref`, if the schema has only the `$ref` and possibly a description.
    pub(super) fn only_reference(&self) -> Option<NodeId> {
        match self.logic.as_slice() {
            [Logic::All(target)] if self.says_nothing_itself() => Some(*target),
            _ => None,
        }
    }

    /// Returns whether the node has no rules of its own. It can still apply other schemas to the same value.
    pub(super) fn says_nothing_itself(&self) -> bool {
        self.types == Types::ANY && !self.has_rules()
    }

    fn has_rules(&self) -> bool {
        let of_types = self.number.is_some() || self.string.is_some() || self.array.is_some() || self.object.is_some();
        of_types || self.literals.is_some()
    }

    /// Returns the schemas that apply to the same value as this one.
    pub(super) fn applied(&self) -> Vec<NodeId> {
        let mut applied = Vec::new();
        for logic in &self.logic {
            match logic {
                Logic::All(one) | Logic::Not(one) => applied.push(*one),
                Logic::AnyOf(branches) | Logic::OneOf(branches) => applied.extend(branches),
                Logic::If { condition, then, otherwise } => {
                    applied.push(*condition);
                    applied.extend([*then, *otherwise].into_iter().flatten());
                }
            }
        }
        let dependent = self.object.iter().flat_map(|object| &object.dependent_schemas);
        applied.extend(dependent.map(|(_, schema)| *schema));
        applied
    }
}

#[derive(Debug, Default)]
pub(super) struct NumberRules {
    pub(super) low: Option<NumberBound>,
    pub(super) high: Option<NumberBound>,
    pub(super) multiple_of: Option<Number>,
}

impl NumberRules {
    pub(super) fn is_some(&self) -> bool {
        self.low.is_some() || self.high.is_some() || self.multiple_of.is_some()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NumberBound {
    pub(super) at: Number,
    /// Whether the bound itself is excluded.
    pub(super) exclusive: bool,
}

/// The allowed number of items, characters or members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CountBound {
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

impl CountBound {
    pub(super) fn allows(self, count: usize) -> bool {
        let count = count as u64;
        self.min.is_none_or(|min| count >= min) && self.max.is_none_or(|max| count <= max)
    }

    pub(super) fn exactly(count: usize) -> Self {
        Self { min: Some(count as u64), max: Some(count as u64) }
    }

    pub(super) fn is_any(self) -> bool {
        self == Self::default()
    }
}

#[derive(Debug, Default)]
pub(super) struct StringRules {
    pub(super) length: CountBound,
    pub(super) format: Option<StringFormat>,
    /// The keyword `pattern`, and the formats that only the crate `jsonschema` checks.
    pub(super) foreign: Vec<Foreign>,
}

impl StringRules {
    pub(super) fn is_some(&self) -> bool {
        !self.length.is_any() || self.format.is_some() || !self.foreign.is_empty()
    }
}

#[derive(Debug, Default)]
pub(super) struct ArrayRules {
    pub(super) length: CountBound,
    pub(super) unique: bool,
    pub(super) prefix: Vec<NodeId>,
    pub(super) items: Option<NodeId>,
    pub(super) contains: Option<(NodeId, CountBound)>,
}

impl ArrayRules {
    pub(super) fn is_some(&self) -> bool {
        let Self { length, unique, prefix, items, contains } = self;
        !length.is_any() || *unique || !prefix.is_empty() || items.is_some() || contains.is_some()
    }
}

#[derive(Debug, Default)]
pub(super) struct ObjectRules {
    pub(super) properties: Vec<Property>,
    /// Maps the name of each property to its index in `properties`. `None` if a linear search is fast enough.
    pub(super) index: Option<NameIndex<'static>>,
    pub(super) required: usize,
    pub(super) patterns: Vec<(KeyPattern, NodeId)>,
    pub(super) additional: Option<NodeId>,
    pub(super) names: Option<NodeId>,
    pub(super) size: CountBound,
    /// `dependentRequired`: if the first name is present, all the other names must be present too.
    pub(super) dependent: Vec<(Box<str>, Vec<Box<str>>)>,
    pub(super) dependent_schemas: Vec<(Box<str>, NodeId)>,
}

impl ObjectRules {
    /// The maximum number of properties that are searched linearly, without an index.
    pub(super) const FEW: usize = 16;

    pub(super) fn is_some(&self) -> bool {
        let named = !self.properties.is_empty() || !self.patterns.is_empty();
        let others = self.additional.is_some() || self.names.is_some() || !self.size.is_any();
        named || others || !self.dependent.is_empty() || !self.dependent_schemas.is_empty()
    }

    pub(super) fn property(&self, name: &str) -> Option<&Property> {
        match &self.index {
            Some(index) => index.get(name).map(|at| &self.properties[at]),
            None => self.properties.iter().find(|property| &*property.name == name),
        }
    }

    /// Returns the names that `properties` declares.
    pub(super) fn declared(&self) -> impl Iterator<Item = &str> {
        self.properties.iter().filter(|property| property.node.is_some()).map(|property| &*property.name)
    }
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: Box<str>,
    /// The schema of the property. `None` if only `required` names the property.
    pub(super) node: Option<NodeId>,
    pub(super) required: bool,
}

/// A key of `patternProperties`.
#[derive(Debug)]
pub(super) enum KeyPattern {
    /// `^\d+$`, which schemars writes for maps with unsigned keys.
    Digits,
    /// `^-?\d+$`, which schemars writes for maps with signed keys.
    SignedDigits,
    Foreign(Foreign),
}

impl KeyPattern {
    pub(super) fn matches(&self, key: &str) -> bool {
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
pub(super) enum Logic {
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
