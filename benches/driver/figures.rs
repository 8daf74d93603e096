//! Sorts the figures of several rounds.

/// Returns the figures in ascending order.
pub(crate) fn ascending(figures: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut figures: Vec<f64> = figures.into_iter().collect();
    figures.sort_by(f64::total_cmp);
    figures
}

pub(crate) fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let figures = ascending(figures);
    figures[figures.len() / 2]
}
