import type { ReadonlyJsonObject } from '../../../src/upstreams/contract/json.js';
import type { Script } from '../script.js';
import type { Refusal } from './refusal-rule.js';

export interface TurnCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The group that the tool is in, at Responses. */
  readonly namespace?: string;
}

/** What a model answers: it reasons, says something, then calls tools. */
export interface Turn {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly TurnCall[];
  /** The answer was cut at its output limit, within its last call if there is one. */
  readonly isCut?: boolean;
}

/** A request as a plan of turns sees it, whatever the provider's format. */
export interface TurnRequest {
  readonly model: string;
  readonly isStreamed: boolean;
  readonly tools: readonly string[];
  /** Results of tools in the conversation. */
  readonly results: number;
  /** The schema that the answer must have. */
  readonly schema: unknown;
  /** The whole body, as text. */
  readonly body: string;
}

/** The next turn, or the refusal that the provider answers instead. */
export type TurnPlan = (request: TurnRequest) => Turn | Refusal;

/** How a provider's API reads requests and writes turns. */
export interface TurnWire {
  read(body: ReadonlyJsonObject, path: string): Omit<TurnRequest, 'body'>;
  /** `number` makes the ids of an answer its own. */
  write(turn: Turn, request: TurnRequest, number: number): Script;
  /** An error in the API's form. */
  refusal(status: number, message: string, param: string | undefined, code: string | undefined): Script;
}

export const TURN_USAGE = { input: 1200, cached: 200, output: 34, reasoning: 9 };

/** Pieces of a text, so that words and names are split. */
export function piecesOf(text: string, length = 7): string[] {
  return text === '' ? [] : (text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []);
}

/** The arguments of a call as JSON text; half of it where the answer was cut. */
export function argumentsOf({ input }: TurnCall, isCut: boolean): string {
  const text = JSON.stringify(input);
  return isCut ? text.slice(0, Math.ceil(text.length / 2)) : text;
}

/** The turns of an agent: it calls its tools one after the other, then answers. */
export function toolLoop(calls: readonly (TurnCall | readonly TurnCall[])[], answer: string): TurnPlan {
  return ({ tools, results, schema }) => {
    if (schema) return { reasoning: 'I fill the form.', text: JSON.stringify(sampleOf(schema)), calls: [] };
    let done = 0;
    for (const step of tools.length > 0 ? calls : []) {
      const now = [step].flat() as TurnCall[];
      if (results <= done) return { reasoning: 'I need a tool.', text: 'Let me look. ', calls: now };
      done += now.length;
    }
    return { reasoning: 'I know enough.', text: answer, calls: [] };
  };
}

/** A value of a schema with `type`, `properties` and `enum`. */
function sampleOf(schema: unknown): unknown {
  const { type, properties, items, enum: values, const: value } = Object(schema);
  if (value !== undefined) return value;
  if (Array.isArray(values)) return values[0];
  const [kind] = [type].flat().map((name) => String(name).toLowerCase());
  if (kind === 'object' || properties) {
    return Object.fromEntries(Object.entries(Object(properties)).map(([name, inner]) => [name, sampleOf(inner)]));
  }
  if (kind === 'array') return [sampleOf(items)];
  if (kind === 'integer' || kind === 'number') return 7;
  return kind === 'boolean' ? true : 'Paris';
}
