// Written by `cargo run --locked -p psvn-grammar` from grammar.lalrpop with the SHA-256
// 16d4c42326db02bb4dd555f4311666c164cb1f18b92d0cf54810e25d045baa4b
// auto-generated: "lalrpop 0.23.2"
// sha3: 25e589665521a6be296d455848eed11ac2ba480a19e0e41b3c65ffd7d5e997a0
// features: 
use lalrpop_util::ErrorRecovery;
use crate::Span;
use crate::ast::{self, Item, Name, Number};
use crate::tree::nodes::{self, Attribute, Section};
use crate::diagnostic::report::Reporter;
use crate::layout::token::{Role, Token};
#[allow(unused_extern_crates)]
extern crate lalrpop_util as __lalrpop_util;
#[allow(unused_imports)]
use self::__lalrpop_util::state_machine as __state_machine;
#[allow(unused_extern_crates)]
extern crate alloc;

#[rustfmt::skip]
#[allow(explicit_outlives_requirements, non_snake_case, non_camel_case_types, unused_mut, unused_variables, unused_imports, unused_parens, clippy::needless_lifetimes, clippy::type_complexity, clippy::needless_return, clippy::too_many_arguments, clippy::match_single_binding, clippy::clone_on_copy, clippy::unit_arg)]
mod __parse__File {

use lalrpop_util::ErrorRecovery;
use crate::Span;
use crate::ast::{self, Item, Name, Number};
use crate::tree::nodes::{self, Attribute, Section};
use crate::diagnostic::report::Reporter;
use crate::layout::token::{Role, Token};
#[allow(unused_extern_crates)]
extern crate lalrpop_util as __lalrpop_util;
#[allow(unused_imports)]
use self::__lalrpop_util::state_machine as __state_machine;
#[allow(unused_extern_crates)]
extern crate alloc;
use super::__ToTriple;
#[allow(dead_code)]
pub(crate) enum __Symbol<'source>
 {
Variant0(Token<'source>),
Variant1(&'source str),
Variant2(__lalrpop_util::ErrorRecovery<usize, Token<'source>, std::convert::Infallible>),
Variant3(usize),
Variant4(Span),
Variant5(Attribute),
Variant6(alloc::vec::Vec<Attribute>),
Variant7(ast::Cell),
Variant8(alloc::vec::Vec<ast::Cell>),
Variant9(Option<ast::DomainDecl>),
Variant10(alloc::vec::Vec<Option<ast::DomainDecl>>),
Variant11(ast::File),
Variant12(Option<Item>),
Variant13(alloc::vec::Vec<Option<Item>>),
Variant14(Name),
Variant15(alloc::vec::Vec<Name>),
Variant16(Number),
Variant17(Section),
Variant18(alloc::vec::Vec<Section>),
Variant19(Option<ast::VariablesDecl>),
Variant20(Option<Option<ast::VariablesDecl>>),
}
const __ACTION: &[i8] = &[
// State 0
5,8,7,6,41,0,0,0,0,0,0,0,0,0,0,0,
// State 1
5,8,7,6,41,0,0,0,0,0,0,0,0,0,0,0,
// State 2
0,0,7,6,41,0,0,0,0,0,0,0,0,0,0,0,
// State 3
0,0,7,6,41,0,0,0,0,0,0,0,0,0,0,0,
// State 4
0,0,0,0,0,0,0,0,0,0,0,0,0,44,0,45,
// State 5
0,0,-47,-47,-47,0,0,0,0,0,0,0,0,47,0,48,
// State 6
0,0,0,0,0,0,0,51,0,0,0,0,0,52,0,53,
// State 7
0,0,0,0,0,0,0,0,0,0,0,0,54,0,0,55,
// State 8
0,0,7,6,41,0,0,0,0,0,0,0,0,0,0,0,
// State 9
0,0,7,6,41,0,0,0,0,0,0,0,0,0,0,0,
// State 10
0,0,7,6,41,0,0,0,0,0,0,0,0,0,0,0,
// State 11
0,0,0,0,0,0,0,0,0,0,0,0,54,0,0,0,
// State 12
0,0,-48,-48,-48,0,0,0,0,0,0,0,0,47,0,0,
// State 13
0,0,0,0,0,61,60,0,0,0,0,62,0,44,0,0,
// State 14
0,0,-38,-38,-38,0,0,0,65,64,0,0,0,52,0,0,
// State 15
0,0,0,0,0,0,0,51,0,0,0,0,0,52,0,0,
// State 16
0,0,-75,-75,-75,0,0,0,0,0,0,0,0,44,0,0,
// State 17
0,0,7,6,41,0,0,0,0,0,0,0,0,0,0,0,
// State 18
-18,-18,-18,-18,-18,0,0,0,0,0,0,0,0,44,0,0,
// State 19
0,0,0,0,0,61,60,0,0,0,0,69,0,44,0,0,
// State 20
0,0,-42,-42,-42,0,0,0,65,64,0,0,0,0,0,0,
// State 21
0,0,-39,-39,-39,0,0,0,65,64,0,0,0,52,0,0,
// State 22
0,0,0,0,0,0,0,0,0,0,0,0,0,44,0,72,
// State 23
0,0,0,0,0,0,0,0,0,0,0,0,0,44,0,74,
// State 24
0,0,-40,-40,-40,0,0,0,65,64,0,0,0,52,0,0,
// State 25
0,0,-76,-76,-76,0,0,0,0,0,0,0,0,44,0,0,
// State 26
-19,-19,-19,-19,-19,0,0,0,0,0,0,0,0,44,0,0,
// State 27
0,0,0,0,0,0,0,0,0,0,0,76,0,44,0,0,
// State 28
0,0,0,0,0,0,0,0,0,0,0,77,0,44,0,0,
// State 29
0,0,0,0,0,0,0,0,0,0,0,78,0,44,0,0,
// State 30
0,0,-43,-43,-43,0,0,0,65,64,0,0,0,0,0,0,
// State 31
0,0,-44,-44,-44,0,0,0,65,64,0,0,0,0,0,0,
// State 32
0,0,-41,-41,-41,0,0,0,65,64,0,0,0,52,0,0,
// State 33
0,0,0,0,0,0,0,0,0,0,0,79,0,44,0,0,
// State 34
0,0,0,0,0,0,0,0,0,0,0,80,0,44,0,0,
// State 35
0,0,0,0,0,0,0,0,0,0,0,81,0,44,0,0,
// State 36
0,0,-45,-45,-45,0,0,0,65,64,0,0,0,0,0,0,
// State 37
-23,-23,-23,-23,-23,0,0,0,0,0,0,0,0,0,0,0,
// State 38
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
// State 39
0,0,-55,-55,-55,0,0,0,0,0,0,0,0,0,0,0,
// State 40
0,0,0,0,0,0,0,0,0,0,14,0,0,0,0,49,
// State 41
-24,-24,-24,-24,-24,0,0,0,0,0,0,0,0,0,0,0,
// State 42
0,0,-56,-56,-56,0,0,0,0,0,0,0,0,0,0,0,
// State 43
-58,-58,-58,-58,-58,0,0,0,-58,-58,-58,-58,-58,-58,0,0,
// State 44
-20,-20,-20,-20,-20,0,0,0,0,0,0,0,0,0,0,0,
// State 45
0,0,-36,-36,-36,0,0,0,0,0,0,0,0,-36,0,0,
// State 46
0,0,-33,-33,-33,0,0,0,0,0,0,0,0,-33,0,0,
// State 47
0,0,-49,-49,-49,0,0,0,0,0,0,0,0,0,0,0,
// State 48
0,0,-52,-52,-52,0,0,0,0,0,0,0,0,0,0,0,
// State 49
0,0,-15,-15,-15,0,0,-15,-15,-15,0,0,0,-15,0,0,
// State 50
0,0,-3,-3,-3,0,0,0,-3,-3,0,0,0,-3,0,0,
// State 51
0,0,-12,-12,-12,0,0,-12,-12,-12,0,0,0,-12,0,0,
// State 52
0,0,-46,-46,-46,0,0,0,0,0,0,0,0,0,0,0,
// State 53
-63,-63,-63,-63,-63,0,0,0,0,0,0,0,0,-63,0,0,
// State 54
0,0,-77,-77,-77,0,0,0,0,0,0,0,0,0,0,0,
// State 55
0,0,-37,-37,-37,0,0,0,0,0,0,0,0,-37,0,0,
// State 56
0,0,0,0,0,0,0,0,0,0,28,0,0,0,0,0,
// State 57
0,0,0,0,0,0,0,0,0,0,29,0,0,0,0,0,
// State 58
0,0,0,0,0,-73,-73,0,0,0,0,-73,0,-73,0,0,
// State 59
0,0,0,0,0,0,0,0,0,0,-64,0,0,0,0,0,
// State 60
0,0,0,0,0,0,0,0,0,0,30,0,0,0,0,0,
// State 61
0,0,-50,-50,-50,0,0,0,0,0,0,0,0,0,0,0,
// State 62
0,0,-10,-10,-10,0,0,0,-10,-10,0,0,0,0,0,0,
// State 63
0,0,0,0,0,0,0,0,0,0,0,0,0,-17,0,-17,
// State 64
0,0,0,0,0,0,0,0,0,0,0,0,0,-57,0,-57,
// State 65
0,0,-16,-16,-16,0,0,-16,-16,-16,0,0,0,-16,0,0,
// State 66
-61,-61,-61,-61,-61,0,0,0,0,0,0,-61,0,-61,0,0,
// State 67
0,0,0,0,0,-74,-74,0,0,0,0,-74,0,-74,0,0,
// State 68
0,0,-51,-51,-51,0,0,0,0,0,0,0,0,0,0,0,
// State 69
0,0,-11,-11,-11,0,0,0,-11,-11,0,0,0,0,0,0,
// State 70
0,0,-6,-6,-6,0,0,0,-6,-6,0,0,0,0,0,0,
// State 71
0,0,-7,-7,-7,0,0,0,-7,-7,0,0,0,0,0,0,
// State 72
0,0,-4,-4,-4,0,0,0,-4,-4,0,0,0,0,0,0,
// State 73
0,0,-5,-5,-5,0,0,0,-5,-5,0,0,0,0,0,0,
// State 74
-62,-62,-62,-62,-62,0,0,0,0,0,0,-62,0,-62,0,0,
// State 75
0,0,0,0,0,-65,-65,0,0,0,0,-65,0,-65,0,0,
// State 76
0,0,0,0,0,-69,-69,0,0,0,0,-69,0,-69,0,0,
// State 77
0,0,0,0,0,-67,-67,0,0,0,0,-67,0,-67,0,0,
// State 78
0,0,0,0,0,-66,-66,0,0,0,0,-66,0,-66,0,0,
// State 79
0,0,0,0,0,-70,-70,0,0,0,0,-70,0,-70,0,0,
// State 80
0,0,0,0,0,-68,-68,0,0,0,0,-68,0,-68,0,0,
];
fn __action(state: i8, integer: usize) -> i8 {
__ACTION[(state as usize) * 16 + integer]
}
const __EOF_ACTION: &[i8] = &[
// State 0
-26,
// State 1
-30,
// State 2
-28,
// State 3
-25,
// State 4
0,
// State 5
-47,
// State 6
0,
// State 7
0,
// State 8
-32,
// State 9
-29,
// State 10
-27,
// State 11
0,
// State 12
-48,
// State 13
0,
// State 14
-38,
// State 15
0,
// State 16
-75,
// State 17
-31,
// State 18
-18,
// State 19
0,
// State 20
-42,
// State 21
-39,
// State 22
0,
// State 23
0,
// State 24
-40,
// State 25
-76,
// State 26
-19,
// State 27
0,
// State 28
0,
// State 29
0,
// State 30
-43,
// State 31
-44,
// State 32
-41,
// State 33
0,
// State 34
0,
// State 35
0,
// State 36
-45,
// State 37
-23,
// State 38
-80,
// State 39
-55,
// State 40
0,
// State 41
-24,
// State 42
-56,
// State 43
-58,
// State 44
-20,
// State 45
-36,
// State 46
-33,
// State 47
-49,
// State 48
-52,
// State 49
-15,
// State 50
-3,
// State 51
-12,
// State 52
-46,
// State 53
-63,
// State 54
-77,
// State 55
-37,
// State 56
0,
// State 57
0,
// State 58
0,
// State 59
0,
// State 60
0,
// State 61
-50,
// State 62
-10,
// State 63
0,
// State 64
0,
// State 65
-16,
// State 66
-61,
// State 67
0,
// State 68
-51,
// State 69
-11,
// State 70
-6,
// State 71
-7,
// State 72
-4,
// State 73
-5,
// State 74
-62,
// State 75
0,
// State 76
0,
// State 77
0,
// State 78
0,
// State 79
0,
// State 80
0,
];
fn __goto(state: i8, nt: usize) -> i8 {
match nt {
2 => match state {
15 => 24,
_ => 14,
},
3 => match state {
20 | 30..=31 | 36 => 69,
_ => 62,
},
5 => match state {
21 => 30,
24 => 31,
32 => 36,
_ => 20,
},
6 => match state {
15 | 21 | 32 => 65,
_ => 49,
},
8 => match state {
14 => 21,
24 => 32,
_ => 15,
},
9 => 22,
10 => match state {
1 => 41,
_ => 37,
},
12 => 1,
13 => 38,
14 => match state {
12 => 55,
_ => 45,
},
16 => 12,
17 => match state {
0..=1 | 3 | 9 => 39,
_ => 42,
},
19 => match state {
1 => 8,
3 => 10,
9 => 17,
_ => 2,
},
20 => 23,
21 => match state {
4 => 11,
13 | 19 => 56,
22 => 70,
23 => 72,
25..=26 | 33..=35 => 74,
_ => 66,
},
23 => match state {
18 => 26,
27 => 33,
28 => 34,
29 => 35,
_ => 25,
},
24 => match state {
11 => 18,
_ => 16,
},
25 => 57,
26 => match state {
19 => 67,
_ => 58,
},
28 => 19,
29 => match state {
1 => 9,
_ => 3,
},
_ => 0,
}
}
#[allow(clippy::needless_raw_string_hashes)]
const __TERMINAL: &[&str] = &[
r###""DOMAIN""###,
r###""variables start""###,
r###""rule start""###,
r###""GOAL""###,
r###""abstraction""###,
r###""projection""###,
r###""pieces""###,
r###""=>""###,
r###""LABEL""###,
r###""COST""###,
r###""{""###,
r###""}""###,
r###""number""###,
r###""word""###,
r###""damaged""###,
];
fn __expected_tokens(__state: i8) -> alloc::vec::Vec<alloc::string::String> {
__TERMINAL.iter().enumerate().filter_map(|(index, terminal)| {
let next_state = __action(__state, index);
if next_state == 0 {
None
} else {
Some(alloc::string::ToString::to_string(terminal))
}
}).collect()
}
fn __expected_tokens_from_states<
    'source,
    'report,
>(
__states: &[i8],
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> alloc::vec::Vec<alloc::string::String>
{
__TERMINAL.iter().enumerate().filter_map(|(index, terminal)| {
if __accepts(None, __states, Some(index), core::marker::PhantomData::<(&(), &())>) {
Some(alloc::string::ToString::to_string(terminal))
} else {
None
}
}).collect()
}
struct __StateMachine<'source, 'report>
where 
{
reporter: &'report mut Reporter,
__phantom: core::marker::PhantomData<(&'source (), &'report ())>,
}
impl<'source, 'report> __state_machine::ParserDefinition for __StateMachine<'source, 'report>
where 
{
type Location = usize;
type Error = std::convert::Infallible;
type Token = Token<'source>;
type TokenIndex = usize;
type Symbol = __Symbol<'source>;
type Success = ast::File;
type StateIndex = i8;
type Action = i8;
type ReduceIndex = i8;
type NonterminalIndex = usize;

#[inline]
fn start_location(&self) -> Self::Location {
  Default::default()
}

#[inline]
fn start_state(&self) -> Self::StateIndex {
  0
}

#[inline]
fn token_to_index(&self, token: &Self::Token) -> Option<usize> {
__token_to_integer(token, core::marker::PhantomData::<(&(), &())>)
}

#[inline]
fn action(&self, state: i8, integer: usize) -> i8 {
__action(state, integer)
}

#[inline]
fn error_action(&self, state: i8) -> i8 {
__action(state, 16 - 1)
}

#[inline]
fn eof_action(&self, state: i8) -> i8 {
__EOF_ACTION[state as usize]
}

#[inline]
fn goto(&self, state: i8, nt: usize) -> i8 {
__goto(state, nt)
}

fn token_to_symbol(&self, token_index: usize, token: Self::Token) -> Self::Symbol {
__token_to_symbol(token_index, token, core::marker::PhantomData::<(&(), &())>)
}

fn expected_tokens(&self, state: i8) -> alloc::vec::Vec<alloc::string::String> {
__expected_tokens(state)
}

fn expected_tokens_from_states(&self, states: &[i8]) -> alloc::vec::Vec<alloc::string::String> {
__expected_tokens_from_states(states, core::marker::PhantomData::<(&(), &())>)
}

#[inline]
fn uses_error_recovery(&self) -> bool {
true
}

#[inline]
fn error_recovery_symbol(
&self,
recovery: __state_machine::ErrorRecovery<Self>,
) -> Self::Symbol {
__Symbol::Variant2(recovery)
}

fn reduce(
&mut self,
action: i8,
start_location: Option<&Self::Location>,
states: &mut alloc::vec::Vec<i8>,
symbols: &mut alloc::vec::Vec<__state_machine::SymbolTriple<Self>>,
) -> Option<__state_machine::ParseResult<Self>> {
__reduce(
self.reporter,
action,
start_location,
states,
symbols,
core::marker::PhantomData::<(&(), &())>,
)
}

fn simulate_reduce(&self, action: i8) -> __state_machine::SimulatedReduce<Self> {
__simulate_reduce(action, core::marker::PhantomData::<(&(), &())>)
}
}
fn __token_to_integer<
    'source,
    'report,
>(
__token: &Token<'source>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> Option<usize>
{
#[warn(unused_variables)]
match __token {
Token { role: Role::Domain, .. } if true => Some(0),
Token { role: Role::VariablesStart, .. } if true => Some(1),
Token { role: Role::RuleStart, .. } if true => Some(2),
Token { role: Role::Goal, .. } if true => Some(3),
Token { role: Role::Abstraction, .. } if true => Some(4),
Token { role: Role::Projection, .. } if true => Some(5),
Token { role: Role::Pieces, text: _ } if true => Some(6),
Token { role: Role::Arrow, .. } if true => Some(7),
Token { role: Role::Label, .. } if true => Some(8),
Token { role: Role::Cost, .. } if true => Some(9),
Token { role: Role::Open, .. } if true => Some(10),
Token { role: Role::Close, .. } if true => Some(11),
Token { role: Role::Number, text: _ } if true => Some(12),
Token { role: Role::Word, text: _ } if true => Some(13),
Token { role: Role::Damaged, .. } if true => Some(14),
_ => None,
}
}
fn __token_to_symbol<
    'source,
    'report,
>(
__token_index: usize,
__token: Token<'source>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> __Symbol<'source>
{
#[allow(clippy::manual_range_patterns)]match __token_index {
0 | 1 | 2 | 3 | 4 | 5 | 7 | 8 | 9 | 10 | 11 | 14 => __Symbol::Variant0(__token),
6 | 12 | 13 => match __token {
Token { role: Role::Pieces, text: __tok0 } | Token { role: Role::Number, text: __tok0 } | Token { role: Role::Word, text: __tok0 } if true => __Symbol::Variant1(__tok0),
_ => unreachable!(),
},
_ => unreachable!(),
}
}
fn __simulate_reduce<
    'source,
    'report,
>(
__reduce_index: i8,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> __state_machine::SimulatedReduce<__StateMachine<'source, 'report>>
{
match __reduce_index {
0 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 0,
}
}
1 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 1,
}
}
2 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 2,
}
}
3 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 3,
}
}
4 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 3,
}
}
5 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 3,
}
}
6 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 3,
}
}
7 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 4,
}
}
8 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 4,
}
}
9 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 5,
}
}
10 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 5,
}
}
11 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 6,
}
}
12 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 7,
}
}
13 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 7,
}
}
14 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 8,
}
}
15 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 8,
}
}
16 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 9,
}
}
17 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 10,
}
}
18 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 4,
nonterminal_produced: 10,
}
}
19 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 10,
}
}
20 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 11,
}
}
21 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 11,
}
}
22 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 12,
}
}
23 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 12,
}
}
24 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 13,
}
}
25 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 13,
}
}
26 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 13,
}
}
27 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 13,
}
}
28 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 13,
}
}
29 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 13,
}
}
30 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 13,
}
}
31 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 13,
}
}
32 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 14,
}
}
33 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 15,
}
}
34 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 15,
}
}
35 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 16,
}
}
36 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 16,
}
}
37 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 17,
}
}
38 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 17,
}
}
39 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 17,
}
}
40 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 4,
nonterminal_produced: 17,
}
}
41 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 17,
}
}
42 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 4,
nonterminal_produced: 17,
}
}
43 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 4,
nonterminal_produced: 17,
}
}
44 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 5,
nonterminal_produced: 17,
}
}
45 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 17,
}
}
46 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 17,
}
}
47 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 17,
}
}
48 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 17,
}
}
49 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 17,
}
}
50 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 4,
nonterminal_produced: 17,
}
}
51 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 17,
}
}
52 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 18,
}
}
53 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 18,
}
}
54 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 19,
}
}
55 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 19,
}
}
56 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 20,
}
}
57 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 21,
}
}
58 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 22,
}
}
59 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 22,
}
}
60 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 23,
}
}
61 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 23,
}
}
62 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 24,
}
}
63 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 25,
}
}
64 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 26,
}
}
65 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 4,
nonterminal_produced: 26,
}
}
66 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 26,
}
}
67 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 4,
nonterminal_produced: 26,
}
}
68 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 26,
}
}
69 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 4,
nonterminal_produced: 26,
}
}
70 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 27,
}
}
71 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 27,
}
}
72 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 28,
}
}
73 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 28,
}
}
74 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 29,
}
}
75 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 3,
nonterminal_produced: 29,
}
}
76 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 2,
nonterminal_produced: 29,
}
}
77 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 1,
nonterminal_produced: 30,
}
}
78 => {
__state_machine::SimulatedReduce::Reduce {
states_to_pop: 0,
nonterminal_produced: 30,
}
}
79 => __state_machine::SimulatedReduce::Accept,
_ => panic!("invalid reduction index {__reduce_index}")
}
}
pub struct FileParser {
_priv: (),
}

impl Default for FileParser { fn default() -> Self { Self::new() } }
impl FileParser {
pub fn new() -> FileParser {
FileParser {
_priv: (),
}
}

#[allow(dead_code)]
pub fn parse<
    'source,
    'report,
    __TOKEN: __ToTriple<'source, 'report, >,
    __TOKENS: IntoIterator<Item=__TOKEN>,
>(
&self,
reporter: &'report mut Reporter,
__tokens0: __TOKENS,
) -> Result<ast::File, __lalrpop_util::ParseError<usize, Token<'source>, std::convert::Infallible>>
{
let __tokens = __tokens0.into_iter();
let mut __tokens = __tokens.map(|t| __ToTriple::to_triple(t));
__state_machine::Parser::drive(
__StateMachine {
reporter,
__phantom: core::marker::PhantomData::<(&(), &())>,
},
__tokens,
)
}
}
fn __accepts<
    'source,
    'report,
>(
__error_state: Option<i8>,
__states: &[i8],
__opt_integer: Option<usize>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> bool
{
let mut __states = __states.to_vec();
__states.extend(__error_state);
loop {
let mut __states_len = __states.len();
let __top = __states[__states_len - 1];
let __action = match __opt_integer {
None => __EOF_ACTION[__top as usize],
Some(__integer) => __action(__top, __integer),
};
if __action == 0 { return false; }
if __action > 0 { return true; }
let (__to_pop, __nt) = match __simulate_reduce(-(__action + 1), core::marker::PhantomData::<(&(), &())>) {
__state_machine::SimulatedReduce::Reduce {
states_to_pop, nonterminal_produced
} => (states_to_pop, nonterminal_produced),
__state_machine::SimulatedReduce::Accept => return true,
};
__states_len -= __to_pop;
__states.truncate(__states_len);
let __top = __states[__states_len - 1];
let __next_state = __goto(__top, __nt);
__states.push(__next_state);
}
}
fn __reduce<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__action: i8,
__lookahead_start: Option<&usize>,
__states: &mut alloc::vec::Vec<i8>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> Option<Result<ast::File,__lalrpop_util::ParseError<usize, Token<'source>, std::convert::Infallible>>>
{
let (__pop_states, __nonterminal) = match __action {
0 => {
__reduce0(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
1 => {
__reduce1(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
2 => {
__reduce2(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
3 => {
__reduce3(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
4 => {
__reduce4(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
5 => {
__reduce5(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
6 => {
__reduce6(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
7 => {
__reduce7(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
8 => {
__reduce8(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
9 => {
__reduce9(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
10 => {
__reduce10(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
11 => {
__reduce11(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
12 => {
__reduce12(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
13 => {
__reduce13(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
14 => {
__reduce14(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
15 => {
__reduce15(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
16 => {
__reduce16(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
17 => {
__reduce17(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
18 => {
__reduce18(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
19 => {
__reduce19(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
20 => {
__reduce20(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
21 => {
__reduce21(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
22 => {
__reduce22(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
23 => {
__reduce23(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
24 => {
__reduce24(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
25 => {
__reduce25(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
26 => {
__reduce26(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
27 => {
__reduce27(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
28 => {
__reduce28(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
29 => {
__reduce29(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
30 => {
__reduce30(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
31 => {
__reduce31(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
32 => {
__reduce32(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
33 => {
__reduce33(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
34 => {
__reduce34(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
35 => {
__reduce35(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
36 => {
__reduce36(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
37 => {
__reduce37(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
38 => {
__reduce38(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
39 => {
__reduce39(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
40 => {
__reduce40(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
41 => {
__reduce41(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
42 => {
__reduce42(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
43 => {
__reduce43(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
44 => {
__reduce44(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
45 => {
__reduce45(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
46 => {
__reduce46(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
47 => {
__reduce47(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
48 => {
__reduce48(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
49 => {
__reduce49(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
50 => {
__reduce50(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
51 => {
__reduce51(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
52 => {
__reduce52(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
53 => {
__reduce53(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
54 => {
__reduce54(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
55 => {
__reduce55(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
56 => {
__reduce56(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
57 => {
__reduce57(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
58 => {
__reduce58(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
59 => {
__reduce59(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
60 => {
__reduce60(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
61 => {
__reduce61(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
62 => {
__reduce62(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
63 => {
__reduce63(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
64 => {
__reduce64(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
65 => {
__reduce65(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
66 => {
__reduce66(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
67 => {
__reduce67(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
68 => {
__reduce68(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
69 => {
__reduce69(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
70 => {
__reduce70(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
71 => {
__reduce71(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
72 => {
__reduce72(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
73 => {
__reduce73(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
74 => {
__reduce74(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
75 => {
__reduce75(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
76 => {
__reduce76(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
77 => {
__reduce77(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
78 => {
__reduce78(reporter, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
}
79 => {
// __File = File => ActionFn(0);
let __sym0 = __pop_Variant11(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action0::<>(reporter, __sym0);
return Some(Ok(__nt));
}
_ => panic!("invalid action code {__action}")
};
let __states_len = __states.len();
__states.truncate(__states_len - __pop_states);
let __state = *__states.last().unwrap();
let __next_state = __goto(__state, __nonterminal);
__states.push(__next_state);
None
}
#[inline(never)]
fn __symbol_type_mismatch() -> ! {
panic!("symbol type mismatch")
}
fn __pop_Variant5<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Attribute, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant5(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant14<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Name, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant14(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant16<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Number, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant16(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant12<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Option<Item>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant12(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant20<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Option<Option<ast::VariablesDecl>>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant20(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant9<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Option<ast::DomainDecl>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant9(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant19<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Option<ast::VariablesDecl>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant19(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant17<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Section, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant17(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant4<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Span, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant4(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant0<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, Token<'source>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant0(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant2<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, __lalrpop_util::ErrorRecovery<usize, Token<'source>, std::convert::Infallible>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant2(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant6<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, alloc::vec::Vec<Attribute>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant6(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant15<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, alloc::vec::Vec<Name>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant15(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant13<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, alloc::vec::Vec<Option<Item>>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant13(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant10<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant10(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant18<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, alloc::vec::Vec<Section>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant18(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant8<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, alloc::vec::Vec<ast::Cell>, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant8(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant7<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, ast::Cell, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant7(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant11<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, ast::File, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant11(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant3<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, usize, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant3(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __pop_Variant1<
  'source,
>(
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>
) -> (usize, &'source str, usize)
 {
match __symbols.pop() {
Some((__l, __Symbol::Variant1(__v), __r)) => (__l, __v, __r),
_ => __symbol_type_mismatch()
}
}
fn __reduce0<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// @L =  => ActionFn(38);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action38::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant3(__nt), __end));
(0, 0)
}
fn __reduce1<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// @R =  => ActionFn(35);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action35::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant3(__nt), __end));
(0, 1)
}
fn __reduce2<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Arrow = "=>" => ActionFn(75);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action75::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant4(__nt), __end));
(1, 2)
}
fn __reduce3<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Attribute = Label, Name => ActionFn(12);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant14(__symbols);
let __sym0 = __pop_Variant4(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action12::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant5(__nt), __end));
(2, 3)
}
fn __reduce4<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Attribute = Label, error => ActionFn(13);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant2(__symbols);
let __sym0 = __pop_Variant4(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action13::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant5(__nt), __end));
(2, 3)
}
fn __reduce5<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Attribute = Cost, Name => ActionFn(14);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant14(__symbols);
let __sym0 = __pop_Variant4(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action14::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant5(__nt), __end));
(2, 3)
}
fn __reduce6<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Attribute = Cost, error => ActionFn(15);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant2(__symbols);
let __sym0 = __pop_Variant4(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action15::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant5(__nt), __end));
(2, 3)
}
fn __reduce7<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Attribute* =  => ActionFn(31);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action31::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant6(__nt), __end));
(0, 4)
}
fn __reduce8<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Attribute* = Attribute+ => ActionFn(32);
let __sym0 = __pop_Variant6(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action32::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant6(__nt), __end));
(1, 4)
}
fn __reduce9<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Attribute+ = Attribute => ActionFn(53);
let __sym0 = __pop_Variant5(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action53::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant6(__nt), __end));
(1, 5)
}
fn __reduce10<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Attribute+ = Attribute+, Attribute => ActionFn(54);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant5(__symbols);
let __sym0 = __pop_Variant6(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action54::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant6(__nt), __end));
(2, 5)
}
fn __reduce11<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Cell = "word" => ActionFn(76);
let __sym0 = __pop_Variant1(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action76::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant7(__nt), __end));
(1, 6)
}
fn __reduce12<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Cell* =  => ActionFn(33);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action33::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant8(__nt), __end));
(0, 7)
}
fn __reduce13<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Cell* = Cell+ => ActionFn(34);
let __sym0 = __pop_Variant8(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action34::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant8(__nt), __end));
(1, 7)
}
fn __reduce14<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Cell+ = Cell => ActionFn(51);
let __sym0 = __pop_Variant7(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action51::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant8(__nt), __end));
(1, 8)
}
fn __reduce15<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Cell+ = Cell+, Cell => ActionFn(52);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant7(__symbols);
let __sym0 = __pop_Variant8(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action52::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant8(__nt), __end));
(2, 8)
}
fn __reduce16<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Cost = "COST" => ActionFn(77);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action77::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant4(__nt), __end));
(1, 9)
}
fn __reduce17<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Domain = "DOMAIN", Name, Number => ActionFn(109);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant16(__symbols);
let __sym1 = __pop_Variant14(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action109::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant9(__nt), __end));
(3, 10)
}
fn __reduce18<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Domain = "DOMAIN", Name, Number, Name+ => ActionFn(110);
assert!(__symbols.len() >= 4);
let __sym3 = __pop_Variant15(__symbols);
let __sym2 = __pop_Variant16(__symbols);
let __sym1 = __pop_Variant14(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym3.2.clone();
let __nt = super::__action110::<>(reporter, __sym0, __sym1, __sym2, __sym3);
__symbols.push((__start, __Symbol::Variant9(__nt), __end));
(4, 10)
}
fn __reduce19<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Domain = "DOMAIN", error => ActionFn(3);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant2(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action3::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant9(__nt), __end));
(2, 10)
}
fn __reduce20<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Domain* =  => ActionFn(43);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action43::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant10(__nt), __end));
(0, 11)
}
fn __reduce21<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Domain* = Domain+ => ActionFn(44);
let __sym0 = __pop_Variant10(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action44::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant10(__nt), __end));
(1, 11)
}
fn __reduce22<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Domain+ = Domain => ActionFn(45);
let __sym0 = __pop_Variant9(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action45::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant10(__nt), __end));
(1, 12)
}
fn __reduce23<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Domain+ = Domain+, Domain => ActionFn(46);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant9(__symbols);
let __sym0 = __pop_Variant10(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action46::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant10(__nt), __end));
(2, 12)
}
fn __reduce24<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// File = Variables => ActionFn(121);
let __sym0 = __pop_Variant19(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action121::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant11(__nt), __end));
(1, 13)
}
fn __reduce25<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// File =  => ActionFn(122);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action122::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant11(__nt), __end));
(0, 13)
}
fn __reduce26<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// File = Variables, Item+ => ActionFn(123);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant13(__symbols);
let __sym0 = __pop_Variant19(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action123::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant11(__nt), __end));
(2, 13)
}
fn __reduce27<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// File = Item+ => ActionFn(124);
let __sym0 = __pop_Variant13(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action124::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant11(__nt), __end));
(1, 13)
}
fn __reduce28<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// File = Domain+, Variables => ActionFn(125);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant19(__symbols);
let __sym0 = __pop_Variant10(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action125::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant11(__nt), __end));
(2, 13)
}
fn __reduce29<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// File = Domain+ => ActionFn(126);
let __sym0 = __pop_Variant10(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action126::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant11(__nt), __end));
(1, 13)
}
fn __reduce30<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// File = Domain+, Variables, Item+ => ActionFn(127);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant13(__symbols);
let __sym1 = __pop_Variant19(__symbols);
let __sym0 = __pop_Variant10(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action127::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant11(__nt), __end));
(3, 13)
}
fn __reduce31<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// File = Domain+, Item+ => ActionFn(128);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant13(__symbols);
let __sym0 = __pop_Variant10(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action128::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant11(__nt), __end));
(2, 13)
}
fn __reduce32<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// GoalCell = "word" => ActionFn(79);
let __sym0 = __pop_Variant1(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action79::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant7(__nt), __end));
(1, 14)
}
fn __reduce33<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// GoalCell* =  => ActionFn(29);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action29::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant8(__nt), __end));
(0, 15)
}
fn __reduce34<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// GoalCell* = GoalCell+ => ActionFn(30);
let __sym0 = __pop_Variant8(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action30::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant8(__nt), __end));
(1, 15)
}
fn __reduce35<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// GoalCell+ = GoalCell => ActionFn(55);
let __sym0 = __pop_Variant7(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action55::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant8(__nt), __end));
(1, 16)
}
fn __reduce36<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// GoalCell+ = GoalCell+, GoalCell => ActionFn(56);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant7(__symbols);
let __sym0 = __pop_Variant8(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action56::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant8(__nt), __end));
(2, 16)
}
fn __reduce37<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "rule start", Arrow => ActionFn(93);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant4(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action93::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(2, 17)
}
fn __reduce38<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "rule start", Arrow, Cell+ => ActionFn(94);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant8(__symbols);
let __sym1 = __pop_Variant4(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action94::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(3, 17)
}
fn __reduce39<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "rule start", Cell+, Arrow => ActionFn(95);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant4(__symbols);
let __sym1 = __pop_Variant8(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action95::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(3, 17)
}
fn __reduce40<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "rule start", Cell+, Arrow, Cell+ => ActionFn(96);
assert!(__symbols.len() >= 4);
let __sym3 = __pop_Variant8(__symbols);
let __sym2 = __pop_Variant4(__symbols);
let __sym1 = __pop_Variant8(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym3.2.clone();
let __nt = super::__action96::<>(reporter, __sym0, __sym1, __sym2, __sym3);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(4, 17)
}
fn __reduce41<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "rule start", Arrow, Attribute+ => ActionFn(97);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant6(__symbols);
let __sym1 = __pop_Variant4(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action97::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(3, 17)
}
fn __reduce42<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "rule start", Arrow, Cell+, Attribute+ => ActionFn(98);
assert!(__symbols.len() >= 4);
let __sym3 = __pop_Variant6(__symbols);
let __sym2 = __pop_Variant8(__symbols);
let __sym1 = __pop_Variant4(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym3.2.clone();
let __nt = super::__action98::<>(reporter, __sym0, __sym1, __sym2, __sym3);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(4, 17)
}
fn __reduce43<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "rule start", Cell+, Arrow, Attribute+ => ActionFn(99);
assert!(__symbols.len() >= 4);
let __sym3 = __pop_Variant6(__symbols);
let __sym2 = __pop_Variant4(__symbols);
let __sym1 = __pop_Variant8(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym3.2.clone();
let __nt = super::__action99::<>(reporter, __sym0, __sym1, __sym2, __sym3);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(4, 17)
}
fn __reduce44<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "rule start", Cell+, Arrow, Cell+, Attribute+ => ActionFn(100);
assert!(__symbols.len() >= 5);
let __sym4 = __pop_Variant6(__symbols);
let __sym3 = __pop_Variant8(__symbols);
let __sym2 = __pop_Variant4(__symbols);
let __sym1 = __pop_Variant8(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym4.2.clone();
let __nt = super::__action100::<>(reporter, __sym0, __sym1, __sym2, __sym3, __sym4);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(5, 17)
}
fn __reduce45<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "rule start", error => ActionFn(7);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant2(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action7::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(2, 17)
}
fn __reduce46<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "GOAL" => ActionFn(103);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action103::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(1, 17)
}
fn __reduce47<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "GOAL", GoalCell+ => ActionFn(104);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant8(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action104::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(2, 17)
}
fn __reduce48<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "GOAL", error => ActionFn(9);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant2(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action9::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(2, 17)
}
fn __reduce49<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "abstraction", "{", "}" => ActionFn(119);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant0(__symbols);
let __sym1 = __pop_Variant0(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action119::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(3, 17)
}
fn __reduce50<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "abstraction", "{", Section+, "}" => ActionFn(120);
assert!(__symbols.len() >= 4);
let __sym3 = __pop_Variant0(__symbols);
let __sym2 = __pop_Variant18(__symbols);
let __sym1 = __pop_Variant0(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym3.2.clone();
let __nt = super::__action120::<>(reporter, __sym0, __sym1, __sym2, __sym3);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(4, 17)
}
fn __reduce51<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item = "abstraction", error => ActionFn(11);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant2(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action11::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant12(__nt), __end));
(2, 17)
}
fn __reduce52<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item* =  => ActionFn(39);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action39::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant13(__nt), __end));
(0, 18)
}
fn __reduce53<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item* = Item+ => ActionFn(40);
let __sym0 = __pop_Variant13(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action40::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant13(__nt), __end));
(1, 18)
}
fn __reduce54<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item+ = Item => ActionFn(47);
let __sym0 = __pop_Variant12(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action47::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant13(__nt), __end));
(1, 19)
}
fn __reduce55<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Item+ = Item+, Item => ActionFn(48);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant12(__symbols);
let __sym0 = __pop_Variant13(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action48::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant13(__nt), __end));
(2, 19)
}
fn __reduce56<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Label = "LABEL" => ActionFn(83);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action83::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant4(__nt), __end));
(1, 20)
}
fn __reduce57<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Name = "word" => ActionFn(84);
let __sym0 = __pop_Variant1(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action84::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant14(__nt), __end));
(1, 21)
}
fn __reduce58<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Name* =  => ActionFn(36);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action36::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant15(__nt), __end));
(0, 22)
}
fn __reduce59<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Name* = Name+ => ActionFn(37);
let __sym0 = __pop_Variant15(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action37::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant15(__nt), __end));
(1, 22)
}
fn __reduce60<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Name+ = Name => ActionFn(49);
let __sym0 = __pop_Variant14(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action49::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant15(__nt), __end));
(1, 23)
}
fn __reduce61<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Name+ = Name+, Name => ActionFn(50);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant14(__symbols);
let __sym0 = __pop_Variant15(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action50::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant15(__nt), __end));
(2, 23)
}
fn __reduce62<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Number = "number" => ActionFn(85);
let __sym0 = __pop_Variant1(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action85::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant16(__nt), __end));
(1, 24)
}
fn __reduce63<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// PiecesWord = "pieces" => ActionFn(86);
let __sym0 = __pop_Variant1(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action86::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant14(__nt), __end));
(1, 25)
}
fn __reduce64<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section = Name, "{", "}" => ActionFn(111);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant0(__symbols);
let __sym1 = __pop_Variant0(__symbols);
let __sym0 = __pop_Variant14(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action111::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant17(__nt), __end));
(3, 26)
}
fn __reduce65<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section = Name, "{", Name+, "}" => ActionFn(112);
assert!(__symbols.len() >= 4);
let __sym3 = __pop_Variant0(__symbols);
let __sym2 = __pop_Variant15(__symbols);
let __sym1 = __pop_Variant0(__symbols);
let __sym0 = __pop_Variant14(__symbols);
let __start = __sym0.0.clone();
let __end = __sym3.2.clone();
let __nt = super::__action112::<>(reporter, __sym0, __sym1, __sym2, __sym3);
__symbols.push((__start, __Symbol::Variant17(__nt), __end));
(4, 26)
}
fn __reduce66<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section = "projection", "{", "}" => ActionFn(113);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant0(__symbols);
let __sym1 = __pop_Variant0(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action113::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant17(__nt), __end));
(3, 26)
}
fn __reduce67<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section = "projection", "{", Name+, "}" => ActionFn(114);
assert!(__symbols.len() >= 4);
let __sym3 = __pop_Variant0(__symbols);
let __sym2 = __pop_Variant15(__symbols);
let __sym1 = __pop_Variant0(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym3.2.clone();
let __nt = super::__action114::<>(reporter, __sym0, __sym1, __sym2, __sym3);
__symbols.push((__start, __Symbol::Variant17(__nt), __end));
(4, 26)
}
fn __reduce68<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section = PiecesWord, "{", "}" => ActionFn(115);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant0(__symbols);
let __sym1 = __pop_Variant0(__symbols);
let __sym0 = __pop_Variant14(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action115::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant17(__nt), __end));
(3, 26)
}
fn __reduce69<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section = PiecesWord, "{", Name+, "}" => ActionFn(116);
assert!(__symbols.len() >= 4);
let __sym3 = __pop_Variant0(__symbols);
let __sym2 = __pop_Variant15(__symbols);
let __sym1 = __pop_Variant0(__symbols);
let __sym0 = __pop_Variant14(__symbols);
let __start = __sym0.0.clone();
let __end = __sym3.2.clone();
let __nt = super::__action116::<>(reporter, __sym0, __sym1, __sym2, __sym3);
__symbols.push((__start, __Symbol::Variant17(__nt), __end));
(4, 26)
}
fn __reduce70<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section* =  => ActionFn(27);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action27::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant18(__nt), __end));
(0, 27)
}
fn __reduce71<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section* = Section+ => ActionFn(28);
let __sym0 = __pop_Variant18(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action28::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant18(__nt), __end));
(1, 27)
}
fn __reduce72<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section+ = Section => ActionFn(57);
let __sym0 = __pop_Variant17(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action57::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant18(__nt), __end));
(1, 28)
}
fn __reduce73<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Section+ = Section+, Section => ActionFn(58);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant17(__symbols);
let __sym0 = __pop_Variant18(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action58::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant18(__nt), __end));
(2, 28)
}
fn __reduce74<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Variables = "variables start", Number => ActionFn(117);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant16(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action117::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant19(__nt), __end));
(2, 29)
}
fn __reduce75<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Variables = "variables start", Number, Name+ => ActionFn(118);
assert!(__symbols.len() >= 3);
let __sym2 = __pop_Variant15(__symbols);
let __sym1 = __pop_Variant16(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym2.2.clone();
let __nt = super::__action118::<>(reporter, __sym0, __sym1, __sym2);
__symbols.push((__start, __Symbol::Variant19(__nt), __end));
(3, 29)
}
fn __reduce76<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Variables = "variables start", error => ActionFn(5);
assert!(__symbols.len() >= 2);
let __sym1 = __pop_Variant2(__symbols);
let __sym0 = __pop_Variant0(__symbols);
let __start = __sym0.0.clone();
let __end = __sym1.2.clone();
let __nt = super::__action5::<>(reporter, __sym0, __sym1);
__symbols.push((__start, __Symbol::Variant19(__nt), __end));
(2, 29)
}
fn __reduce77<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Variables? = Variables => ActionFn(41);
let __sym0 = __pop_Variant19(__symbols);
let __start = __sym0.0.clone();
let __end = __sym0.2.clone();
let __nt = super::__action41::<>(reporter, __sym0);
__symbols.push((__start, __Symbol::Variant20(__nt), __end));
(1, 30)
}
fn __reduce78<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookahead_start: Option<&usize>,
__symbols: &mut alloc::vec::Vec<(usize,__Symbol<'source>,usize)>,
_: core::marker::PhantomData<(&'source (), &'report ())>,
) -> (usize, usize)
{
// Variables? =  => ActionFn(42);
let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
let __end = __start.clone();
let __nt = super::__action42::<>(reporter, &__start, &__end);
__symbols.push((__start, __Symbol::Variant20(__nt), __end));
(0, 30)
}
}
#[allow(unused_imports)]
pub use self::__parse__File::FileParser;

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action0<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, __0, _): (usize, ast::File, usize),
) -> ast::File
{
__0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action1<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, domains, _): (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
(_, variables, _): (usize, Option<Option<ast::VariablesDecl>>, usize),
(_, items, _): (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> ast::File
{
ast::File {
        domains: domains.into_iter().flatten().collect(),
        variables: variables.flatten(),
        items: items.into_iter().flatten().collect(),
        comments: Vec::new(),
    }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action2<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, name, _): (usize, Name, usize),
(_, size, _): (usize, Number, usize),
(_, values, _): (usize, alloc::vec::Vec<Name>, usize),
(_, end, _): (usize, usize, usize),
) -> Option<ast::DomainDecl>
{
Some(ast::DomainDecl { span: Span::new(start, end), name, size, values })
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action3<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, _, _): (usize, Token<'source>, usize),
(_, error, _): (usize, __lalrpop_util::ErrorRecovery<usize, Token<'source>, std::convert::Infallible>, usize),
) -> Option<ast::DomainDecl>
{
nodes::skipped(reporter, error)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action4<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, _, _): (usize, Token<'source>, usize),
(_, start, _): (usize, usize, usize),
(_, count, _): (usize, Number, usize),
(_, domains, _): (usize, alloc::vec::Vec<Name>, usize),
(_, end, _): (usize, usize, usize),
) -> Option<ast::VariablesDecl>
{
Some(ast::VariablesDecl { span: Span::new(start, end), count, domains })
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action5<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, _, _): (usize, Token<'source>, usize),
(_, error, _): (usize, __lalrpop_util::ErrorRecovery<usize, Token<'source>, std::convert::Infallible>, usize),
) -> Option<ast::VariablesDecl>
{
nodes::skipped(reporter, error)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action6<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, lhs, _): (usize, alloc::vec::Vec<ast::Cell>, usize),
(_, arrow, _): (usize, Span, usize),
(_, rhs, _): (usize, alloc::vec::Vec<ast::Cell>, usize),
(_, attributes, _): (usize, alloc::vec::Vec<Attribute>, usize),
(_, end, _): (usize, usize, usize),
) -> Option<Item>
{
Some(Item::Rule(nodes::rule(reporter, Span::new(start, end), lhs, arrow, rhs, attributes)))
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action7<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, _, _): (usize, Token<'source>, usize),
(_, error, _): (usize, __lalrpop_util::ErrorRecovery<usize, Token<'source>, std::convert::Infallible>, usize),
) -> Option<Item>
{
nodes::skipped(reporter, error)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action8<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, cells, _): (usize, alloc::vec::Vec<ast::Cell>, usize),
(_, end, _): (usize, usize, usize),
) -> Option<Item>
{
Some(Item::Goal(ast::GoalDecl { span: Span::new(start, end), cells }))
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action9<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, _, _): (usize, Token<'source>, usize),
(_, error, _): (usize, __lalrpop_util::ErrorRecovery<usize, Token<'source>, std::convert::Infallible>, usize),
) -> Option<Item>
{
nodes::skipped(reporter, error)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action10<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, sections, _): (usize, alloc::vec::Vec<Section>, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, end, _): (usize, usize, usize),
) -> Option<Item>
{
Some(Item::Abstraction(nodes::abstraction(reporter, Span::new(start, end), sections)))
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action11<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, _, _): (usize, Token<'source>, usize),
(_, error, _): (usize, __lalrpop_util::ErrorRecovery<usize, Token<'source>, std::convert::Infallible>, usize),
) -> Option<Item>
{
nodes::skipped(reporter, error)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action12<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, keyword, _): (usize, Span, usize),
(_, name, _): (usize, Name, usize),
) -> Attribute
{
Attribute::Label(keyword, Some(name))
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action13<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, keyword, _): (usize, Span, usize),
(_, _, _): (usize, __lalrpop_util::ErrorRecovery<usize, Token<'source>, std::convert::Infallible>, usize),
) -> Attribute
{
nodes::missing_label(reporter, keyword)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action14<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, keyword, _): (usize, Span, usize),
(_, cost, _): (usize, Name, usize),
) -> Attribute
{
nodes::cost(reporter, keyword, cost)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action15<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, keyword, _): (usize, Span, usize),
(_, _, _): (usize, __lalrpop_util::ErrorRecovery<usize, Token<'source>, std::convert::Infallible>, usize),
) -> Attribute
{
nodes::missing_cost(reporter, keyword)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action16<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, end, _): (usize, usize, usize),
) -> Span
{
Span::new(start, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action17<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, end, _): (usize, usize, usize),
) -> Span
{
Span::new(start, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action18<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, domain, _): (usize, Name, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, values, _): (usize, alloc::vec::Vec<Name>, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, end, _): (usize, usize, usize),
) -> Section
{
Section::Mapping(ast::DomainMapping { span: Span::new(start, end), domain, values })
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action19<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, entries, _): (usize, alloc::vec::Vec<Name>, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, end, _): (usize, usize, usize),
) -> Section
{
nodes::projection(reporter, Span::new(start, end), entries)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action20<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, name, _): (usize, Name, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, letters, _): (usize, alloc::vec::Vec<Name>, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, end, _): (usize, usize, usize),
) -> Section
{
Section::Pieces(ast::Pieces { span: Span::new(start, end), name, letters })
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action21<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, text, _): (usize, &'source str, usize),
(_, end, _): (usize, usize, usize),
) -> Name
{
Name { text: text.to_owned(), span: Span::new(start, end) }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action22<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, _, _): (usize, Token<'source>, usize),
(_, end, _): (usize, usize, usize),
) -> Span
{
Span::new(start, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action23<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, text, _): (usize, &'source str, usize),
(_, end, _): (usize, usize, usize),
) -> Name
{
Name { text: text.to_owned(), span: Span::new(start, end) }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action24<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, text, _): (usize, &'source str, usize),
(_, end, _): (usize, usize, usize),
) -> Number
{
nodes::counted_number(text, Span::new(start, end))
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action25<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, text, _): (usize, &'source str, usize),
(_, end, _): (usize, usize, usize),
) -> ast::Cell
{
nodes::cell(text, Span::new(start, end))
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action26<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, start, _): (usize, usize, usize),
(_, text, _): (usize, &'source str, usize),
(_, end, _): (usize, usize, usize),
) -> ast::Cell
{
ast::Cell { starred: false, text: text.to_owned(), span: Span::new(start, end) }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action27<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> alloc::vec::Vec<Section>
{
alloc::vec![]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action28<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Section>, usize),
) -> alloc::vec::Vec<Section>
{
v
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action29<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> alloc::vec::Vec<ast::Cell>
{
alloc::vec![]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action30<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<ast::Cell>, usize),
) -> alloc::vec::Vec<ast::Cell>
{
v
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action31<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> alloc::vec::Vec<Attribute>
{
alloc::vec![]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action32<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Attribute>, usize),
) -> alloc::vec::Vec<Attribute>
{
v
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action33<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> alloc::vec::Vec<ast::Cell>
{
alloc::vec![]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action34<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<ast::Cell>, usize),
) -> alloc::vec::Vec<ast::Cell>
{
v
}

#[allow(unused_variables)]
#[allow(clippy::needless_lifetimes)]
fn __action35<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> usize
{
*__lookbehind
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action36<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> alloc::vec::Vec<Name>
{
alloc::vec![]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action37<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Name>, usize),
) -> alloc::vec::Vec<Name>
{
v
}

#[allow(unused_variables)]
#[allow(clippy::needless_lifetimes)]
fn __action38<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> usize
{
*__lookahead
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action39<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> alloc::vec::Vec<Option<Item>>
{
alloc::vec![]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action40<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> alloc::vec::Vec<Option<Item>>
{
v
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action41<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, __0, _): (usize, Option<ast::VariablesDecl>, usize),
) -> Option<Option<ast::VariablesDecl>>
{
Some(__0)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action42<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> Option<Option<ast::VariablesDecl>>
{
None
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action43<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> alloc::vec::Vec<Option<ast::DomainDecl>>
{
alloc::vec![]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action44<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
) -> alloc::vec::Vec<Option<ast::DomainDecl>>
{
v
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action45<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, __0, _): (usize, Option<ast::DomainDecl>, usize),
) -> alloc::vec::Vec<Option<ast::DomainDecl>>
{
alloc::vec![__0]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action46<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
(_, e, _): (usize, Option<ast::DomainDecl>, usize),
) -> alloc::vec::Vec<Option<ast::DomainDecl>>
{
{ let mut v = v; v.push(e); v }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action47<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, __0, _): (usize, Option<Item>, usize),
) -> alloc::vec::Vec<Option<Item>>
{
alloc::vec![__0]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action48<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Option<Item>>, usize),
(_, e, _): (usize, Option<Item>, usize),
) -> alloc::vec::Vec<Option<Item>>
{
{ let mut v = v; v.push(e); v }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action49<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, __0, _): (usize, Name, usize),
) -> alloc::vec::Vec<Name>
{
alloc::vec![__0]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action50<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Name>, usize),
(_, e, _): (usize, Name, usize),
) -> alloc::vec::Vec<Name>
{
{ let mut v = v; v.push(e); v }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action51<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, __0, _): (usize, ast::Cell, usize),
) -> alloc::vec::Vec<ast::Cell>
{
alloc::vec![__0]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action52<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<ast::Cell>, usize),
(_, e, _): (usize, ast::Cell, usize),
) -> alloc::vec::Vec<ast::Cell>
{
{ let mut v = v; v.push(e); v }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action53<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, __0, _): (usize, Attribute, usize),
) -> alloc::vec::Vec<Attribute>
{
alloc::vec![__0]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action54<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Attribute>, usize),
(_, e, _): (usize, Attribute, usize),
) -> alloc::vec::Vec<Attribute>
{
{ let mut v = v; v.push(e); v }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action55<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, __0, _): (usize, ast::Cell, usize),
) -> alloc::vec::Vec<ast::Cell>
{
alloc::vec![__0]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action56<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<ast::Cell>, usize),
(_, e, _): (usize, ast::Cell, usize),
) -> alloc::vec::Vec<ast::Cell>
{
{ let mut v = v; v.push(e); v }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action57<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, __0, _): (usize, Section, usize),
) -> alloc::vec::Vec<Section>
{
alloc::vec![__0]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action58<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
(_, v, _): (usize, alloc::vec::Vec<Section>, usize),
(_, e, _): (usize, Section, usize),
) -> alloc::vec::Vec<Section>
{
{ let mut v = v; v.push(e); v }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action59<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, usize, usize),
) -> Span
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action22(
reporter,
__temp0,
__0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action60<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
__1: (usize, usize, usize),
) -> ast::Cell
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action25(
reporter,
__temp0,
__0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action61<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, usize, usize),
) -> Span
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action17(
reporter,
__temp0,
__0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action62<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Name, usize),
__2: (usize, Number, usize),
__3: (usize, alloc::vec::Vec<Name>, usize),
__4: (usize, usize, usize),
) -> Option<ast::DomainDecl>
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action2(
reporter,
__temp0,
__0,
__1,
__2,
__3,
__4,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action63<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
__1: (usize, usize, usize),
) -> ast::Cell
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action26(
reporter,
__temp0,
__0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action64<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
__2: (usize, Span, usize),
__3: (usize, alloc::vec::Vec<ast::Cell>, usize),
__4: (usize, alloc::vec::Vec<Attribute>, usize),
__5: (usize, usize, usize),
) -> Option<Item>
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action6(
reporter,
__temp0,
__0,
__1,
__2,
__3,
__4,
__5,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action65<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
__2: (usize, usize, usize),
) -> Option<Item>
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action8(
reporter,
__temp0,
__0,
__1,
__2,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action66<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Section>, usize),
__3: (usize, Token<'source>, usize),
__4: (usize, usize, usize),
) -> Option<Item>
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action10(
reporter,
__temp0,
__0,
__1,
__2,
__3,
__4,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action67<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, usize, usize),
) -> Span
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action16(
reporter,
__temp0,
__0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action68<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
__1: (usize, usize, usize),
) -> Name
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action23(
reporter,
__temp0,
__0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action69<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
__1: (usize, usize, usize),
) -> Number
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action24(
reporter,
__temp0,
__0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action70<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
__1: (usize, usize, usize),
) -> Name
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action21(
reporter,
__temp0,
__0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action71<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Name, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, Token<'source>, usize),
__4: (usize, usize, usize),
) -> Section
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action18(
reporter,
__temp0,
__0,
__1,
__2,
__3,
__4,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action72<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, Token<'source>, usize),
__4: (usize, usize, usize),
) -> Section
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action19(
reporter,
__temp0,
__0,
__1,
__2,
__3,
__4,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action73<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Name, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, Token<'source>, usize),
__4: (usize, usize, usize),
) -> Section
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action20(
reporter,
__temp0,
__0,
__1,
__2,
__3,
__4,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action74<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Number, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, usize, usize),
) -> Option<ast::VariablesDecl>
{
let __start0 = __0.2.clone();
let __end0 = __1.0.clone();
let __temp0 = __action38(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action4(
reporter,
__0,
__temp0,
__1,
__2,
__3,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action75<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
) -> Span
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action59(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action76<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
) -> ast::Cell
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action60(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action77<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
) -> Span
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action61(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action78<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Name, usize),
__2: (usize, Number, usize),
__3: (usize, alloc::vec::Vec<Name>, usize),
) -> Option<ast::DomainDecl>
{
let __start0 = __3.2.clone();
let __end0 = __3.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action62(
reporter,
__0,
__1,
__2,
__3,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action79<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
) -> ast::Cell
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action63(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action80<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
__2: (usize, Span, usize),
__3: (usize, alloc::vec::Vec<ast::Cell>, usize),
__4: (usize, alloc::vec::Vec<Attribute>, usize),
) -> Option<Item>
{
let __start0 = __4.2.clone();
let __end0 = __4.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action64(
reporter,
__0,
__1,
__2,
__3,
__4,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action81<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
) -> Option<Item>
{
let __start0 = __1.2.clone();
let __end0 = __1.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action65(
reporter,
__0,
__1,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action82<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Section>, usize),
__3: (usize, Token<'source>, usize),
) -> Option<Item>
{
let __start0 = __3.2.clone();
let __end0 = __3.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action66(
reporter,
__0,
__1,
__2,
__3,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action83<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
) -> Span
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action67(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action84<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
) -> Name
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action68(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action85<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
) -> Number
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action69(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action86<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, &'source str, usize),
) -> Name
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action70(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action87<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Name, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, Token<'source>, usize),
) -> Section
{
let __start0 = __3.2.clone();
let __end0 = __3.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action71(
reporter,
__0,
__1,
__2,
__3,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action88<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, Token<'source>, usize),
) -> Section
{
let __start0 = __3.2.clone();
let __end0 = __3.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action72(
reporter,
__0,
__1,
__2,
__3,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action89<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Name, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, Token<'source>, usize),
) -> Section
{
let __start0 = __3.2.clone();
let __end0 = __3.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action73(
reporter,
__0,
__1,
__2,
__3,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action90<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Number, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
) -> Option<ast::VariablesDecl>
{
let __start0 = __2.2.clone();
let __end0 = __2.2.clone();
let __temp0 = __action35(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action74(
reporter,
__0,
__1,
__2,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action91<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
__2: (usize, Span, usize),
__3: (usize, alloc::vec::Vec<ast::Cell>, usize),
) -> Option<Item>
{
let __start0 = __3.2.clone();
let __end0 = __3.2.clone();
let __temp0 = __action31(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action80(
reporter,
__0,
__1,
__2,
__3,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action92<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
__2: (usize, Span, usize),
__3: (usize, alloc::vec::Vec<ast::Cell>, usize),
__4: (usize, alloc::vec::Vec<Attribute>, usize),
) -> Option<Item>
{
let __start0 = __4.0.clone();
let __end0 = __4.2.clone();
let __temp0 = __action32(
reporter,
__4,
);
let __temp0 = (__start0, __temp0, __end0);
__action80(
reporter,
__0,
__1,
__2,
__3,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action93<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Span, usize),
) -> Option<Item>
{
let __start0 = __0.2.clone();
let __end0 = __1.0.clone();
let __start1 = __1.2.clone();
let __end1 = __1.2.clone();
let __temp0 = __action33(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
let __temp1 = __action33(
reporter,
&__start1,
&__end1,
);
let __temp1 = (__start1, __temp1, __end1);
__action91(
reporter,
__0,
__temp0,
__1,
__temp1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action94<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Span, usize),
__2: (usize, alloc::vec::Vec<ast::Cell>, usize),
) -> Option<Item>
{
let __start0 = __0.2.clone();
let __end0 = __1.0.clone();
let __start1 = __2.0.clone();
let __end1 = __2.2.clone();
let __temp0 = __action33(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
let __temp1 = __action34(
reporter,
__2,
);
let __temp1 = (__start1, __temp1, __end1);
__action91(
reporter,
__0,
__temp0,
__1,
__temp1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action95<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
__2: (usize, Span, usize),
) -> Option<Item>
{
let __start0 = __1.0.clone();
let __end0 = __1.2.clone();
let __start1 = __2.2.clone();
let __end1 = __2.2.clone();
let __temp0 = __action34(
reporter,
__1,
);
let __temp0 = (__start0, __temp0, __end0);
let __temp1 = __action33(
reporter,
&__start1,
&__end1,
);
let __temp1 = (__start1, __temp1, __end1);
__action91(
reporter,
__0,
__temp0,
__2,
__temp1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action96<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
__2: (usize, Span, usize),
__3: (usize, alloc::vec::Vec<ast::Cell>, usize),
) -> Option<Item>
{
let __start0 = __1.0.clone();
let __end0 = __1.2.clone();
let __start1 = __3.0.clone();
let __end1 = __3.2.clone();
let __temp0 = __action34(
reporter,
__1,
);
let __temp0 = (__start0, __temp0, __end0);
let __temp1 = __action34(
reporter,
__3,
);
let __temp1 = (__start1, __temp1, __end1);
__action91(
reporter,
__0,
__temp0,
__2,
__temp1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action97<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Span, usize),
__2: (usize, alloc::vec::Vec<Attribute>, usize),
) -> Option<Item>
{
let __start0 = __0.2.clone();
let __end0 = __1.0.clone();
let __start1 = __1.2.clone();
let __end1 = __2.0.clone();
let __temp0 = __action33(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
let __temp1 = __action33(
reporter,
&__start1,
&__end1,
);
let __temp1 = (__start1, __temp1, __end1);
__action92(
reporter,
__0,
__temp0,
__1,
__temp1,
__2,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action98<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Span, usize),
__2: (usize, alloc::vec::Vec<ast::Cell>, usize),
__3: (usize, alloc::vec::Vec<Attribute>, usize),
) -> Option<Item>
{
let __start0 = __0.2.clone();
let __end0 = __1.0.clone();
let __start1 = __2.0.clone();
let __end1 = __2.2.clone();
let __temp0 = __action33(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
let __temp1 = __action34(
reporter,
__2,
);
let __temp1 = (__start1, __temp1, __end1);
__action92(
reporter,
__0,
__temp0,
__1,
__temp1,
__3,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action99<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
__2: (usize, Span, usize),
__3: (usize, alloc::vec::Vec<Attribute>, usize),
) -> Option<Item>
{
let __start0 = __1.0.clone();
let __end0 = __1.2.clone();
let __start1 = __2.2.clone();
let __end1 = __3.0.clone();
let __temp0 = __action34(
reporter,
__1,
);
let __temp0 = (__start0, __temp0, __end0);
let __temp1 = __action33(
reporter,
&__start1,
&__end1,
);
let __temp1 = (__start1, __temp1, __end1);
__action92(
reporter,
__0,
__temp0,
__2,
__temp1,
__3,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action100<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
__2: (usize, Span, usize),
__3: (usize, alloc::vec::Vec<ast::Cell>, usize),
__4: (usize, alloc::vec::Vec<Attribute>, usize),
) -> Option<Item>
{
let __start0 = __1.0.clone();
let __end0 = __1.2.clone();
let __start1 = __3.0.clone();
let __end1 = __3.2.clone();
let __temp0 = __action34(
reporter,
__1,
);
let __temp0 = (__start0, __temp0, __end0);
let __temp1 = __action34(
reporter,
__3,
);
let __temp1 = (__start1, __temp1, __end1);
__action92(
reporter,
__0,
__temp0,
__2,
__temp1,
__4,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action101<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Option<Option<ast::VariablesDecl>>, usize),
__1: (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> ast::File
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action43(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action1(
reporter,
__temp0,
__0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action102<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
__1: (usize, Option<Option<ast::VariablesDecl>>, usize),
__2: (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> ast::File
{
let __start0 = __0.0.clone();
let __end0 = __0.2.clone();
let __temp0 = __action44(
reporter,
__0,
);
let __temp0 = (__start0, __temp0, __end0);
__action1(
reporter,
__temp0,
__1,
__2,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action103<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
) -> Option<Item>
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action29(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action81(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action104<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, alloc::vec::Vec<ast::Cell>, usize),
) -> Option<Item>
{
let __start0 = __1.0.clone();
let __end0 = __1.2.clone();
let __temp0 = __action30(
reporter,
__1,
);
let __temp0 = (__start0, __temp0, __end0);
__action81(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action105<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Option<Option<ast::VariablesDecl>>, usize),
) -> ast::File
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action39(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action101(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action106<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Option<Option<ast::VariablesDecl>>, usize),
__1: (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> ast::File
{
let __start0 = __1.0.clone();
let __end0 = __1.2.clone();
let __temp0 = __action40(
reporter,
__1,
);
let __temp0 = (__start0, __temp0, __end0);
__action101(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action107<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
__1: (usize, Option<Option<ast::VariablesDecl>>, usize),
) -> ast::File
{
let __start0 = __1.2.clone();
let __end0 = __1.2.clone();
let __temp0 = __action39(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action102(
reporter,
__0,
__1,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action108<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
__1: (usize, Option<Option<ast::VariablesDecl>>, usize),
__2: (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> ast::File
{
let __start0 = __2.0.clone();
let __end0 = __2.2.clone();
let __temp0 = __action40(
reporter,
__2,
);
let __temp0 = (__start0, __temp0, __end0);
__action102(
reporter,
__0,
__1,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action109<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Name, usize),
__2: (usize, Number, usize),
) -> Option<ast::DomainDecl>
{
let __start0 = __2.2.clone();
let __end0 = __2.2.clone();
let __temp0 = __action36(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action78(
reporter,
__0,
__1,
__2,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action110<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Name, usize),
__2: (usize, Number, usize),
__3: (usize, alloc::vec::Vec<Name>, usize),
) -> Option<ast::DomainDecl>
{
let __start0 = __3.0.clone();
let __end0 = __3.2.clone();
let __temp0 = __action37(
reporter,
__3,
);
let __temp0 = (__start0, __temp0, __end0);
__action78(
reporter,
__0,
__1,
__2,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action111<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Name, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, Token<'source>, usize),
) -> Section
{
let __start0 = __1.2.clone();
let __end0 = __2.0.clone();
let __temp0 = __action36(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action87(
reporter,
__0,
__1,
__temp0,
__2,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action112<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Name, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, Token<'source>, usize),
) -> Section
{
let __start0 = __2.0.clone();
let __end0 = __2.2.clone();
let __temp0 = __action37(
reporter,
__2,
);
let __temp0 = (__start0, __temp0, __end0);
__action87(
reporter,
__0,
__1,
__temp0,
__3,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action113<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, Token<'source>, usize),
) -> Section
{
let __start0 = __1.2.clone();
let __end0 = __2.0.clone();
let __temp0 = __action36(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action88(
reporter,
__0,
__1,
__temp0,
__2,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action114<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, Token<'source>, usize),
) -> Section
{
let __start0 = __2.0.clone();
let __end0 = __2.2.clone();
let __temp0 = __action37(
reporter,
__2,
);
let __temp0 = (__start0, __temp0, __end0);
__action88(
reporter,
__0,
__1,
__temp0,
__3,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action115<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Name, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, Token<'source>, usize),
) -> Section
{
let __start0 = __1.2.clone();
let __end0 = __2.0.clone();
let __temp0 = __action36(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action89(
reporter,
__0,
__1,
__temp0,
__2,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action116<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Name, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
__3: (usize, Token<'source>, usize),
) -> Section
{
let __start0 = __2.0.clone();
let __end0 = __2.2.clone();
let __temp0 = __action37(
reporter,
__2,
);
let __temp0 = (__start0, __temp0, __end0);
__action89(
reporter,
__0,
__1,
__temp0,
__3,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action117<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Number, usize),
) -> Option<ast::VariablesDecl>
{
let __start0 = __1.2.clone();
let __end0 = __1.2.clone();
let __temp0 = __action36(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action90(
reporter,
__0,
__1,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action118<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Number, usize),
__2: (usize, alloc::vec::Vec<Name>, usize),
) -> Option<ast::VariablesDecl>
{
let __start0 = __2.0.clone();
let __end0 = __2.2.clone();
let __temp0 = __action37(
reporter,
__2,
);
let __temp0 = (__start0, __temp0, __end0);
__action90(
reporter,
__0,
__1,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action119<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, Token<'source>, usize),
) -> Option<Item>
{
let __start0 = __1.2.clone();
let __end0 = __2.0.clone();
let __temp0 = __action27(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action82(
reporter,
__0,
__1,
__temp0,
__2,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action120<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Token<'source>, usize),
__1: (usize, Token<'source>, usize),
__2: (usize, alloc::vec::Vec<Section>, usize),
__3: (usize, Token<'source>, usize),
) -> Option<Item>
{
let __start0 = __2.0.clone();
let __end0 = __2.2.clone();
let __temp0 = __action28(
reporter,
__2,
);
let __temp0 = (__start0, __temp0, __end0);
__action82(
reporter,
__0,
__1,
__temp0,
__3,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action121<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Option<ast::VariablesDecl>, usize),
) -> ast::File
{
let __start0 = __0.0.clone();
let __end0 = __0.2.clone();
let __temp0 = __action41(
reporter,
__0,
);
let __temp0 = (__start0, __temp0, __end0);
__action105(
reporter,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action122<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__lookbehind: &usize,
__lookahead: &usize,
) -> ast::File
{
let __start0 = __lookbehind.clone();
let __end0 = __lookahead.clone();
let __temp0 = __action42(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action105(
reporter,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action123<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, Option<ast::VariablesDecl>, usize),
__1: (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> ast::File
{
let __start0 = __0.0.clone();
let __end0 = __0.2.clone();
let __temp0 = __action41(
reporter,
__0,
);
let __temp0 = (__start0, __temp0, __end0);
__action106(
reporter,
__temp0,
__1,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action124<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> ast::File
{
let __start0 = __0.0.clone();
let __end0 = __0.0.clone();
let __temp0 = __action42(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action106(
reporter,
__temp0,
__0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action125<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
__1: (usize, Option<ast::VariablesDecl>, usize),
) -> ast::File
{
let __start0 = __1.0.clone();
let __end0 = __1.2.clone();
let __temp0 = __action41(
reporter,
__1,
);
let __temp0 = (__start0, __temp0, __end0);
__action107(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action126<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
) -> ast::File
{
let __start0 = __0.2.clone();
let __end0 = __0.2.clone();
let __temp0 = __action42(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action107(
reporter,
__0,
__temp0,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action127<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
__1: (usize, Option<ast::VariablesDecl>, usize),
__2: (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> ast::File
{
let __start0 = __1.0.clone();
let __end0 = __1.2.clone();
let __temp0 = __action41(
reporter,
__1,
);
let __temp0 = (__start0, __temp0, __end0);
__action108(
reporter,
__0,
__temp0,
__2,
)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action128<
    'source,
    'report,
>(
reporter: &'report mut Reporter,
__0: (usize, alloc::vec::Vec<Option<ast::DomainDecl>>, usize),
__1: (usize, alloc::vec::Vec<Option<Item>>, usize),
) -> ast::File
{
let __start0 = __0.2.clone();
let __end0 = __1.0.clone();
let __temp0 = __action42(
reporter,
&__start0,
&__end0,
);
let __temp0 = (__start0, __temp0, __end0);
__action108(
reporter,
__0,
__temp0,
__1,
)
}

#[allow(clippy::type_complexity, dead_code)]
pub trait __ToTriple<'source, 'report, >
{
fn to_triple(self) -> Result<(usize,Token<'source>,usize), __lalrpop_util::ParseError<usize, Token<'source>, std::convert::Infallible>>;
}

impl<'source, 'report, > __ToTriple<'source, 'report, > for (usize, Token<'source>, usize)
{
fn to_triple(self) -> Result<(usize,Token<'source>,usize), __lalrpop_util::ParseError<usize, Token<'source>, std::convert::Infallible>> {
Ok(self)
}
}
impl<'source, 'report, > __ToTriple<'source, 'report, > for Result<(usize, Token<'source>, usize), std::convert::Infallible>
{
fn to_triple(self) -> Result<(usize,Token<'source>,usize), __lalrpop_util::ParseError<usize, Token<'source>, std::convert::Infallible>> {
self.map_err(|error| __lalrpop_util::ParseError::User { error })
}
}
