//! Checks the types of Luau files: `guildbook-luau-types <definitions> <file> ...`. The status is 1 when one has a fault.

use std::{env, fs, process::ExitCode};

use luau_analyze::{CheckOptions, Checker};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let definitions = read(&arguments.next().expect("a file of definitions"));
    let mut faults = 0;
    for file in arguments {
        let mut checker = Checker::new().expect("a checker");
        checker.add_definitions(&definitions).expect("definitions without faults");
        let options = CheckOptions { module_name: Some(&file), ..CheckOptions::default() };
        let result = checker.check_with_options(&read(&file), options).expect("a result");
        for diagnostic in &result.diagnostics {
            println!("{file}:{}:{}: {}", diagnostic.line + 1, diagnostic.col + 1, diagnostic.message);
        }
        faults += result.diagnostics.len() + usize::from(result.timed_out);
    }
    println!("{faults} faults");
    ExitCode::from(u8::from(faults > 0))
}

fn read(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}
