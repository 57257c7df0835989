import { describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { SettingsError } from './config-file.js';
import { loadSettings, type Settings } from './settings.js';
import { settingsWarnings } from './warnings.js';

const row = (fields: string, id = 'm') =>
  `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 1000, targets: [{ upstream: openai, model: m }], ${fields} }`;

async function load(...rows: string[]): Promise<Settings> {
  const folder = await createWorkFolder({ 'models.yaml': rows.join('\n') });
  return loadSettings(folder.variables, PROVIDERS, folder.path);
}

async function faultsOf(...rows: string[]): Promise<string[]> {
  const error = await load(...rows).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SettingsError)) throw new Error('the settings are valid');
  return error.message.split('\n').filter((line) => line.includes('models.yaml:'));
}

describe('the price of a model', () => {
  it.each([
    ['a step without a price', 'above: [{ inputTokens: 5 }]', 'price.above[0].inputUsdPerMTok is required'],
    [
      'two steps from the same length',
      'above: [{ inputTokens: 5, inputUsdPerMTok: 1, outputUsdPerMTok: 1 }, { inputTokens: 5, inputUsdPerMTok: 1, outputUsdPerMTok: 1 }]',
      'price.above[1].inputTokens is the start of an earlier step',
    ],
    ['an unknown lifetime', 'cacheWriteUsdPerMTok: { 2h: 1 }', 'price.cacheWriteUsdPerMTok.2h'],
    [
      'a lifetime by two names',
      'cacheWriteUsdPerMTok: { 5m: 1 }, cacheWrite5mUsdPerMTok: 2',
      'price.cacheWrite5mUsdPerMTok is also in cacheWriteUsdPerMTok as 5m',
    ],
    ['an end that is not a date', 'until: 2026-13-01', 'price.until must be a date such as 2026-12-31'],
  ])('cannot have %s', async (_, fields, fault) => {
    const faults = await faultsOf(row(`price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1, ${fields} }`));
    expect(faults.join()).toContain(`(model m): ${fault}`);
  });

  it('can be a list of periods, each of which ends later than the one before', async () => {
    const price = 'inputUsdPerMTok: 1, outputUsdPerMTok: 1';
    const faults = await faultsOf(
      row(`price: [{ ${price} }, { ${price} }]`, 'a'),
      row(`price: [{ ${price}, until: 2026-12-31 }, { ${price}, until: 2026-12-31 }]`, 'b'),
      row('price: []', 'c'),
    );
    expect(faults.map((line) => line.replace(/.*models.yaml:\d+ /, ''))).toEqual([
      '(model a): price[0].until is required, as another price follows',
      '(model b): price[1].until must be later than the one before',
      '(model c): price must have at least one price',
    ]);
  });

  it('has the options that stand beside it, in each period', async () => {
    const { models } = await load(
      row(
        'price: [{ inputUsdPerMTok: 1, outputUsdPerMTok: 1, until: 2026-12-31 }, { inputUsdPerMTok: 2, outputUsdPerMTok: 2 }], serviceTiers: { priority: 2 }, cacheWrite1hUsdPerMTok: 3',
      ),
    );
    const options = { serviceTiers: { priority: 2 }, cacheWriteUsdPerMTok: { '1h': 3 } };
    expect(models[0]?.prices).toEqual([
      { until: Date.UTC(2027, 0, 1), price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1, ...options } },
      { until: null, price: { inputUsdPerMTok: 2, outputUsdPerMTok: 2, ...options } },
    ]);
  });
});

describe('the end of a model', () => {
  it('is a date, and its replacement another model of the file', async () => {
    const faults = await faultsOf(
      row('price: free, deprecated: soon, replacedBy: m', 'm'),
      row('price: free, replacedBy: gone', 'n'),
    );
    expect(faults.map((line) => line.replace(/.*models.yaml:\d+ /, ''))).toEqual([
      '(model m): deprecated must be a date such as 2026-12-31',
      '(model m): replacedBy names the model itself',
      '(model n): replacedBy names no model of this file',
    ]);
  });

  it('is a warning from that day on, as is the end of a price', async () => {
    const settings = await load(
      row('price: free, deprecated: 2026-12-11, replacedBy: n', 'm'),
      row('price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1, until: 2026-12-10 }', 'n'),
    );
    expect(settingsWarnings(settings, Date.UTC(2026, 11, 10, 23))).toEqual([]);
    expect(settingsWarnings(settings, Date.UTC(2026, 11, 11))).toEqual([
      'No longer served by the provider, by deprecated in models.yaml: m (use n). Remove or replace them.',
      'The price in models.yaml has ended: n. It is still charged: add the new one.',
    ]);
  });
});
