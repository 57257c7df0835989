import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Figures } from '../replicas/support/figures.js';
import { Fleet } from '../replicas/support/fleet.js';
import { CuttingUpstream } from './support/cutting-upstream.js';
import type { Trial } from './support/trial.js';
import { cutStreams } from './trials/cut-streams.trial.js';
import { databaseCrash } from './trials/database-crash.trial.js';
import { greedyKey } from './trials/greedy-key.trial.js';
import { killedGateway } from './trials/killed-gateway.trial.js';
import { rollingRestart } from './trials/rolling-restart.trial.js';
import { vanishedHost } from './trials/vanished-host.trial.js';
import { withoutDatabase } from './trials/without-database.trial.js';

/** `CHAOS_SHORT=yes`: short enough to check every change; otherwise some minutes. */
const IS_LONG = process.env.CHAOS_SHORT !== 'yes';
const TRIALS: readonly Trial[] = [
  rollingRestart,
  cutStreams,
  killedGateway,
  databaseCrash,
  vanishedHost,
  greedyKey,
  withoutDatabase,
];

const MODELS = ['exact', 'cut']
  .map(
    (id) => `
- { id: ${id}, tier: free, displayName: ${id}, description: For tests., contextLength: 100000, maxOutputTokens: 10000,
    price: { inputUsdPerMTok: 0, outputUsdPerMTok: 1 }, targets: [{ upstream: ${id === 'cut' ? 'cutting' : 'openai'}, model: ${id} }] }`,
  )
  .join('');

describe('three gateways in their shipped form behind the nginx of docker-compose', () => {
  const figures = new Figures();
  let fleet: Fleet;
  let cutting: CuttingUpstream;
  beforeAll(async () => {
    cutting = await CuttingUpstream.start();
    const upstream = (name: string, url: string) => `${name}: { protocol: openai-compatible, baseUrl: "${url}" }\n`;
    fleet = await Fleet.start('three gateways', {
      env: { CUTTING_API_KEY: 'sk-test' },
      config: {
        // As shipped; other tests use a different one.
        'gateway.yaml': 'overload: { maxLoopDelay: 250ms }',
        'models.yaml': MODELS,
        'upstreams.yaml': upstream('openai', 'http://127.0.0.1:1/v1') + upstream('cutting', `${cutting.url}/v1`),
      },
    });
  });
  afterAll(async () => {
    figures.print('Lost in the trials:');
    await fleet?.stop();
    await cutting?.stop();
  });

  it.each(TRIALS)('$name: nothing is lost', async ({ name, run }) => {
    const { of, lost } = await run(fleet, IS_LONG);
    figures.note(name, `${lost.length} of ${of}`);
    if (lost.length > 0) process.stderr.write(`${lost.join('\n')}\n${fleet.proxyLog}`);
    expect(lost).toHaveLength(0);
  });
});
