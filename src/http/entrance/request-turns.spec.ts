import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { RequestTurns } from './request-turns.js';

describe('the requests of one turn of the event loop', () => {
  const served: number[] = [];
  const socket = new Socket();

  it('are begun at once, a few of them, and the others in order in later turns', async () => {
    const turns = new RequestTurns();
    for (let request = 0; request < 1000; request++) turns.take(socket, () => served.push(request));
    expect(served).toHaveLength(128);
    await nextTurn();
    turns.take(socket, () => served.push(1000));
    let before = served.length;
    for (let turn = 0; turn < 20 && before < 1001; turn++) {
      await nextTurn();
      expect(served.length - before).toBeLessThanOrEqual(128);
      before = served.length;
    }
    expect(served).toEqual(Array.from({ length: 1001 }, (_, request) => request));
    await nextTurn();
    turns.take(socket, () => served.push(1001));
    expect(served).toHaveLength(1002);
  });

  it('are not begun for clients who have left', async () => {
    const turns = new RequestTurns();
    const left = new Socket();
    let begun = 0;
    for (let request = 0; request < 200; request++) turns.take(left, () => begun++);
    left.destroy();
    await nextTurn();
    await nextTurn();
    expect(begun).toBe(128);
  });
});
