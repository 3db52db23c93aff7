//! The effect of an abstraction on values and variables.

use psvn_ir::{DomainId, Game, Value, VarId};

/// A map from the states of a game to fewer, abstract states: values of a domain are merged, and
/// variables dropped.
///
/// Each value of a domain becomes a value of the same domain, its *image*; values with the same
/// image are merged. A variable that is not kept is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstraction {
    /// By domain: the image of each value.
    images: Vec<Box<[Value]>>,
    /// By variable: whether it is kept.
    kept: Box<[bool]>,
    /// By variable: whether the goal's piece at this variable is kept, if only some pieces are.
    pieces: Option<Box<[bool]>>,
}

impl Abstraction {
    /// Return the abstraction that changes nothing.
    pub fn identity(game: &Game) -> Self {
        let images = game.domains().iter();
        Self {
            images: images
                .map(|domain| (0..domain.size()).map(Value::from_index).collect())
                .collect(),
            kept: vec![true; game.n_variables()].into(),
            pieces: None,
        }
    }

    /// Keep the values that `keep` accepts, and merge all others of each domain into one of them.
    pub fn keep_values(game: &Game, mut keep: impl FnMut(DomainId, Value) -> bool) -> Self {
        let mut abstraction = Self::identity(game);
        for (id, images) in abstraction.images.iter_mut().enumerate() {
            let id = DomainId::from_index(id);
            let mut merged = None;
            for (value, image) in images.iter_mut().enumerate() {
                let value = Value::from_index(value);
                if !keep(id, value) {
                    *image = *merged.get_or_insert(value);
                }
            }
        }
        abstraction
    }

    /// Merge the values of a domain as given: one image for each value.
    ///
    /// # Panics
    /// If there is no such domain, or the number of images differs from the number of its values,
    /// or an image is not one of its values.
    #[must_use]
    pub fn with_images(mut self, domain: DomainId, images: &[Value]) -> Self {
        let known = &mut self.images[domain.index()];
        assert_eq!(known.len(), images.len(), "one image for each value");
        assert!(
            images.iter().all(|image| image.index() < known.len()),
            "images are values of the domain"
        );
        *known = images.into();
        self
    }

    /// Of the kept variables, keep only those that `keep` accepts.
    #[must_use]
    pub fn project(mut self, mut keep: impl FnMut(VarId) -> bool) -> Self {
        for (var, kept) in self.kept.iter_mut().enumerate() {
            *kept &= keep(VarId::from_index(var));
        }
        self
    }

    pub(crate) fn with_pieces_at(mut self, kept: Box<[bool]>) -> Self {
        self.pieces = Some(kept);
        self
    }

    /// Return, by variable, whether the goal's piece at this variable is kept; `None` when all are.
    /// See [`keep_pieces`](Self::keep_pieces).
    pub fn pieces_at(&self) -> Option<&[bool]> {
        self.pieces.as_deref()
    }

    /// Return the image of a value.
    ///
    /// # Panics
    /// If there is no such domain or value.
    pub fn image(&self, domain: DomainId, value: Value) -> Value {
        self.images[domain.index()][value.index()]
    }

    /// Return the images of a domain's values.
    pub fn images(&self, domain: DomainId) -> &[Value] {
        &self.images[domain.index()]
    }

    /// Return whether a variable is kept. One whose values are all merged into one has no
    /// information either.
    pub fn is_kept(&self, var: VarId) -> bool {
        self.kept[var.index()]
    }

    /// Return whether no variable is dropped.
    pub fn keeps_all_variables(&self) -> bool {
        self.kept.iter().all(|kept| *kept)
    }

    /// Return whether nothing is merged and nothing is dropped.
    pub fn is_identity(&self) -> bool {
        let same = |(value, image): (usize, &Value)| image.index() == value;
        let merged = self.images.iter();
        self.pieces.is_none()
            && self.keeps_all_variables()
            && merged
                .into_iter()
                .all(|map| map.iter().enumerate().all(same))
    }

    /// Return whether it was made for games of this form: equally many domains, values in each, and
    /// variables.
    pub fn fits(&self, game: &Game) -> bool {
        let sizes = game.domains().iter().map(psvn_ir::Domain::size);
        let pieces = self.pieces.as_ref();
        self.kept.len() == game.n_variables()
            && pieces.is_none_or(|pieces| pieces.len() == game.n_variables())
            && self.images.iter().map(|images| images.len()).eq(sizes)
    }

    /// Return the values whose image no other value shares, as kept by a pattern.
    pub fn distinct_values(&self, domain: DomainId) -> Vec<Value> {
        let images = self.images(domain);
        let mut n_values = vec![0_u32; images.len()];
        for image in images {
            n_values[image.index()] += 1;
        }
        let values = (0..images.len()).filter(|value| n_values[images[*value].index()] == 1);
        values.map(Value::from_index).collect()
    }
}
