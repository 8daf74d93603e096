//! How many conversations a fleet carries, and what to add when it carries too few.
