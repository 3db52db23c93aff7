//! The environment as the surroundings of analyses and of choices of heuristics.

use budget::Limits;
use host::{Host, Phase};

use super::{Environment, event};
use crate::store::cache::{Cache, Key};
use crate::store::new_key;

impl Host for Environment {
    fn limits(&self, own: &Limits) -> Limits {
        self.limits(own)
    }

    fn is_interrupted(&self) -> bool {
        self.is_cancelled()
    }

    fn seed(&self) -> u64 {
        self.seed()
    }

    fn cache(&self) -> &Cache {
        self.cache()
    }

    fn new_key(&self) -> Key {
        new_key()
    }

    fn warn(&self, message: String) {
        self.warning(message);
    }

    fn note(&self, message: String) {
        self.note(message);
    }

    fn detail(&self, message: &dyn Fn() -> String) {
        self.detail(message);
    }

    fn step(&self, message: &dyn Fn() -> String) {
        self.step(message);
    }

    fn begin(&self) -> Box<dyn Phase + '_> {
        Box::new(self.begin())
    }

    fn install(&self, work: &mut (dyn FnMut() + Send)) {
        self.install(work);
    }
}

impl Phase for event::Phase {
    fn show(&self, message: &dyn Fn() -> String, parts: Option<(usize, usize)>) {
        self.show(message, parts);
    }
}
