//! Prints figures side by side, and checks their limits.

use std::fmt;

use crate::contestant::Contestant;

/// One figure of every contestant. The first is the least possible program, and the second is `mcp-runtime`.
pub(crate) struct Row {
    name: &'static str,
    unit: Unit,
    figures: Vec<f64>,
    /// The limit for `mcp-runtime`, as a multiple of the figure of the least possible program.
    limit: Option<f64>,
}

#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Seconds,
    Kilobytes,
}

/// Rows under a heading, as a Markdown table.
pub(crate) struct Table<'a> {
    pub(crate) heading: &'a str,
    pub(crate) contestants: &'a [Contestant],
    pub(crate) rows: &'a [Row],
}

impl Row {
    pub(crate) fn new(name: &'static str, unit: Unit, figures: Vec<f64>) -> Self {
        Self { name, unit, figures, limit: None }
    }

    /// Sets the limit for `mcp-runtime`, as a multiple of the figure of the least possible program.
    pub(crate) fn at_most(self, limit: f64) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Returns a line about the limit, if there is a limit and `mcp-runtime` exceeds it.
    pub(crate) fn broken(&self) -> Option<String> {
        let (limit, ratio) = (self.limit?, self.ratio());
        (ratio > limit).then(|| format!("{}: {ratio:.2} × the least, the limit is {limit:.2} ×", self.name))
    }

    fn ratio(&self) -> f64 {
        self.figures[1] / self.figures[0]
    }
}

impl Unit {
    fn show(self, figure: f64) -> String {
        match self {
            Self::Seconds => format!("{figure:.1} s"),
            Self::Kilobytes => format!("{:.1} KB", figure / 1000.0),
        }
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.contestants.iter().map(|contestant| contestant.name).collect();
        writeln!(f, "| {} | {} | × least | limit |", self.heading, names.join(" | "))?;
        writeln!(f, "|---|{}--:|--:|", "--:|".repeat(names.len()))?;
        for row in self.rows {
            let figures: Vec<_> = row.figures.iter().map(|figure| row.unit.show(*figure)).collect();
            let limit = row.limit.map_or_else(String::new, |limit| format!("{limit:.2}"));
            writeln!(f, "| {} | {} | {:.2} | {limit} |", row.name, figures.join(" | "), row.ratio())?;
        }
        Ok(())
    }
}
