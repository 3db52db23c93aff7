//! Heuristics that a checker can prove consistent.

use abstraction::{Abstraction, Charge, CostPartition, Share};
use budget::Watch;
use psvn_ir::{Game, State, TermKind, Value, VarId};
use search::ValueSums;

use crate::abstract_table::AbstractTable;
use crate::error::{CertificateError, number};
use crate::lines::{write_entries, write_lists};

/// A heuristic with all that proves it: the greatest of sums of tables of abstract games, and of
/// sums of a number for each value.
#[derive(Default)]
pub struct Evidence {
    sums_of_tables: Vec<SumOfTables>,
    potentials: Vec<Potential>,
}

/// Tables that are added. For each rule, they are charged no more than its cost together.
struct SumOfTables {
    /// For each rule the variable whose value decides which table is charged, if one does.
    payers: Vec<Option<VarId>>,
    tables: Vec<(AbstractTable, Charges)>,
}

/// For each rule its charge for each value of its payer; one number if it has none.
type Charges = Vec<Vec<u64>>;

/// A sum of a number for each variable's value, less the greatest sum of a goal state.
struct Potential {
    numbers: Vec<Vec<u32>>,
    base: u64,
}

impl Evidence {
    /// No heuristic: the estimate is 0.
    pub fn none() -> Self {
        Self::default()
    }

    /// Add a sum of tables, one for each pattern, and return whether that was possible. It isn't
    /// where costs can't be shared among the patterns ([`CostPartition::split`]), or a table would
    /// have more than `most_entries` entries.
    ///
    /// The tables have the abstract states that can be reached from that of the start.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn add_tables(
        &mut self,
        game: &Game,
        patterns: &[Abstraction],
        start: &State,
        most_entries: usize,
        watch: &Watch,
    ) -> Result<bool, CertificateError> {
        let partition = CostPartition::of(game);
        let Ok(charge) = partition.split(game, patterns) else {
            return Ok(false);
        };
        let is_by_value = matches!(charge, Charge::ByValue(_)) && patterns.len() > 1;
        let mut tables = Vec::new();
        for (at, pattern) in patterns.iter().enumerate() {
            let share = match &charge {
                Charge::ByValue(pays) if is_by_value => Share::Charged {
                    partition: &partition,
                    charged_values: &pays[at],
                },
                Charge::ByRule(pays) => Share::Rules(&pays[at]),
                _ => Share::Full,
            };
            let table = AbstractTable::compute(game, pattern, &share, start, most_entries, watch)?;
            let Some(table) = table else {
                return Ok(false);
            };
            tables.push((table, charges(game, pattern, &share)));
        }
        self.sums_of_tables.push(SumOfTables {
            payers: game
                .rules_with_ids()
                .map(|(rule, _)| partition.position(rule).filter(|_| is_by_value))
                .collect(),
            tables,
        });
        Ok(true)
    }

    /// Add a sum of a number for each variable's value. It must not fall by more than a rule costs;
    /// a checker finds out.
    pub fn add_value_sums(&mut self, game: &Game, sums: &ValueSums) {
        let numbers_of = |position: usize| -> Vec<u32> {
            let var = VarId::from_index(position);
            let values = 0..game.domain_of(var).size();
            values
                .map(|value| sums.number(var, Value::from_index(value)))
                .collect()
        };
        let numbers: Vec<Vec<u32>> = (0..game.n_variables()).map(numbers_of).collect();
        let most_of_goal = |goal: &psvn_ir::Goal| -> u64 {
            let terms = goal.conditions().iter().zip(&numbers);
            let most = |(term, numbers): (&psvn_ir::Term, &Vec<u32>)| match term.kind() {
                TermKind::Constant(value) => numbers[value.index()],
                TermKind::Variable(_) => numbers.iter().copied().max().unwrap_or(0),
            };
            terms.map(|it| u64::from(most(it))).sum()
        };
        self.potentials.push(Potential {
            base: game.goals().iter().map(most_of_goal).max().unwrap_or(0),
            numbers,
        });
    }

    /// Return the estimate of a state: no plan from it costs less.
    pub fn estimate(&self, state: &[Value]) -> u64 {
        let sums = self.sums_of_tables.iter().map(|sum| -> u64 {
            let tables = sum.tables.iter();
            tables.map(|(table, _)| table.estimate(state)).sum()
        });
        let potentials = self.potentials.iter().map(|it| it.estimate(state));
        sums.chain(potentials).max().unwrap_or(0)
    }

    /// Write the lines that define and prove the heuristic.
    pub(crate) fn write(&self, text: &mut String) -> Result<(), CertificateError> {
        self.sums_of_tables
            .iter()
            .try_for_each(|sum| sum.write(text))?;
        self.potentials.iter().try_for_each(|it| it.write(text))
    }
}

/// For each rule, what is charged to the table of a pattern. A rule that changes nothing that the
/// pattern keeps is charged nothing, so that other tables can be charged.
fn charges(game: &Game, pattern: &Abstraction, share: &Share<'_>) -> Charges {
    let changes_kept = |rule: &psvn_ir::Rule| {
        let mut changes = rule.canonical.changes();
        changes.any(|(var, _)| pattern.is_kept(var))
    };
    let charge = |(id, rule): (psvn_ir::RuleId, &psvn_ir::Rule)| {
        let cost = rule.canonical.cost();
        match share {
            Share::Full => vec![if changes_kept(rule) { cost } else { 0 }],
            Share::Rules(pays) => vec![if pays[id.index()] { cost } else { 0 }],
            Share::Charged {
                partition,
                charged_values,
            } => match partition.position(id) {
                None => vec![0],
                Some(var) => charged_values[game.variables()[var.index()].index()]
                    .iter()
                    .map(|pays| if *pays { cost } else { 0 })
                    .collect(),
            },
        }
    };
    game.rules_with_ids().map(charge).collect()
}

impl SumOfTables {
    fn write(&self, text: &mut String) -> Result<(), CertificateError> {
        text.push_str("group\n");
        if self.payers.iter().any(Option::is_some) {
            text.push_str("payers");
            for payer in &self.payers {
                text.push_str(&format!(" {}", payer.map_or(0, |var| var.index() + 1)));
            }
            text.push('\n');
        }
        for (table, charges) in &self.tables {
            text.push_str("table\n");
            write_lists(text, "keep", table.maps())?;
            write_lists(text, "charge", charges.iter().cloned().enumerate())?;
            let entries = table.entries().filter(|(_, cost)| *cost > 0);
            let entries: Vec<(State, u64)> = entries.collect();
            let entries = entries.iter().map(|(state, cost)| (state.values(), *cost));
            write_entries(text, entries)?;
        }
        Ok(())
    }
}

impl Potential {
    fn estimate(&self, state: &[Value]) -> u64 {
        let numbers = self.numbers.iter().zip(state);
        let sum: u64 = numbers
            .map(|(numbers, value)| u64::from(numbers[value.index()]))
            .sum();
        sum.saturating_sub(self.base)
    }

    fn write(&self, text: &mut String) -> Result<(), CertificateError> {
        let base = number(self.base, "the sum of a goal state")?;
        text.push_str(&format!("potential {base}\n"));
        write_lists(text, "weigh", self.numbers.iter().cloned().enumerate())
    }
}
