//! The JSON documents that commands write, and their schemas.

use psvn::analysis::{AnalysisReport, Composition, OperatorsExplained, RulesExplained};
use psvn::certificate::Certified;
use psvn::heuristic::{AbstractedGame, TableSize, TablesReport};
use psvn::instance::WalkEnd;
use psvn::machine::{MachineDescription, RedundantWord, TableRow, TransferReport, Verification};
use psvn::solve::plan::PlanRecord;
use psvn::solve::units::{OpenUnits, WorkedUnit};
use psvn::solve::{ExplorationReport, SolveRecord, TreeReport};
use psvn::text::{BuiltInGame, CodeExplanation, Findings};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use crate::commands::analyses::{cache, listing};
use crate::commands::games::show;
use crate::commands::searches::apply;

/// How often a command writes a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Form {
    /// Once.
    Whole,
    /// Any number of times, each on a line of its own.
    Lines,
}

/// A document that a command writes with `--format json`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Document {
    /// The command, with the options that make it write this document.
    pub(super) command: &'static str,
    /// How often it is written.
    pub(super) form: Form,
    /// Its JSON Schema, of draft 2020-12.
    pub(super) schema: Schema,
}

impl Document {
    fn whole<T: JsonSchema>(command: &'static str) -> Self {
        Self {
            command,
            form: Form::Whole,
            schema: schema_of::<T>(),
        }
    }

    fn lines<T: JsonSchema>(command: &'static str) -> Self {
        Self {
            form: Form::Lines,
            ..Self::whole::<T>(command)
        }
    }

    /// Return whether the document belongs to a command, whatever its options.
    pub(super) fn is_of(&self, command: &str) -> bool {
        self.command.split(' ').next() == Some(command)
    }
}

/// List the documents, by command in the order of the help.
pub(super) fn all() -> Vec<Document> {
    let mut all = vec![
        Document::whole::<Findings>("check"),
        Document::whole::<Vec<CodeExplanation>>("check --explain"),
        Document::whole::<show::Shown<'_>>("show"),
        Document::whole::<Composition>("compose"),
        Document::whole::<AnalysisReport>("analyze"),
        Document::whole::<RulesExplained>("explain"),
        Document::whole::<OperatorsExplained>("explain --operators labels"),
        Document::whole::<Verification>("verify"),
        Document::whole::<Certified>("certify"),
        Document::whole::<TransferReport>("transfer"),
        Document::whole::<MachineDescription>("fsm"),
        Document::lines::<RedundantWord>("fsm --words"),
        Document::whole::<listing::TableHead>("fsm --table"),
        Document::lines::<TableRow>("fsm --table"),
        Document::whole::<TreeReport>("tree"),
        Document::whole::<ExplorationReport>("explore"),
        Document::lines::<SolveRecord>("solve"),
        Document::lines::<WorkedUnit>("work"),
        Document::whole::<OpenUnits>("join"),
        Document::whole::<apply::Report<'_>>("apply"),
        Document::lines::<PlanRecord>("check-plan"),
        Document::lines::<WalkEnd>("gen-instances"),
        Document::whole::<TablesReport>("pdb"),
        Document::whole::<Vec<TableSize>>("pdb --size"),
        Document::whole::<AbstractedGame>("abstract"),
        Document::whole::<cache::Report>("cache"),
        Document::whole::<Vec<BuiltInGame>>("gen --list"),
    ];
    all.extend(of_players());
    all
}

#[cfg(feature = "players")]
fn of_players() -> Vec<Document> {
    use two_players::{ContestEvent, NutshellRecord, OutcomesReport, PlayNode, PositionReport};

    vec![
        Document::whole::<PositionReport>("play"),
        Document::lines::<ContestEvent>("play --against"),
        Document::whole::<OutcomesReport>("play --solve"),
        Document::whole::<Vec<NutshellRecord>>("play --table-7-1"),
        Document::whole::<Vec<PlayNode>>("play --tree"),
    ]
}

#[cfg(not(feature = "players"))]
fn of_players() -> Vec<Document> {
    Vec::new()
}

/// Return the schema of a type as it is written.
fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(RecursiveTransform(plain_description));
    SchemaGenerator::new(settings).into_root_schema_for::<T>()
}

/// Turn a description from Rust's documentation into plain text: lines are joined, and links are
/// left out.
fn plain_description(schema: &mut Schema) {
    let Some(Value::String(text)) = schema.get_mut("description") else {
        return;
    };
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    *text = without_links(&joined);
}

/// Replace links by what they show: `[text](target)` and `[text]` by `text`.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((shown, after)) = link.split_once(']') else {
            break;
        };
        plain.push_str(before);
        plain.push_str(shown);
        let target = after.strip_prefix('(').and_then(|it| it.split_once(')'));
        rest = target.map_or(after, |(_, after)| after);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::{all, without_links};

    #[test]
    fn links_become_what_they_show() {
        let text = "Nodes in [`seconds`](Self::seconds), from [1] on.";
        assert_eq!(without_links(text), "Nodes in `seconds`, from 1 on.");
        assert_eq!(without_links("An [open bracket"), "An [open bracket");
    }

    #[test]
    fn each_field_has_a_meaning() {
        let mut undescribed = Vec::new();
        for document in all() {
            let schema = document.schema.to_value();
            let shapes = schema["$defs"].as_object().into_iter().flatten();
            let shapes = shapes.map(|(_, shape)| shape).chain([&schema]);
            for (name, field) in shapes
                .filter_map(|it| it["properties"].as_object())
                .flatten()
            {
                if field["description"].is_null() && field["const"].is_null() {
                    undescribed.push(format!("{}: {name}", document.command));
                }
            }
        }
        assert_eq!(undescribed, [""; 0]);
    }
}
