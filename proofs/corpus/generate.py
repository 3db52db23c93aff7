#!/usr/bin/env python3
"""Writes the corpus: small certificates of each kind, and forgeries of each.

Usage: generate.py DIRECTORY

Each file's name ends with its expected verdict: NAME.accept, NAME.reject or NAME.unreadable.
Only the standard library is used. The searches here are plain and slow, and share nothing with the
program whose certificates the checker is for.
"""

import heapq
import os
import random
import sys


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
        while before is not None and keep < len(state) - 1 and state[-1 - keep] == before[-1 - keep]:
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
        for m in {tuple(m): None for m in self.maps if m is not None}:
            where = [i + 1 for i in range(n) if self.maps[i] is not None and tuple(self.maps[i]) == m]
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
    return [next(int(t[1:]) - 1 for i, t in enumerate(act) if isinstance(t, str) and t != f"x{i + 1}")
            for _, _, act in game.rules]


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
                    old, new = (state[at], wanted) if isinstance(state[at], str) else (wanted, state[at])
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


def redundant_words(game, length):
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


def machine_text(words, rows):
    def letters(word):
        return " ".join(str(r + 1) for r in word)
    return ([f"word {letters(w)} = {letters(a)}" for w, a in words.items()]
            + ["state " + " ".join(map(str, row)) for row in rows])
