import { describe, expect, it } from '@jest/globals';
import { AnswerWindow } from './answer-window.js';
import { CallGuards } from './call-guards.js';
import { TextGuard, type TextGuardSettings } from './detection/text.guard.js';
import type { GuardAction } from './guard.js';

const call = { id: 'chatcmpl-1', api: 'chat.completions', model: 'm', userId: 'u', project: null, keyId: 'k' };

function windowOf(action: GuardAction, masked: readonly string[] = []): { window: AnswerWindow; guards: CallGuards } {
  const guard = new TextGuard({
    name: 'personal',
    detect: ['email', 'phone', 'payment_card', 'iban', 'credentials', 'ip_address', 'us_ssn'],
    patterns: { employee: 'EMP-[0-9]{6}' },
    words: { codenames: ['project atlas'] },
    on: ['answer'],
    do: action,
    restore: true,
    media: 'ignore',
  });
  const guards = new CallGuards([guard], call);
  for (const value of masked) guards.masks.placeholderOf('email', value, true);
  return { window: new AnswerWindow([guard], guards), guards };
}

/** The text that leaves when the answer comes in these pieces; `null` ends it: what comes after a block is not sent. */
function sent(action: GuardAction, pieces: readonly string[]): string {
  const { window } = windowOf(action);
  let out = '';
  for (const piece of pieces) {
    const { text, blockedBy } = window.push(piece);
    out += text;
    if (blockedBy) return out;
  }
  return out + window.end().text;
}

const TEXT =
  'Mail ada@example.com, card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00, EMP-123456, Project Atlas, 536-22-1234 end.';
const MASKED = 'Mail [EMAIL_1], card [PAYMENT_CARD_1], IBAN [IBAN_1], [EMPLOYEE_1], [CODENAMES_1], [US_SSN_1] end.';

describe('A streamed answer', () => {
  it('is masked equally wherever it is cut in two', () => {
    for (let cut = 0; cut <= TEXT.length; cut++) {
      expect(sent('mask', [TEXT.slice(0, cut), TEXT.slice(cut)])).toBe(MASKED);
    }
  });

  it.each([1, 2, 3, 7, 20])('is masked equally in pieces of %i characters', (size) => {
    const pieces = TEXT.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
    expect(sent('mask', pieces)).toBe(MASKED);
  });

  it('ends before what is blocked wherever it is cut', () => {
    for (let cut = 0; cut <= TEXT.length; cut++) {
      expect(sent('block', [TEXT.slice(0, cut), TEXT.slice(cut)])).toBe('Mail ');
    }
  });

  it('keeps placeholders whole, so that they can be restored', () => {
    const text = 'To [EMAIL_1], [EMAIL_1]. Then more [EMAIL_1]';
    for (let cut = 0; cut <= text.length; cut++) {
      const { window } = windowOf('mask', ['ab@example.com']);
      const pieces = [window.push(text.slice(0, cut)), window.push(text.slice(cut)), window.end()];
      expect(pieces.map((piece) => piece.text.replaceAll('[EMAIL_1]', '').match(/[[\]_]/))).toEqual([null, null, null]);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    }
  });

  it('is sent unchanged and counted if it is only reported', () => {
    const { window, guards } = windowOf('report');
    expect(window.push(TEXT).text + window.end().text).toBe(TEXT);
    expect(guards.hits.map(({ name, count }) => [name, count]).sort()).toEqual([
      ['codenames', 1],
      ['email', 1],
      ['employee', 1],
      ['iban', 1],
      ['payment_card', 1],
      ['us_ssn', 1],
    ]);
  });

  it('leaves at a pause, except a match that has clearly begun', () => {
    const { window } = windowOf('mask');
    expect([window.push('Hello wor').text, window.quiet().text]).toEqual(['', 'Hello wor']);
    expect([window.push('ld ada@exam').text, window.quiet().text]).toEqual(['', 'ld ']);
    expect(window.push('ple.com. ').text + window.end().text).toBe('[EMAIL_1]. ');
  });

  it('keeps a placeholder whole, so that it can be restored', () => {
    for (const text of ['To [EMAIL_1].']) {
      for (let cut = 0; cut <= text.length; cut++) {
        const { window, guards } = windowOf('report', ['ada@example.com']);
        const pieces = [window.push(text.slice(0, cut)), window.push(text.slice(cut)), window.end()];
        expect(pieces.map((piece) => guards.masks.restore(piece.text, false)).join('')).toBe('To ada@example.com.');
      }
    }
  });

  it('ends where one guard blocks, although another only reports or masks text around it', () => {
    const guardOf = (settings: Partial<TextGuardSettings>) =>
      new TextGuard({
        ...{ name: 'one', detect: [], patterns: {}, words: {}, on: ['answer'], restore: true, media: 'ignore' },
        do: 'block',
        ...settings,
      });
    for (const action of ['report', 'mask'] as const) {
      const wide = guardOf({ name: 'wide', detect: ['email'], do: action });
      const narrow = guardOf({ name: 'narrow', patterns: { name: 'lovelace' } });
      const guards = new CallGuards([wide, narrow], call);
      const { text, blockedBy } = new AnswerWindow([wide, narrow], guards).push('To ada.lovelace@example.com, now');
      expect([action, text, blockedBy?.name]).toEqual([action, action === 'mask' ? 'To ' : 'To ada.', 'narrow']);
    }
  });

  it('masks all of two matches that overlap', () => {
    const guard = new TextGuard({
      ...{ name: 'one', detect: [], words: {}, on: ['answer'], do: 'mask', restore: true, media: 'ignore' },
      patterns: { first: 'secret code', second: 'code 1234' },
    });
    const window = new AnswerWindow([guard], new CallGuards([guard], call));
    expect(window.push('My secret code 1234 is').text + window.end().text).toBe('My [FIRST_1] is');
  });
});
