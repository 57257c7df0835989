import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { objectsOf } from '../../contract/json.js';
import { toRequestBody } from './request.js';

const text = (marks: object) => ({ type: 'text' as const, text: 'Hi', ...marks });
const breakpoint = (ttl?: string) => ({ prompt_cache_breakpoint: { mode: 'explicit', ...(ttl && { ttl }) } });
const control = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });

function marksOf(marks: readonly object[], fields: object = {}): unknown[] {
  const body = toRequestBody(providerCall({ messages: [{ role: 'user', content: marks.map(text) }], ...fields }));
  return objectsOf(objectsOf(body.messages)[0]?.content).map((block) => block.cache_control);
}

describe("OpenAI's cache breakpoints", () => {
  it("become Anthropic's marks, for five minutes or an hour", () => {
    expect(marksOf([breakpoint('12h'), breakpoint('30m'), breakpoint(), {}])).toEqual([
      control('1h').cache_control,
      control().cache_control,
      control().cache_control,
      undefined,
    ]);
  });

  it('lose to a mark of Anthropic at the same part', () => {
    expect(marksOf([{ ...breakpoint(), ...control('1h') }])).toEqual([control('1h').cache_control]);
  });
});

describe('the cache marks of a request', () => {
  it('are at most four, the last ones', () => {
    const five = Array.from({ length: 5 }, () => breakpoint());
    expect(marksOf(five).map((mark) => mark !== undefined)).toEqual([false, true, true, true, true]);
    expect(marksOf(five, control()).map((mark) => mark !== undefined)).toEqual([false, false, true, true, true]);
  });

  it('never outlive those before them', () => {
    expect(marksOf([control('1h'), control('5m'), control('1h')])).toEqual([
      control('1h').cache_control,
      control('5m').cache_control,
      control().cache_control,
    ]);
  });

  it('stay in the request of the client', () => {
    const marked = Array.from({ length: 5 }, () => control('1h'));
    marksOf(marked);
    expect(marked).toEqual(Array.from({ length: 5 }, () => control('1h')));
  });
});
