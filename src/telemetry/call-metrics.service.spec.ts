import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { metricOf, readMetrics } from '../../test/support/metrics-text.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { CallCounters } from './call-metrics.service.js';

it('counts uncharged costs by reason', async () => {
  const registry = new Registry();
  const counters = new CallCounters(registry);
  const attempt = (outcome: string, cost?: number) => ({
    ...{ upstream: 'openai', upstreamModel: 'm', startMs: 0, ms: 1, outcome, status: null },
    ...(cost !== undefined && { estimatedCostNanodollars: cost }),
  });
  const uncharged = async () => {
    const samples = readMetrics(await registry.metrics());
    return ['outrun', 'failed', 'left'].map((reason) =>
      metricOf(samples, 'gateway_uncharged_nanodollars_total', { reason }),
    );
  };
  expect(await registry.metrics()).toContain('gateway_uncharged_nanodollars_total{reason="left"} 0');
  counters.add(closedCall(openCall(), { attempts: [attempt('outrun', 100), attempt('ok')] }));
  counters.add(closedCall(openCall(), { attempts: [attempt('upstream_timeout', 30), attempt('upstream_error', 3)] }));
  counters.add(closedCall(openCall(), { status: 'aborted', charge: { basis: 'time', uncharged: 7 } }));
  expect(await uncharged()).toEqual([100, 33, 7]);
});
