/**
 * `npm run bench -- cache`, `guards` or `identity`: the CPU time of a call that uses the feature beside that of the same
 * call without it. Exits with 1 if a limit is exceeded.
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { benchFolder, parseOptions, prepare, type Setting } from './gateway.ts';
import { alternate, type Measured, median, warmUp } from './measure.ts';

const FEATURES: Readonly<Record<string, () => Promise<void>>> = { cache, guards, identity };
const JSON_64: Measured = { title: 'JSON, 64 connections', connections: 64, request: 'json', unit: 'request' };
const EMAIL = 'feature@localhost';

const [feature = '', ...words] = process.argv.slice(2);
const options = parseOptions(words);
const config = benchFolder();
cpSync(path.resolve(import.meta.dirname, '../config'), config, { recursive: true });
try {
  await FEATURES[feature]?.();
} finally {
  rmSync(config, { recursive: true, force: true });
}

/** A call that is answered from the cache, as a share of the same call to the upstream. */
async function cache(): Promise<void> {
  const most = 0.6;
  await measured({ CONTENT_LOG_KEY: randomBytes(32).toString('base64') }, async (setting) => {
    const { key } = await newKey(setting, '--cache', '1h');
    for (const [connections, warmUpAnswers] of [
      [64, 8000],
      [1, 2000],
    ] as const) {
      const phase = { ...JSON_64, title: `JSON, ${connections} connections`, connections };
      const { used, plain, ratio } = await compared(setting, key, phase, warmUpAnswers, 16);
      report(ratio <= most, `${phase.title}: hit ${used} µs, call ${plain} µs, ${ratio.toFixed(2)} ≤ ${most}`);
    }
  });
}

/** What five built-in detectors add to a call with a prompt of 4 kB, and to a chunk of a stream. */
async function guards(): Promise<void> {
  const definition = `
guards:
  personal: { detect: [email, phone, payment_card, iban, ip_address], on: [request, answer], do: mask }
`;
  appendFileSync(path.join(config, 'gateway.yaml'), definition);
  const long: Measured = { ...JSON_64, title: 'JSON with a prompt of 4 kB', request: 'long' };
  const streams: Measured = { title: '200 streams', connections: 200, request: 'stream', unit: 'chunk' };
  await measured({ CONFIG_DIR: config }, async (setting) => {
    const { id, key } = await newKey(setting);
    await setting.command('key:set', '--id', id, '--guards', 'personal');
    const ofCall = await compared(setting, key, long, 8000, 16);
    const share = (ofCall.ratio - 1) * 100;
    const figures = ({ used, plain }: Compared) => `${used} µs with guards, ${plain} µs without`;
    report(share <= 10, `${long.title}, per request: ${figures(ofCall)}, +${share.toFixed(1)} % ≤ 10 %`);
    const ofChunk = await compared(setting, key, streams, 400, 16);
    report(
      ofChunk.more <= 1,
      `${streams.title}, per chunk: ${figures(ofChunk)}, +${ofChunk.more.toFixed(2)} µs ≤ 1 µs`,
    );
  });
}

/** What a call with a known token of an identity provider costs more than the same call with an API key. */
async function identity(): Promise<void> {
  const mostUs = 5;
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' };
  const provider = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const isKeys = request.url === '/keys';
    response.end(JSON.stringify(isKeys ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const file = path.join(config, 'gateway.yaml');
  const entry = `issuer: "${issuer}", audience: [gateway], user: email, create: true`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^auth:/m, `auth:\n  issuers: [{ ${entry} }]`));
  try {
    await measured({ CONFIG_DIR: config }, async (setting) => {
      await newKey(setting);
      const token = await new SignJWT({ sub: 'bench', email: EMAIL, email_verified: true })
        .setProtectedHeader({ alg: 'RS256', kid: 'bench', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience('gateway')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey);
      const { more, plain } = await compared(setting, token, JSON_64, 8000, 32);
      report(more <= mostUs, `a token: ${more.toFixed(1)} µs more than the ${plain} µs of a key ≤ ${mostUs}`);
    });
  } finally {
    provider.close();
  }
}

interface Compared {
  /** Medians of CPU µs with the feature and without it, in words. */
  readonly used: string;
  readonly plain: string;
  /** Medians of the turns' ratios and differences. */
  readonly ratio: number;
  readonly more: number;
}

async function compared(
  { gateway, driver }: Setting,
  key: string,
  phase: Measured,
  warmUpAnswers: number,
  turns: number,
): Promise<Compared> {
  const featured = { ...gateway, key };
  for (const target of [gateway, featured]) await warmUp(target, phase, driver, warmUpAnswers);
  const pairs = await alternate([featured, phase], [gateway, phase], driver, options.quick ? turns / 4 : turns);
  return {
    used: median(pairs.map(([ours]) => ours)).toFixed(1),
    plain: median(pairs.map(([, others]) => others)).toFixed(1),
    ratio: median(pairs.map(([ours, others]) => ours / others)),
    more: median(pairs.map(([ours, others]) => ours - others)),
  };
}

async function measured(env: NodeJS.ProcessEnv, work: (setting: Setting) => Promise<void>): Promise<void> {
  const setting = await prepare(options, env);
  try {
    await work(setting);
  } finally {
    await setting.stop();
  }
}

/** A key of the feature's own user, who has the pro plan. */
async function newKey({ command }: Setting, ...args: string[]): Promise<{ id: string; key: string }> {
  await command('user:create', '--email', EMAIL);
  await command('plan:grant', '--email', EMAIL);
  const { id, key } = await command('key:create', '--email', EMAIL, '--name', 'feature', ...args);
  return { id: String(id), key: String(key) };
}

function report(isWithin: boolean, line: string): void {
  console.log(`${line} ${isWithin ? 'ok' : 'OVER'}`);
  if (!isWithin) process.exitCode = 1;
}
