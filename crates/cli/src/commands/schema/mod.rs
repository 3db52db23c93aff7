//! `psvn schema`: the fields of the JSON that commands write.

mod documents;
mod fields;

use std::io::Write;

use serde_json::Value;

use self::documents::{Document, Form};
use self::fields::{definition, fields};
use crate::args::SchemaArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::show::wrap;

pub(crate) fn run(args: &SchemaArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut documents = documents::all();
    if let Some(command) = &args.command {
        let known = documents.iter().any(|it| it.is_of(command));
        if !known {
            return Err(Failure::usage(format!("`psvn {command}` writes no JSON"))
                .hint("`psvn schema` lists the commands that do"));
        }
        documents.retain(|it| it.is_of(command));
    }
    match (cx.format, &args.command) {
        (Format::Json, _) => cx.out.json(&documents)?,
        (Format::Csv, _) => print_csv(&documents, cx)?,
        (Format::Text, None) => {
            for document in &documents {
                writeln!(cx.out, "{:26} {}", document.command, title(document))?;
            }
        }
        (Format::Text, Some(_)) => {
            for (number, document) in documents.iter().enumerate() {
                if number > 0 {
                    writeln!(cx.out)?;
                }
                print(document, cx)?;
            }
        }
    }
    Ok(Exit::Done)
}

/// What a document describes.
fn title(document: &Document) -> String {
    let schema = document.schema.as_value();
    let described = |shape: &Value| shape["description"].as_str().unwrap_or_default().to_owned();
    match definition(&schema["items"]) {
        Some(item) => format!("A list. {}", described(&schema["$defs"][item])),
        None => described(schema),
    }
}

fn print_csv(documents: &[Document], cx: &mut Context) -> Result<(), Failure> {
    cx.out.csv(["command", "field", "kind", "meaning"])?;
    for document in documents {
        for field in fields(document.schema.as_value()) {
            cx.out
                .csv([document.command, &field.path, &field.kind, &field.meaning])?;
        }
    }
    Ok(())
}

/// Print the fields of a document.
fn print(document: &Document, cx: &mut Context) -> Result<(), Failure> {
    let often = match document.form {
        Form::Whole => "a document",
        Form::Lines => "lines, each a document",
    };
    writeln!(cx.out, "psvn {} --format json: {often}", document.command)?;
    let title = title(document);
    if !title.is_empty() {
        writeln!(cx.out, "  {title}")?;
    }
    for field in fields(document.schema.as_value()) {
        writeln!(cx.out, "\n  {} ({})", field.path, field.kind)?;
        let words: Vec<String> = field.meaning.split(' ').map(str::to_owned).collect();
        for line in wrap(&words, 94) {
            writeln!(cx.out, "      {line}")?;
        }
    }
    Ok(())
}
