//! Typed indices, so that a rule can't index a list of variables.

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// Return the index as a `usize`, for use with slices.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The `index`-th one.
            ///
            /// # Panics
            /// When `index` doesn't fit in 32 bits.
            #[inline]
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("an index fits in 32 bits"))
            }
        }
    };
}

index_type!(
    /// A domain of a game.
    DomainId
);
index_type!(
    /// A variable of a game: a position of its state vector, counted from 0 (printed from 1, as
    /// `x1`).
    VarId
);
index_type!(
    /// A value of a domain: its place in the domain's list, counted from 0.
    Value
);
index_type!(
    /// A rule of a game. Rules are compared in this order, which is that of the file unless stated
    /// otherwise.
    RuleId
);
index_type!(
    /// A variable symbol of one source rule.
    SymbolId
);
