//! Questions about a compiled schema. Messages and the check of unions need the answers.

use super::node::{Compiled, Logic, Node, NodeId, Property, Types};
use crate::wire::schema::value::instance::Instance;

impl Compiled {
    /// Returns the target of the `$ref`, if the node has only a `$ref`. Otherwise returns the node itself.
    pub(crate) fn target(&self, id: NodeId) -> &Node {
        let mut node = self.node(id);
        while let Some(next) = node.only_reference() {
            node = self.node(next);
        }
        node
    }

    /// Returns the JSON types that a value of this schema can have.
    pub(crate) fn types(&self, id: NodeId) -> Types {
        let node = self.node(id);
        node.logic.iter().fold(node.types, |types, logic| match logic {
            Logic::All(inner) => types.and(self.types(*inner)),
            Logic::AnyOf(branches) | Logic::OneOf(branches) => {
                types.and(branches.iter().fold(Types::NONE, |all, branch| all.or(self.types(*branch))))
            }
            Logic::Not(_) | Logic::If { .. } => types,
        })
    }

    /// Returns the allowed values, if the schema lists them in `enum` or `const`.
    pub(crate) fn literals(&self, id: NodeId) -> Option<&[Instance<'static>]> {
        self.target(id).literals.as_deref()
    }

    pub(crate) fn property(&self, id: NodeId, name: &str) -> Option<&Property> {
        self.target(id).object.as_ref()?.property(name)
    }

    /// Returns the name of the only property, if there is exactly one and it is required.
    pub(crate) fn only_key(&self, id: NodeId) -> Option<&str> {
        let rules = self.target(id).object.as_ref()?;
        match rules.properties.as_slice() {
            [only] if only.required && only.node.is_some() => Some(&only.name),
            _ => None,
        }
    }
}
