/**
 * `npm run bench -- identity`: what a call with a known token of an identity provider costs more than the same call with
 * an API key, in CPU time. Exits with 1 if the limit is exceeded.
 */

import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { benchFolder, parseOptions, prepare } from './gateway.ts';
import { cpuOf, type Measured, measure, median, warmUp } from './measure.ts';

const LIMIT_US = 5;
const TURN_SECONDS = 0.5;
const PHASE: Measured = { title: 'JSON, 64 connections', connections: 64, request: 'json', unit: 'request' };
const WARM_UP_ANSWERS = 8000;
const EMAIL = 'token@localhost';

const options = parseOptions(process.argv.slice(2));
const turns = options.quick ? 8 : 32;
const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' };

/** Discovery and the signing key. */
const provider = createServer((request, response) => {
  const { port } = provider.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const isKeys = request.url === '/keys';
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(isKeys ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }));
}).listen(0, '127.0.0.1');
await once(provider, 'listening');
const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

const folder = benchFolder();
cpSync(path.resolve(import.meta.dirname, '../config'), folder, { recursive: true });
const entry = `issuer: "${issuer}", audience: [gateway], user: email, create: true`;
const settings = readFileSync(path.join(folder, 'gateway.yaml'), 'utf8').replace(
  /^auth:/m,
  `auth:\n  issuers: [{ ${entry} }]`,
);
writeFileSync(path.join(folder, 'gateway.yaml'), settings);

const setting = await prepare(options, { CONFIG_DIR: folder });
try {
  await setting.command('user:create', '--email', EMAIL);
  await setting.command('plan:grant', '--email', EMAIL);
  const claims = { sub: 'bench', email: EMAIL, email_verified: true };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'bench', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience('gateway')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  const identity = { ...setting.gateway, key: token };
  for (const target of [setting.gateway, identity]) await warmUp(target, PHASE, setting.driver, WARM_UP_ANSWERS);
  const pairs: [byToken: number, byKey: number][] = [];
  for (let turn = 0; turn < turns; turn++) {
    const byKey = cpuOf(await measure(setting.gateway, PHASE, setting.driver, TURN_SECONDS));
    pairs.push([cpuOf(await measure(identity, PHASE, setting.driver, TURN_SECONDS)), byKey]);
  }
  const more = median(pairs.map(([byToken, byKey]) => byToken - byKey));
  const call = median(pairs.map(([, byKey]) => byKey));
  const verdict = more <= LIMIT_US ? 'ok' : 'OVER';
  console.log(`a token: ${more.toFixed(1)} µs more than the ${call.toFixed(1)} µs of a key ≤ ${LIMIT_US} ${verdict}`);
  if (more > LIMIT_US) process.exitCode = 1;
} finally {
  await setting.stop();
  provider.close();
  rmSync(folder, { recursive: true, force: true });
}
