//! Lists of 1,000 resources, and completion.

use crate::{
    Result,
    contestant::{self, Contestant},
    instructions::per_call,
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

/// Each entry contains a name, a workload, whether the floor has it, and the limit for `mcp-runtime`.
const PLAN: [(&str, Ask, bool, f64); 4] = [
    ("list of 1,000 resources", Ask::Resources("resources"), true, 8_500.0),
    ("the same beside a template", Ask::Resources("resources-with-template"), true, 8_500.0),
    ("completion, 10 of 100 candidates", Ask::Complete("language"), false, 118_700.0),
    ("the same from an iterator", Ask::Complete("filtered"), false, 96_900.0),
];

pub(crate) fn rows() -> Result<Vec<Row>> {
    let row = |(name, ask, has_floor, most): (&str, Ask, bool, f64)| -> Result<Row> {
        let workload = Workload { ask, era: Era::Modern, tools: 1 };
        let [floor, rmcp, ours] = &contestant::LISTS;
        let figure = |contestant: &Contestant| per_call(contestant, &workload, 100);
        let floor = if has_floor { figure(floor)? } else { f64::NAN };
        Ok(Row::new(name, Unit::Count, [floor, figure(rmcp)?, figure(ours)?]).at_most(most))
    };
    PLAN.into_iter().map(row).collect()
}
