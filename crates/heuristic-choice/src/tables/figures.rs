//! Reports on pattern databases, as data.

use std::path::PathBuf;

use pattern_databases::{PatternDatabase, Sizes};
use psvn_ir::DomainId;
use schemars::JsonSchema;
use search::check::Findings;
use serde::{Deserialize, Serialize};

use crate::HeuristicSpec;

/// The number of abstract states at a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct DistanceCount {
    /// The distance to a goal.
    pub distance: u64,
    /// The number of states.
    pub entries: u64,
}

/// The figures of one table.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct TableFigures {
    /// The name of the table: its pattern, or its file.
    pub pattern: String,
    /// The number of entries.
    pub entries: u64,
    /// The bits of an entry.
    pub bits_per_entry: u32,
    /// The bytes of the table.
    pub bytes: u64,
    /// How abstract states are numbered, in words.
    pub ranking: String,
    /// The values that pay for steps, where costs are charged to values.
    pub paying: Option<Vec<String>>,
    /// The states from which a goal can be reached. There are more of them than entries where one
    /// entry serves all states that symmetries map to each other.
    pub reached: u64,
    /// States from which no goal can be reached, and numbers that belong to no state.
    pub unreached: u64,
    /// The greatest distance of a reached state.
    pub max_distance: u64,
    /// The mean distance of the reached states.
    pub mean_distance: f64,
    /// Whether distances may be greater than the table can hold.
    pub saturated: bool,
    /// Whether estimates fall by no more than a step costs.
    pub consistent: bool,
    /// The invariants that the table rests on.
    pub assumed_invariants: Vec<String>,
    /// The reached states by distance, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Vec<DistanceCount>>,
    /// The same, always.
    #[serde(skip)]
    pub levels: Vec<DistanceCount>,
}

impl TableFigures {
    /// The figures of a table, with its distribution if requested.
    pub(super) fn new(
        pattern: String,
        game: &psvn_ir::Game,
        table: &PatternDatabase,
        with_distribution: bool,
    ) -> Self {
        let (levels, unreached) = table.distribution();
        let levels: Vec<DistanceCount> = levels
            .into_iter()
            .map(|(distance, entries)| DistanceCount { distance, entries })
            .collect();
        let reached: u64 = levels.iter().map(|level| level.entries).sum();
        let sum: f64 = levels
            .iter()
            .map(|level| level.distance as f64 * level.entries as f64)
            .sum();
        let domains = (0..game.domains().len()).map(DomainId::from_index);
        let mut paying: Option<Vec<String>> = None;
        for domain in domains {
            for value in table.charged_values(domain).into_iter().flatten() {
                let name = game.domain(domain).value_name(value).to_owned();
                paying.get_or_insert_default().push(name);
            }
        }
        Self {
            pattern,
            entries: table.n_entries(),
            bits_per_entry: table.width().bits(),
            bytes: table.n_bytes(),
            ranking: table.ranking().describe(),
            paying,
            reached,
            unreached,
            max_distance: levels.last().map_or(0, |level| level.distance),
            mean_distance: if reached > 0 {
                sum / reached as f64
            } else {
                0.0
            },
            saturated: table.is_saturated(),
            consistent: table.is_consistent(),
            assumed_invariants: table.assumed().to_vec(),
            distribution: with_distribution.then(|| levels.clone()),
            levels,
        }
    }
}

/// The result of comparing estimates along random walks.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct TableCheck {
    /// The states that were compared.
    pub states: u64,
    /// The steps between two of them.
    pub steps: u64,
    /// The steps at which the estimate falls by more than they cost.
    pub inconsistent_steps: u64,
    /// The mean of the estimates.
    pub mean_estimate: f64,
    /// The mistake, if there is one.
    pub mistake: Option<String>,
}

impl TableCheck {
    /// Judge findings about tables that claim to be consistent, or not.
    pub(super) fn new(findings: &Findings, is_consistent: bool) -> Self {
        let too_high = findings.too_high.as_ref();
        let too_high = too_high.map(|it| format!("an estimate is too high: {it}"));
        let mismatch = findings.mismatch.as_ref();
        let mismatch = mismatch.map(|it| format!("a state is estimated differently: {it}"));
        let drop = findings.drop.as_ref().filter(|_| is_consistent);
        let drop = drop.map(|it| format!("the estimate falls by more than a step costs: {it}"));
        Self {
            states: findings.n_states,
            steps: findings.n_steps,
            inconsistent_steps: findings.n_drops,
            mean_estimate: findings.sum as f64 / findings.n_states.max(1) as f64,
            mistake: too_high.or(mismatch).or(drop),
        }
    }
}

/// The files that tables were written to.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
pub struct WrittenTables {
    /// Their names.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub written: Vec<String>,
    /// The text of the [`HeuristicSpec`] that uses them, if one can name them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<String>,
}

impl WrittenTables {
    pub(super) fn new(paths: &[PathBuf], additive: bool) -> Self {
        let written: Vec<String> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let heuristic = written.join(if additive { "+" } else { "," });
        // Names with commas and similar signs have another meaning there.
        let is_read = written
            .iter()
            .all(|name| HeuristicSpec::is_file(name) && name.trim() == name);
        Self {
            heuristic: (is_read && !written.is_empty()).then_some(heuristic),
            written,
        }
    }
}

/// The figures of tables that were built or opened.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct TablesReport {
    /// The name of the game.
    pub file: String,
    /// Each table.
    pub tables: Vec<TableFigures>,
    /// The files that they were written to.
    #[serde(flatten)]
    pub written: WrittenTables,
    /// Whether they may be added up.
    pub additive: bool,
    /// The values that no pattern pays for, where they may be added up.
    pub not_covered: Vec<String>,
    /// The seconds that building, writing or opening them took.
    pub seconds: f64,
    /// The result of comparing estimates, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<TableCheck>,
}

/// The size of a table that isn't built.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct TableSize {
    /// The name of its pattern.
    pub pattern: String,
    /// The number of entries; in JSON as text, as it may be large.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub entries: u128,
    /// The number of ranks that building searches; in JSON as text.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub ranks: u128,
    /// The bytes that building takes; in JSON as text.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub building_bytes: u128,
    /// How abstract states are numbered, in words.
    pub ranking: String,
    /// The variables of the abstract game.
    pub variables: usize,
    /// The rules of the abstract game.
    pub rules: usize,
}

/// Large numbers as text.
mod as_text {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        number: &u128,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl TableSize {
    pub(super) fn new(pattern: &str, sizes: Sizes) -> Self {
        Self {
            pattern: pattern.to_owned(),
            entries: sizes.entries,
            ranks: sizes.ranks,
            building_bytes: sizes.building_bytes,
            ranking: sizes.ranking,
            variables: sizes.game.n_variables,
            rules: sizes.game.n_rules,
        }
    }
}
