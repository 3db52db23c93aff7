//! Rust, as one of the languages.

use super::text::{comment, unsigned_type};
use crate::language::{Element, Language};
use crate::text::all_of;

/// Rust.
pub(crate) struct Rust;

impl Language for Rust {
    fn title_line(&self, line: &str) -> String {
        if line.is_empty() {
            "//!\n".to_owned()
        } else {
            format!("//! {line}\n")
        }
    }

    fn fact(&self, name: &str, value: &str) -> String {
        self.title_line(&format!("- {name}: {value}"))
    }

    fn comment(&self, text: &str) -> String {
        comment(text)
    }

    fn table(&self, id: &str, what: &str) -> String {
        format!("{id}_{what}").to_uppercase()
    }

    fn brackets(&self, name: &str, element: Element, len: usize) -> (String, &'static str) {
        let element = match element {
            Element::UpTo(most) => unsigned_type(most),
            Element::Set => "u64",
        };
        (format!("static {name}: [{element}; {len}] = [\n"), "];\n")
    }

    fn set(&self, set: u64) -> String {
        format!("0x{set:X}")
    }

    fn entry(&self, table: &str, index: &str) -> String {
        format!("{table}[{index} as usize]")
    }

    fn choice(&self, condition: &str, yes: &str, no: &str) -> String {
        format!("if {condition} {{ {yes} }} else {{ {no} }}")
    }

    fn guarded(&self, indent: usize, conditions: &[String], statement: &str) -> String {
        format!(
            "{0:indent$}if {1} {{\n{0:indent$}    {statement}\n{0:indent$}}}\n",
            "",
            all_of(conditions, indent + 4)
        )
    }

    fn list_rule(&self, number: usize) -> String {
        format!("iter.add({number});")
    }

    fn cases(&self, indent: usize, value: &str) -> (String, String) {
        let last = format!("{0:indent$}    _ => {{}}\n{0:indent$}}}\n", "");
        (format!("{:indent$}match {value} {{\n", ""), last)
    }

    fn case(&self, indent: usize, constant: u32) -> (String, String, usize) {
        let first = format!("{:indent$}    {constant} => {{\n", "");
        (first, format!("{:indent$}    }}\n", ""), indent + 8)
    }
}
