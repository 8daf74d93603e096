//! The board: nine cells and their marks.

use std::fmt::{self, Display};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// What a player puts into a cell. X begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Mark {
    X,
    O,
}

/// A cell by its number, from 1 at the top left to 9 at the bottom right. Only a cell that exists can be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub(crate) struct Cell(u8);

/// The error of a number that is not a cell.
#[derive(Debug, thiserror::Error)]
#[error("there is no cell {0}: they are numbered from 1 to 9")]
pub(crate) struct NoCell(u8);

/// The error of a cell that is not free.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("cell {0} is taken")]
pub(crate) struct Taken(Cell);

/// The marks in the nine cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Board([Option<Mark>; 9]);

/// A player with the three cells of a line has won.
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const PLACES: [&str; 9] =
    ["top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"];

impl Board {
    /// # Errors
    /// Returns an error if the cell has a mark.
    pub(crate) fn put(&mut self, mark: Mark, cell: Cell) -> Result<(), Taken> {
        match &mut self.0[cell.index()] {
            Some(_) => Err(Taken(cell)),
            free => {
                *free = Some(mark);
                Ok(())
            }
        }
    }

    /// Returns the free cells, in the order of their numbers.
    pub(crate) fn free(&self) -> Vec<Cell> {
        self.having(None)
    }

    /// Returns the cells with this mark, or the free cells for `None`.
    pub(crate) fn having(&self, content: Option<Mark>) -> Vec<Cell> {
        Cell::all().filter(|cell| self.0[cell.index()] == content).collect()
    }

    pub(crate) fn winner(&self) -> Option<Mark> {
        let won = |line: &[usize; 3]| {
            let [a, b, c] = line.map(|index| self.0[index]);
            a.filter(|_| a == b && b == c)
        };
        LINES.iter().find_map(won)
    }

    pub(crate) fn rows(&self) -> [[Option<Mark>; 3]; 3] {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        [[a, b, c], [d, e, f], [g, h, i]]
    }
}

impl Mark {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }
}

impl Cell {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (1..=9).map(Self)
    }

    /// Returns the place of the cell in words.
    pub(crate) fn place(self) -> &'static str {
        PLACES[self.index()]
    }

    fn index(self) -> usize {
        usize::from(self.0) - 1
    }
}

impl TryFrom<u8> for Cell {
    type Error = NoCell;

    fn try_from(number: u8) -> Result<Self, NoCell> {
        if (1..=9).contains(&number) { Ok(Self(number)) } else { Err(NoCell(number)) }
    }
}

impl From<Cell> for u8 {
    fn from(cell: Cell) -> Self {
        cell.0
    }
}

/// The schema that a model gets for a cell, and that its answer is checked against.
impl JsonSchema for Cell {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cell".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": 9 })
    }
}

impl Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "X",
            Self::O => "O",
        })
    }
}

/// Draws the board. A free cell shows its number.
impl Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, content) in Cell::all().zip(self.0) {
            match content {
                Some(mark) => write!(f, " {mark} ")?,
                None => write!(f, " {cell} ")?,
            }
            f.write_str(match cell.0 {
                3 | 6 => "\n---+---+---\n",
                9 => "",
                _ => "|",
            })?;
        }
        Ok(())
    }
}

/// Returns the numbers of cells, with commas between them.
pub(crate) fn listed(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Returns the board after X and O have taken these cells in turn.
    fn after(cells: &[u8]) -> Board {
        let mut board = Board::default();
        for (&number, mark) in cells.iter().zip([Mark::X, Mark::O].into_iter().cycle()) {
            board.put(mark, number.try_into().unwrap()).unwrap();
        }
        board
    }

    #[test]
    fn a_cell_is_taken_once() {
        let mut board = after(&[5, 1]);
        let centre = Cell::try_from(5).unwrap();
        assert_eq!(board.put(Mark::O, centre), Err(Taken(centre)));
        assert_eq!(listed(&board.free()), "2, 3, 4, 6, 7, 8, 9");
        assert_eq!(listed(&board.having(Some(Mark::X))), "5");
    }

    #[test]
    fn there_are_nine_cells() {
        assert!(Cell::all().eq((1..=9).map(|number| Cell::try_from(number).unwrap())));
        for number in [0, 10, 255] {
            assert_eq!(
                Cell::try_from(number).unwrap_err().to_string(),
                format!("there is no cell {number}: they are numbered from 1 to 9")
            );
        }
    }

    /// Whether a mark has a line. Does not use `LINES`.
    fn has_line(board: &Board, mark: Mark) -> bool {
        let rows = board.rows();
        let full = |cell_of: &dyn Fn(usize) -> (usize, usize)| {
            (0..3).map(cell_of).all(|(row, column)| rows[row][column] == Some(mark))
        };
        (0..3).any(|line| full(&|step| (line, step)) || full(&|step| (step, line)))
            || full(&|step| (step, step))
            || full(&|step| (step, 2 - step))
    }

    /// Returns all positions that a game can reach.
    fn positions(board: &Board, mark: Mark, found: &mut HashSet<Board>) {
        let free = if board.winner().is_some() { Vec::new() } else { board.free() };
        if found.insert(board.clone()) {
            for cell in free {
                let mut next = board.clone();
                next.put(mark, cell).unwrap();
                positions(&next, mark.other(), found);
            }
        }
    }

    #[test]
    fn a_mark_with_a_line_has_won_in_every_position() {
        let mut found = HashSet::new();
        positions(&Board::default(), Mark::X, &mut found);
        let mut ends = [0; 3];
        for board in &found {
            let winner = [Mark::X, Mark::O].into_iter().find(|mark| has_line(board, *mark));
            assert_eq!(board.winner(), winner, "\n{board}");
            match winner {
                Some(Mark::X) => ends[0] += 1,
                Some(Mark::O) => ends[1] += 1,
                None if board.free().is_empty() => ends[2] += 1,
                None => {}
            }
        }
        assert_eq!((found.len(), ends), (5478, [626, 316, 16]));
    }

    #[test]
    fn it_is_drawn_as_people_draw_it() {
        let drawn = after(&[5, 1, 9]).to_string();
        assert_eq!(drawn, " O | 2 | 3 \n---+---+---\n 4 | X | 6 \n---+---+---\n 7 | 8 | X ");
    }
}
