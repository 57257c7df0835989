import { expect, it } from '@jest/globals';
import { sessionEnd } from './session-end';

const MINUTE = 60_000;
const HOURS = { idleSeconds: 12 * 3600, endsInSeconds: 7 * 24 * 3600 };

it('a session ends after the last request, a minute early because the gateway rounds it', () => {
  const end = sessionEnd(HOURS, { readAt: 0, usedAt: 60 * MINUTE, now: 60 * MINUTE });
  expect(end).toEqual({ leftMs: 12 * 60 * MINUTE - MINUTE, warnMs: 2 * MINUTE, isFinal: false });
});

it('a session ends at its maximum duration, even if it is used', () => {
  const end = sessionEnd({ ...HOURS, endsInSeconds: 90 }, { readAt: 0, usedAt: MINUTE, now: MINUTE });
  expect(end).toMatchObject({ leftMs: 30_000, isFinal: true });
});

it('a short session is announced later', () => {
  const end = sessionEnd({ ...HOURS, idleSeconds: 60 }, { readAt: 0, usedAt: 0, now: 0 });
  expect(end).toEqual({ leftMs: 30_000, warnMs: 15_000, isFinal: false });
});
