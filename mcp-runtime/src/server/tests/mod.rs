//! The driver as a whole: real servers, real requests.

mod model;
