import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigReloadService } from '../../src/config/config-reload.service.js';
import { SETTINGS, type Settings } from '../../src/config/settings.js';
import { CloudCredentialsService } from '../../src/upstreams/cloud-credentials.service.js';
import { TargetHealthService } from '../../src/upstreams/target-health.service.js';
import { answerTo, refusal } from '../support/chat-answers.js';
import { eventually } from '../support/eventually.js';
import { json, reply } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import type { TestPerson } from '../support/test-gateway.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

const MODELS = `
- { id: first, tier: free, displayName: First, description: A model., contextLength: 1000,
    targets: [{ upstream: openai, model: gpt-first }, { upstream: groq, model: llama, priority: 2 }] }
- { id: second, tier: free, displayName: Second, description: A model., contextLength: 1000,
    targets: [{ upstream: mistral, model: small }] }
- { id: third, tier: free, displayName: Third, description: A model., contextLength: 1000,
    targets: [{ upstream: mistral, model: large, weight: 3 }, { upstream: openai, model: gpt-third, concurrentCalls: 5 }] }
`;

let upstream: ScriptedUpstream;
let browser: ConsoleBrowser;
let admin: TestPerson;

beforeAll(async () => {
  upstream = await ScriptedUpstream.start();
  browser = await ConsoleBrowser.start({
    env: {
      SIMULATOR: 'off',
      OPENAI_API_KEY: 'sk-one',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      MISTRAL_API_KEY: 'sk-two',
      MISTRAL_BASE_URL: `${upstream.url}/v1`,
    },
    config: { 'models.yaml': MODELS, 'gateway.yaml': '{ retry: { attempts: 1 }, routing: { asideFor: 5m } }' },
  });
  const { gateway } = browser;
  admin = await gateway.createPerson({ role: 'admin' });
  const user = await gateway.createUser();
  const ask = (model: string) => gateway.complete(user, { model, messages: [{ role: 'user', content: 'Hi' }] });
  upstream.always(answerTo);
  await ask('second');
  upstream.always(() => refusal(500));
  for (let call = 0; call < 13; call++) await ask('first');
});
afterEach(() => browser?.closePages());

const rowOf = ({ view }: ConsolePage, name: string) => view.getByRole('row').filter({ hasText: name });

describe('the upstreams', () => {
  it('are one table with failing ones first; a credential alone does not count as healthy', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/upstreams');
    const names = await page.view.getByRole('row').locator('td:first-child button').allInnerTexts();
    expect(names[0]).toBe('openai');
    expect(await rowOf(page, 'openai').innerText()).toMatch(/Failing[\s\S]*13 of 13 failed[\s\S]*500 upstream_error/);
    expect(await rowOf(page, 'mistral').innerText()).toContain('Healthy');
    expect(await rowOf(page, 'groq').innerText()).toContain('No credential');
    expect(await page.view.getByText('Live', { exact: true }).count()).toBe(0);
  });

  it('determine the status of the models by their newest calls, wherever models are shown', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/upstreams?tab=models');
    const table = view.getByRole('table', { name: 'Models' });
    const statusOf = async (name: string) =>
      (await table.getByRole('row').filter({ hasText: name }).innerText()).match(/Healthy|Failing|No calls yet/)?.[0];
    expect([await statusOf('First'), await statusOf('Second'), await statusOf('Third')]).toEqual([
      ...['Failing', 'Healthy', 'No calls yet'],
    ]);
    expect(await view.getByText('Available', { exact: true }).count()).toBe(0);
    await page.open('/models');
    const card = view.getByRole('article').filter({ hasText: 'First' });
    await card.getByText('Failing').hover();
    await view.getByText(/^13 of the last 13 calls within 24 hours failed\./).waitFor();
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot('models-health-light');
  });

  it('determine the suggested model: one that works', async () => {
    const page = await browser.open({ as: admin, theme: 'dark' });
    await page.open('/playground');
    expect(await page.view.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('Second');
    await page.open('/keys');
    await page.view.locator('pre', { hasText: '"second"' }).first().waitFor();
    await page.open('/');
    await page.view.locator('pre', { hasText: '"second"' }).first().waitFor();
  });

  it('show what is set aside and until when, and the weight and share of each target', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/upstreams');
    await rowOf(page, 'openai')
      .getByText(/^gpt-first is set aside until .*: it failed too often$/)
      .waitFor();
    await page.view.getByText(`the view of process ${process.pid} on ${hostname()}.`).waitFor();
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot('upstreams-aside');
    await page.open('/upstreams?tab=models');
    await rowOf(page, 'Third').getByText('weight 3, 75%').waitFor();
    await rowOf(page, 'Third').getByText('weight 1, 25%').waitFor();
    await rowOf(page, 'First')
      .getByText(/priority 1.*set aside until/)
      .waitFor();
  });

  it.each([1024, 360])('show which other process set a target aside, at %i px', async (width) => {
    const { gateway } = browser;
    const by = { host: 'gateway-7d9f8b6c5-x2x4z', process: 7 };
    const news = { kind: 'failing', upstream: 'mistral', key: null, model: 'small', forMs: 60_000, times: 1 } as const;
    gateway.services.get(TargetHealthService).takeOver(news, by);
    const page = await browser.open({ as: admin, width });
    await page.open('/upstreams');
    await page.view
      .getByText(/^small is set aside until .* \(seen by process 7 on gateway-7d9f8b6c5-x2x4z\)$/)
      .waitFor();
    const overflow = await page.view.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot(`upstreams-other-process-${width}`);
    await page.open('/upstreams?tab=models');
    await page.view.getByText('Second', { exact: true }).waitFor();
    await page.screenshot(`upstreams-models-${width}`);
    gateway.services.get(TargetHealthService).takeOver({ ...news, kind: 'back' }, by);
  });

  it('the upstreams that are failing are shown to administrators on the overview', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/');
    const note = page.view.getByRole('alert').filter({ hasText: 'openai' });
    expect(await note.innerText()).toMatch(/13 of 13 calls failed[\s\S]*upstream_error/);
    await note.getByRole('link', { name: 'openai' }).click();
    await page.settled();
    expect(page.path).toBe('/upstreams?upstream=openai');
  });

  it('show their variables and clocks in a drawer, which Back closes', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/upstreams');
    expect(await page.view.getByText('until connected').count()).toBe(0);
    await page.view.getByRole('button', { name: 'openai', exact: true }).click();
    const drawer = page.view.getByRole('dialog', { name: 'openai' });
    await drawer.getByText('OPENAI_API_KEY').waitFor();
    await drawer.getByText('until connected').waitFor();
    await drawer.getByText('0% of 5 concurrent requests').waitFor();
    await page.view.goBack();
    await drawer.waitFor({ state: 'detached' });
    expect(page.path).toBe('/upstreams');
  });

  it('show the result of a test in their row', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/upstreams');
    upstream.always(() => refusal(401, 'Incorrect API key provided'));
    const row = rowOf(page, 'openai');
    await row.getByRole('button', { name: 'Test connection to openai' }).click();
    await row.getByText(/JSON failed/).waitFor();
    await row.getByText(/Stream failed/).waitFor();
  });

  it('the upstreams that were called for one request are on a timeline in its drawer', async () => {
    const { gateway } = browser;
    upstream.always(() => refusal(500));
    const user = await gateway.createUser();
    await gateway.complete(user, { model: 'third', messages: [{ role: 'user', content: 'Hi' }] });
    const [{ id } = {}] = await gateway.database.query('SELECT id FROM usage_calls WHERE user_id = $1', [user.id]);
    const page = await browser.open({ as: admin });
    await page.open(`/usage?call=${id}`);
    const attempts = page.view.getByRole('table', { name: 'Attempts' }).getByRole('row');
    await attempts.nth(2).waitFor();
    expect((await attempts.allInnerTexts()).join()).toMatch(/(mistral[\s\S]*openai|openai[\s\S]*mistral)/);
    await page.screenshot('attempts-timeline');
    expect(await page.accessibilityFaults()).toEqual([]);
  });
});

describe('the files', () => {
  const reloadWith = async (file: string, text: string) => {
    const { services } = browser.gateway;
    await writeFile(join(services.get<Settings>(SETTINGS).configDir, file), text);
    services.get(ConfigReloadService).reload('signal');
  };

  it('show the changes of the last reload by file, and what needs a restart', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/upstreams');
    await rowOf(page, 'openai').waitFor();
    expect(await page.view.getByText('The files').count()).toBe(0);
    await reloadWith('models.yaml', MODELS.replace('displayName: Third', 'displayName: Renamed'));
    await reloadWith('gateway.yaml', '{ retry: { attempts: 2 }, overload: { maxCalls: 50 } }');
    await page.open('/upstreams');
    const banner = page.view.getByRole('alert').filter({ hasText: 'The files were reloaded; a restart is needed' });
    await banner.waitFor();
    expect(await banner.innerText()).toMatch(/retry changed in gateway\.yaml[\s\S]*routing changed in gateway\.yaml/);
    expect(await banner.innerText()).toContain('overload changed in gateway.yaml; a restart is needed');
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot('reload-changes');
  });

  it('show every mistake that prevented a reload', async () => {
    await reloadWith('models.yaml', MODELS.replace('upstream: groq', 'upstream: nobody'));
    expect(browser.takeErrors()).toEqual([expect.stringContaining('nothing was changed')]);
    const page = await browser.open({ as: admin });
    await page.open('/upstreams');
    const banner = page.view.getByRole('alert').filter({ hasText: 'The files contain errors; nothing was changed' });
    await banner.waitFor();
    expect(await banner.innerText()).toMatch(/models\.yaml:\d+ \(model [\w.-]+\): targets\[1\]\.upstream/);
    expect(await page.accessibilityFaults()).toEqual([]);
  });
});

describe('an upstream with a credential that is not renewed', () => {
  const variables = { ...process.env };
  let sts: ScriptedUpstream;
  let bedrock: ScriptedUpstream;
  let cloud: ConsoleBrowser;

  beforeAll(async () => {
    [sts, bedrock] = await Promise.all([ScriptedUpstream.start(), ScriptedUpstream.start()]);
    const xml = (status: number, body: string) => reply(status, { 'content-length': String(body.length) }, body);
    const key = '<AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>';
    const end = new Date(Date.now() + 240_000).toISOString();
    const keys = `<Credentials>${key}<SessionToken>token</SessionToken><Expiration>${end}</Expiration></Credentials>`;
    sts.enqueue(xml(200, `<AssumeRoleResponse><AssumeRoleResult>${keys}</AssumeRoleResult></AssumeRoleResponse>`));
    sts.always(() =>
      xml(403, '<ErrorResponse><Error><Code>Denied</Code><Message>no trust</Message></Error></ErrorResponse>'),
    );
    const content = [{ text: 'OK.' }];
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    bedrock.always(() =>
      json(200, { output: { message: { role: 'assistant', content } }, stopReason: 'end_turn', usage }),
    );
    cloud = await ConsoleBrowser.start({
      env: {
        BEDROCK_BASE_URL: bedrock.url,
        AWS_ENDPOINT_URL_STS: sts.url,
        AWS_ACCESS_KEY_ID: 'AKIDBASE',
        AWS_SECRET_ACCESS_KEY: 'base',
      },
      config: {
        'upstreams.yaml': `bedrock: { protocol: bedrock, baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com", region: eu-west-3, roleArn: "arn:aws:iam::123456789012:role/gateway" }`,
        'models.yaml': `[{ id: nova, tier: free, displayName: Nova, description: Nova, contextLength: 1000, targets: [{ upstream: bedrock, model: amazon.nova-lite-v1:0 }] }]`,
      },
    });
  });
  afterAll(async () => {
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  });

  it('shows after a test why it is not renewed, and in its drawer where it comes from and until when', async () => {
    const { gateway } = cloud;
    // biome-ignore lint/complexity/useLiteralKeys: it is private
    const renewed = gateway.services.get(CloudCredentialsService)['known'].get('bedrock')?.credential;
    await eventually(() => renewed?.state().isValid);
    await renewed?.renew();
    const page = await cloud.open({ as: await gateway.createPerson({ role: 'admin' }) });
    await page.open('/upstreams');
    await page.view.getByRole('button', { name: 'Test connection to bedrock' }).click();
    const row = rowOf(page, 'bedrock');
    await row.getByText(/JSON works/).waitFor();
    await row.getByText(/The credential of bedrock cannot be renewed: .*no trust.* It is valid until 20/).waitFor();
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot('upstreams-test-warning');
    await page.view.getByRole('button', { name: 'bedrock', exact: true }).click();
    const drawer = page.view.getByRole('dialog', { name: 'bedrock' });
    await drawer.getByText(/From the role arn:aws:iam::123456789012:role\/gateway.*until/).waitFor();
    await drawer.getByText(/Not renewed since .*no trust/).waitFor();
  });
});
