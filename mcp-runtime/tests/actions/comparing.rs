//! Random operations, compared with the store in memory.

use mcp_runtime::runs::{MemoryRunStore, RunFilter, RunLimits, RunQuota, RunRecord, RunStatus, RunStore};

use crate::{actions::records::run, support::stores::Store};

/// A generator of numbers that are the same in each run of the test.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn of<T: Clone>(&mut self, values: &[T]) -> T {
        values[usize::try_from(self.below(values.len() as u64)).unwrap()].clone()
    }

    fn maybe<T: Clone>(&mut self, values: &[T]) -> Option<T> {
        (self.below(2) == 0).then(|| self.of(values))
    }

    fn limits(&mut self) -> RunLimits {
        let mut quota = |runs: u64| RunQuota {
            runs: usize::try_from(1 + self.below(runs)).unwrap(),
            bytes: 500 + self.below(runs * 600),
        };
        RunLimits { per_owner: quota(9), total: quota(30) }
    }

    fn run(&mut self, id: &str) -> RunRecord {
        RunRecord {
            tool: self.of(&TOOLS).to_owned(),
            action: self.of(&ACTIONS).to_owned(),
            owner: self.of(&OWNERS).map(str::to_owned),
            created_at: self.below(20),
            ..self.changed(run(id))
        }
    }

    /// Changes what `replace` can change.
    fn changed(&mut self, run: RunRecord) -> RunRecord {
        let details = format!("{}", self.below(1000));
        RunRecord {
            status: self.of(&RunStatus::ALL),
            instance: self.of(&INSTANCES).to_owned(),
            updated_at: self.below(20),
            bytes: self.below(3) * self.below(700),
            details: details.into(),
            ..run
        }
    }

    fn filter(&mut self, ids: &[String]) -> RunFilter {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let statuses = (0..self.below(4)).map(|_| self.of(&RunStatus::ALL)).collect();
        RunFilter {
            tool: text(self.maybe(&TOOLS)),
            action: text(self.maybe(&ACTIONS)),
            owner: self.maybe(&OWNERS).map(text),
            instance: text(self.maybe(&INSTANCES)),
            statuses,
            after: self.maybe(ids).map(|id| (self.below(20), id)),
            limit: usize::try_from(self.below(30)).unwrap(),
        }
    }
}

const TOOLS: [&str; 2] = ["jobs", "tasks"];
const ACTIONS: [&str; 2] = ["sort", "join"];
const OWNERS: [Option<&str>; 4] = [None, Some(""), Some("ann"), Some("bob")];
const INSTANCES: [&str; 3] = ["i1", "i2", "i3"];

#[tokio::test]
async fn random_operations_have_the_same_results_as_in_memory() {
    for seed in 0..6 {
        for store in Store::of_processes() {
            compare(&MemoryRunStore::new(), &*store.runs().await, &mut Numbers(seed), store.name()).await;
        }
    }
}

async fn compare(memory: &MemoryRunStore, stored: &dyn RunStore, numbers: &mut Numbers, name: &str) {
    let mut ids = vec!["none".to_owned()];
    for step in 0..400 {
        match numbers.below(10) {
            0..=3 => {
                let (run, limits) = (numbers.run(&step.to_string()), numbers.limits());
                let (one, other) = (memory.insert(&run, limits).await, stored.insert(&run, limits).await);
                assert_eq!(one.unwrap(), other.unwrap(), "{name}, step {step}: {run:?}, {limits:?}");
                ids.push(run.id);
            }
            4..=6 => {
                let Some(found) = memory.load(&numbers.of(&ids)).await.unwrap() else { continue };
                let version = found.version - numbers.below(2).min(found.version);
                let run = RunRecord { version, ..numbers.changed(found) };
                let (one, other) = (memory.replace(&run).await, stored.replace(&run).await);
                assert_eq!(one.unwrap(), other.unwrap(), "{name}, step {step}: {run:?}");
            }
            7 | 8 => {
                let filter = numbers.filter(&ids);
                let (one, other) = (memory.list(&filter).await, stored.list(&filter).await);
                assert_eq!(one.unwrap(), other.unwrap(), "{name}, step {step}: {filter:?}");
            }
            _ => {
                let (tool, before, limits) = (numbers.of(&TOOLS), numbers.below(5), numbers.limits());
                let (one, other) =
                    (memory.remove_ended(tool, before, limits).await, stored.remove_ended(tool, before, limits).await);
                assert_eq!(one.unwrap(), other.unwrap(), "{name}, step {step}: {tool}, {before}, {limits:?}");
            }
        }
        let all = RunFilter { limit: 500, ..RunFilter::default() };
        let (one, other) = (memory.list(&all).await.unwrap(), stored.list(&all).await.unwrap());
        assert_eq!(one, other, "{name}, after step {step}");
    }
}
