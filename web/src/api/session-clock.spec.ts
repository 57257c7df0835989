import { afterEach, describe, expect, it } from '@jest/globals';
import { sessionEnd, settleExpiry, signedInAgain, watchExpiry } from './session-clock';

let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  stop = undefined;
});

describe('a request whose session has ended', () => {
  it('fails if nobody can ask the person to sign in again', async () => {
    expect(await signedInAgain()).toBe(false);
  });

  it('waits with all others for one dialog, and continues after the sign-in', async () => {
    let dialogs = 0;
    stop = watchExpiry(() => {
      dialogs += 1;
    });
    const requests = Promise.all([signedInAgain(), signedInAgain()]);
    settleExpiry(true);
    expect(await requests).toEqual([true, true]);
    expect(dialogs).toBe(2);
  });

  it('fails when the person gives up, or the page closes', async () => {
    stop = watchExpiry(() => undefined);
    const givenUp = signedInAgain();
    settleExpiry(false);
    const left = signedInAgain();
    stop();
    expect(await Promise.all([givenUp, left])).toEqual([false, false]);
  });
});

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
