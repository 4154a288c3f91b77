#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| smalti::fuzz::inputs::annotations(bytes));
