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

/// Returns whether a schema applies itself again to the same value. The check of that value would never end.
pub(super) fn is_endless(nodes: &[Node]) -> bool {
    let mut heights = vec![0; nodes.len()];
    (0..nodes.len()).any(|at| height(nodes, at, 0, &mut heights).is_none())
}

/// Returns the length of the longest chain of schemas that starts with this one and applies to one value. Returns
/// `None` if the chain has more than 64 schemas. An endless chain exceeds this limit.
fn height(nodes: &[Node], at: usize, above: usize, heights: &mut [usize]) -> Option<usize> {
    const HIGHEST: usize = 64;
    if heights[at] == 0 {
        if above > HIGHEST {
            return None;
        }
        let mut height = 1;
        for inner in nodes[at].applied().chain(nodes[at].tests()) {
            height = height.max(1 + self::height(nodes, inner.0, above + 1, heights)?);
        }
        heights[at] = height;
    }
    (above + heights[at] <= HIGHEST).then_some(heights[at])
}
