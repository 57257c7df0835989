import { describe, expect, it } from '@jest/globals';
import type { LiveTarget } from '../../upstreams/target.types.js';
import { modelHealth, suggestionRanks } from './model-health.service.js';

const target = (upstream: string) =>
  ({ upstream: { name: upstream }, keyName: null, upstreamModel: 'm' }) as LiveTarget;
const aside = (upstream: string) => ({
  ...{ upstream, key: null, model: 'm', standing: 'failing' as const, asideForMs: 1000, underWay: 0, asideBy: null },
});
const TWO = { simulated: false, targets: [target('one'), target('two')] };

describe("a model's status", () => {
  it.each([
    [0, 0, 'unused'],
    [20, 0, 'healthy'],
    [20, 1, 'healthy'],
    [20, 2, 'degraded'],
    [20, 10, 'failing'],
    [1, 1, 'failing'],
  ])("a model's status with %d calls of which %d failed is %s", (calls, failures, status) => {
    expect(modelHealth(TWO, { calls, failures }, []).status).toBe(status);
  });

  it('follows the targets that are set aside', () => {
    const calls = { calls: 20, failures: 0 };
    expect(modelHealth(TWO, calls, [aside('one')])).toMatchObject({ status: 'degraded', targets: 2, asideTargets: 1 });
    expect(modelHealth(TWO, calls, [aside('one'), aside('two')]).status).toBe('failing');
    expect(modelHealth(TWO, calls, [{ ...aside('one'), asideForMs: null }]).status).toBe('healthy');
  });

  it('is simulated if only the simulator answers', () => {
    expect(modelHealth({ simulated: true, targets: [] }, undefined, []).status).toBe('simulated');
  });
});

it('models are suggested by their status, then by their price', () => {
  const model = (id: string, price: number) => ({ id, usdPerMTok: { input: price, output: price } });
  const models = [model('sim', 0), model('bad', 1), model('dear', 9), model('cheap', 2), model('new', 1)];
  const statuses = { sim: 'simulated', bad: 'failing', dear: 'healthy', cheap: 'healthy', new: 'unused' } as const;
  const ranks = suggestionRanks(models, (id) => statuses[id as keyof typeof statuses]);
  expect([...ranks].sort((a, b) => a[1] - b[1]).map(([id]) => id)).toEqual(['cheap', 'dear', 'new', 'sim', 'bad']);
});
