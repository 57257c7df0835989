import { afterAll, describe, expect, it } from '@jest/globals';
import { AlertReceiver } from './support/alert-receiver.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import type { ReceivedRequest } from './support/received-request.js';
import { json, reply, type Script } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const ROLE = 'arn:aws:iam::123456789012:role/gateway';
const LIFETIME_MS = 6000;
const ANSWER = {
  output: { message: { role: 'assistant', content: [{ text: 'Hi.' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
};

let isDenied = false;
let given = 0;

/** AssumeRole's answer: keys that end in a few seconds. */
function assumed(): Script {
  if (isDenied)
    return xml(
      403,
      '<ErrorResponse><Error><Code>AccessDenied</Code><Message>no trust</Message></Error></ErrorResponse>',
    );
  const keys = `<AccessKeyId>ASIA${++given}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>session-token-${given}</SessionToken>`;
  const end = new Date(Date.now() + LIFETIME_MS).toISOString();
  return xml(
    200,
    `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>${keys}` +
      `<Expiration>${end}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
  );
}

function xml(status: number, body: string): Script {
  return reply(status, { 'content-type': 'text/xml', 'content-length': String(body.length) }, body);
}

const variables: NodeJS.ProcessEnv = { ...process.env };
const [bedrock, sts, receiver] = await Promise.all([
  ScriptedUpstream.start(),
  ScriptedUpstream.start(),
  AlertReceiver.start(),
]);
bedrock.always(() => json(200, ANSWER));
sts.always(assumed);
const gateway = await TestGateway.start({
  env: {
    BEDROCK_BASE_URL: bedrock.url,
    AWS_ENDPOINT_URL_STS: sts.url,
    AWS_ACCESS_KEY_ID: 'AKIDBASE',
    AWS_SECRET_ACCESS_KEY: 'base',
    ALERT_WEBHOOK_URL: receiver.url,
  },
  config: {
    'gateway.yaml': 'retry: { attempts: 1 }',
    'upstreams.yaml': `bedrock: { protocol: bedrock, baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com", region: eu-west-3, roleArn: "${ROLE}" }`,
    'models.yaml':
      '- { id: nova, tier: free, displayName: N, description: N, contextLength: 1000, targets: [{ upstream: bedrock, model: amazon.nova-lite-v1:0 }] }',
  },
});
const admin = await ConsoleClient.as(gateway, 'admin');
const user = await gateway.createUser();
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
});

const ask = () => gateway.complete(user, { model: 'nova', messages: [{ role: 'user', content: 'Hi' }] });
const signerOf = (request?: ReceivedRequest) => /Credential=(\w+)\//.exec(request?.headers.authorization ?? '')?.[1];

async function shown() {
  const { body } = await admin.get('/api/upstreams');
  return { credential: body.upstreams[0].credential, target: body.models[0].targets[0] };
}

describe('an upstream whose credential comes from a role', () => {
  it('is signed for with keys that were fetched at the start and are renewed before their end', async () => {
    await eventually(() => given === 1);
    expect((await ask()).status).toBe(200);
    expect(signerOf(bedrock.requests.at(-1))).toBe('ASIA1');
    expect(bedrock.requests.at(-1)?.headers['x-amz-security-token']).toBe('session-token-1');
    const { credential } = await shown();
    expect(credential).toMatchObject({
      source: `the role ${ROLE}, assumed with the key pair of the environment`,
      isValid: true,
      failingSince: null,
    });
    expect(Date.parse(credential.expiresAt) - Date.now()).toBeLessThan(LIFETIME_MS);
    await eventually(() => given === 2, LIFETIME_MS - 500);
    await eventually(async () => (await ask()).status === 200 && signerOf(bedrock.requests.at(-1)) === 'ASIA2');
  });

  it('serves while a renewal fails, which the log, an alert, the test and the console tell', async () => {
    isDenied = true;
    const { credential } = await eventually(async () => {
      const now = await shown();
      return now.credential.failingSince !== null && now;
    });
    expect(credential).toMatchObject({ isValid: true, reason: expect.stringContaining('no trust') });
    expect((await ask()).status).toBe(200);
    const { body } = await admin.post('/api/upstreams/bedrock/test');
    expect(body.calls[0]).toMatchObject({ ok: true, warning: expect.stringContaining('cannot be renewed: no trust') });
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        msg: expect.stringContaining('cannot be renewed'),
        reason: expect.stringContaining('no trust'),
      }),
    );
    await eventually(() => receiver.bodies().some(({ type }) => type === 'credential_failing'));
  });

  it('is set aside with that reason when the last credential has ended, and works again with a new one', async () => {
    const aside = await eventually(async () => {
      const { target } = await shown();
      return target.asideReason === 'credential' && target;
    });
    expect(Date.parse(aside.asideUntil)).toBeGreaterThan(Date.now());
    const calls = bedrock.requests.length;
    const refused = await ask();
    expect(refused.status).toBe(502);
    expect(await refused.text()).toContain('The gateway has no valid credential for the upstream.');
    expect(bedrock.requests).toHaveLength(calls);
    await eventually(() =>
      receiver.bodies().some(({ text = '' }) => text.includes('has no valid credential for bedrock')),
    );
    isDenied = false;
    await eventually(async () => (await ask()).status === 200, 25_000);
    expect((await shown()).target.asideReason).toBeNull();
    await eventually(() => receiver.bodies().some(({ type }) => type === 'target_back'));
    expect(JSON.stringify([gateway.log, receiver.bodies()])).not.toMatch(/session-token|base"/);
  });
});
