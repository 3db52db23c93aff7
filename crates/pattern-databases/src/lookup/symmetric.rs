//! Further look-ups in the same tables: for images of the state under symmetries, and for its dual.

use std::collections::BTreeSet;

use abstraction::Symmetry;
use psvn_ir::{Game, VarId};

use crate::database::PatternDatabase;
use crate::dual::Dual;

/// The greatest number of symmetries that are tried.
pub(crate) const MOST_SYMMETRIES: usize = 128;

/// What a table can tell apart, in terms of the game. Two look-ups for which it is the same say the
/// same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LookupKind {
    variables: Vec<u32>,
    /// By domain: for each value the first one that looks like it.
    values: Vec<Vec<usize>>,
    paying: Option<Vec<Vec<bool>>>,
    /// By variable: whether the piece that stands there in the goal is told from others.
    pieces: Option<Vec<bool>>,
    of_duals: bool,
}

impl LookupKind {
    fn of(game: &Game, table: &PatternDatabase) -> Self {
        let symmetry = table.seen.mirrored.as_ref();
        let mut variables = table.view.variables.clone();
        variables.sort_unstable();
        let first_alike = |images: &Vec<u32>| -> Vec<usize> {
            let first = |image| {
                images
                    .iter()
                    .position(|other| other == image)
                    .expect("the image is in the list")
            };
            images.iter().map(first).collect()
        };
        let paying = table.recipe.paying.as_ref().map(|paying| {
            let domain = |(d, pays): (usize, &Vec<bool>)| {
                let image = |v| match symmetry {
                    None => v,
                    Some(symmetry) => symmetry.value(d, psvn_ir::Value::from_index(v)).index(),
                };
                (0..pays.len()).map(|v| pays[image(v)]).collect()
            };
            paying.iter().enumerate().map(domain).collect()
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
            values: table.view.values().iter().map(first_alike).collect(),
            paying,
            pieces,
            of_duals: table.dual().is_some(),
        }
    }

    /// What it tells from all else: values, pieces, variables.
    fn items(&self) -> BTreeSet<(u8, usize, usize)> {
        let mut items = BTreeSet::new();
        for (d, alike) in self.values.iter().enumerate() {
            for (v, first) in alike.iter().enumerate() {
                let others = alike.iter().filter(|other| *other == first).count();
                let pays = self.paying.as_ref().is_none_or(|paying| paying[d][v]);
                if others == 1 && pays {
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

/// What all tables of a sum can tell apart.
fn sight(game: &Game, sum: &[PatternDatabase]) -> Vec<LookupKind> {
    let mut sights: Vec<LookupKind> = sum
        .iter()
        .map(|table| LookupKind::of(game, table))
        .collect();
    sights.sort();
    sights
}

/// Up to `most` further look-ups for a sum of tables, for images under symmetries: those that say
/// something else than all sums that are there, and first those that tell apart what these don't.
/// All tables of a sum are looked up for the same image, so that the sum is as admissible as it
/// was.
pub(crate) fn mirrored(
    game: &Game,
    symmetries: &[Symmetry],
    sums: &[Vec<PatternDatabase>],
    sum: &[PatternDatabase],
    most: usize,
) -> Vec<Vec<PatternDatabase>> {
    let mut chosen: Vec<Vec<LookupKind>> = sums.iter().map(|sum| sight(game, sum)).collect();
    // What each table sees, so that for one of seven edges the image with the other five is found.
    let items = |sights: &Vec<LookupKind>| -> Vec<BTreeSet<_>> {
        sights.iter().map(LookupKind::items).collect()
    };
    let mut seen: Vec<Vec<BTreeSet<_>>> = chosen.iter().map(items).collect();
    let mut candidates: Vec<(Vec<LookupKind>, Vec<PatternDatabase>)> = symmetries
        .iter()
        .map(|symmetry| {
            let image: Vec<PatternDatabase> = sum
                .iter()
                .map(|table| table.mirrored(game, symmetry))
                .collect();
            (sight(game, &image), image)
        })
        .collect();
    let mut found = Vec::new();
    while found.len() < most {
        candidates.retain(|(sights, _)| !chosen.contains(sights));
        // As little as possible in common with any table that is there.
        let common = |sights: &Vec<LookupKind>| -> usize {
            let tables = items(sights);
            let with = |known: &Vec<BTreeSet<_>>| -> usize {
                let pairs = tables
                    .iter()
                    .flat_map(|one| known.iter().map(move |other| (one, other)));
                pairs
                    .map(|(one, other)| one.intersection(other).count().pow(2))
                    .sum()
            };
            seen.iter().map(with).sum()
        };
        let best = (0..candidates.len()).min_by_key(|i| common(&candidates[*i].0));
        let Some(best) = best else { break };
        let (sights, tables) = candidates.swap_remove(best);
        seen.push(items(&sights));
        chosen.push(sights);
        found.push(tables);
    }
    found
}

/// A further look-up for the duals of states. `None` where it would say the same, as the tables
/// tell where all pieces are that can take each other's places.
pub(crate) fn dual(
    game: &Game,
    dual: &Dual,
    sum: &[PatternDatabase],
) -> Option<Vec<PatternDatabase>> {
    let tells_all = |table: &PatternDatabase| {
        let sight = LookupKind::of(game, table);
        let vars = &sight.variables;
        let pieces = sight.pieces.as_ref();
        pieces.is_some_and(|kept| vars.iter().all(|var| kept[*var as usize]))
    };
    let is_new = !sum.iter().all(tells_all);
    is_new.then(|| sum.iter().map(|table| table.of_duals(dual)).collect())
}
