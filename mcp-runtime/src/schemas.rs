//! Schemas: what hosts see of a tool's arguments, and how the server reads them.
