import { describe, expect, it } from '@jest/globals';
import { Masks } from './masks.js';

describe('The placeholders of a call', () => {
  it('are the same for the same value, and others for others', () => {
    const masks = new Masks();
    expect(masks.placeholderOf('email', 'a@b.co', true)).toBe('[EMAIL_1]');
    expect(masks.placeholderOf('email', 'c@d.co', true)).toBe('[EMAIL_2]');
    expect(masks.placeholderOf('email', 'a@b.co', true)).toBe('[EMAIL_1]');
    expect(masks.placeholderOf('payment_card', '4111', true)).toBe('[PAYMENT_CARD_1]');
  });

  it('are none that the caller wrote, which stay what they were', () => {
    const masks = new Masks();
    masks.reserveIn('Keep [EMAIL_1] and [EMAIL_2].');
    expect(masks.placeholderOf('email', 'a@b.co', true)).toBe('[EMAIL_3]');
    expect(masks.restore('[EMAIL_1] [EMAIL_3]', false)).toBe('[EMAIL_1] a@b.co');
  });

  it('become the originals again, escaped in JSON', () => {
    const masks = new Masks();
    masks.placeholderOf('name', 'say "hi"', true);
    expect(masks.restore('[NAME_1]!', false)).toBe('say "hi"!');
    expect(JSON.parse(masks.restore('{"a":"[NAME_1]"}', true))).toEqual({ a: 'say "hi"' });
  });

  it('stay where the guard does not restore', () => {
    const masks = new Masks();
    masks.placeholderOf('email', 'a@b.co', false);
    expect([masks.isRestoring, masks.restore('[EMAIL_1]', false)]).toEqual([false, '[EMAIL_1]']);
  });

  it('are kept back while they may go on', () => {
    const masks = new Masks();
    masks.placeholderOf('email', 'a@b.co', true);
    expect(['x [', 'x [EMAIL', 'x [EMAIL_1]', 'x [a', 'x'].map((text) => masks.openFrom(text))).toEqual([
      2, 2, 11, 4, 1,
    ]);
  });

  it('are not cut in two', () => {
    const masks = new Masks();
    masks.placeholderOf('email', 'a@b.co', true);
    const text = 'x [EMAIL_1] y';
    expect(Array.from(text, (_, at) => masks.outside(text, at))).toEqual([0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 11, 12]);
  });
});
