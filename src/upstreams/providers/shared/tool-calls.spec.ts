import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../../test/support/core-time.js';
import { hashedId, nthOf, ToolArguments, ToolCallIds, ToolRenaming } from './tool-calls.js';

it('the ids of 20,000 calls with the same id become unique at once', async () => {
  const ids = new ToolCallIds((id, nth) => hashedId(`${id}-${nth}`));
  const unique = new Set<string>();
  const ms = await coreMsOf(() => {
    for (let call = 0; call < 20_000; call++) unique.add(ids.ofCall('a'));
  });
  expect(unique.size).toBe(20_000);
  expect([...unique].at(-1)).toBe(ids.ofResult('a'));
  expect(ms).toBeLessThan(1000);
});

it('the names of 20,000 tools that become equal when they are repaired become unique at once, and stay short', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `f${String.fromCodePoint(0x1000 + index)}`);
  const form = { valid: /^\w+$/, repair: (name: string) => name.replace(/\W/g, '_').slice(0, 2) };
  const tools = names.map((name) => ({ type: 'function' as const, function: { name } }));
  let renaming: ToolRenaming | undefined;
  const ms = await coreMsOf(() => {
    renaming = new ToolRenaming(tools, form);
  });
  const unique = new Set(names.map((name) => String(renaming?.toApi(name))));
  expect(unique.size).toBe(20_000);
  expect(Math.max(...[...unique].map((name) => name.length))).toBeLessThan(10);
  expect(names.every((name) => renaming?.toCaller(renaming.toApi(name)) === name)).toBe(true);
  expect(ms).toBeLessThan(1000);
});

it('the nth of equal ids is hardly longer than the first', () => {
  const nths = Array.from({ length: 10_000 }, (_, index) => nthOf('a', index + 1));
  expect(nths.slice(0, 5)).toEqual(['a', 'a_', 'a__', 'a_4', 'a_5']);
  expect(Math.max(...nths.map((id) => id.length))).toBeLessThan(8);
});

describe('tool arguments', () => {
  it.each([
    ['{"a":[1]}', { a: [1] }],
    ['', {}],
    [' \n', {}],
    ['null', undefined],
    ['[1]', undefined],
    ['{"a":', undefined],
  ])('%j become an object or undefined', (text, value) => {
    expect(new ToolArguments().parse(text)).toEqual(value);
  });

  const fields = (count: number, value = '0') =>
    `{${Array.from({ length: count }, (_, index) => `"field ${Math.random()} ${index}":${value}`).join()}}`;
  const call = (text: string) => ({ id: 'a', type: 'function' as const, function: { name: 'f', arguments: text } });

  it.each([
    ['many names at once', [fields(500_000)]],
    ['many names in many calls', Array.from({ length: 1000 }, () => fields(500))],
    ['long integers', Array.from({ length: 100 }, () => fields(5000, '12345678901234567890'))],
    ['one long text', [`{"a":"${'word '.repeat(2_000_000)}"}`]],
  ])('are kept as text if there is too much to parse: %s', async (_what, texts) => {
    const runs: number[] = [];
    for (let run = 0; run < 3; run++) {
      const calls = new ToolArguments();
      const inputs: unknown[] = [];
      runs.push(await coreMsOf(() => inputs.push(...texts.map((text) => calls.of(call(text)).input))));
      expect(inputs.at(-1)).toEqual({ arguments: texts.at(-1) });
    }
    // Parsing everything would take half a second each time; garbage collection can make one run slower.
    expect(Math.min(...runs)).toBeLessThan(150);
  });

  it('are all parsed in a long conversation', () => {
    const calls = new ToolArguments();
    for (let index = 0; index < 1000; index++) {
      const input = { path: '/some/file.ts', lines: [index, index + 1], text: 'code '.repeat(200) };
      expect(calls.of(call(JSON.stringify(input)))).toEqual({ name: 'f', input });
    }
  });
});
