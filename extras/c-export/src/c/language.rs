//! C, as one of the languages.

use std::fmt::Write;

use super::text::{comment, unsigned_type};
use crate::language::{Element, Language};
use crate::text::all_of;

/// C99.
pub(crate) struct C;

impl Language for C {
    fn title_line(&self, line: &str) -> String {
        if line.is_empty() {
            " *\n".to_owned()
        } else {
            format!(" * {line}\n")
        }
    }

    fn fact(&self, name: &str, value: &str) -> String {
        self.title_line(&format!("{:<18}{value}", format!("{name}:")))
    }

    fn comment(&self, text: &str) -> String {
        comment(text)
    }

    fn table(&self, id: &str, what: &str) -> String {
        format!("psvn_{id}_{what}")
    }

    fn brackets(&self, name: &str, element: Element, _len: usize) -> (String, &'static str) {
        let element = match element {
            Element::UpTo(most) => unsigned_type(most),
            Element::Set => "uint64_t",
        };
        (format!("static const {element} {name}[] = {{\n"), "};\n")
    }

    fn set(&self, set: u64) -> String {
        format!("UINT64_C(0x{set:X})")
    }

    fn entry(&self, table: &str, index: &str) -> String {
        format!("{table}[{index}]")
    }

    fn choice(&self, condition: &str, yes: &str, no: &str) -> String {
        format!("{condition} ? {yes} : {no}")
    }

    fn guarded(&self, indent: usize, conditions: &[String], statement: &str) -> String {
        format!(
            "{0:indent$}if ({1}) {{\n{0:indent$}    {statement}\n{0:indent$}}}\n",
            "",
            all_of(conditions, indent + 4)
        )
    }

    fn list_rule(&self, number: usize) -> String {
        format!("iter->rules[iter->count++] = {number};")
    }

    fn cases(&self, indent: usize, value: &str) -> (String, String) {
        let mut last = String::new();
        let _ = writeln!(
            last,
            "{0:indent$}default:\n{0:indent$}    break;\n{0:indent$}}}",
            ""
        );
        (format!("{:indent$}switch ({value}) {{\n", ""), last)
    }

    fn case(&self, indent: usize, constant: u32) -> (String, String, usize) {
        let first = format!("{:indent$}case {constant}:\n", "");
        let last = format!("{:indent$}    break;\n", "");
        (first, last, indent + 4)
    }
}
