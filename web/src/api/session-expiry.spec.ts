import { afterEach, describe, expect, it } from '@jest/globals';
import { settleExpiry, signedInAgain, watchExpiry } from './session-expiry';

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
