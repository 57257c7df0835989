import { expect, it } from '@jest/globals';
import type { HealthNews } from '../../upstreams/target.types.js';
import { fromMessage, toMessages } from './routing-news.service.js';

const sender = { from: 'me', host: 'h', process: 1 };
const aside: HealthNews = { kind: 'failing', upstream: 'a', key: null, model: 'm', forMs: 10_000, times: 1 };
const moved = { conversation: 'c', targetId: 'a/m#2' };
const underestimate = { userId: 'u', model: 'm', prompt: 3.5, output: 1 };

it('parses what it wrote', () => {
  const [text = '', ...others] = toMessages(sender, [aside, moved, underestimate]);
  expect(others).toEqual([]);
  expect(fromMessage(text)).toEqual({ ...sender, news: [aside, moved, underestimate] });
});

it('splits news into messages that Postgres accepts, without loss', () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ conversation: `ü${index}`, targetId: 'a/m' }));
  const texts = toMessages(sender, many);
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(8000);
  expect(texts.flatMap((text) => fromMessage(text)?.news)).toEqual(many);
  expect(toMessages(sender, [])).toEqual([]);
  expect(toMessages(sender, [{ conversation: 'c'.repeat(9000), targetId: 'a/m' }])).toEqual([]);
});

it('ignores unknown kinds of news', () => {
  const news = [
    aside,
    { kind: 'failing', upstream: 'a' },
    { ...aside, forMs: -1 },
    { kind: 'later' },
    { ...underestimate, output: 0.1 },
    7,
  ];
  expect(fromMessage(JSON.stringify({ ...sender, news }))?.news).toEqual([aside]);
  for (const text of ['', 'x', '{}', 'null', JSON.stringify({ ...sender, news: 1 })]) {
    expect(fromMessage(text)).toBeNull();
  }
});
