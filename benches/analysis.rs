//! The whole analysis of generated programs of 50, 500 and 5,000 lines, by stack.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use smalti::analysis::{AnalysisConfig, analyse};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{ObligationKind, obligations};
use std::fmt::Write;

/// About ten lines for each function: a loop over its own array, and a scalar that it shares with
/// its neighbours.
fn program(lines: usize) -> String {
    let functions = (lines / 10).max(1);
    let mut text =
        String::from("extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assert(int);\nint total;\n");
    for n in 0..functions {
        let size = 10 + n % 7;
        let _ = write!(
            text,
            "int a{n}[{size}];\n\
             void f{n}(int k)\n{{\n  int i;\n  for (i = 0; i < {size}; i++) {{\n    a{n}[i] = {n};\n  }}\n\
               \x20 if (k >= 0 && k < {size}) {{ total = a{n}[k] + k; }}\n  __VERIFIER_assert(i == {size});\n}}\n"
        );
    }
    text.push_str("int main(void)\n{\n");
    for n in 0..functions {
        let _ = writeln!(text, "  f{n}(__VERIFIER_nondet_int());");
    }
    text.push_str("  return 0;\n}\n");
    text
}

fn analysis(c: &mut Criterion) {
    let mut group = c.benchmark_group("analysis");
    group.sample_size(10);
    for lines in [50usize, 500, 5_000] {
        let text = program(lines);
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("generated.c", &text, &options).expect("the generator writes C");
        let all = obligations(&program, &[ObligationKind::Assertion]);
        group.throughput(Throughput::Elements(lines as u64));
        for stack in ["smash/box", "smash/octagon", "smash/apron-octagon"] {
            let config = AnalysisConfig { stack: Some(stack.to_owned()), ..AnalysisConfig::default() };
            if smalti_stack::open(stack).is_err() || (stack.contains("apron") && lines > 500) {
                // APRON's octagons store every pair of variables, which takes minutes at 5,000
                // lines.
                continue;
            }
            group.bench_function(BenchmarkId::new(stack, lines), |bench| {
                bench.iter(|| analyse(&program, &all, &config).expect("the stack is there"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, analysis);
criterion_main!(benches);
