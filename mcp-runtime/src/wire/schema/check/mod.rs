//! Checks a value against a compiled schema.

pub(crate) mod defaults;
mod known_scores;
mod messages;
pub(crate) mod names;
pub(crate) mod report;
mod union;
pub(crate) mod violations;

use std::collections::HashMap;

use crate::wire::schema::{
    check::{
        known_scores::KnownScores,
        report::{CheckPurpose, CheckReport, Path, Weight},
    },
    compile::node::{
        ArrayRules, Compiled, CountBound, Logic, Node, NodeId, NumberBound, NumberRules, ObjectRules, StringRules,
        Types,
    },
    value::{instance::Instance, number::Number},
};

/// The state of the check of one value.
pub(crate) struct Checker<'s> {
    pub(crate) schema: &'s Compiled,
    pub(crate) report: CheckReport,
}

impl Checker<'_> {
    /// Checks a value, and describes its errors. `steps` limits the work.
    pub(crate) fn errors(schema: &Compiled, id: NodeId, value: &Instance<'_>, steps: u64) -> CheckReport {
        let known = Some(KnownScores::default());
        let report = CheckReport { purpose: CheckPurpose::Words, known, ..CheckReport::new(steps) };
        let mut checker = Checker { schema, report };
        checker.check(id, value, &Path::ROOT);
        checker.report
    }

    /// Checks `value` and adds its errors to the report.
    pub(crate) fn check(&mut self, id: NodeId, value: &Instance<'_>, path: &Path<'_>) {
        if !self.report.step() {
            return;
        }
        let schema = self.schema;
        let node = schema.node(id);
        let path = &path.with_hint(node.description.as_deref());
        if !node.types.holds(Types::of(value)) {
            self.report.fail(path, Weight::Type, || messages::wrong_type(schema, node, value, path));
            // The other rules do not apply to a value of the wrong type.
            return;
        }
        if let Some(literals) = &node.literals
            && !literals.iter().any(|literal| literal == value)
        {
            self.report.fail(path, Weight::Literal, || messages::wrong_literal(literals.iter(), value, path));
            return;
        }
        match (value, node) {
            (Instance::Number(number), Node { number: Some(rules), .. }) => self.number(rules, *number, value, path),
            (Instance::String(string), Node { string: Some(rules), .. }) => self.string(rules, string, value, path),
            (Instance::Array(items), Node { array: Some(rules), .. }) => self.array(rules, items, value, path),
            (Instance::Object(members), Node { object: Some(rules), .. }) => self.object(rules, members, value, path),
            _ => {}
        }
        self.logic(node, value, path);
    }

    /// Returns the sum of the weights of all failures. It is 0 if `value` matches the schema. With
    /// [`CheckPurpose::Verdict`], stops at the first failure.
    pub(crate) fn score(&mut self, id: NodeId, value: &Instance<'_>, path: &Path<'_>, purpose: CheckPurpose) -> u32 {
        if let Some(score) = self.report.known.as_ref().and_then(|known| known.get(id, value, purpose)) {
            return score;
        }
        let outer = (self.report.purpose, std::mem::take(&mut self.report.score));
        self.report.purpose = purpose;
        self.check(id, value, &path.as_beginning());
        let score = std::mem::replace(&mut self.report.score, outer.1);
        self.report.purpose = outer.0;
        if let Some(known) = &mut self.report.known {
            known.add(id, value, purpose, score);
        }
        score
    }

    pub(crate) fn fits(&mut self, id: NodeId, value: &Instance<'_>, path: &Path<'_>) -> bool {
        self.score(id, value, path, CheckPurpose::Verdict) == 0
    }

    /// Records that a value breaks a rule of its type. `what` is what the value must do.
    fn detail(&mut self, path: &Path<'_>, value: &Instance<'_>, what: impl FnOnce() -> String) {
        self.report.fail(path, Weight::Detail, || messages::must(path, value, &what()));
    }

    fn number(&mut self, rules: &NumberRules, number: Number, value: &Instance<'_>, path: &Path<'_>) {
        let below = |bound: NumberBound| number < bound.at || (bound.exclusive && number == bound.at);
        let above = |bound: NumberBound| number > bound.at || (bound.exclusive && number == bound.at);
        if rules.low.is_some_and(below) || rules.high.is_some_and(above) {
            self.detail(path, value, || format!("be {}", messages::range(rules)));
        }
        if let Some(step) = rules.multiple_of
            && !number.is_multiple_of(step)
        {
            self.detail(path, value, || format!("be a multiple of {step}"));
        }
    }

    fn string(&mut self, rules: &StringRules, string: &str, value: &Instance<'_>, path: &Path<'_>) {
        if !rules.length.is_any() {
            let length = string.chars().count();
            if !rules.length.allows(length) {
                let nouns = ["character", "characters"];
                self.report.fail(path, Weight::Detail, || messages::counted(path, value, length, rules.length, nouns));
            }
        }
        if let Some(format) = rules.format
            && !format.accepts(string)
        {
            self.detail(path, value, || format!("be {}", format.noun()));
        }
        for foreign in &rules.foreign {
            if !foreign.accepts(string) {
                self.detail(path, value, || format!("be {}", foreign.noun()));
            }
        }
    }

    fn array(&mut self, rules: &ArrayRules, items: &[Instance<'_>], value: &Instance<'_>, path: &Path<'_>) {
        if !rules.length.allows(items.len()) {
            let words = || messages::counted(path, value, items.len(), rules.length, ["item", "items"]);
            self.report.fail(path, Weight::Detail, words);
        }
        for (at, item) in items.iter().enumerate() {
            if self.report.is_decided() {
                return;
            }
            if let Some(schema) = rules.prefix.get(at).copied().or(rules.items) {
                self.check(schema, item, &path.index(at));
            }
        }
        if rules.unique
            && let Some((first, second)) = duplicates(items)
        {
            self.report.fail(path, Weight::Detail, || messages::duplicates(path, first, second, &items[second]));
        }
        if let Some(wanted) = rules.contains {
            let count = CountBound { min: rules.contained.min.or(Some(1)), ..rules.contained };
            let mut found = 0;
            for (at, item) in items.iter().enumerate() {
                found += usize::from(self.fits(wanted, item, &path.index(at)));
            }
            if !count.allows(found) {
                let schema = self.schema;
                self.report.fail(path, Weight::Detail, || messages::contained(schema, wanted, count, found, path));
            }
        }
    }

    fn object(
        &mut self,
        rules: &ObjectRules,
        members: &[(std::borrow::Cow<'_, str>, Instance<'_>)],
        value: &Instance<'_>,
        path: &Path<'_>,
    ) {
        let mut required = 0;
        for (key, member) in members {
            if self.report.is_decided() {
                return;
            }
            let property = rules.property(key);
            required += usize::from(property.is_some_and(|property| property.required));
            self.member(rules, property.and_then(|property| property.node), key, member, path);
        }
        let schema = self.schema;
        if required < rules.required {
            let missing = rules.properties.iter().filter(|property| property.required);
            for property in missing.filter(|property| value.get(&property.name).is_none()) {
                self.report.fail(path, Weight::Shape, || messages::missing(schema, rules, property, members, path));
            }
        }
        if !rules.size.allows(members.len()) {
            let words = || messages::counted(path, value, members.len(), rules.size, ["property", "properties"]);
            self.report.fail(path, Weight::Detail, words);
        }
        for (given, needed) in &rules.dependent {
            if value.get(given).is_some() {
                for name in needed.iter().filter(|name| value.get(name).is_none()) {
                    let what = || messages::dependent(schema, rules, given, name, path);
                    self.report.fail(path, Weight::Shape, what);
                }
            }
        }
        for (given, schema) in &rules.dependent_schemas {
            if value.get(given).is_some() {
                self.check(*schema, value, path);
            }
        }
    }

    fn member(
        &mut self,
        rules: &ObjectRules,
        declared: Option<NodeId>,
        key: &str,
        member: &Instance<'_>,
        path: &Path<'_>,
    ) {
        let inside = path.key(key);
        if let Some(names) = rules.names {
            let name = Instance::String(key.into());
            if !self.fits(names, &name, &inside) {
                let schema = self.schema;
                self.report.fail(path, Weight::Shape, || messages::wrong_name(schema, names, key, path));
            }
        }
        let mut known = declared.is_some();
        if let Some(schema) = declared {
            self.check(schema, member, &inside);
        }
        for (pattern, schema) in &rules.patterns {
            if pattern.matches(key) {
                known = true;
                self.check(*schema, member, &inside);
            }
        }
        if let Some(additional) = rules.additional
            && !known
        {
            if self.schema.node(additional).types == Types::NONE {
                self.report.fail(path, Weight::Shape, || messages::unknown(rules, key, &inside));
            } else {
                self.check(additional, member, &inside);
            }
        }
    }

    fn logic(&mut self, node: &Node, value: &Instance<'_>, path: &Path<'_>) {
        for logic in &node.logic {
            if self.report.is_decided() {
                return;
            }
            match logic {
                Logic::All(schema) => self.check(*schema, value, path),
                Logic::AnyOf(branches) => self.union(branches, false, value, path),
                Logic::OneOf(branches) => self.union(branches, true, value, path),
                Logic::Not(schema) => {
                    if self.fits(*schema, value, path) {
                        let refused = self.schema.node(*schema);
                        self.report.fail(path, Weight::Detail, || messages::refused(refused, value, path));
                    }
                }
                Logic::If { condition, then, otherwise } => {
                    let branch = if self.fits(*condition, value, path) { then } else { otherwise };
                    if let Some(branch) = branch {
                        self.check(*branch, value, path);
                    }
                }
            }
        }
    }
}

/// Returns the indexes of two equal items, if there are any. Compares the hashes of the items first, because the list can
/// be long.
fn duplicates(items: &[Instance<'_>]) -> Option<(usize, usize)> {
    let keys = std::hash::RandomState::new();
    let mut first_of = HashMap::new();
    items.iter().enumerate().find_map(|(at, item)| {
        // It is very unlikely that different items have the same fingerprint.
        let first = *first_of.entry(item.fingerprint(&keys)).or_insert(at);
        (first < at && items[first] == *item).then_some((first, at))
    })
}
