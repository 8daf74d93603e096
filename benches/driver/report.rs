//! Prints figures side by side, and checks their limits.

use std::fmt::{self, Write as _};

use crate::contestant;

/// One measurement of all contestants. The figure is NaN if a contestant does not have it.
pub(crate) struct Row {
    name: String,
    unit: Unit,
    figures: [f64; 3],
    /// The minimum and the maximum of all rounds for each contestant. The figures are the medians of these rounds.
    spread: Option<[[f64; 2]; 3]>,
    limit: Option<Limit>,
}

#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Count,
    Milliseconds,
    Microseconds,
    Megabytes,
    Bytes,
    /// The only unit for which a larger figure is better.
    PerSecond,
}

struct Limit {
    words: String,
    kept: bool,
}

impl Row {
    pub(crate) fn new(name: impl Into<String>, unit: Unit, figures: [f64; 3]) -> Self {
        Self { name: name.into(), unit, figures, spread: None, limit: None }
    }

    /// Sets the maximum for the figure of `mcp-runtime`.
    pub(crate) fn at_most(self, most: f64) -> Self {
        let kept = self.figures[2] <= most;
        let words = format!("≤ {}", self.unit.show(most));
        self.limit(words, kept)
    }

    /// Sets the text of a limit, and whether the limit is kept.
    pub(crate) fn limit(self, words: String, kept: bool) -> Self {
        Self { limit: Some(Limit { words, kept }), ..self }
    }

    /// Sets the minimum and the maximum of all rounds for each contestant.
    #[allow(dead_code, reason = "not every report has it")]
    pub(crate) fn spread(self, spread: [[f64; 2]; 3]) -> Self {
        Self { spread: Some(spread), ..self }
    }

    /// Returns a line about the limit, if there is a limit and `mcp-runtime` does not keep it.
    pub(crate) fn broken(&self) -> Option<String> {
        let limit = self.limit.as_ref().filter(|limit| !limit.kept)?;
        Some(format!("{}: {}, the limit is {}", self.name, self.unit.show(self.figures[2]), limit.words))
    }

    fn cells(&self) -> [String; 7] {
        let [floor, rmcp, ours] = self.figures;
        let (less_than_rmcp, times_floor) = match self.unit {
            Unit::PerSecond => (ours / rmcp, floor / ours),
            _ => (rmcp / ours, ours / floor),
        };
        let [floor, rmcp, ours] = [0, 1, 2].map(|column| self.shown(column));
        [
            self.name.clone(),
            floor,
            rmcp,
            ours,
            times(times_floor, 2),
            times(less_than_rmcp, 1),
            self.limit.as_ref().map_or_else(String::new, |limit| limit.words.clone()),
        ]
    }

    fn shown(&self, column: usize) -> String {
        let figure = self.unit.show(self.figures[column]);
        match self.spread.map(|spread| spread[column]) {
            Some([least, most]) => format!("{figure} ({} to {})", self.unit.show(least), self.unit.show(most)),
            None => figure,
        }
    }
}

/// Formats the ratio of two figures. If a contestant does not have one of the figures, returns a dash.
fn times(figure: f64, digits: usize) -> String {
    if figure.is_nan() { "–".to_owned() } else { format!("{figure:.digits$}") }
}

impl Unit {
    fn show(self, figure: f64) -> String {
        match self {
            _ if figure.is_nan() => "–".to_owned(),
            Self::Count | Self::PerSecond if figure >= 1e6 => format!("{:.2} M", figure / 1e6),
            Self::Count | Self::PerSecond if figure >= 1e3 => format!("{:.1} k", figure / 1e3),
            Self::Count | Self::PerSecond => format!("{figure:.1}"),
            Self::Bytes => format!("{figure:.0} B"),
            Self::Milliseconds => format!("{figure:.2} ms"),
            Self::Microseconds => format!("{figure:.1} µs"),
            Self::Megabytes => format!("{figure:.1} MB"),
        }
    }
}

/// Rows under a heading, as a Markdown table that also reads well at a terminal.
pub(crate) struct Table<'a>(pub(crate) &'a str, pub(crate) &'a [Row]);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [floor, rmcp, ours] = contestant::ALL.map(|contestant| contestant.name.to_owned());
        let heads = [self.0.to_owned(), floor, rmcp, ours, "× floor".into(), "rmcp is worse ×".into(), "limit".into()];
        let lines: Vec<[String; 7]> = [heads].into_iter().chain(self.1.iter().map(Row::cells)).collect();
        let width = |column: usize| lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 7] = std::array::from_fn(width);
        for (number, cells) in lines.iter().enumerate() {
            let mut line = String::from("|");
            for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
                match column {
                    0 => write!(line, " {cell:<width$} |")?,
                    _ => write!(line, " {cell:>width$} |")?,
                }
            }
            writeln!(f, "{line}")?;
            if number == 0 {
                let rules = widths.map(|width| "-".repeat(width + 1));
                writeln!(f, "|{}-|{}:|", rules[0], rules[1..].join(":|"))?;
            }
        }
        Ok(())
    }
}
