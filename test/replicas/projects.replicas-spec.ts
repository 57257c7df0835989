import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Figures } from './support/figures.js';
import { Fleet, type FleetKind } from './support/fleet.js';
import { budgetOf } from './support/fleet-books.js';
import { chargedToProject, createProject } from './support/fleet-projects.js';

const KINDS: FleetKind[] = ['three gateways', 'one gateway with three workers'];
const DOLLARS_A_TOKEN = 1e-6;
const KEYS = 6;

describe.each(KINDS)('a project on %s', (kind) => {
  const figures = new Figures();
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start(kind);
  });
  afterAll(async () => {
    figures.print(`a project on ${kind}:`);
    await fleet?.stop();
  });

  const idle = () =>
    eventually(async () => {
      const rows = await fleet.query<{ open: string }>(
        `SELECT count(*) AS open FROM usage_calls WHERE status = 'open'`,
      );
      return rows[0]?.open === '0';
    }, 60_000);

  it('600 parallel calls with six keys on a budget for 100: never more, and almost all of it', async () => {
    const tokens = 1000;
    const limits = { budgetTotalUsd: (100 * tokens * DOLLARS_A_TOKEN).toFixed(9) };
    const { id, keys } = await createProject(fleet, limits, KEYS);
    fleet.upstream.reset();
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, call) => fleet.call({ key: keys[call % KEYS] ?? '', tokens, ms: 50 })),
    );
    const admitted = answers.filter(({ status }) => status === 200).length;
    const refused = answers.find(({ status }) => status === 429);
    figures.note('600 parallel calls with six keys on a budget for 100', `${admitted} admitted`);
    const others = answers.filter(({ status }) => status !== 200 && status !== 429);
    expect(others.map(({ status, body }) => `${status} ${body}`)).toEqual([]);
    expect(admitted).toBeLessThanOrEqual(100);
    expect(admitted).toBeGreaterThanOrEqual(95);
    expect(JSON.parse(refused?.body ?? '{}').error.message).toContain('The total budget of the project is used up');
    const { spentUsd, reservedUsd } = await budgetOf(fleet, id);
    expect(spentUsd).toBeCloseTo(admitted * tokens * DOLLARS_A_TOKEN, 9);
    expect(reservedUsd).toBe(0);
  });

  it('calls of random price with six keys, a tenth of them aborted, with kill -9: never above the cap', async () => {
    const calls = 1500;
    const cap = (calls * 500 * DOLLARS_A_TOKEN) / 2;
    const { id, keys } = await createProject(fleet, { budgetMonthUsd: cap.toFixed(9) }, KEYS);
    let left = calls;
    const caller = async (_: unknown, index: number) => {
      while (left-- > 0) {
        const disconnection = Math.random() < 0.1 ? AbortSignal.timeout(1 + Math.floor(Math.random() * 30)) : undefined;
        const tokens = 1 + Math.floor(Math.random() * 1000);
        const key = keys[index % KEYS] ?? '';
        await fleet.call({ key, tokens, ms: 10, maxTokens: 1000, ...(disconnection && { signal: disconnection }) });
      }
    };
    const callers = Promise.all(Array.from({ length: 48 }, caller));
    await sleep(1000);
    await fleet.killOne(1);
    await callers;
    await idle();
    const charged = await chargedToProject(fleet, id);
    const { spentUsd, reservedUsd } = await budgetOf(fleet, id);
    const { ok, faults } = await fleet.ledgerFaults();
    figures.note(
      `${calls} calls of random price with six keys, kill -9`,
      `${charged.toFixed(6)} of ${cap.toFixed(6)} $ charged, ${faults.length} faults`,
    );
    expect(charged).toBeLessThanOrEqual(cap + 1e-12);
    expect(spentUsd).toBeCloseTo(charged, 9);
    expect(reservedUsd).toBe(0);
    expect({ ok, faults }).toEqual({ ok: true, faults: [] });
  });
});
