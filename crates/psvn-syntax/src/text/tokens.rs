// Written by `cargo run --locked -p psvn-grammar` from tokens.logos with the SHA-256
// e6baaa3b5fa1b450c412e68a3b9425f4232a5bc8b51a5f61a0107a8691949781
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Raw {
    LineBreak,
    Comment,
    Arrow,
    Word,
}
impl<'s> ::logos::Logos<'s> for Raw {
    type Error = ();
    type Extras = ();
    type Source = str;
    fn lex(
        lex: &mut ::logos::Lexer<'s, Self>,
    ) -> core::option::Option<core::result::Result<Self, <Self as ::logos::Logos<'s>>::Error>> {
        use ::logos::Logos;
        use ::logos::internal::{
            CallbackResult, CallbackRetVal, LexerInternal, SkipResult, SkipRetVal,
        };
        use core::option::Option as _Option;
        use core::result::Result as _Result;
        type _Lexer<'s> = ::logos::Lexer<'s, Raw>;
        macro_rules! _fast_loop {
            ($ lex : ident , $ test : ident , $ offset : ident) => {
                'fast_loop: {
                    while let Some(arr) = $lex.read::<&[u8; 8usize]>($offset) {
                        if $test(arr[0usize]) {
                            $offset += 0usize;
                            break 'fast_loop;
                        }
                        if $test(arr[1usize]) {
                            $offset += 1usize;
                            break 'fast_loop;
                        }
                        if $test(arr[2usize]) {
                            $offset += 2usize;
                            break 'fast_loop;
                        }
                        if $test(arr[3usize]) {
                            $offset += 3usize;
                            break 'fast_loop;
                        }
                        if $test(arr[4usize]) {
                            $offset += 4usize;
                            break 'fast_loop;
                        }
                        if $test(arr[5usize]) {
                            $offset += 5usize;
                            break 'fast_loop;
                        }
                        if $test(arr[6usize]) {
                            $offset += 6usize;
                            break 'fast_loop;
                        }
                        if $test(arr[7usize]) {
                            $offset += 7usize;
                            break 'fast_loop;
                        }
                        $offset += 8usize;
                    }
                    while let Some(byte) = $lex.read::<u8>($offset) {
                        if $test(byte) {
                            break 'fast_loop;
                        }
                        $offset += 1;
                    }
                }
            };
        }
        macro_rules! _take_action {
            ($ lex : ident , $ offset : ident , $ context : ident , $ state : ident) => {{
                let action = _get_action($lex, $offset, $context);
                match action {
                    CallbackResult::Emit(tok) => {
                        return Some(Ok(tok));
                    }
                    CallbackResult::Skip => {
                        $lex.trivia();
                        $offset = $lex.offset();
                        $context = None;
                        return state18($lex, $offset, $context);
                    }
                    CallbackResult::Error(err) => {
                        return Some(Err(err));
                    }
                    CallbackResult::DefaultError => {
                        return Some(Err(_make_error($lex)));
                    }
                }
            }};
        }
        const _TABLE_0: [u8; 256] = [
            3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 6u8, 0u8, 6u8, 6u8, 6u8, 3u8, 3u8, 3u8,
            3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 6u8, 3u8,
            3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8,
            3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8,
            3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8,
            3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8,
            3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8,
            3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 3u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
            0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
            0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
            0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
            0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
            0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
            0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
            0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
            0u8,
        ];
        #[inline]
        fn _make_error<'s>(lex: &mut _Lexer<'s>) -> <Raw as Logos<'s>>::Error {
            <Raw as Logos<'s>>::Error::default()
        }
        #[inline]
        fn _get_action<'s>(
            lex: &mut _Lexer<'s>,
            offset: usize,
            context: _Option<LogosLeaf>,
        ) -> CallbackResult<'s, Raw> {
            match context {
                None => {
                    lex.end_to_boundary(offset.max(lex.offset() + 1));
                    CallbackResult::Error(_make_error(lex))
                }
                Some(LogosLeaf::Leaf0) => CallbackResult::Skip,
                Some(LogosLeaf::Leaf1) => CallbackResult::Emit(Raw::LineBreak),
                Some(LogosLeaf::Leaf2) => CallbackResult::Emit(Raw::Comment),
                Some(LogosLeaf::Leaf3) => CallbackResult::Emit(Raw::Arrow),
                Some(LogosLeaf::Leaf4) => CallbackResult::Emit(Raw::Word),
            }
        }
        #[derive(Clone, Copy)]
        enum LogosLeaf {
            Leaf0 = 0isize,
            Leaf1 = 1isize,
            Leaf2 = 2isize,
            Leaf3 = 3isize,
            Leaf4 = 4isize,
        }
        fn state0<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            #[inline]
            fn loop_test(byte: u8) -> bool {
                _TABLE_0[byte as usize] & 1u8 == 0
            }
            _fast_loop!(lex, loop_test, offset);
            lex.end(offset);
            context = Some(LogosLeaf::Leaf4);
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                #[derive(Copy, Clone)]
                enum LogosNextState {
                    ___,
                    State2,
                    State3,
                    State4,
                    State5,
                    State6,
                    State7,
                    State8,
                }
                const TABLE: [LogosNextState; 256] = {
                    use LogosNextState::*;
                    [
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State2, State2, State3, State4, State4, State4, State4, State4,
                        State4, State4, State4, State4, State4, State4, State4, State5, State4,
                        State4, State6, State7, State7, State7, State8, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___,
                    ]
                };
                offset += 1;
                match TABLE[byte as usize] {
                    LogosNextState::State2 => {
                        return state2(lex, offset, context);
                    }
                    LogosNextState::State3 => {
                        return state3(lex, offset, context);
                    }
                    LogosNextState::State4 => {
                        return state4(lex, offset, context);
                    }
                    LogosNextState::State5 => {
                        return state5(lex, offset, context);
                    }
                    LogosNextState::State6 => {
                        return state6(lex, offset, context);
                    }
                    LogosNextState::State7 => {
                        return state7(lex, offset, context);
                    }
                    LogosNextState::State8 => {
                        return state8(lex, offset, context);
                    }
                    LogosNextState::___ => {}
                }
                offset -= 1;
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state1<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            lex.end(offset);
            context = Some(LogosLeaf::Leaf3);
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                #[derive(Copy, Clone)]
                enum LogosNextState {
                    ___,
                    State0,
                    State2,
                    State3,
                    State4,
                    State5,
                    State6,
                    State7,
                    State8,
                }
                const TABLE: [LogosNextState; 256] = {
                    use LogosNextState::*;
                    [
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        ___, ___, ___, ___, ___, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, ___, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State3, State4,
                        State4, State4, State4, State4, State4, State4, State4, State4, State4,
                        State4, State4, State5, State4, State4, State6, State7, State7, State7,
                        State8, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                    ]
                };
                offset += 1;
                match TABLE[byte as usize] {
                    LogosNextState::State0 => {
                        return state0(lex, offset, context);
                    }
                    LogosNextState::State2 => {
                        return state2(lex, offset, context);
                    }
                    LogosNextState::State3 => {
                        return state3(lex, offset, context);
                    }
                    LogosNextState::State4 => {
                        return state4(lex, offset, context);
                    }
                    LogosNextState::State5 => {
                        return state5(lex, offset, context);
                    }
                    LogosNextState::State6 => {
                        return state6(lex, offset, context);
                    }
                    LogosNextState::State7 => {
                        return state7(lex, offset, context);
                    }
                    LogosNextState::State8 => {
                        return state8(lex, offset, context);
                    }
                    LogosNextState::___ => {}
                }
                offset -= 1;
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state2<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=191u8)) {
                    offset += 1;
                    return state0(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state3<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 160u8..=191u8)) {
                    offset += 1;
                    return state2(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state4<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=191u8)) {
                    offset += 1;
                    return state2(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state5<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=159u8)) {
                    offset += 1;
                    return state2(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state6<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 144u8..=191u8)) {
                    offset += 1;
                    return state4(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state7<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=191u8)) {
                    offset += 1;
                    return state4(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state8<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=143u8)) {
                    offset += 1;
                    return state4(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state9<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            #[inline]
            fn loop_test(byte: u8) -> bool {
                _TABLE_0[byte as usize] & 2u8 == 0
            }
            _fast_loop!(lex, loop_test, offset);
            lex.end(offset);
            context = Some(LogosLeaf::Leaf2);
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                #[derive(Copy, Clone)]
                enum LogosNextState {
                    ___,
                    State10,
                    State11,
                    State12,
                    State13,
                    State14,
                    State15,
                    State16,
                }
                const TABLE: [LogosNextState; 256] = {
                    use LogosNextState::*;
                    [
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        State10, State10, State10, State10, State10, State10, State10, State10,
                        State10, State10, State10, State10, State10, State10, State10, State10,
                        State10, State10, State10, State10, State10, State10, State10, State10,
                        State10, State10, State10, State10, State10, State10, State11, State12,
                        State12, State12, State12, State12, State12, State12, State12, State12,
                        State12, State12, State12, State13, State12, State12, State14, State15,
                        State15, State15, State16, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___,
                    ]
                };
                offset += 1;
                match TABLE[byte as usize] {
                    LogosNextState::State10 => {
                        return state10(lex, offset, context);
                    }
                    LogosNextState::State11 => {
                        return state11(lex, offset, context);
                    }
                    LogosNextState::State12 => {
                        return state12(lex, offset, context);
                    }
                    LogosNextState::State13 => {
                        return state13(lex, offset, context);
                    }
                    LogosNextState::State14 => {
                        return state14(lex, offset, context);
                    }
                    LogosNextState::State15 => {
                        return state15(lex, offset, context);
                    }
                    LogosNextState::State16 => {
                        return state16(lex, offset, context);
                    }
                    LogosNextState::___ => {}
                }
                offset -= 1;
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state10<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=191u8)) {
                    offset += 1;
                    return state9(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state11<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 160u8..=191u8)) {
                    offset += 1;
                    return state10(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state12<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=191u8)) {
                    offset += 1;
                    return state10(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state13<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=159u8)) {
                    offset += 1;
                    return state10(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state14<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 144u8..=191u8)) {
                    offset += 1;
                    return state12(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state15<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=191u8)) {
                    offset += 1;
                    return state12(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state16<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                if (matches!(byte, 128u8..=143u8)) {
                    offset += 1;
                    return state12(lex, offset, context);
                }
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state17<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            #[inline]
            fn loop_test(byte: u8) -> bool {
                _TABLE_0[byte as usize] & 4u8 == 0
            }
            _fast_loop!(lex, loop_test, offset);
            lex.end(offset);
            context = Some(LogosLeaf::Leaf0);
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state18<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                #[derive(Copy, Clone)]
                enum LogosNextState {
                    ___,
                    State0,
                    State2,
                    State3,
                    State4,
                    State5,
                    State6,
                    State7,
                    State8,
                    State9,
                    State17,
                    State19,
                    State20,
                }
                const TABLE: [LogosNextState; 256] = {
                    use LogosNextState::*;
                    [
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State17, State20, State17, State17, State17, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State17, State0, State0,
                        State9, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State9, State0, State19,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State3, State4, State4, State4, State4, State4, State4, State4,
                        State4, State4, State4, State4, State4, State5, State4, State4, State6,
                        State7, State7, State7, State8, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___,
                    ]
                };
                offset += 1;
                match TABLE[byte as usize] {
                    LogosNextState::State0 => {
                        return state0(lex, offset, context);
                    }
                    LogosNextState::State2 => {
                        return state2(lex, offset, context);
                    }
                    LogosNextState::State3 => {
                        return state3(lex, offset, context);
                    }
                    LogosNextState::State4 => {
                        return state4(lex, offset, context);
                    }
                    LogosNextState::State5 => {
                        return state5(lex, offset, context);
                    }
                    LogosNextState::State6 => {
                        return state6(lex, offset, context);
                    }
                    LogosNextState::State7 => {
                        return state7(lex, offset, context);
                    }
                    LogosNextState::State8 => {
                        return state8(lex, offset, context);
                    }
                    LogosNextState::State9 => {
                        return state9(lex, offset, context);
                    }
                    LogosNextState::State17 => {
                        return state17(lex, offset, context);
                    }
                    LogosNextState::State19 => {
                        return state19(lex, offset, context);
                    }
                    LogosNextState::State20 => {
                        return state20(lex, offset, context);
                    }
                    LogosNextState::___ => {}
                }
                offset -= 1;
            } else {
                if lex.offset() == offset {
                    return None;
                }
            }
            _take_action!(lex, offset, context, state)
        }
        fn state19<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            lex.end(offset);
            context = Some(LogosLeaf::Leaf4);
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
                #[derive(Copy, Clone)]
                enum LogosNextState {
                    ___,
                    State0,
                    State1,
                    State2,
                    State3,
                    State4,
                    State5,
                    State6,
                    State7,
                    State8,
                }
                const TABLE: [LogosNextState; 256] = {
                    use LogosNextState::*;
                    [
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        ___, ___, ___, ___, ___, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, ___, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State1, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        State0, State0, State0, State0, State0, State0, State0, State0, State0,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                        ___, ___, ___, ___, ___, ___, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State2, State2,
                        State2, State2, State2, State2, State2, State2, State2, State3, State4,
                        State4, State4, State4, State4, State4, State4, State4, State4, State4,
                        State4, State4, State5, State4, State4, State6, State7, State7, State7,
                        State8, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___, ___,
                    ]
                };
                offset += 1;
                match TABLE[byte as usize] {
                    LogosNextState::State0 => {
                        return state0(lex, offset, context);
                    }
                    LogosNextState::State1 => {
                        return state1(lex, offset, context);
                    }
                    LogosNextState::State2 => {
                        return state2(lex, offset, context);
                    }
                    LogosNextState::State3 => {
                        return state3(lex, offset, context);
                    }
                    LogosNextState::State4 => {
                        return state4(lex, offset, context);
                    }
                    LogosNextState::State5 => {
                        return state5(lex, offset, context);
                    }
                    LogosNextState::State6 => {
                        return state6(lex, offset, context);
                    }
                    LogosNextState::State7 => {
                        return state7(lex, offset, context);
                    }
                    LogosNextState::State8 => {
                        return state8(lex, offset, context);
                    }
                    LogosNextState::___ => {}
                }
                offset -= 1;
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        fn state20<'s>(
            lex: &mut _Lexer<'s>,
            mut offset: usize,
            mut context: _Option<LogosLeaf>,
        ) -> _Option<_Result<Raw, <Raw as Logos<'s>>::Error>> {
            lex.end(offset);
            context = Some(LogosLeaf::Leaf1);
            let other = lex.read::<u8>(offset);
            if let Some(byte) = other {
            } else {
            }
            _take_action!(lex, offset, context, state)
        }
        state18(lex, lex.offset(), None)
    }
}
