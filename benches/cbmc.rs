//! The minimal cost of a question to CBMC.

use criterion::{Criterion, criterion_group, criterion_main};
use smalti::cbmc::{ModelChecker, Query, Tuning, find};
use smalti::program::DataModel;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn start(c: &mut Criterion) {
    let cbmc = match find(None) {
        Ok(cbmc) => cbmc,
        Err(why) => {
            println!("left out: {why}");
            return;
        }
    };
    let query = Query {
        source:
            "int main(void) { int x; __CPROVER_assume(x > 0); __CPROVER_assert(x != 0, \"positive\"); return 0; }\n"
                .into(),
        properties: BTreeSet::from(["positive".to_owned()]),
        data_model: DataModel::Lp64,
        big_endian: false,
        unwind: 1,
        unwinding_assertions: false,
        stop_at_failure: false,
        tuning: Tuning::default(),
    };
    let mut group = c.benchmark_group("cbmc");
    group.sample_size(20);
    group.bench_function("start-up", |bench| {
        bench.iter(|| {
            let deadline = Instant::now() + Duration::from_secs(30);
            cbmc.run(&query, deadline).map_err(|e| e.to_string()).expect("CBMC answers")
        });
    });
    group.finish();
}

criterion_group!(benches, start);
criterion_main!(benches);
