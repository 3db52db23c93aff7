// What the server answers. The names are those of the types in ../../src/answers.

export interface Read {
  game: string;
  is_game: boolean;
  hash?: string;
  n_variables: number;
  n_rules: number;
  n_goals: number;
  starts: [string, string][];
}

export interface FileState { status: "text" | "missing" | "unreadable"; version?: string; problem?: string }
export interface Begin { name: string; text: string; file: FileState | null; version: string }

export interface Edit { start: number; end: number; text: string }
export interface Fix { title: string; certain: boolean; edits: Edit[] }
export interface Finding {
  severity: "error" | "warning";
  code: string;
  message: string;
  start: number;
  end: number;
  line: number;
  column: number;
  unnecessary: boolean;
  related: { line: number; text: string }[];
  fixes: Fix[];
}
export interface Findings { game: string; findings: Finding[]; fix_all?: Fix; codes: Record<string, string> }

export interface Rule {
  number: number;
  name: string;
  label: string;
  cost: number;
  rule: string;
  one_to_one: boolean;
  inverse: string | null;
  inverse_number: number | null;
  duplicate_of: string | null;
  line: number | null;
  source: string;
}
export interface SomeRules { game: string; total: number; matching: number; rules: Rule[] }

export interface CompositionStep {
  position: number; found: string; wanted: string; subcase: string; replaced: string | null; by: string | null;
}
export interface Appended { appended: string; steps: CompositionStep[]; rule: string | null }
export interface Composition {
  word: string[]; valid: boolean; reason: string | null; cost: number | null; rule: string | null; trace?: Appended[];
}
export interface Side { word: string[]; cost: number; rule: string }
export interface Explained {
  word: string[];
  verdict: "impossible" | "redundant" | "contains-redundant" | "not-redundant" | "unknown";
  reason: string | null;
  analyzed_length: number;
  certificate: {
    start: number; redundant: Side; replacement: Side; substitution: [string, string][]; order: string;
    implied?: string[];
  } | null;
  nearest: { word: string[]; rule: string; cost: number; failed: string[] } | null;
}

export interface RedundantWord {
  number: number;
  word: string[];
  rules: number[];
  replacement: number[];
  cost: number | null;
  rule: string | null;
  replaced_by: { word: string[]; cost: number | null; rule: string | null; comes_first: string }[];
  implied: string[];
  invariants: string[];
}
export interface SomeWords {
  game: string; length: number; complete_length: number; start: string | null; total: number; matching: number;
  words: RedundantWord[];
}
export interface Level { length: number; composed: number; impossible: number; redundant: number; kept: number }

/** A thing with a sign unless it says otherwise: boards are many, and short this way. */
export interface Cell { shown?: "outside" | "empty"; sign?: string; color?: string; piece?: number }
export interface Board { columns: number; cells: Cell[] }
export interface Position { state: string; board: Board; is_goal: boolean }
export interface Move { rule: number; name: string; cost: number; state: string; cells: number[] }
export interface Allowed extends Position { game: string; moves: Move[]; left_out: number }

export interface Cut { number: number; word: string[]; rules: number[]; replacement: string[]; replaced_by: number[] }
export interface TreeNode extends Position { g: number; h: number | null }
export interface Child extends TreeNode { rule: number; name: string; cut?: Cut }
export interface Unfolded extends TreeNode {
  game: string; children: Child[]; left_out: number; pruned_up_to: number | null; breach?: string;
}
export interface Heuristics { game: string; usual: string; all: { name: string; summary: string }[] }

export interface Arrow { from: number; to: number; rules: string[] }
export interface MachineState { state: number; words: string[]; layer: number; n_forbidden: number }
export interface Forbidden {
  rule: number; name: string; number: number | null; word: string[]; rules: number[];
  replacement: string[]; replaced_by: number[];
}
export interface MachinePart {
  game: string; n_states: number; start: number; is_whole: boolean; leaves_out: boolean;
  states: MachineState[]; arrows: Arrow[];
  chosen: {
    state: number; words: string[]; n_words: number; forbidden: Forbidden[]; n_forbidden: number; next: Arrow[];
  };
}

export interface Job {
  id: number; kind: "analysis" | "explanation" | "solution"; game: string; window: string;
  status: "running" | "done" | "failed" | "cancelled";
  progress: string[]; left_out: number; seconds: number; error?: string;
}
export interface Step extends Position { name: string | null; rule: number | null; cost: number }
export interface Bound { bound: number; generated: number; expanded: number }
export interface Solution {
  record: {
    start: string; solved: boolean; outcome: string; cost: number | null; length: number | null;
    generated: number; expanded: number; seconds: number; preparation_seconds: number;
    generated_per_second: number; heuristic: string | null; heuristic_reason?: string; bounds: Bound[];
  };
  meaning: string;
  steps: Step[];
}
