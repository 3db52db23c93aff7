//! A game with states packed in the form that fits it.

use std::sync::Arc;

use psvn_ir::Game;

use crate::game::branches::{Branch, branches};
use crate::game::packed::{BitsForm, BytesForm, Form};

/// A game in the narrowest form that fits.
pub(crate) struct GameForm {
    pub(crate) branches: Vec<Branch>,
    pub(crate) form: AnyForm,
}

/// A form of any type.
pub(crate) enum AnyForm {
    Bits1(Arc<BitsForm<1>>),
    Bytes16(Arc<BytesForm<16>>),
    Bits2(Arc<BitsForm<2>>),
    Bytes32(Arc<BytesForm<32>>),
    Bits4(Arc<BitsForm<4>>),
    Bytes64(Arc<BytesForm<64>>),
}

impl GameForm {
    /// Choose the form. `None` if the states are too wide for all of them.
    pub(crate) fn new(game: &Game) -> Option<Self> {
        let branches = branches(game);
        let form = None
            .or_else(|| Form::new(game, &branches).map(Arc::new).map(AnyForm::Bits1))
            .or_else(|| {
                Form::new(game, &branches)
                    .map(Arc::new)
                    .map(AnyForm::Bytes16)
            })
            .or_else(|| Form::new(game, &branches).map(Arc::new).map(AnyForm::Bits2))
            .or_else(|| {
                Form::new(game, &branches)
                    .map(Arc::new)
                    .map(AnyForm::Bytes32)
            })
            .or_else(|| Form::new(game, &branches).map(Arc::new).map(AnyForm::Bits4))
            .or_else(|| {
                Form::new(game, &branches)
                    .map(Arc::new)
                    .map(AnyForm::Bytes64)
            })?;
        Some(Self { branches, form })
    }

    /// Describe the form in words.
    pub(crate) fn describe(&self) -> &'static str {
        match self.form {
            AnyForm::Bits1(_) => "64 bits",
            AnyForm::Bytes16(_) => "16 bytes",
            AnyForm::Bits2(_) => "128 bits",
            AnyForm::Bytes32(_) => "32 bytes",
            AnyForm::Bits4(_) => "256 bits",
            AnyForm::Bytes64(_) => "64 bytes",
        }
    }
}
