// What the server sends to the page of a game (hsevo/web/frames.py, talk.py), and what the page makes of it.

/** A card as /cards.json describes it. */
export interface Face {
  name: string; class: string; kind: string; rarity: string; cost: number; text: string[]; most: number;
  attack?: number; health?: number; race?: string; whose?: string; secret?: boolean; triggers?: boolean; words?: string[];
}
export type Faces = Record<string, Face>;

/** A place on the table: the side ("me", "foe"), the zone ("hand", "board", "hero", "power"), the number. */
export type Spot = [string, string, number];

export interface Move {
  move: number; kind: string; text: string; from: Spot | null; to: Spot | null; place: number; option: string | null;
}
export interface Named { card: string; name: string }
export interface Held extends Named {
  cost: number; attack: number; health: number; playable: boolean; joined?: Named; taught?: Named[];
}
export interface Character extends Named { uid: number; attack: number; health: number; max_health: number; words: string[] }
export interface Minion extends Character { texts: Named[] }
export interface Hero extends Character { armor: number }
export interface Weapon extends Named { uid: number; attack: number; durability: number }
export interface Power extends Named { used: boolean; cost: number }
export interface Side {
  class: string; hero: Hero; power: Power | null; weapon: Weapon | null; board: Minion[]; later: Named[]; dormant: Named[];
  quest: (Named & { progress: number; goal: number }) | null;
  mana: number; crystals: number; locked: number; owed: number; fatigue: number; jade: number; deck: number;
}
export interface Me extends Side { hand: Held[]; secrets: Named[] }
export interface Opponent extends Side { hand: number | Held[]; secrets: number | Named[] }
export interface Game {
  player: number; turn: number; max_turns: number; to_move: number; phase: string; me: Me; opponent: Opponent; choices: Named[];
}
export interface Event { what: string; player: number; card: string; uid: number; target: number; amount: number }

/** How a game stands after a move. past: the whole log, when a page has just opened. */
export interface Frame {
  kind: "state"; at: number; view: Game; log: string[]; past?: { text: string }[]; events: Event[]; moves: Move[];
  over: string; thinks: boolean;
}
/** How good the move of an exercise was. */
export interface Verdict {
  kind: "verdict"; solved: boolean | null; says: string; move: number | null;
  cost: { loss: number; loss_low: number; loss_high: number } | null; answer: Answer | null;
}
export interface Answer {
  made: string[]; line: string[]; games: number; agent: string;
  moves: { move: number; text: string; yours: boolean; chance: number; chance_low: number; chance_high: number; loss: number;
    loss_low: number; loss_high: number }[];
}
export interface Hint {
  kind: "hint"; agent: string; at: number; move: number; text: string; options: { move: number; text: string; worth: string }[];
}
export interface There { kind: "there"; there: boolean }
export interface Refusal { kind: "refused" | "fault"; why: string }
export type Message = Frame | Verdict | Hint | There | Refusal;

/** What the page sends. */
export type Sent = { do: string; [name: string]: unknown };

/** Facts of a page that stay: its data attributes. */
export interface Page {
  agent: string; cards: string; game?: string; line?: string; watched?: string; asks?: string; study?: string; duel?: string; match?: string;
}

/** A card, character or hero power that the player has chosen; option and place: null until they are chosen. */
export interface Choice { spot: Spot; option: string | null; place: number | null }

/** All that a page of a game knows. */
export interface State {
  readonly page: Page;
  /** the frame on the table */
  readonly frame: Frame | null;
  /** frames and verdicts that have come; the first is being shown in motion */
  readonly queue: readonly (Frame | Verdict)[];
  /** whether a move is on its way to the server */
  readonly sent: boolean;
  readonly choice: Choice | null;
  /** places of the first hand that are marked */
  readonly marked: readonly number[];
  /** places that are still to be thrown back, the last first; null: the player has not decided */
  readonly throwing: readonly number[] | null;
  /** when End turn asked for a second press, in milliseconds; null: it did not */
  readonly armed: number | null;
  /** what was said last, until the next act: by the server, or the name of a text */
  readonly notice: { words?: string; text?: string; kind: string } | null;
  readonly hint: Hint | "asked" | null;
  readonly verdict: Verdict | null;
  /** a dialog that the player opened */
  readonly opened: "concede" | "keys" | null;
  /** whether a dialog that waits for a choice was put aside, to see the table */
  readonly aside: boolean;
  /** whether the player has closed the dialog that says how the game ended */
  readonly read: boolean;
  /** whether a game that is watched stands still */
  readonly paused: boolean;
  /** whether the other one of two people is at the table */
  readonly there: boolean;
  /** the code with which the connection was lost; null: it stands */
  readonly lost: number | null;
}

/** What happens to a page. */
export type Act =
  | { type: "heard"; message: Message } | { type: "shown" } | { type: "line"; lost: number | null }
  | { type: "click"; spot: Spot; finger?: boolean } | { type: "drag"; spot: Spot }
  | { type: "drop"; over: Spot | null; place: number; felt: boolean } | { type: "table" } | { type: "place"; place: number }
  | { type: "option"; option: string } | { type: "mark"; place: number } | { type: "throw" } | { type: "take"; move: Move }
  | { type: "end"; now: number } | { type: "hint"; agent: string } | { type: "concede" } | { type: "conceded" } | { type: "keys" }
  | { type: "answer" } | { type: "aside" } | { type: "dismiss" } | { type: "escape" } | { type: "pause" } | { type: "step"; at: number }
  | { type: "unhint" } | { type: "look"; spot: Spot | null };
