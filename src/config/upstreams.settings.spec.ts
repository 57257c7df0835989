import { describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import { SettingsError } from './settings.error.js';
import { loadSettings } from './settings.js';
import type { UpstreamProtocol } from './upstream-protocol.js';

const PROTOCOLS: UpstreamProtocol[] = [
  { protocol: 'plain', auth: { kind: 'bearer' } },
  { protocol: 'placed', auth: { kind: 'header', name: 'x-key' }, entryKeys: { place: { requiredWith: 'google' } } },
];

async function upstream(entry: string) {
  const yaml = `one: { baseUrl: "https://api.example.com", ${entry} }`;
  const folder = await createWorkFolder({ 'upstreams.yaml': yaml, 'models.yaml': '[]' });
  try {
    return loadSettings(folder.variables, PROTOCOLS, folder.path).upstreams.get('one');
  } finally {
    await folder.remove();
  }
}

async function faultsOf(entry: string): Promise<string[]> {
  const error = await upstream(entry).catch((reason: unknown) => reason);
  if (!(error instanceof SettingsError)) throw error;
  return error.faults.map(({ key, problem }) => `${key} ${problem}`);
}

describe('an entry of upstreams.yaml', () => {
  it('names one of the protocols that the gateway was built with', async () => {
    expect(await faultsOf('protocol: openai')).toEqual(['one.protocol must be one of plain, placed']);
  });

  it("is given its credential in the protocol's way, or as it says itself", async () => {
    expect((await upstream('protocol: placed'))?.scheme).toEqual({ kind: 'header', name: 'x-key' });
    expect((await upstream('protocol: placed, auth: none'))?.scheme).toEqual({ kind: 'none' });
  });

  it('has the further keys of the protocols, as far as something stands in them, and no others', async () => {
    expect((await upstream('protocol: placed, place: north'))?.settings).toEqual({ place: 'north' });
    expect((await upstream('protocol: placed, place: ""'))?.settings).toEqual({});
    expect(await faultsOf('protocol: placed, plaice: north')).toEqual(['one.plaice is not a known key']);
  });

  it('has those that its protocol cannot do without', async () => {
    expect(await faultsOf('protocol: placed, auth: google')).toEqual(['one.place is required with auth: google']);
    expect(await upstream('protocol: plain, auth: google')).toMatchObject({ scheme: { kind: 'google' } });
  });
});
