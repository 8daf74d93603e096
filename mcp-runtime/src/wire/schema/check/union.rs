//! Checks `oneOf` and `anyOf`. If no branch fits, reports the errors of the branch that the model most likely meant.

use super::{
    report::{CheckPurpose, Path, Weight},
    violations::Violation,
};
use crate::wire::schema::{
    check::{Checker, messages},
    compile::node::{Compiled, NodeId, Types},
    value::instance::Instance,
};

impl Checker<'_> {
    pub(crate) fn union(&mut self, branches: &[NodeId], only_one: bool, value: &Instance<'_>, path: &Path<'_>) {
        let purpose = self.report.purpose;
        if purpose == CheckPurpose::Verdict {
            // If only one match is allowed, two matches are as wrong as none.
            let enough = if only_one { 2 } else { 1 };
            let fitting = branches.iter().filter(|branch| self.fits(**branch, value, path)).take(enough).count();
            if fitting != 1 {
                self.report.fail(path, Weight::Type, Violation::default);
            }
            return;
        }
        let scores: Vec<u32> =
            branches.iter().map(|branch| self.score(*branch, value, path, CheckPurpose::Score)).collect();
        let fitting = scores.iter().filter(|score| **score == 0).count();
        if fitting == 1 || (fitting > 1 && !only_one) {
            return;
        }
        if fitting > 1 {
            self.report.fail(path, Weight::Detail, || messages::several(value, fitting, path));
        } else if purpose == CheckPurpose::Score {
            let best = scores.into_iter().min().unwrap_or(0);
            self.report.add(path, best);
        } else {
            self.explain(branches, &scores, value, path);
        }
    }

    /// Reports the errors of a value that fits no branch.
    fn explain(&mut self, branches: &[NodeId], scores: &[u32], value: &Instance<'_>, path: &Path<'_>) {
        let schema = self.schema;
        let mut meant: Vec<NodeId> = branches.to_vec();
        meant.retain(|branch| schema.types(*branch).holds(Types::of(value)));
        if meant.is_empty() {
            self.report.fail(path, Weight::Type, || messages::fits_none(schema, branches, value, path));
            return;
        }
        let literals: Option<Vec<_>> = meant.iter().map(|branch| schema.literals(*branch)).collect();
        if let Some(literals) = literals {
            // If a string is not the name of a variant without data, the model may have meant a variant with data.
            let others = branches.iter().any(|branch| !meant.contains(branch));
            let literals = literals.into_iter().flatten();
            self.report.fail(path, Weight::Literal, || match others {
                false => messages::wrong_literal(literals, value, path),
                true => messages::fits_none(schema, branches, value, path),
            });
            return;
        }
        match Tag::of(schema, &meant) {
            Some(Tag::Property(name)) => {
                let literals = |branch: &NodeId| schema.literals(schema.property(*branch, name)?.node?);
                let all = meant.iter().filter_map(literals).flatten();
                let inside = &path.key(name);
                let Some(given) = value.get(name) else {
                    self.report.fail(path, Weight::Shape, || messages::missing_tag(all, inside));
                    return;
                };
                let has_given = |branch: &&NodeId| literals(branch).is_some_and(|literals| literals.contains(given));
                let named: Vec<NodeId> = meant.iter().filter(has_given).copied().collect();
                if named.is_empty() {
                    self.report.fail(inside, Weight::Literal, || messages::wrong_literal(all, given, inside));
                    return;
                }
                meant = named;
            }
            Some(Tag::Key) => {
                let key = |branch: &NodeId| schema.only_key(*branch);
                let has_key = |branch: &&NodeId| key(branch).is_some_and(|key| value.get(key).is_some());
                let named: Vec<NodeId> = meant.iter().filter(has_key).copied().collect();
                if named.is_empty() {
                    let keys = meant.iter().filter_map(key);
                    self.report.fail(path, Weight::Shape, || messages::no_key(keys, value, path));
                    return;
                }
                meant = named;
            }
            None => {}
        }
        let is_scalar = !matches!(value, Instance::Array(_) | Instance::Object(_));
        if is_scalar && meant.len() > 1 {
            self.report.fail(path, Weight::Detail, || messages::fits_none(schema, &meant, value, path));
            return;
        }
        let score = |branch: &NodeId| branches.iter().position(|known| known == branch).map(|at| scores[at]);
        if let Some(best) = meant.iter().min_by_key(|branch| score(branch)) {
            self.check(*best, value, path);
        }
    }
}

/// The part of a value that says which branch of a union is meant.
enum Tag<'s> {
    /// The value of this property, which is a different constant in each branch.
    Property(&'s str),
    /// The name of the value's only property, which is different in each branch.
    Key,
}

impl<'s> Tag<'s> {
    fn of(schema: &'s Compiled, branches: &[NodeId]) -> Option<Self> {
        let (first, _) = branches.split_first().filter(|(_, others)| !others.is_empty())?;
        let rules = schema.target(*first).object.as_ref()?;
        let fixed = |branch: &NodeId, name: &str| {
            let property = schema.property(*branch, name).filter(|property| property.required);
            property.is_some_and(|property| property.node.is_some_and(|node| schema.literals(node).is_some()))
        };
        let tag = rules.declared().find(|name| branches.iter().all(|branch| fixed(branch, name)));
        if let Some(name) = tag {
            return Some(Self::Property(name));
        }
        branches.iter().all(|branch| schema.only_key(*branch).is_some()).then_some(Self::Key)
    }
}
