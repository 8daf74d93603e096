//! Lists, sets and arrays.

use std::collections::{BTreeSet, HashSet, VecDeque};

use mcp_runtime::prelude::*;

use crate::structs::Place;

/// Takes lists.
#[mcp_tool(read_only)]
#[allow(clippy::too_many_arguments)]
pub(crate) async fn lists(
    /// Some words.
    _words: Vec<String>,
    _numbers: Vec<f64>,
    _bytes: Vec<u8>,
    _boxed: Box<[String]>,
    _queue: VecDeque<u32>,
    /// Each once.
    _set: HashSet<String>,
    _sorted: BTreeSet<u8>,
    _colour: [u8; 3],
    #[schemars(length(min = 1, max = 5))] _some: Vec<String>,
    _places: Vec<Place>,
) {
}

/// Takes lists that may be left out, also in part.
#[mcp_tool(read_only)]
#[allow(clippy::too_many_arguments)]
pub(crate) async fn optional_lists(
    /// Some words.
    _words: Option<Vec<String>>,
    _gaps: Vec<Option<f64>>,
    _both: Option<Vec<Option<String>>>,
    _set: Option<HashSet<String>>,
    _colour: Option<[u8; 3]>,
    #[schemars(length(min = 1, max = 5))] _some: Option<Vec<String>>,
    _places: Option<Vec<Place>>,
    _missing_places: Vec<Option<Place>>,
) {
}

/// Takes lists of lists.
#[mcp_tool(read_only)]
pub(crate) async fn lists_of_lists(
    /// The rows of a table.
    _rows: Vec<Vec<String>>,
    _matrix: [[f64; 2]; 2],
    _optional: Option<Vec<Vec<u8>>>,
    _gaps: Vec<Option<Vec<String>>>,
) {
}
