//! Text in lines and columns.

use console::measure_text_width;

/// The space between two columns.
const GAP: usize = 3;

/// Breaks text into lines of at most `width` columns, between words. Existing line breaks stay. A word that is longer
/// than `width` gets a line of its own.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        let mut filled = 0;
        for word in paragraph.split_whitespace() {
            let wide = measure_text_width(word);
            if filled > 0 && width < filled + 1 + wide {
                lines.push(std::mem::take(&mut line));
                filled = 0;
            }
            if filled > 0 {
                line.push(' ');
                filled += 1;
            }
            line.push_str(word);
            filled += wide;
        }
        lines.push(line);
    }
    lines
}

/// Formats rows in columns. The first column gets the width that it needs. The other columns share the remaining width.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]], width: usize) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (wide, cell) in widths.iter_mut().zip(row) {
            *wide = cell.lines().map(measure_text_width).max().unwrap_or(0).max(*wide);
        }
    }
    if let Some((first, others)) = widths.split_first_mut() {
        share(others, width.saturating_sub(*first + GAP * (N - 1)));
    }
    let mut text = String::new();
    for row in rows {
        let cells: Vec<_> = row.iter().zip(widths).map(|(cell, width)| wrap(cell, width)).collect();
        for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::new();
            for (lines, width) in cells.iter().zip(widths) {
                let part = lines.get(at).map_or("", String::as_str);
                let missing = width.saturating_sub(measure_text_width(part)) + GAP;
                line.extend([part, &" ".repeat(missing)]);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Indents each line by two spaces. Empty lines stay empty.
pub(crate) fn indented_text(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
}

/// Formats rows in columns, indented by two spaces.
pub(crate) fn indented<const N: usize>(rows: &[[String; N]], width: usize) -> String {
    columns(rows, width.saturating_sub(2)).lines().map(|line| format!("  {line}\n")).collect()
}

/// Reduces the largest widths until the sum of all widths is at most `room`. Each width keeps a readable minimum.
fn share(widths: &mut [usize], mut room: usize) {
    const LEAST: usize = 12;
    let mut by_width: Vec<&mut usize> = widths.iter_mut().collect();
    by_width.sort();
    let mut left = by_width.len();
    for width in by_width {
        *width = (*width).min((room / left).max(LEAST));
        room = room.saturating_sub(*width);
        left -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_lines_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("日本 日本 x", 5), ["日本", "日本", "x"]);
        assert_eq!(wrap("overlongword x\n\n  y", 4), ["overlongword", "x", "", "y"]);
    }

    #[test]
    fn keeps_the_first_column_and_shrinks_the_widest() {
        let row = |cells: [&str; 3]| cells.map(ToOwned::to_owned);
        let rows = [row(["TOOL", "WHAT", "HINTS"]), row(["a_long_name", "many words that do not fit", "read-only"])];
        assert_eq!(
            columns(&rows, 44),
            "TOOL          WHAT                 HINTS\n\
             a_long_name   many words that do   read-only\n\
             \x20             not fit\n"
        );
    }
}
