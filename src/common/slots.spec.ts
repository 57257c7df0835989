import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { afterEach, describe, expect, it } from '@jest/globals';
import { collectGarbage } from '../../test/support/live-bytes.js';
import { Slots, type Slotted, type Ticking, ticker } from './slots.js';

class Guest implements Slotted {
  slot = -1;
  readonly luggage = new Array(100).fill(0);

  constructor(readonly name: string) {}
}

describe('Slots', () => {
  it('contains items until they are removed', () => {
    const [anna, bert, carl] = [new Guest('anna'), new Guest('bert'), new Guest('carl')];
    const slots = new Slots<Guest>();
    for (const guest of [anna, bert]) slots.add(guest);
    slots.remove(anna);
    slots.add(carl);
    expect([...slots].map(({ name }) => name).sort()).toEqual(['bert', 'carl']);
    expect(slots.size).toBe(2);
  });

  it('ignores removing an item twice, or one that was never added', () => {
    const slots = new Slots<Guest>();
    const [anna, bert] = [new Guest('anna'), new Guest('bert')];
    slots.add(anna);
    slots.remove(anna);
    slots.add(bert);
    slots.remove(anna);
    slots.remove(new Guest('carl'));
    expect([...slots]).toEqual([bert]);
    expect(slots.size).toBe(1);
  });

  it('allows removal during iteration', () => {
    const slots = new Slots<Guest>();
    const guests = ['anna', 'bert', 'carl'].map((name) => new Guest(name));
    for (const guest of guests) slots.add(guest);
    const met: string[] = [];
    for (const guest of slots) {
      met.push(guest.name);
      for (const other of guests) slots.remove(other);
    }
    expect(met).toEqual(['anna']);
  });

  it('lets minor collections free removed items', () => {
    const slots = new Slots<Guest>();
    const here: Guest[] = [];
    const comeAndGo = (count: number): void => {
      for (let index = 0; index < count; index++) {
        const guest = new Guest(String(index));
        const before = here[index % 64];
        if (before) slots.remove(before);
        here[index % 64] = guest;
        slots.add(guest);
      }
    };
    comeAndGo(1000);
    collectGarbage();
    collectGarbage();
    const before = getHeapStatistics().used_heap_size;
    // Some 20 MB.
    comeAndGo(20_000);
    for (let time = 0; time < 3; time++) collectGarbage({ type: 'minor' });
    expect(getHeapStatistics().used_heap_size - before).toBeLessThan(3_000_000);
  });
});

const PAUSE_MS = 500;
let clock: Ticking | undefined;
afterEach(() => clock && ticker.remove(clock));

it('reads what has arrived before it checks deadlines after a pause of the process', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = await once(server, 'connection');
  const seen: string[] = [];
  client.on('data', () => seen.push('data'));
  const beganAt = performance.now();
  clock = { slot: -1, tick: (now) => now > beganAt + PAUSE_MS && seen.push('tick') };
  ticker.add(clock);
  // In its own turn, so that the timer is due when the loop continues.
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.write('an event');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(seen.slice(0, 2)).toEqual(['data', 'tick']);
  client.destroy();
  server.close();
});
