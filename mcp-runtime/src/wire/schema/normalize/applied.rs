//! Which schemas apply to a value.

use crate::wire::schema::compile::node::{Compiled, Logic, NodeId, ObjectRules, Types};

/// Finds the schemas that apply to a value, with a limit for the work.
pub(super) struct AppliedSchemas<'s> {
    pub(super) schema: &'s Compiled,
    /// How many more schemas can be looked at. At 0 the pass has no result.
    pub(super) steps: u64,
}

impl AppliedSchemas<'_> {
    /// Returns these nodes and all other nodes that apply to the same value, without repetition. Includes all
    /// alternatives of a union, because a value can be rewritten for each of them.
    pub(super) fn with_others(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut all: Vec<NodeId> = Vec::with_capacity(nodes.len());
        let add = |all: &mut Vec<NodeId>, node| {
            if !all.contains(&node) {
                all.push(node);
            }
        };
        nodes.iter().for_each(|node| add(&mut all, *node));
        let mut next = 0;
        while let Some(node) = all.get(next).copied() {
            next += 1;
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                return Vec::new();
            }
            self.schema.node(node).applied().for_each(|node| add(&mut all, node));
        }
        all
    }

    /// Returns the nodes that apply to a member of an object.
    pub(super) fn of_member(&mut self, nodes: &[NodeId], name: &str) -> Vec<NodeId> {
        let rules = nodes.iter().filter_map(|node| self.schema.node(*node).object.as_deref());
        let inner: Vec<_> = rules.flat_map(|rules| member_schemas(rules, name)).collect();
        self.with_others(&inner)
    }

    /// Returns the nodes that apply to each item of an array that has a schema of its own, and last the nodes that apply
    /// to all further items.
    pub(super) fn of_items(&mut self, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
        let rules = || nodes.iter().filter_map(|node| self.schema.node(*node).array.as_deref());
        let fixed = rules().map(|rules| rules.prefix.len()).max().unwrap_or(0);
        let inner: Vec<_> = (0..=fixed)
            .map(|at| rules().filter_map(|rules| rules.prefix.get(at).copied().or(rules.items)).collect::<Vec<_>>())
            .collect();
        inner.into_iter().map(|nodes| self.with_others(&nodes)).collect()
    }

    /// Returns whether an object can lack this member. In a union, one alternative that can lack it is enough.
    pub(super) fn is_optional(&self, nodes: &[NodeId], name: &str) -> bool {
        let rules = nodes.iter().filter_map(|node| self.schema.node(*node).object.as_deref());
        let mut declared = rules.filter_map(|rules| rules.property(name));
        declared.any(|property| property.node.is_some() && !property.required)
    }

    /// Returns the types that at least one of these nodes allows. `nodes` contains all nodes that apply to the value.
    pub(super) fn types(&self, nodes: &[NodeId]) -> Types {
        let nodes = nodes.iter().map(|node| self.schema.node(*node));
        // A node without a type leaves the type to the nodes that it refers to.
        let refers = |logic: &Logic| matches!(logic, Logic::All(_) | Logic::AnyOf(_) | Logic::OneOf(_));
        let own = nodes.filter(|node| node.types != Types::ANY || !node.logic.iter().any(refers));
        own.fold(Types::NONE, |types, node| types.or(node.types))
    }

    /// Returns whether at least one of these nodes requires an integer.
    pub(super) fn has_integer(&self, nodes: &[NodeId]) -> bool {
        let mut types = nodes.iter().map(|node| self.schema.node(*node).types);
        types.any(|types| types.holds(Types::INTEGER) && !types.holds(Types::NUMBER))
    }
}

/// Returns the schemas that these rules apply to a member with this name.
fn member_schemas(rules: &ObjectRules, name: &str) -> Vec<NodeId> {
    let declared = rules.property(name).and_then(|property| property.node);
    let patterns = rules.patterns.iter().filter(|(pattern, _)| pattern.matches(name)).map(|(_, node)| *node);
    let mut said: Vec<_> = declared.into_iter().chain(patterns).collect();
    if said.is_empty() {
        said.extend(rules.additional);
    }
    said
}
