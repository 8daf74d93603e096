//! The text about a tool with actions in the instructions of its server.

use serde_json::json;

use super::{
    action::ActionKind,
    set::{ActionSet, DESCRIBE},
};

impl ActionSet {
    /// Returns the text that follows the name of the tool in the instructions of a server.
    pub(super) fn guide(&self, more: &[String]) -> String {
        let first = self.actions.first().map(|action| &action.name);
        let of_one = json!({ "action": DESCRIBE, "params": { "action": first } });
        let mut text = format!(
            "is one tool with several actions. Every call has an `action` and an object `params`. Work in this order:\n\
             1. {{\"action\":\"{DESCRIBE}\"}} lists the actions.\n\
             2. {of_one} shows the parameters of one action, with an example.\n\
             3. Call the action with these parameters. If a call fails, fix what the error describes, and call again."
        );
        if self.catalog.is_some() {
            let of_entry = json!({ "action": DESCRIBE, "params": { "name": "…" } });
            text.push_str(&format!(
                "\nStep 1 also lists the entries of a catalog. {of_entry} shows the parameters of one entry."
            ));
        }
        let runs = self.actions.iter().filter(|action| matches!(action.kind, ActionKind::Run(_)));
        let runs: Vec<_> = runs.map(|action| &*action.name).collect();
        if !runs.is_empty() {
            let status = json!({ "action": "status", "params": { "run_id": "…", "wait": true } });
            text.push_str(&format!(
                "\nThese actions start a run in the background and return its `run_id`: {}. A call with `\"wait\": \
                 true` in `params` waits for the end of the run and returns the outputs. {status} waits for a run that \
                 was started before, and asks the user the questions of the run. `cancel` ends a run, `restart` starts \
                 it again, `runs` lists your runs.",
                runs.join(", ")
            ));
        }
        for more in self.instructions.into_iter().chain(more.iter().map(|text| &**text)) {
            text.push('\n');
            text.push_str(more);
        }
        text
    }
}
