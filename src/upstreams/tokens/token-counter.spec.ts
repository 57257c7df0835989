import { afterAll, describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../test/support/core-time.js';
import { scaledCounter, TokenCounter } from './token-counter.js';

const counter = new TokenCounter();
afterAll(() => counter.onApplicationShutdown());

describe('the token count of a text', () => {
  it.each([
    ['', 0],
    ['Hello', 1],
    ['Hello world', 2],
    ['The quick brown fox jumps over the lazy dog.', 10],
    ['日本語', 2],
  ])('the token count of a text of %j is %i', async (text, tokens) => {
    expect(await counter.count(text)).toBe(tokens);
  });

  it('treats control tokens as text', async () => {
    expect(await counter.count('a <|endoftext|> b')).toBeGreaterThan(5);
    expect((await counter.split('a <|endoftext|> b')).join('')).toBe('a <|endoftext|> b');
  });

  it.each(['a', '日本語', '\n', '=-'])('does not block the process, even for one long word of %j', async (unit) => {
    const word = unit.repeat(100_000);
    const ms = await coreMsOf(async () => expect(await counter.count(word)).toBeGreaterThan(1000));
    expect(ms).toBeLessThan(2000);
  });

  it('does not block other work while the tokenizer loads or counts', async () => {
    const fresh = new TokenCounter();
    let turns = 0;
    const turn = (): void => {
      turns++;
      timer = setImmediate(turn);
    };
    let timer = setImmediate(turn);
    await fresh.count('warm');
    const whileItLoaded = turns;
    await fresh.count('word '.repeat(20_000));
    clearImmediate(timer);
    await fresh.onApplicationShutdown();
    expect(whileItLoaded).toBeGreaterThanOrEqual(100);
    expect(turns - whileItLoaded).toBeGreaterThanOrEqual(5);
  });

  it('works again after its thread has ended', async () => {
    await counter.count('warm');
    await counter.onApplicationShutdown();
    expect(await counter.count('Hello world')).toBe(2);
  });

  it('the token count of a text of a very long text is proportional to its length', async () => {
    const [one, ten] = await Promise.all([1, 10].map((times) => counter.count('word '.repeat(20_000 * times))));
    expect((ten ?? 0) / (one ?? 1)).toBeCloseTo(10, 0);
  });
});

describe('the tokens of a text', () => {
  it('join to the text', async () => {
    const text = 'Grüße, 世界! 👩‍👩‍👧 ok';
    const pieces = await counter.split(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces).not.toContain('');
  });
});

it('counts the tokens of a model with another tokenizer by its factor, in whole tokens', async () => {
  const text = 'One two three four five six seven eight nine ten.';
  const tokens = await counter.count(text);
  expect(await scaledCounter(counter, 1.3).count(text)).toBe(Math.ceil(tokens * 1.3));
  expect(await scaledCounter(counter, 1).count(text)).toBe(tokens);
});
