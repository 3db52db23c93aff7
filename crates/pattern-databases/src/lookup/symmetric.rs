//! Further look-ups in the same tables: for images of the state under symmetries, and for its dual.

use std::collections::BTreeSet;

use abstraction::Symmetry;
use ahash::AHashMap;
use psvn_ir::{Game, VarId};

use crate::database::PatternDatabase;
use crate::dual::Dual;

/// The greatest number of symmetries that are tried.
pub(crate) const MOST_SYMMETRIES: usize = 128;

/// The distinctions that a look-up makes, in terms of the game. Two look-ups of the same kind give
/// the same estimates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LookupKind {
    variables: Vec<u32>,
    /// By domain: for each value the first one that looks like it.
    values: Vec<Vec<usize>>,
    charged_values: Option<Vec<Vec<bool>>>,
    /// By variable: whether the goal's piece at this variable is distinguished.
    pieces: Option<Vec<bool>>,
    of_duals: bool,
}

impl LookupKind {
    fn of(game: &Game, table: &PatternDatabase) -> Self {
        let symmetry = table.transform.symmetry.as_ref();
        let mut variables = table.reader.variables.clone();
        variables.sort_unstable();
        let first_alike = |images: &Vec<u32>| -> Vec<usize> {
            let mut first = AHashMap::new();
            let images = images.iter().enumerate();
            images
                .map(|(value, image)| *first.entry(*image).or_insert(value))
                .collect()
        };
        let charged_values = table.recipe.charged_values.as_ref().map(|charged_values| {
            let domain = |(d, charged): (usize, &Vec<bool>)| {
                let image = |v| match symmetry {
                    None => v,
                    Some(symmetry) => symmetry.value(d, psvn_ir::Value::from_index(v)).index(),
                };
                (0..charged.len()).map(|v| charged[image(v)]).collect()
            };
            charged_values.iter().enumerate().map(domain).collect()
        });
        let pieces = table.recipe.abstraction.pieces_at().map(|kept| {
            let image = |var| match symmetry {
                None => var,
                Some(symmetry) => symmetry.variable(VarId::from_index(var)).index(),
            };
            (0..game.n_variables())
                .map(|var| kept[image(var)])
                .collect()
        });
        Self {
            variables,
            values: table.reader.values().iter().map(first_alike).collect(),
            charged_values,
            pieces,
            of_duals: table.dual().is_some(),
        }
    }

    /// Return the items that it distinguishes: values, pieces, variables.
    fn items(&self) -> BTreeSet<(u8, usize, usize)> {
        let mut items = BTreeSet::new();
        for (d, alike) in self.values.iter().enumerate() {
            let mut n_alike = vec![0_u32; alike.len()];
            for first in alike {
                n_alike[*first] += 1;
            }
            for (v, first) in alike.iter().enumerate() {
                let is_charged = self
                    .charged_values
                    .as_ref()
                    .is_none_or(|charged_values| charged_values[d][v]);
                if n_alike[*first] == 1 && is_charged {
                    items.insert((0, d, v));
                }
            }
        }
        let pieces = self.pieces.iter().flatten().enumerate();
        let kept = pieces.filter(|(_, kept)| **kept);
        items.extend(kept.map(|(var, _)| (1, 0, var)));
        items.extend(self.variables.iter().map(|var| (2, 0, *var as usize)));
        items
    }
}

/// Return the kinds of look-up of a sum's tables.
fn kinds_of(game: &Game, sum: &[PatternDatabase]) -> Vec<LookupKind> {
    let mut kinds: Vec<LookupKind> = sum
        .iter()
        .map(|table| LookupKind::of(game, table))
        .collect();
    kinds.sort_unstable();
    kinds
}

/// Return up to `most` further look-ups for a sum of tables, for images under symmetries: only
/// kinds different from those of all given sums, and first those that distinguish other items. All
/// tables of a sum are looked up for the same image, so that the sum stays admissible.
pub(crate) fn mirrored(
    game: &Game,
    symmetries: &[Symmetry],
    sums: &[Vec<PatternDatabase>],
    sum: &[PatternDatabase],
    most: usize,
) -> Vec<Vec<PatternDatabase>> {
    if symmetries.is_empty() || most == 0 {
        return Vec::new();
    }
    let mut chosen: Vec<Vec<LookupKind>> = sums.iter().map(|sum| kinds_of(game, sum)).collect();
    // The items that each table distinguishes, so that for a table of seven edges the image with
    // the other five is found.
    let items = |kinds: &Vec<LookupKind>| -> Vec<BTreeSet<_>> {
        kinds.iter().map(LookupKind::items).collect()
    };
    let mut covered: Vec<Vec<BTreeSet<_>>> = chosen.iter().map(items).collect();
    let mut candidates: Vec<(Vec<LookupKind>, Vec<PatternDatabase>)> = symmetries
        .iter()
        .map(|symmetry| {
            let image: Vec<PatternDatabase> = sum
                .iter()
                .map(|table| table.mirrored(game, symmetry))
                .collect();
            (kinds_of(game, &image), image)
        })
        .collect();
    let mut found = Vec::new();
    while found.len() < most {
        candidates.retain(|(kinds, _)| !chosen.contains(kinds));
        // Prefer as few items as possible in common with any existing table.
        let common = |kinds: &Vec<LookupKind>| -> usize {
            let tables = items(kinds);
            let with = |known: &Vec<BTreeSet<_>>| -> usize {
                let pairs = tables
                    .iter()
                    .flat_map(|one| known.iter().map(move |other| (one, other)));
                pairs
                    .map(|(one, other)| one.intersection(other).count().pow(2))
                    .sum()
            };
            covered.iter().map(with).sum()
        };
        let best = (0..candidates.len()).min_by_key(|i| common(&candidates[*i].0));
        let Some(best) = best else { break };
        let (kinds, tables) = candidates.swap_remove(best);
        covered.push(items(&kinds));
        chosen.push(kinds);
        found.push(tables);
    }
    found
}

/// Return a further look-up for the duals of states. `None` if it would give the same estimates,
/// since the tables hold the places of all pieces that can take each other's places.
pub(crate) fn dual(
    game: &Game,
    dual: &Dual,
    sum: &[PatternDatabase],
) -> Option<Vec<PatternDatabase>> {
    let distinguishes_all = |table: &PatternDatabase| {
        let kind = LookupKind::of(game, table);
        let vars = &kind.variables;
        let pieces = kind.pieces.as_ref();
        pieces.is_some_and(|kept| vars.iter().all(|var| kept[*var as usize]))
    };
    let is_new = !sum.iter().all(distinguishes_all);
    is_new.then(|| sum.iter().map(|table| table.of_duals(dual)).collect())
}
