//! Reports each measurement of the `metrics` facade.

use std::sync::Arc;

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};

use super::line::{short, write};
use crate::edge::{dev::target::Reported, telemetry::observer::request::current_id};

/// Reports what is measured: the amount that is added to a counter, the change of a gauge, a value of a histogram.
#[derive(Debug)]
pub(super) struct MetricReports;

struct Measured {
    name: String,
    labels: Vec<(String, String)>,
}

impl Recorder for MetricReports {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(Measured::of(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(Measured::of(key))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Measured::of(key))
    }
}

impl Measured {
    fn of(key: &Key) -> Arc<Self> {
        let labels = key.labels().map(|label| (label.key().to_owned(), short(label.value().to_owned())));
        Arc::new(Self { name: key.name().to_owned(), labels: labels.collect() })
    }

    fn report(&self, value: f64) {
        // JSON has no other numbers.
        if value.is_finite() {
            let request = current_id().map(|id| id.to_string());
            write(&Reported::Metric { request, name: self.name.clone(), value, labels: self.labels.clone() });
        }
    }
}

impl CounterFn for Measured {
    fn increment(&self, value: u64) {
        self.report(value as f64);
    }

    fn absolute(&self, value: u64) {
        self.report(value as f64);
    }
}

impl GaugeFn for Measured {
    fn increment(&self, value: f64) {
        self.report(value);
    }

    fn decrement(&self, value: f64) {
        self.report(-value);
    }

    fn set(&self, value: f64) {
        self.report(value);
    }
}

impl HistogramFn for Measured {
    fn record(&self, value: f64) {
        self.report(value);
    }
}
