#!/usr/bin/env python3
"""Writes the corpus: small certificates of each kind, and forgeries of each.

Usage: generate.py DIRECTORY [SEED]

Each file's name ends with its expected verdict: NAME.accept, NAME.reject or NAME.unreadable.
Only the standard library is used. The searches here are plain and slow, and share nothing with the
program whose certificates the checker is for.
"""

import heapq
import itertools
import os
import random
import sys


# Another seed gives other forgeries.
SEED = ""


# Games ------------------------------------------------------------------------------------------

class Game:
    """Canonical rules: (cost, preconditions, actions). An int is a value, "xN" an unknown."""

    def __init__(self, domains, rules, goals):
        self.domains, self.rules, self.goals = domains, rules, goals

    def apply(self, rule, state):
        _, pre, act = rule
        found = {}
        for term, value in zip(pre, state):
            if found.setdefault(term, value) != value or (isinstance(term, int) and term != value):
                return None
        return tuple(found[t] if isinstance(t, str) else t for t in act)

    def successors(self, state):
        for number, rule in enumerate(self.rules):
            after = self.apply(rule, state)
            if after is not None:
                yield number, rule[0], after

    def is_goal(self, state):
        return any(self.apply((0, goal, goal), state) is not None for goal in self.goals)

    def text(self, start):
        def term(at, t):
            return "-" if t == f"x{at + 1}" else str(t)

        def vector(terms):
            return " ".join(term(at, t) for at, t in enumerate(terms))

        lines = ["psvn-certificate 1", "domains " + " ".join(map(str, self.domains))]
        lines += [f"rule {c} : {vector(p)} => {vector(a)}" for c, p, a in self.rules]
        lines += [f"goal {vector(goal)}" for goal in self.goals]
        return lines + ["start " + " ".join(map(str, start))]


def unknowns(n):
    return [f"x{i + 1}" for i in range(n)]


def tiles(width, height, cost=lambda at: 1):
    """A place is a variable; the blank is 0."""
    n = width * height
    rules = []
    for at in range(n):
        x, y = at % width, at // width
        for dx, dy in ((0, -1), (-1, 0), (1, 0), (0, 1)):
            if 0 <= x + dx < width and 0 <= y + dy < height:
                to = at + dx + width * dy
                pre, act = unknowns(n), unknowns(n)
                pre[at], act[at], act[to] = 0, f"x{to + 1}", 0
                rules.append((cost(at), pre, act))
    return Game([n] * n, rules, [list(range(n))])


def pancake(n):
    rules = []
    for k in range(2, n + 1):
        rules.append((1, unknowns(n), unknowns(n)[:k][::-1] + unknowns(n)[k:]))
    return Game([n] * n, rules, [list(range(n))])


def topspin(n, k):
    rules = []
    for first in range(n):
        act = unknowns(n)
        for i in range(k):
            act[(first + i) % n] = f"x{(first + k - 1 - i) % n + 1}"
        rules.append((1, unknowns(n), act))
    return Game([n] * n, rules, [list(range(n))])


def hanoi(disks, pegs=3):
    """A disk is a variable, disk 1 the smallest; a rule for each disk and pair of pegs tests that
    no smaller disk is on either: one rule for each choice of their pegs is avoided for 3 pegs,
    since all smaller disks are then on the third."""
    rules = []
    for disk in range(disks):
        for a in range(pegs):
            for b in range(pegs):
                if a != b:
                    third = 3 - a - b
                    pre = [third] * disk + [a] + unknowns(disks)[disk + 1:]
                    act = [third] * disk + [b] + unknowns(disks)[disk + 1:]
                    rules.append((1, pre, act))
    return Game([pegs] * disks, rules, [[pegs - 1] * disks])


def hanoi_bits(disks, pegs=3):
    """The same with a variable for each disk and peg, which is 1 if the disk is there. That it
    isn't on the other peg yet is not tested: it follows."""
    rules = []
    for disk in range(disks):
        for a in range(pegs):
            for b in range(pegs):
                if a != b:
                    pre, act = unknowns(disks * pegs), unknowns(disks * pegs)
                    for smaller in range(disk):
                        for peg in (a, b):
                            pre[smaller * pegs + peg] = act[smaller * pegs + peg] = 0
                    pre[disk * pegs + a] = 1
                    act[disk * pegs + a], act[disk * pegs + b] = 0, 1
                    rules.append((1, pre, act))
    return Game([2] * disks * pegs, rules, [([0] * (pegs - 1) + [1]) * disks])


def lights(n):
    """A button switches a lamp and the next one: the number of lamps that are on stays odd or even.
    """
    rules = []
    for at in range(n - 1):
        for a in range(2):
            for b in range(2):
                pre, act = unknowns(n), unknowns(n)
                pre[at], pre[at + 1], act[at], act[at + 1] = a, b, 1 - a, 1 - b
                rules.append((1, pre, act))
    return Game([2] * n, rules, [[0] * n])


def setters(n):
    """Rules that set one bit to 0 or to 1, whatever it was; the goal has ones."""
    rules = []
    for bit in range(n):
        for value in (0, 1):
            act = unknowns(n)
            act[bit] = value
            rules.append((1, unknowns(n), act))
    return Game([2] * n, rules, [[1] * n])


def counter(n):
    """Bits that count up, the first variable being the lowest bit. Plans are long."""
    rules = []
    for at in range(n):
        rest = unknowns(n)[at + 1:]
        rules.append((1, [1] * at + [0] + rest, [0] * at + [1] + rest))
    return Game([2] * n, rules, [[1] * n])


# Searches ---------------------------------------------------------------------------------------

def walk(game, state, steps, seed):
    chance = random.Random(seed)
    for _ in range(steps):
        state = chance.choice(list(game.successors(state)))[2]
    return state


def astar(game, start, h=lambda s: 0):
    """A plan of least cost, or None, and the states that were closed before with their g."""
    best, closed, queue = {start: (0, None, None)}, {}, [(h(start), 0, start)]
    while queue:
        _, g, state = heapq.heappop(queue)
        if state in closed:
            continue
        if game.is_goal(state):
            plan, at = [], state
            while best[at][1] is not None:
                plan.append(best[at][2])
                at = best[at][1]
            return plan[::-1], g, closed
        closed[state] = g
        for number, cost, after in game.successors(state):
            if after not in best or g + cost < best[after][0]:
                best[after] = (g + cost, state, number)
                heapq.heappush(queue, (g + cost + h(after), g + cost, after))
    return None, None, closed


DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def entries(table, short=True):
    """Lines of states with a number each, sorted by the last value first. A line leaves out the
    last values, as many as agree with those of the line before."""
    lines, before = [], None
    for state in sorted(table, key=lambda s: s[::-1]):
        keep = 0
        if before is not None:
            while keep < len(state) - 1 and state[-1 - keep] == before[-1 - keep]:
                keep += 1
        given = state[:len(state) - keep]
        if short:
            text = "'" + "".join(DIGITS[v] for v in given)
        else:
            text = " ".join(map(str, given))
        lines.append(f"{table[state]} {text}")
        before = state
    return lines


# Certificates -----------------------------------------------------------------------------------

def plan(game, start, moves, cost):
    return game.text(start) + [f"claim plan {cost}", "moves " + " ".join(str(m + 1) for m in moves),
                               "end"]


def bound_by_list(game, start, bound, closed, short=True, heuristic=()):
    return (game.text(start) + [f"claim bound {bound} by list", *heuristic]
            + ["closed"] + entries(closed, short) + ["end"])


# Tables -----------------------------------------------------------------------------------------

class Pattern:
    """Maps of kept variables (None: left out), and the charges of each rule: one number, or one for
    each value of the rule's payer."""

    def __init__(self, game, maps, states, charges=None, payers=None):
        self.game, self.maps = game, maps
        self.charges = charges or [[rule[0]] for rule in game.rules]
        self.payers = payers or [None] * len(game.rules)
        edges, table = {}, {}
        for state in states:
            a = self.image(state)
            if game.is_goal(state):
                table[a] = 0
            for number, _, after in game.successors(state):
                edges.setdefault(self.image(after), set()).add((self.charge(number, state), a))
        queue = [(0, a) for a in table]
        heapq.heapify(queue)
        while queue:
            d, a = heapq.heappop(queue)
            if d == table[a]:
                for cost, before in edges.get(a, ()):
                    if before not in table or d + cost < table[before]:
                        table[before] = d + cost
                        heapq.heappush(queue, (d + cost, before))
        self.table = table

    def image(self, state):
        return tuple(m[v] for m, v in zip(self.maps, state) if m is not None)

    def charge(self, number, state):
        payer, charges = self.payers[number], self.charges[number]
        return charges[min(state[payer], len(charges) - 1)] if payer is not None else charges[0]

    def h(self, state):
        return self.table.get(self.image(state), 0)

    def text(self):
        lines, n = ["table"], len(self.maps)
        maps = [m and tuple(m) for m in self.maps]
        for m in dict.fromkeys(filter(None, maps)):
            where = [i + 1 for i in range(n) if maps[i] == m]
            name = "all" if len(where) == n else " ".join(map(str, where))
            lines.append(f"keep {name} : " + " ".join(map(str, m)))
        for charge in {tuple(c): None for c in self.charges}:
            where = [i + 1 for i, c in enumerate(self.charges) if tuple(c) == charge]
            name = "all" if len(where) == len(self.charges) else " ".join(map(str, where))
            if len(charge) > 1 or any(self.game.rules[i - 1][0] != charge[0] for i in where):
                lines.append(f"charge {name} : " + " ".join(map(str, charge)))
        return lines + entries({a: h for a, h in self.table.items() if h})


def group(patterns):
    lines, payers = ["group"], patterns[0].payers
    if any(p is not None for p in payers):
        lines.append("payers " + " ".join(str(0 if p is None else p + 1) for p in payers))
    return lines + [line for p in patterns for line in p.text()]


def moved_tile(game):
    """For each rule of a sliding puzzle, the variable that holds the tile that moves."""
    def moved(act):
        return next(t for i, t in enumerate(act) if isinstance(t, str) and t != f"x{i + 1}")
    return [int(moved(act)[1:]) - 1 for _, _, act in game.rules]


def tile_patterns(game, sets, states):
    """Added tables: each tile's moves are paid by the set that has it."""
    n, payers = len(game.domains), moved_tile(game)
    result = []
    for tiles_ in sets:
        order = sorted(tiles_)
        m = [order.index(v) + 1 if v in tiles_ else 0 for v in range(n)]
        charge = [1 if v in tiles_ else 0 for v in range(n)]
        result.append(Pattern(game, [m] * n, states, [charge] * len(game.rules), payers))
    return result


# Machines ---------------------------------------------------------------------------------------

def macro(game, word):
    """The most general state that allows a word, and the state it leads to; None if there is none.
    Values are ints and unknowns."""
    n = len(game.domains)
    start = unknowns(n)
    state = list(start)
    for number in word:
        _, pre, act = game.rules[number]
        at = 0
        while at < n:
            found = {}
            for at, term in enumerate(pre):
                wanted = term if isinstance(term, int) else found.setdefault(term, state[at])
                if wanted != state[at]:
                    old, new = wanted, state[at]
                    if isinstance(new, str):
                        old, new = new, old
                    if isinstance(old, int):
                        return None
                    start = [new if v == old else v for v in start]
                    state = [new if v == old else v for v in state]
                    break
            else:
                break
            at = 0
        state = [term if isinstance(term, int) else found[term] for term in act]
    return start, state


def replaces(game, word, other):
    """Whether `other` leads wherever `word` leads."""
    found = macro(game, word)
    if found is None:
        return False
    state = found[0]
    for number in other:
        state = game.apply(game.rules[number], state)
        if state is None:
            return False
    return list(state) == list(found[1])


def replaces_in(game, states):
    """Whether `other` leads wherever `word` leads, from some states."""
    def end(state, word):
        for number in word:
            state = state and game.apply(game.rules[number], state)
        return state

    def test(game, word, other):
        ends = [(end(s, word), s) for s in states]
        return (any(t for t, _ in ends)
                and all(t is None or end(s, other) == t for t, s in ends))
    return test


def cut(game, parts):
    """The game whose rules are parts of rules: (rule, {variable: value})."""
    def part(rule, conditions):
        cost, pre, act = game.rules[rule]
        known = {pre[at]: value for at, value in conditions.items()}
        return cost, [known.get(t, t) for t in pre], [known.get(t, t) for t in act]
    return Game(game.domains, [part(*it) for it in parts], game.goals)


def redundant_words_of_parts(game, parts, length, test):
    """Words of parts, each with an earlier word of rules that replaces it."""
    letters, words = cut(game, parts), {}
    cost = lambda w: sum(game.rules[r][0] for r in w)
    for n in range(1, length + 1):
        for word in itertools.product(range(len(parts)), repeat=n):
            whole = tuple(parts[q][0] for q in word)
            if any(word[i:j] in words for i in range(n) for j in range(i + 1, n + 1)):
                continue
            others = (w for k in range(n + 1)
                      for w in itertools.product(range(len(game.rules)), repeat=k))
            for other in others:
                if ((len(other), other) < (n, whole) and cost(other) <= cost(whole)
                        and test(letters, game, word, other)):
                    words[word] = other
                    break
    return words


def redundant_words(game, length, replaces=replaces):
    """Words, each with an earlier word that replaces it."""
    words, kept = {}, [()]
    cost = lambda w: sum(game.rules[r][0] for r in w)
    before = [()]
    for _ in range(length):
        level = []
        for first in before:
            for r in range(len(game.rules)):
                word = first + (r,)
                if any(word[i:] in words for i in range(len(word))) or macro(game, word) is None:
                    continue
                for other in kept:
                    if cost(other) <= cost(word) and replaces(game, word, other):
                        words[word] = other
                        break
                else:
                    level.append(word)
                    kept.append(word)
        before = level
    return words


def automaton(n_letters, words):
    """Aho and Corasick's machine for the words: rows of next states from 1, or 0."""
    starts = sorted({w[:i] for w in words for i in range(len(w))} | {()}, key=lambda w: (len(w), w))
    number = {w: i + 1 for i, w in enumerate(starts)}
    rows = []
    for u in starts:
        row = []
        for r in range(n_letters):
            v = u + (r,)
            if any(v[i:] in words for i in range(len(v))):
                row.append(0)
            else:
                row.append(next(number[v[i:]] for i in range(len(v) + 1) if v[i:] in number))
        rows.append(row)
    return rows


def machine_text(words, rows, invariants=(), parts=()):
    """Invariants: for each a sum, and weights for each variable. Parts, if the letters are parts:
    rules with the values of variables."""
    def letters(word):
        return " ".join(str(r + 1) for r in word)
    known = []
    for total, weights in invariants:
        known.append(f"invariant {total}")
        known += [f"weigh {i + 1} : " + " ".join(map(str, w))
                  for i, w in enumerate(weights) if any(w)]
    known += [" ".join([f"part {rule + 1}"] + [f"{at + 1}={v}" for at, v in conditions.items()])
              for rule, conditions in parts]
    return known + ([f"word {letters(w)} = {letters(a)}" for w, a in words.items()]
            + ["state " + " ".join(map(str, row)) for row in rows])


# Certificates and forgeries ---------------------------------------------------------------------

def list_is_right(game, start, bound, closed, h=lambda s: 0):
    """The conditions of a closed list, for a consistent h."""
    def covered(state, g):
        return closed.get(state, bound) <= g or g + h(state) >= bound
    return covered(start, 0) and all(
        (g >= bound or not game.is_goal(s))
        and all(covered(after, g + cost) for _, cost, after in game.successors(s))
        for s, g in closed.items())


def same_language(first, second, n_letters):
    """Whether two machines forbid the same words."""
    seen, waiting = {(1, 1)}, [(1, 1)]
    while waiting:
        p, q = waiting.pop()
        for r in range(n_letters):
            a, b = (m[i - 1][r] if i <= len(m) else 0 for m, i in ((first, p), (second, q)))
            if (a == 0) != (b == 0):
                return False
            if a and (a, b) not in seen:
                seen.add((a, b))
                waiting.append((a, b))
    return True


class Corpus:
    def __init__(self, directory):
        self.directory, self.names = directory, set()
        os.makedirs(directory, exist_ok=True)

    def add(self, name, lines, verdict):
        if isinstance(verdict, bool):
            verdict = "accept" if verdict else "reject"
        number, base = 2, name
        while name in self.names:
            name, number = f"{base}-{number}", number + 1
        self.names.add(name)
        with open(os.path.join(self.directory, f"{name}.{verdict}"), "w") as file:
            file.write("\n".join(lines) + "\n")


def plans(corpus, name, game, start):
    moves, cost, _ = astar(game, start)

    def right(moves, claimed, start=start):
        state, spent = start, 0
        for m in moves:
            spent += game.rules[m][0]
            state = game.apply(game.rules[m], state)
            if state is None:
                return False
        return game.is_goal(state) and spent == claimed

    def add(what, moves, claimed, start=start):
        corpus.add(f"plan-{name}-{what}", plan(game, start, moves, claimed),
                   right(moves, claimed, start))

    add("valid", moves, cost)
    add("cost-more", moves, cost + 1)
    add("cost-less", moves, cost - 1)
    add("move-missing", moves[:-1], cost - game.rules[moves[-1]][0])
    add("moves-swapped", [moves[1], moves[0]] + moves[2:], cost)
    for at in range(0, len(moves), 3):
        add("move-altered", moves[:at] + [(moves[at] + 1) % len(game.rules)] + moves[at + 1:], cost)
    add("other-start", moves, cost, game.apply(game.rules[moves[0]], start))
    corpus.add(f"plan-{name}-no-such-move", plan(game, start, moves + [len(game.rules)], cost),
               False)


def lists(corpus, name, game, start, groups=()):
    """Groups are lists of patterns that are added."""
    h = lambda s: max([sum(p.h(s) for p in g) for g in groups], default=0)
    _, cost, closed = astar(game, start, h)
    text = [line for g in groups for line in group(g)]
    chance = random.Random(name + SEED)

    def add(what, closed, bound, start=start, short=True):
        corpus.add(f"list-{name}-{what}", bound_by_list(game, start, bound, closed, short, text),
                   list_is_right(game, start, bound, closed, h))

    add("valid", closed, cost)
    add("valid-in-numbers", closed, cost, short=False)
    add("bound-less", closed, cost - 1)
    add("bound-more", closed, cost + 1)
    for state in chance.sample(list(closed), min(4, len(closed))):
        add("state-missing", {s: g for s, g in closed.items() if s != state}, cost)
        add("g-more", {s: g + (s == state) for s, g in closed.items()}, cost)
        if closed[state]:
            add("g-less", {s: g - (s == state) for s, g in closed.items()}, cost)
        other = tuple(chance.sample(state, len(state)))
        if other not in closed:
            add("state-altered",
                {other if s == state else s: g for s, g in closed.items()}, cost)


def tables(corpus, name, game, start, patterns, states):
    """Forged entries: those that are too high somewhere."""
    h = lambda s: sum(p.h(s) for p in patterns)
    _, cost, closed = astar(game, start, h)
    chance = random.Random(name + SEED)

    def consistent():
        def charge_is_kept(p, s):
            return all(p.h(s) <= p.charge(i, s) + p.h(t) for i, _, t in game.successors(s))
        return all((not game.is_goal(s) or h(s) == 0)
                   and all(charge_is_kept(p, s) for p in patterns) for s in states)

    for _ in range(6):
        p = chance.choice(patterns)
        a = chance.choice(list(p.table))
        p.table[a] += 1
        if not consistent():
            corpus.add(f"table-{name}-entry-more",
                       bound_by_list(game, start, cost, closed, True, group(patterns)), False)
        p.table[a] -= 1
    lines = bound_by_list(game, start, cost, closed, True, group(patterns))
    for keyword in ("charge", "keep"):
        at = next((i for i, line in enumerate(lines) if line.startswith(keyword)), None)
        if at is not None and keyword == "charge":
            words = lines[at].split()
            words[-1] = str(int(words[-1]) + 1)
            corpus.add(f"table-{name}-charge-more", lines[:at] + [" ".join(words)] + lines[at + 1:],
                       False)
        if at is not None and keyword == "keep":
            corpus.add(f"table-{name}-map-missing", lines[:at] + lines[at + 1:], "unreadable")


def potentials(corpus, name, game, start, weights):
    """Sums of weights as a heuristic."""
    states = list(itertools.product(*map(range, game.domains)))
    chance = random.Random(name + SEED)

    def add(what, weights, base):
        weigh = lambda s: sum(w[v] for w, v in zip(weights, s))
        h = lambda s: max(0, weigh(s) - base)
        right = all(weigh(s) <= base for s in states if game.is_goal(s)) and all(
            weigh(s) <= cost + weigh(t) for s in states for _, cost, t in game.successors(s))
        _, cost, closed = astar(game, start, h if right else lambda s: 0)
        lines = [f"potential {base}"] + [f"weigh {i + 1} : " + " ".join(map(str, w))
                                         for i, w in enumerate(weights)]
        corpus.add(f"potential-{name}-{what}",
                   bound_by_list(game, start, cost, closed, heuristic=lines), right)

    add("valid", weights, 0)
    add("greater-base", weights, 1)
    for _ in range(6):
        forged = [list(w) for w in weights]
        at = chance.randrange(len(weights))
        forged[at][chance.randrange(len(forged[at]))] += 1
        add("weight-altered", forged, 0)
        add("weight-altered", forged, 1)


def machines(corpus, name, game, start, length, search=True):
    words = redundant_words(game, length)
    n = len(game.rules)
    rows = automaton(n, words)
    chance = random.Random(name + SEED)
    if search:
        _, cost, _ = astar(game, start)

    def add(what, words, rows, verdict):
        corpus.add(f"machine-{name}-{what}",
                   game.text(start) + ["claim machine"] + machine_text(words, rows) + ["end"],
                   verdict)

    def add_search(what, words, rows, bound, verdict):
        corpus.add(f"search-{name}-{what}",
                   game.text(start) + [f"claim bound {bound} by search"]
                   + machine_text(words, rows) + ["end"], verdict)

    add("valid", words, rows, True)
    if search:
        add_search("valid", words, rows, cost, True)
        add_search("bound-more", words, rows, cost + 1, False)
        add_search("no-words", {}, [[1] * n], cost, True)
        add_search("row-missing", words, rows[:-1], cost, False)
        add_search("forbids-all", words, [[0] * n], 99, False)
    for word in chance.sample(list(words), 3):
        fewer = {w: a for w, a in words.items() if w != word}
        add("word-missing", fewer, rows, False)
        if search:
            add_search("word-missing", fewer, rows, cost, False)
        turned = {words[w] if w == word else w: w if w == word else a for w, a in words.items()}
        add("word-turned", turned, automaton(n, turned), False)
        altered = words[word][:-1] + ((words[word][-1] + 1) % n,) if words[word] else (0,)
        before = (len(altered), altered) < (len(word), word)
        add("replacement-altered", {**words, word: altered}, rows,
            before and sum(game.rules[r][0] for r in altered)
            <= sum(game.rules[r][0] for r in word) and replaces(game, word, altered))
        kept = tuple(chance.randrange(n) for _ in range(2))
        if kept not in words and macro(game, kept) is not None:
            more = {**words, kept: kept[:1]}
            if search and not replaces(game, kept, kept[:1]):
                add_search("word-added", more, automaton(n, more), cost, False)
            add("word-added", more, automaton(n, more), replaces(game, kept, kept[:1]))
    for what, change in (("forbids-more", lambda q: 0), ("forbids-less", lambda q: q or 1),
                         ("goes-elsewhere", lambda q: q and q % len(rows) + 1)):
        for _ in range(3):
            cells = [(q, r) for q in range(len(rows)) for r in range(n)
                     if change(rows[q][r]) != rows[q][r]]
            q, r = chance.choice(cells)
            forged = [list(row) for row in rows]
            forged[q][r] = change(forged[q][r])
            add(what, words, forged, same_language(rows, forged, n))


def searches_by_tables(corpus, name, game, groups, starts):
    """Searches with added tables and no words."""
    heuristic = [line for g in groups for line in group(g)]
    for start in starts:
        _, cost, _ = astar(game, start)
        for what, bound, verdict in (("valid", cost, True), ("bound-more", cost + 1, False)):
            corpus.add(f"search-{name}-{what}", game.text(start)
                       + [f"claim bound {bound} by search", *heuristic]
                       + machine_text({}, [[1] * len(game.rules)]) + ["end"], verdict)


def machines_within(corpus, name, game, start, length, invariants):
    """A machine for states with invariants, here those that can be reached."""
    states = list(astar(Game(game.domains, game.rules, []), start)[2])
    test = replaces_in(game, states)
    words = redundant_words(game, length, test)
    n = len(game.rules)
    _, cost, _ = astar(game, start)

    def add(what, words, invariants, verdict, start=start, bound=cost):
        rows = automaton(n, words)
        for kind, head in (("machine", "claim machine"),
                           ("search", f"claim bound {bound} by search")):
            corpus.add(f"{kind}-{name}-{what}", game.text(start) + [head]
                       + machine_text(words, rows, invariants) + ["end"],
                       verdict[kind] if isinstance(verdict, dict) else verdict)

    add("valid", words, invariants, True)
    add("bound-more", words, invariants, {"machine": True, "search": False}, bound=cost + 1)
    for at, (total, weights) in enumerate(invariants):
        before, after = invariants[:at], invariants[at + 1:]
        add("invariant-missing", words, before + after, False)
        add("other-sum", words, before + [(total + 1, weights)] + after, False)
        forged = [list(w) for w in weights]
        which = next(i for i, w in enumerate(forged) if any(w))
        forged[which] = [0] * len(forged[which])
        add("weight-missing", words, before + [(total, forged)] + after, False)
    first = [[0, 1]] + [[0, 0]] * (len(start) - 1)
    add("invariant-broken", {}, [(start[0], first)], False)
    outside = tuple(1 for _ in start)
    add("start-without-invariants", words, invariants, {"machine": True, "search": False},
        outside, 0)
    chance = random.Random(name + SEED)
    for _ in range(4):
        word = chance.choice(list(words))
        altered = words[word][:-1] + ((words[word][-1] + 1) % n,) if words[word] else (0,)
        before = (len(altered), altered) < (len(word), word)
        add("replacement-altered", {**words, word: altered}, invariants,
            before and test(game, word, altered))


def machines_of_parts(corpus, name, game, start, parts, length, invariants=()):
    """Machines whose letters are parts of rules, in all states, or with invariants in those that
    can be reached."""
    states = (list(astar(Game(game.domains, game.rules, []), start)[2]) if invariants
              else list(itertools.product(*map(range, game.domains))))

    def end(game, state, word):
        for number in word:
            state = state and game.apply(game.rules[number], state)
        return state

    def test(letters, game, word, other):
        ends = [(end(letters, s, word), s) for s in states]
        return any(t for t, _ in ends) and all(t is None or end(game, s, other) == t for t, s in ends)

    def cover(parts):
        """Whether just one part of each rule can be used where the rule can."""
        letters = cut(game, parts)
        return all(sum(owner == rule and letters.apply(letters.rules[q], s) is not None
                       for q, (owner, _) in enumerate(parts)) == 1
                   for s in states for rule, _, _ in game.successors(s))

    words = redundant_words_of_parts(game, parts, length, test)
    _, cost, _ = astar(game, start)

    def add(what, words, parts, verdict, bound=cost, rows=None, invariants=invariants):
        rows = rows or automaton(len(parts), words)
        for kind, head in (("machine", "claim machine"),
                           ("search", f"claim bound {bound} by search")):
            corpus.add(f"{kind}-of-parts-{name}-{what}", game.text(start) + [head]
                       + machine_text(words, rows, invariants, parts) + ["end"],
                       verdict[kind] if isinstance(verdict, dict) else verdict)

    add("valid", words, parts, True)
    add("no-words", {}, parts, True)
    add("bound-more", words, parts, {"machine": True, "search": False}, bound=cost + 1)
    add("of-no-rule", words, [(len(game.rules), {})] + parts[1:], False)
    if invariants:
        add("without-invariants", words, parts, False, invariants=())
    chance = random.Random(name + SEED)
    for _ in range(3):
        at = chance.randrange(len(parts))
        fewer = parts[:at] + parts[at + 1:]
        add("part-missing", {}, fewer, cover(fewer))
        add("part-twice", {}, parts + [parts[at]], False)
        whole = parts + [(parts[at][0], {})]
        add("part-and-rule", {}, whole, False)
        rule, conditions = chance.choice([it for it in parts if it[1]])
        var = chance.choice(list(conditions))
        other = chance.choice([v for v in range(game.domains[var]) if v != conditions[var]])
        altered = [(r, {**c, var: other}) if (r, c) == (rule, conditions) else (r, c)
                   for r, c in parts]
        add("value-altered", {}, altered, False)
        without = [(r, {}) if (r, c) == (rule, conditions) else (r, c) for r, c in parts]
        add("condition-missing", {}, without, cover(without))
    for word in chance.sample(list(words), min(3, len(words))):
        fewer = {w: a for w, a in words.items() if w != word}
        add("word-missing", fewer, parts, False, rows=automaton(len(parts), words))
        whole = tuple(parts[q][0] for q in word)
        add("word-by-itself", {**words, word: whole}, parts, False)
    for _ in range(4):
        word = tuple(chance.randrange(len(parts)) for _ in range(length))
        other = tuple(chance.randrange(len(game.rules)) for _ in range(chance.randrange(length)))
        if word not in words:
            add("word-added", {**words, word: other}, parts, test(cut(game, parts), game, word, other))


def deep_searches(corpus, game, start, least, deepest):
    """A search goes as deep as its bound here; what is too deep is refused."""
    def add(what, bound, verdict, start=start):
        corpus.add(f"search-counter-{what}", game.text(start) + [f"claim bound {bound} by search"]
                   + machine_text({}, [[1] * len(game.rules)]) + ["end"], verdict)

    add("deep", deepest, True)
    add("too-deep", deepest + 1, False)
    nearer = tuple((2 ** len(start) - 1 - 9) >> i & 1 for i in range(len(start)))
    add("valid", least, True, nearer)
    add("bound-more", least + 1, False, nearer)


def none_by_list(corpus, name, game, start, maps):
    """All abstract states that states reachable from the start have, at least."""
    image = lambda s: tuple(m[v] for m, v in zip(maps, s) if m is not None)
    _, _, closed = astar(game, start)
    images = {image(s): 0 for s in closed}

    def add(what, images, verdict, start=start):
        keep = [f"keep {i + 1} : " + " ".join(map(str, m))
                for i, m in enumerate(maps) if m is not None]
        corpus.add(f"none-{name}-{what}", game.text(start) + ["claim none by list"] + keep
                   + ["closed"] + entries(images) + ["end"], verdict)

    add("valid", images, True)
    for a in random.Random(name + SEED).sample(list(images), min(4, len(images))):
        add("state-missing", {b: 0 for b in images if b != a}, False)
    goal = tuple(game.goals[0])
    add("goal-listed", {**images, image(goal): 0}, False)
    add("start-is-goal", images, False, goal)


def everywhere(corpus, name, game, start):
    """Upper bounds for all states that can be reached."""
    reached = astar(Game(game.domains, game.rules, []), start)[2]
    costs = {state: cost for state in reached
             for _, cost, _ in [astar(game, state)] if cost is not None}
    most = max(costs.values())

    def is_right(bound, listed):
        return start in listed and all(
            d <= bound and all(after in listed for _, _, after in game.successors(state))
            and (game.is_goal(state) or any(
                listed[after] < d and listed[after] + cost <= d
                for _, cost, after in game.successors(state)))
            for state, d in listed.items())

    def add(what, listed, bound, start=start):
        corpus.add(f"everywhere-{name}-{what}",
                   game.text(start) + [f"claim everywhere {bound} by list", "closed"]
                   + entries(listed) + ["end"], start in listed and is_right(bound, listed))

    add("valid", costs, most)
    add("bound-more", costs, most + 1)
    add("bound-less", costs, most - 1)
    add("no-states", {}, most)
    add("greater-numbers", {s: 2 * d + 1 for s, d in costs.items()}, 2 * most + 1)
    chance = random.Random(name + SEED)
    for _ in range(4):
        state = chance.choice(list(costs))
        add("state-missing", {s: d for s, d in costs.items() if s != state}, most)
        add("number-less", {**costs, state: max(costs[state] - 1, 0)}, most)
        add("number-more", {**costs, state: costs[state] + 1}, most)
        other = tuple(chance.randrange(size) for size in game.domains)
        add("state-more", {other: chance.randrange(most), **costs}, most)


def several_parts(corpus, name, game, start):
    """A plan and a bound, which together prove a least cost; with a part that is wrong."""
    moves, cost, closed = astar(game, start)

    def add(what, *parts):
        n_setting = len(game.text(start))
        lines = game.text(start)
        for part, _ in parts:
            lines += part[n_setting:-1]
        corpus.add(f"parts-{name}-{what}", lines + ["end"], all(right for _, right in parts))

    right_plan = plan(game, start, moves, cost), True
    dear_plan = plan(game, start, moves, cost + 1), False
    right_bound = bound_by_list(game, start, cost, closed), True
    loose_bound = bound_by_list(game, start, cost - 1, closed), True
    high_bound = bound_by_list(game, start, cost + 1, closed), False
    add("least-cost", right_plan, right_bound)
    add("bound-first", right_bound, right_plan)
    add("twice", right_bound, right_bound, loose_bound)
    add("dear-plan", dear_plan, right_bound)
    add("high-bound", right_plan, high_bound)
    add("high-bound-in-the-middle", right_bound, high_bound, right_bound)


def several_starts(corpus, name, game, starts, groups):
    """Bounds from several starts, with a heuristic that is proved once; with one that is wrong."""
    heuristic = [line for g in groups for line in group(g)]
    least = [astar(game, start)[1] for start in starts]
    search = machine_text({}, [[1] * len(game.rules)])

    def add(what, bounds, heuristics, verdict, starts=starts, machines=[search] * len(starts)):
        lines = game.text(starts[0])[:-1]
        for start, bound, known, machine in zip(starts, bounds, heuristics, machines):
            lines += [game.text(start)[-1], f"claim bound {bound} by search", *known, *machine]
        corpus.add(f"starts-{name}-{what}", lines + ["end"], verdict)

    again = ["heuristic as before"]
    shared = [heuristic] + [again] * (len(starts) - 1)
    add("valid", least, shared, True)
    add("each-its-own", least, [heuristic] * len(starts), True)
    add("another-between", least, [heuristic, again, [], again][:len(starts)], True)
    add("none-before", least, [again] * len(starts), True)
    for at in range(len(starts)):
        add("bound-more", [b + (i == at) for i, b in enumerate(least)], shared, False)
    add("start-outside", least, shared, False, starts[:-1] + [(9,) * len(starts[0])])
    add("goal-later", least, shared, False, starts[:-1] + [tuple(game.goals[0])])
    forged = [line.replace("1 '", "9 '", 1) if line.startswith("1 '") else line
              for line in heuristic]
    before = ["machine as before"]
    add("machine-once", least, shared, True, machines=[search] + [before] * (len(starts) - 1))
    add("no-machine-before", least, shared, "unreadable", machines=[before] * len(starts))
    nothing = machine_text({}, [[0] * len(game.rules)])
    for at in range(2):
        machines = [search, before, search][:len(starts)]
        machines[2 * at] = nothing
        add("machine-forbids-all", least, shared, False, machines=machines)
    add("heuristic-altered", least, [forged] + shared[1:], forged == heuristic)
    lines = game.text(starts[0])
    corpus.add(f"starts-{name}-without-claim", lines + [game.text(starts[1])[-1],
               f"claim bound {least[1]} by search", *heuristic, *search, "end"], "unreadable")
    corpus.add(f"starts-{name}-claim-missing-at-end", lines + [f"claim bound {least[0]} by search",
               *heuristic, *search, game.text(starts[1])[-1], "end"], "unreadable")


def none_by_sums(corpus, name, game, start, other_start, modulus, weights):
    def add(what, start, modulus, weights, verdict):
        lines = [f"weigh {i + 1} : " + " ".join(map(str, w)) for i, w in enumerate(weights)]
        corpus.add(f"sums-{name}-{what}", game.text(start) + [f"claim none by sums {modulus}"]
                   + lines + ["end"], verdict)

    add("valid", start, modulus, weights, True)
    add("has-a-plan", other_start, modulus, weights, False)
    add("other-modulus", start, modulus + 3, weights, False)
    for at in range(len(weights)):
        forged = [list(w) for w in weights]
        forged[at][-1] += 1
        add("weight-altered", start, modulus, forged, False)


def unreadable(corpus):
    game = tiles(2, 2)
    start = walk(game, (0, 1, 2, 3), 7, 1)
    _, cost, closed = astar(game, start)
    lines = bound_by_list(game, start, cost, closed)
    at = lines.index("closed")

    def add(what, lines):
        corpus.add(f"text-{what}", lines, "unreadable")

    add("empty", [])
    add("no-end", lines[:-1])
    add("after-end", lines + ["end"])
    add("other-version", ["psvn-certificate 2"] + lines[1:])
    add("unknown-claim", [line.replace("list", "magic") for line in lines])
    add("too-many-values", lines[:at + 1] + ["3 0 1 2 3 0"] + lines[at + 1:])
    add("too-few-values", lines[:at + 1] + ["3 0 1 2"] + lines[at + 1:])
    add("list-in-disorder", lines[:at + 1] + ["0 0 0 0 1", "0 0 0 0 0"] + lines[at + 1:])
    add("entry-twice", lines[:at + 1] + ["0 0 0 0 0", "0 0 0 0 0"] + lines[at + 1:])
    add("value-of-no-variable", lines[:at + 1] + ["3 0 1 2 4"] + lines[at + 1:])
    add("negative", lines[:at + 1] + ["-3 0 1 2 3"] + lines[at + 1:])
    add("great-number", lines[:at + 1] + ["3000000000 0 1 2 3"] + lines[at + 1:])
    add("capital-letter", lines[:at + 1] + ["3 '01A3"] + lines[at + 1:])
    add("rule-without-arrow", [line.replace("=>", "->") for line in lines])
    corpus.add("text-comments", ["# a comment", ""] + [line + " " for line in lines], True)
    corpus.add("text-narrow-rule", [line[:-2] if line.startswith("rule") else line
                                    for line in lines], False)
    corpus.add("text-unbound-unknown", [line.replace("=> x2", "=> x9") for line in lines], False)
    corpus.add("text-start-outside", ["start 0 1 2 9" if line.startswith("start") else line
                                      for line in lines], False)


def main(directory):
    corpus = Corpus(directory)
    square = tiles(2, 2)
    square_start = walk(square, (0, 1, 2, 3), 9, 5)
    square_states = list(itertools.permutations(range(4)))
    costly = tiles(2, 2, cost=lambda at: at % 3)
    stack, spin, tower = pancake(5), topspin(6, 4), hanoi(3)
    stack_start, tower_start = (3, 1, 4, 0, 2), (0, 0, 0)
    spin_start = walk(spin, tuple(range(6)), 20, 1)
    for name, game, start in (("square", square, square_start), ("costly", costly, square_start),
                              ("pancake", stack, stack_start), ("topspin", spin, spin_start),
                              ("hanoi", tower, tower_start)):
        plans(corpus, name, game, start)
    several_parts(corpus, "square", square, square_start)
    several_parts(corpus, "hanoi", tower, tower_start)
    square_starts = [walk(square, (0, 1, 2, 3), n, n) for n in (9, 6, 11, 8)]
    several_starts(corpus, "square", square, square_starts,
                   [tile_patterns(square, [{1}, {2}, {3}], square_states)])
    everywhere(corpus, "square", square, square_start)
    everywhere(corpus, "costly", costly, square_start)
    everywhere(corpus, "hanoi", tower, tower_start)
    everywhere(corpus, "setters", setters(3), (0, 1, 0))
    by_tile = tile_patterns(square, [{1}, {2}, {3}], square_states)
    whole = Pattern(square, [[0, 1, 2, 2]] * 4, square_states)
    stack_states = list(itertools.permutations(range(5)))
    stack_pattern = Pattern(stack, [[0, 0, 0, 3, 4]] * 5, stack_states)
    tower_states = list(itertools.product(range(3), repeat=3))
    tower_pattern = Pattern(tower, [[0, 1, 2], None, [0, 1, 2]], tower_states)
    lists(corpus, "square", square, square_start)
    lists(corpus, "costly", costly, square_start)
    lists(corpus, "hanoi", tower, tower_start)
    lists(corpus, "square-by-tile", square, square_start, [by_tile])
    lists(corpus, "square-two-groups", square, square_start, [by_tile, [whole]])
    lists(corpus, "pancake-pattern", stack, stack_start, [[stack_pattern]])
    lists(corpus, "hanoi-pattern", tower, tower_start, [[tower_pattern]])
    tables(corpus, "square-by-tile", square, square_start, by_tile, square_states)
    tables(corpus, "pancake", stack, stack_start, [stack_pattern], stack_states)
    tables(corpus, "hanoi", tower, tower_start, [tower_pattern], tower_states)
    distance = [[bin(place ^ tile).count("1") if tile else 0 for tile in range(4)]
                for place in range(4)]
    potentials(corpus, "square", square, square_start, distance)
    potentials(corpus, "hanoi", tower, tower_start, [[1, 1, 0]] * 3)
    square_reached = sorted(astar(Game(square.domains, square.rules, []), square_start)[2])
    searches_by_tables(corpus, "square-by-tile", square, [by_tile, [whole]], square_reached)
    searches_by_tables(corpus, "hanoi-pattern", tower, [[tower_pattern]], [(0, 0, 0), (1, 0, 2)])
    machines(corpus, "square", square, square_start, 3)
    machines(corpus, "pancake", stack, stack_start, 3)
    machines(corpus, "hanoi", tower, tower_start, 2)
    machines(corpus, "lights", lights(3), (1, 0, 0), 2, search=False)
    bits = hanoi_bits(2)
    one_peg = [(1, [[0, 1] if i // 3 == disk else [0, 0] for i in range(6)]) for disk in range(2)]
    deep_searches(corpus, counter(16), (0,) * 16, 9, 49_999)
    machines_within(corpus, "hanoi-bits", bits, (1, 0, 0, 1, 0, 0), 3, one_peg)
    by_own_bit = [(rule, {rule // 2: value}) for rule in range(6) for value in (0, 1)]
    machines_of_parts(corpus, "setters", setters(3), (0, 1, 0), by_own_bit, 2)
    by_first = [(0, {0: value}) for value in range(5)] + [(rule, {}) for rule in (1, 2, 3)]
    machines_of_parts(corpus, "pancake", stack, stack_start, by_first, 2)
    by_two = [(0, {}), (1, {}), (2, {0: 0, 1: 1}), (2, {0: 0, 1: 0}), (2, {0: 1, 2: 0}),
              (2, {0: 1, 2: 1})] + [(rule, {}) for rule in range(3, 6)]
    machines_of_parts(corpus, "setters-in-order", setters(3), (0, 1, 0), by_two, 2)
    # A disk isn't on the peg that it goes to.
    by_bit = [(rule, {act.index(1): 0}) for rule, (_, _, act) in enumerate(bits.rules)]
    machines_of_parts(corpus, "hanoi-bits", bits, (1, 0, 0, 1, 0, 0), by_bit, 2, one_peg)
    odd = (0, 1, 3, 2)
    identity = list(range(4))
    none_by_list(corpus, "square", square, odd, [identity] * 4)
    lamps = lights(4)
    none_by_list(corpus, "lights", lamps, (1, 0, 0, 0), [[0, 1]] * 4)
    none_by_sums(corpus, "lights", lamps, (1, 0, 0, 0), (1, 0, 1, 0), 2, [[0, 1]] * 4)
    short = pancake(4)
    short.goals = [[0, 0, "x3", "x4"]]
    none_by_sums(corpus, "pancake", short, (0, 1, 2, 3), (0, 1, 0, 2), 0, [[1, 0, 0, 0]] * 4)
    unreadable(corpus)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    SEED = "".join(sys.argv[2:])
    main(sys.argv[1])
