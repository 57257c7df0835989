import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { CloudCredential, type CloudGrant, CloudIdentity, type CredentialState } from './cloud.credential.js';

const REQUEST = { method: 'POST', url: 'http://upstream/v1', headers: {}, body: '{}' } as const;

let credential: CloudCredential;
afterEach(() => credential.stop());

/** Grants that end after this time, numbered; `fails` and `isSlow` change what the next fetches do. */
class Cloud {
  fetches = 0;
  underWay = 0;
  most = 0;
  fails = false;
  delayMs = 0;
  /** The same grant again, as clouds do that cache it. */
  repeats = false;
  readonly states: CredentialState[] = [];
  private last: CloudGrant | null = null;

  constructor(private readonly lifetimeMs: number) {
    const identity = new CloudIdentity('aws', { region: 'r' }, () => this.fetch());
    credential = new CloudCredential(identity, (state) => this.states.push(state));
  }

  private async fetch(): Promise<CloudGrant> {
    this.fetches++;
    this.most = Math.max(this.most, ++this.underWay);
    await sleep(this.delayMs);
    this.underWay--;
    if (this.fails) throw new Error('denied: eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.x is not trusted\nsecond line');
    if (this.repeats && this.last) return this.last;
    const headers = { authorization: `Bearer ${this.fetches}` };
    const endsAt = new Date(Date.now() + this.lifetimeMs);
    this.last = { sign: () => headers, secrets: [`${this.fetches}`], endsAt, source: 'a cloud' };
    return this.last;
  }
}

const signed = async () => (await credential.sign(REQUEST)).authorization;

describe('a credential of a cloud', () => {
  it('is fetched once when several calls need it at the same time', async () => {
    const cloud = new Cloud(60_000);
    cloud.delayMs = 50;
    expect(await Promise.all([signed(), signed(), signed()])).toEqual(['Bearer 1', 'Bearer 1', 'Bearer 1']);
    expect(cloud.fetches).toBe(1);
    expect(credential.state()).toMatchObject({ source: 'a cloud', isValid: true, failure: null });
    expect(credential.secrets).toEqual(['1']);
  });

  it('is renewed in the background after three quarters of its time, while calls use the old one', async () => {
    const cloud = new Cloud(2000);
    await credential.renew();
    const begun = performance.now();
    cloud.delayMs = 300;
    await eventually(() => cloud.fetches === 2);
    const elapsed = performance.now() - begun;
    expect(elapsed).toBeGreaterThan(1400);
    expect(elapsed).toBeLessThan(1900);
    expect(credential.sign(REQUEST)).toEqual({ authorization: 'Bearer 1' });
    await eventually(async () => (await signed()) === 'Bearer 2', 1000);
    expect(cloud.most).toBe(1);
  });

  it('is requested again soon if the cloud returns the old one, which nears its end', async () => {
    const cloud = new Cloud(3000);
    cloud.repeats = true;
    await credential.renew();
    await eventually(() => cloud.fetches === 2);
    cloud.repeats = false;
    await eventually(async () => (await signed()) !== 'Bearer 1', 1500);
  });

  it('serves until its end while its renewal fails, which is reported, and is then refused at once', async () => {
    const cloud = new Cloud(1500);
    await credential.renew();
    cloud.fails = true;
    await eventually(() => cloud.fetches === 2);
    await eventually(() => cloud.states.length === 2);
    expect(cloud.states[1]).toMatchObject({
      isValid: true,
      failure: { reason: 'denied: [removed] is not trusted', since: expect.any(Date) },
    });
    expect(await signed()).toBe('Bearer 1');
    await eventually(() => cloud.states.at(-1)?.isValid === false, 2000);
    const begun = performance.now();
    const error = await signed().catch((reason: unknown) => reason);
    expect(performance.now() - begun).toBeLessThan(500);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ failure: { credentialMissing: true }, advice: 'other-target', status: 502 });
    cloud.fails = false;
    await credential.renew();
    expect(await signed()).toBe(`Bearer ${cloud.fetches}`);
    expect(cloud.states.at(-1)).toMatchObject({ isValid: true, failure: null });
  }, 20_000);
});
