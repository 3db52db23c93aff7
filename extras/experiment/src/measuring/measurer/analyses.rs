//! Analyses, and positions after openings.

use std::path::Path;

use game_tree::{NoMove, Turn, TwoPlayerGame, table_7_1};
use psvn::analysis::{Letters, Pruning};
use psvn::{Error, StopReason};

use super::{LoadedDomain, Measurer};
use crate::measuring::method::{OpeningsAlgorithm, OpeningsOptions};
use crate::{LevelKind, Measure, Measured, Outcome};

impl Measurer<'_> {
    pub(super) fn analyze(
        &self,
        pruning: &Pruning,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Error> {
        let (game, file) = (&domain.named, Path::new("GAME"));
        let (request, analysis) = pruning.analyze_with_request(game, file, self.env)?;
        let summary = &analysis.summary;
        let n = |n: usize| u64::try_from(n).ok();
        let measured = Measured {
            outcome: match summary.stopped {
                None => Outcome::Complete,
                Some(StopReason::Time) => Outcome::Time,
                Some(StopReason::Interrupted) => return Ok(()),
                Some(_) => Outcome::Memory,
            },
            words: n(summary.redundant_words),
            trie_states: n(summary.machines.trie_states),
            minimized_states: summary.machines.minimized.and_then(|size| n(size.states)),
            // The growth of sequences of operators says nothing about those that can be carried
            // out.
            branching_factor: match request.letters {
                Letters::Rules => summary.branching_factor,
                Letters::Labels => None,
            },
            levels: summary
                .levels
                .iter()
                .map(|level| (level.length as u64, level.redundant))
                .collect(),
            level_kind: Some(LevelKind::Length),
            seconds: summary.seconds,
            ..Measured::default()
        };
        body(&|_| Some(measured.clone()));
        Ok(())
    }

    /// Count the positions that are visited after all openings.
    pub(super) fn openings(
        &self,
        options: &OpeningsOptions,
        domain: &LoadedDomain,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), Error> {
        let refused = |error: &dyn std::fmt::Display| {
            Error::input(format!("{}: {error}", domain.named.name()))
        };
        let game = domain.named.ir();
        let turn = Turn::find(game).map_err(|error| refused(&error))?;
        let game = TwoPlayerGame::new(game, turn, NoMove::Draw).map_err(|error| refused(&error))?;
        let start = game.default_start();
        let limits = self.env.limits(&options.limits);
        body(&|_| {
            let rows = match table_7_1(&game, &start, options.depth, options.moves, &limits) {
                Ok(rows) => rows,
                Err(error) => return Some(Measured::failed(error.to_string())),
            };
            let measured = match rows {
                Ok(rows) => {
                    let row = rows.last()?;
                    Measured {
                        generated: Some(match options.algorithm {
                            OpeningsAlgorithm::Minimax => row.minimax,
                            OpeningsAlgorithm::AlphaBeta => row.alpha_beta,
                        }),
                        ..Measured::default()
                    }
                }
                Err(game_tree::StopReason::Interrupted) => return None,
                Err(game_tree::StopReason::Time) => Measured {
                    outcome: Outcome::Time,
                    ..Measured::default()
                },
                Err(_) => Measured {
                    outcome: Outcome::Nodes,
                    ..Measured::default()
                },
            };
            // Both algorithms run for each table, so the time says nothing about either.
            Some(measured)
        });
        Ok(())
    }
}
