//! A body that arrives in pieces, of which one can be an error.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::Bytes;
use http_body::Frame;

type Piece = Result<Bytes, io::Error>;

pub(crate) struct Pieces(VecDeque<Piece>);

impl<const N: usize> From<[Piece; N]> for Pieces {
    fn from(pieces: [Piece; N]) -> Self {
        Self(pieces.into_iter().collect())
    }
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Poll::Ready(self.0.pop_front().map(|piece| piece.map(Frame::data)))
    }
}
