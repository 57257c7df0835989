import { setTimeout as sleep } from 'node:timers/promises';
import { SteadyCalls } from '../support/steady-calls.js';
import type { Trial } from '../support/trial.js';

/** Like an upgrade: restarts one gateway after the other, without notifying the proxy. */
export const rollingRestart: Trial = {
  name: 'every gateway restarted in turn',
  run: async (fleet, isLong) => {
    const key = await fleet.gateway(0).createKey('rolled@example.com');
    const load = [
      SteadyCalls.begin(fleet, 100, { key, tokens: 1, ms: 20 }),
      SteadyCalls.begin(fleet, 10, { key, tokens: 20, ms: isLong ? 5000 : 800, stream: true }),
    ];
    for (let round = 0; round < (isLong ? 5 : 1); round++) {
      for (let index = 0; index < fleet.gateways.length; index++) {
        await sleep(isLong ? 2000 : 500);
        await fleet.restart(index);
      }
    }
    await sleep(1000);
    const ended = await Promise.all(load.map((calls) => calls.end()));
    return {
      of: `${ended.map(({ calls }) => calls).join(' calls and ')} streams`,
      lost: ended.flatMap(({ lost }) => lost),
    };
  },
};
