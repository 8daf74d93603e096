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
        if let Some(tag) = Tag::of(schema, &meant) {
            match tag.choose(schema, &mut meant, value) {
                UnionBranch::Made => {}
                UnionBranch::Missing(name) => {
                    let literals = meant.iter().filter_map(|branch| schema.property(*branch, name));
                    let literals = literals.filter_map(|property| schema.literals(property.node?)).flatten();
                    self.report.fail(path, Weight::Shape, || messages::missing_tag(literals, &path.key(name)));
                    return;
                }
                UnionBranch::Unknown(name, given) => {
                    let literals = meant.iter().filter_map(|branch| schema.property(*branch, name));
                    let literals = literals.filter_map(|property| schema.literals(property.node?)).flatten();
                    let inside = &path.key(name);
                    self.report.fail(inside, Weight::Literal, || messages::wrong_literal(literals, given, inside));
                    return;
                }
                UnionBranch::NoKey => {
                    let keys = meant.iter().filter_map(|branch| schema.only_key(*branch));
                    self.report.fail(path, Weight::Shape, || messages::no_key(keys, value, path));
                    return;
                }
            }
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

enum UnionBranch<'v> {
    Made,
    Missing(&'v str),
    Unknown(&'v str, &'v Instance<'v>),
    NoKey,
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

    /// Removes the branches from `meant` that do not have the tag in `value`.
    fn choose<'v>(&self, schema: &'v Compiled, meant: &mut Vec<NodeId>, value: &'v Instance<'_>) -> UnionBranch<'v>
    where
        's: 'v,
    {
        let named: Vec<NodeId> = match *self {
            Self::Key => {
                let keyed = |branch: &NodeId| schema.only_key(*branch).is_some_and(|key| value.get(key).is_some());
                meant.iter().copied().filter(keyed).collect()
            }
            Self::Property(name) => {
                let Some(given) = value.get(name) else { return UnionBranch::Missing(name) };
                let is_given = |branch: &NodeId| {
                    let property = schema.property(*branch, name).and_then(|property| property.node);
                    let literals = property.and_then(|node| schema.literals(node));
                    literals.is_some_and(|literals| literals.iter().any(|literal| literal == given))
                };
                let named: Vec<NodeId> = meant.iter().copied().filter(is_given).collect();
                if named.is_empty() {
                    return UnionBranch::Unknown(name, given);
                }
                named
            }
        };
        if named.is_empty() {
            return UnionBranch::NoKey;
        }
        *meant = named;
        UnionBranch::Made
    }
}
