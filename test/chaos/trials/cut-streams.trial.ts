import { setTimeout as sleep } from 'node:timers/promises';
import { SteadyCalls } from '../support/steady-calls.js';
import type { Trial } from '../support/trial.js';

/**
 * The streams of one model are cut. Other calls must not be affected, neither while gateways run nor while one stops.
 */
export const cutStreams: Trial = {
  name: 'streams cut beside calls of another model',
  run: async (fleet, isLong) => {
    const key = await fleet.gateway(0).createKey('cut@example.com');
    const cut = SteadyCalls.begin(fleet, 50, { key, model: 'cut', tokens: 1, stream: true });
    const others = SteadyCalls.begin(fleet, 150, { key, tokens: 1, ms: 20 });
    await sleep(isLong ? 60_000 : 3000);
    await fleet.restart(0);
    await sleep(1000);
    const { calls, lost } = await others.end();
    const { lost: reported } = await cut.end();
    const silent = reported.filter((answer) => !answer.includes('"error"'));
    return { of: `${calls} calls beside ${reported.length} streams that were cut`, lost: [...lost, ...silent] };
  },
};
