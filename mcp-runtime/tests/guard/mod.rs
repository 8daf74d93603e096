//! One guard before every way in: whatever an item requires is checked, whichever way its call comes.

mod called;
mod http;
mod items;
mod support;
mod ways;
