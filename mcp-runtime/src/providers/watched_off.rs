//! Does nothing: the feature `tracing` is off.

use std::time::Duration;

use super::{failure::Failure, model::Model};
use crate::sample::{Sampled, SamplingRequest};

pub(super) async fn watched(
    _model: &Model,
    _request: &SamplingRequest,
    asking: impl Future<Output = Result<Sampled, Failure>>,
) -> Result<Sampled, Failure> {
    asking.await
}

pub(super) fn again(_failure: &Failure, _delay: Duration) {}
