import { describe, expect, it } from '@jest/globals';
import { embeddingEntries, parseWithLists } from './embeddings.reader.js';

const numbers = Array.from({ length: 50 }, (_, index) => (index - 25) / 128);

function vectorsOf(text: string, encoding: 'float' | 'base64') {
  const { value, listOf } = parseWithLists(text);
  const { data } = value as { data: (number[] | string)[] };
  const entries = JSON.parse(`[${embeddingEntries(data, { encoding, offset: 0 }, listOf)}]`) as {
    embedding: unknown;
  }[];
  return entries.map(({ embedding }) => embedding);
}

describe('vectors that are not parsed', () => {
  it.each([0, 2])('keep their numbers, with and without white space: %s', (indent) => {
    const text = JSON.stringify({ data: [numbers, numbers.toReversed(), [1]] }, null, indent);
    expect(vectorsOf(text, 'float')).toEqual([numbers, numbers.toReversed(), [1]]);
    const [base64] = vectorsOf(text, 'base64');
    const bytes = Buffer.from(String(base64), 'base64');
    expect(numbers.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(numbers);
  });

  it('keep every digit that the upstream wrote', () => {
    const list = `[${Array.from({ length: 20 }, () => '0.12345678901234567890').join(',')}]`;
    const { value, listOf } = parseWithLists(`{"data":[${list}]}`);
    expect(embeddingEntries((value as { data: string[] }).data, { encoding: 'float', offset: 0 }, listOf)).toContain(
      list,
    );
  });

  it('do not include lists within a text', () => {
    const texts = [JSON.stringify(numbers)];
    expect(parseWithLists(JSON.stringify({ texts, data: [numbers] })).value).toEqual({ texts, data: [numbers] });
  });

  it.each(['[1,,2]', '[1-2]', '[01]', '[.5]', '[1e]', '[1,]'])('are refused when they are not JSON: %s', (list) => {
    const padded = list.replace('[', `[${'1,'.repeat(40)}`);
    expect(() => parseWithLists(`{"data":[${padded}]}`)).toThrow(SyntaxError);
  });
});
