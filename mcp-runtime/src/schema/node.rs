//! The compiled form of a schema: nodes in one list, so that a recursive schema is an index that points back.

use std::collections::HashMap;

pub(super) use super::types::Types;
use super::{defaults::DefaultValue, foreign::Foreign, format::Format, instance::Instance, number::Number};

/// Where a node is in [`Compiled::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(pub(super) u32);

/// A schema that is ready to check values.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) nodes: Vec<Node>,
    /// What it demands beyond what a typed reader enforces on its own.
    pub(super) beyond: Beyond,
    /// The schema as a whole, where it holds keywords that cannot be taken one by one.
    pub(super) whole: Option<Foreign>,
    /// The defaults in it, until they are checked.
    pub(super) defaults: Vec<DefaultValue>,
}

impl Compiled {
    pub(super) const ROOT: NodeId = NodeId(0);

    /// A schema that every value fits.
    pub(super) fn anything() -> Self {
        Self { nodes: vec![Node::default()], beyond: Beyond::Nothing, whole: None, defaults: Vec::new() }
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

/// What a schema demands beyond types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Beyond {
    Nothing,
    /// Names out of a list, as unit enums have them.
    Names,
    More,
}

/// One schema object. What it does not say is empty, and costs nothing to check.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) types: Types,
    pub(super) description: Option<Box<str>>,
    /// `enum`, or `const` as the only one.
    pub(super) literals: Option<Box<[Instance<'static>]>>,
    pub(super) number: Option<Box<NumberRules>>,
    pub(super) string: Option<Box<StringRules>>,
    pub(super) array: Option<Box<ArrayRules>>,
    pub(super) object: Option<Box<ObjectRules>>,
    pub(super) logic: Vec<Logic>,
}

impl Node {
    /// Where a `$ref` with nothing but a description beside it leads.
    pub(super) fn only_reference(&self) -> Option<NodeId> {
        match self.logic.as_slice() {
            [Logic::All(target)] if self.says_nothing_itself() => Some(*target),
            _ => None,
        }
    }

    /// Whether all that it says is said by others that apply to the same value.
    pub(super) fn says_nothing_itself(&self) -> bool {
        self.types == Types::ANY && !self.has_rules()
    }

    fn has_rules(&self) -> bool {
        let of_types = self.number.is_some() || self.string.is_some() || self.array.is_some() || self.object.is_some();
        of_types || self.literals.is_some()
    }

    /// The schemas that apply to the same value as this one.
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

impl Default for Node {
    fn default() -> Self {
        Self {
            types: Types::ANY,
            description: None,
            literals: None,
            number: None,
            string: None,
            array: None,
            object: None,
            logic: Vec::new(),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct NumberRules {
    pub(super) low: Option<Bound>,
    pub(super) high: Option<Bound>,
    pub(super) multiple_of: Option<Number>,
}

impl NumberRules {
    pub(super) fn is_some(&self) -> bool {
        self.low.is_some() || self.high.is_some() || self.multiple_of.is_some()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) at: Number,
    /// Whether the bound itself is out.
    pub(super) exclusive: bool,
}

/// How many of something are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

impl Count {
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
    pub(super) length: Count,
    pub(super) format: Option<Format>,
    /// `pattern`, and a `format` that is not one of ours.
    pub(super) foreign: Vec<Foreign>,
}

impl StringRules {
    pub(super) fn is_some(&self) -> bool {
        !self.length.is_any() || self.format.is_some() || !self.foreign.is_empty()
    }
}

#[derive(Debug, Default)]
pub(super) struct ArrayRules {
    pub(super) length: Count,
    pub(super) unique: bool,
    pub(super) prefix: Vec<NodeId>,
    pub(super) items: Option<NodeId>,
    pub(super) contains: Option<(NodeId, Count)>,
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
    /// Where each property is, if there are too many to look them up one by one.
    pub(super) index: Option<HashMap<Box<str>, usize>>,
    pub(super) required: usize,
    pub(super) patterns: Vec<(KeyPattern, NodeId)>,
    pub(super) additional: Option<NodeId>,
    pub(super) names: Option<NodeId>,
    pub(super) size: Count,
    /// `dependentRequired`: when the first is there, the others must be.
    pub(super) dependent: Vec<(Box<str>, Vec<Box<str>>)>,
    pub(super) dependent_schemas: Vec<(Box<str>, NodeId)>,
}

impl ObjectRules {
    /// As many properties as are looked up one by one.
    pub(super) const FEW: usize = 16;

    pub(super) fn is_some(&self) -> bool {
        let named = !self.properties.is_empty() || !self.patterns.is_empty();
        let others = self.additional.is_some() || self.names.is_some() || !self.size.is_any();
        named || others || !self.dependent.is_empty() || !self.dependent_schemas.is_empty()
    }

    pub(super) fn property(&self, name: &str) -> Option<&Property> {
        match &self.index {
            Some(index) => index.get(name).map(|at| &self.properties[*at]),
            None => self.properties.iter().find(|property| &*property.name == name),
        }
    }

    /// The names that `properties` declares.
    pub(super) fn declared(&self) -> impl Iterator<Item = &str> {
        self.properties.iter().filter(|property| property.node.is_some()).map(|property| &*property.name)
    }
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: Box<str>,
    /// None: named by `required` alone.
    pub(super) node: Option<NodeId>,
    pub(super) required: bool,
}

/// A key of `patternProperties`.
#[derive(Debug)]
pub(super) enum KeyPattern {
    /// `^\d+$`: what schemars writes for maps with unsigned keys.
    Digits,
    /// `^-?\d+$`: for maps with signed keys.
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

/// What applies other schemas to the same value.
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
