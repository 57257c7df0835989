import fc from 'fast-check';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  CompletionUsage,
  FinishReason,
} from '../../src/upstreams/contract/chat.types.js';

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm' };

export function chunk(delta: ChatDelta, finish: FinishReason | null = null): ChatCompletionChunk {
  return {
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  };
}

export function usageChunk(usage: CompletionUsage): ChatCompletionChunk {
  return { ...HEAD, object: 'chat.completion.chunk', choices: [], usage };
}

export function completion(
  message: Partial<ChatCompletion['choices'][0]['message']>,
  finish: FinishReason = 'stop',
  usage: CompletionUsage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
): ChatCompletion {
  const whole = { role: 'assistant' as const, content: null, refusal: null, ...message };
  const choice = { index: 0, message: whole, finish_reason: finish, logprobs: null };
  return { ...HEAD, object: 'chat.completion', choices: [choice], usage };
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
const extra = fc.option(fc.constant({ google: { thought_signature: 'c2ln' } }), { nil: undefined });

const spoken: fc.Arbitrary<ChatDelta> = fc.oneof(
  fc.constant({}),
  text.map((content) => ({ content })),
  text.map((refusal) => ({ refusal })),
  text.map((reasoning_content) => ({ reasoning_content })),
  text.map((thought) => ({ reasoning_content: thought, content: `${thought}!` })),
);

/** The deltas of one tool call: its arguments are the text of an object, in any pieces. */
function callDeltas(index: number): fc.Arbitrary<ChatDelta[]> {
  const pieces = fc.array(fc.nat(40), { maxLength: 4 });
  const isCustom = fc.boolean();
  return fc
    .tuple(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), pieces, isCustom, extra)
    .map(([value, cuts, custom, extra_content]) => {
      const written = piecesOf(JSON.stringify(value), cuts);
      const type = custom ? ('custom' as const) : ('function' as const);
      const called = custom ? { custom: { name: 'c', input: '' } } : { function: { name: `f${index}`, arguments: '' } };
      const first = { index, id: `call_${index}`, type, ...called, ...(extra_content && { extra_content }) };
      const deltas = written.map((piece) => ({
        index,
        ...(custom ? { custom: { input: piece } } : { function: { arguments: piece } }),
      }));
      return [first, ...deltas].map((call) => ({ tool_calls: [call] }));
    });
}

function piecesOf(whole: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((one, other) => one - other), whole.length];
  return places.slice(1).map((end, index) => whole.slice(places[index], end));
}

/** Any order of the deltas in which each list keeps its own. */
function interleaved(lists: readonly ChatDelta[][]): fc.Arbitrary<ChatDelta[]> {
  const total = lists.reduce((sum, list) => sum + list.length, 0);
  return fc.array(fc.nat(), { minLength: total, maxLength: total }).map((picks) => {
    const left = lists.map((list) => [...list]).filter((list) => list.length > 0);
    return picks.flatMap((pick) => {
      const place = pick % left.length;
      const next = left[place]?.shift();
      if (left[place]?.length === 0) left.splice(place, 1);
      return next ? [next] : [];
    });
  });
}

const deltas = fc
  .tuple(fc.array(spoken, { maxLength: 6 }), callDeltas(0), callDeltas(1), callDeltas(2), fc.nat(3))
  .chain(([spoken, first, second, third, calls]) =>
    interleaved([spoken, ...inOrder([first, second, third].slice(0, calls))]),
  );

/** A call's first delta never comes before that of the call before it. */
function inOrder(calls: readonly ChatDelta[][]): ChatDelta[][] {
  if (calls.length < 2) return [...calls];
  return [[...calls.flatMap(([first]) => (first ? [first] : []))], ...calls.map(([, ...rest]) => rest)];
}

/** Any stream of chunks that the contract of the adapters allows. */
export const anyChunks: fc.Arbitrary<ChatCompletionChunk[]> = fc
  .tuple(
    deltas,
    fc.constantFrom<FinishReason>('stop', 'length', 'tool_calls', 'content_filter'),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([deltas, finish, atOnce, reports]) => {
    const last = atOnce ? (deltas.pop() ?? {}) : {};
    return [
      chunk({ role: 'assistant', content: '' }),
      ...deltas.map((delta) => chunk(delta)),
      chunk(last, finish),
      ...(reports ? [usageChunk({ prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 })] : []),
    ];
  });
