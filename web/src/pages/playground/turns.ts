import type { AssistantTurn, Image, ToolCall, ToolTurn, Turn, UserTurn } from './chat.types';

export function userTurn(text: string, images: readonly Image[]): UserTurn {
  return { id: newId(), role: 'user', text, images };
}

/** An answer in progress. */
export function runningTurn(): AssistantTurn {
  const nothing = { text: '', reasoning: '', toolCalls: [], failure: null, stats: null };
  return { id: newId(), role: 'assistant', state: 'running', ...nothing };
}

/** An answer that the person wrote for the model. */
export function writtenTurn(text: string): AssistantTurn {
  return { ...runningTurn(), text, state: 'written' };
}

export function toolTurn(call: ToolCall): ToolTurn {
  return { id: newId(), role: 'tool', text: '', call };
}

export function withText(turns: readonly Turn[], id: string, text: string): Turn[] {
  return turns.map((turn) => (turn.id === id ? { ...turn, text } : turn));
}

export function without(turns: readonly Turn[], id: string): Turn[] {
  return turns.filter((turn) => turn.id !== id);
}

/** The turn at its old position, as far as that still exists. */
export function withTurn(turns: readonly Turn[], turn: Turn, index: number): Turn[] {
  return turns.toSpliced(index, 0, turn);
}

/** The turns once no answer is running. */
export function settled(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) =>
    turn.role === 'assistant' && turn.state === 'running' ? { ...turn, state: 'stopped' } : turn,
  );
}

/** One step up or down. */
export function moved(turns: readonly Turn[], id: string, step: -1 | 1): readonly Turn[] {
  const from = turns.findIndex((turn) => turn.id === id);
  const [turn, other] = [turns[from], turns[from + step]];
  return turn && other ? turns.with(from, other).with(from + step, turn) : turns;
}

/** The turns before an answer that is repeated from here: up to a question, or up to before an answer. */
export function upTo(turns: readonly Turn[], id: string): Turn[] {
  const index = turns.findIndex((turn) => turn.id === id);
  return turns.slice(0, turns[index]?.role === 'assistant' ? index : index + 1);
}

/** The calls of the last answer without a tool result. */
export function openCalls(turns: readonly Turn[]): readonly ToolCall[] {
  const last = turns.findLastIndex(({ role }) => role === 'assistant');
  const turn = turns[last];
  if (turn?.role !== 'assistant') return [];
  const answered = new Set(turns.slice(last).flatMap((later) => (later.role === 'tool' ? later.call.id : [])));
  return turn.toolCalls.filter(({ id }) => !answered.has(id));
}

function newId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-');
}
