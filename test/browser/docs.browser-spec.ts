import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { AccessTokensService } from '../../src/auth/access-tokens.service.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { DOCS } from './support/pages.js';

const run = promisify(execFile);
/** The most JavaScript of a page, as it is sent, and of what draws Markdown, which arrives after the page. */
const MAX_SCRIPT_BYTES = 200_000;
const MAX_MARKDOWN_BYTES = 26_000;

/** The simulator answers for both. */
const MODELS = `
- { id: small-chat, tier: free, displayName: Small, description: Chats., contextLength: 100000, ownedBy: Somebody,
    capabilities: [tools, image_input], targets: [{ upstream: openai, model: small-chat }] }
- { id: small-vectors, kind: embedding, tier: free, displayName: Vectors, description: Embeds., dimensions: 8,
    maxInputTokens: 1000, ownedBy: Somebody, targets: [{ upstream: openai, model: small-vectors }] }
`;

const browser = await ConsoleBrowser.start({ config: { 'models.yaml': MODELS } });
const member = await browser.gateway.createPerson();
const admin = await browser.gateway.createPerson({ role: 'admin' });
afterEach(() => browser.closePages());

async function openDocs(path: string, as = member, width = 1280): Promise<ConsolePage> {
  const page = await browser.open({ as, width });
  await page.open(path);
  return page;
}

/** The code of a language, as the copy button copies it. */
async function copied(page: ConsolePage, within: string, language: string): Promise<string> {
  const part = page.view.locator(within);
  await part.getByRole('tab', { name: language }).first().click();
  await part
    .getByRole('button', { name: new RegExp(`^Copy .*: ${language}$`) })
    .first()
    .click();
  await part
    .getByRole('button', { name: new RegExp(`: ${language}$`) })
    .first()
    .waitFor();
  return page.view.evaluate<string>('navigator.clipboard.readText()');
}

/** Runs a program unchanged, with the key in the environment, and returns its output. */
async function printedBy(language: string, code: string, key: string): Promise<string> {
  const env = { ...process.env, OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, NODE_OPTIONS: '' };
  const cwd = await mkdtemp(join(tmpdir(), 'docs-'));
  // In the folder of the packages that it imports.
  const file = join(import.meta.dirname, `.docs-${process.pid}.mjs`);
  try {
    if (language === 'curl') return (await run('bash', ['-c', code], { env, cwd })).stdout;
    await writeFile(file, code);
    return (await run(process.execPath, [file], { env, cwd })).stdout;
  } finally {
    await rm(cwd, { recursive: true });
    await rm(file, { force: true });
  }
}

async function newKey(page: ConsolePage): Promise<string> {
  const reply = await page.view.context().request.post('/api/keys', { data: { name: 'docs' } });
  return ((await reply.json()) as { key: string }).key;
}

describe('the code beside an operation runs unchanged, with a model of the person:', () => {
  it.each([
    ['reference-chat-completions', 'createChatCompletion', /"chat\.completion"/],
    ['reference-chat-completions', 'getRequest', /costUsd/],
    ['reference-responses', 'createResponse', /"response"/],
    ['reference-messages', 'createMessage', /"message"/],
    ['reference-messages', 'countMessageTokens', /input_tokens/],
    ['reference-embeddings', 'createEmbeddings', /"embedding"/],
    ['reference-models-of-a-key', 'listModels', /context_len/],
    ['reference-models-of-a-key', 'getModel', /context/],
  ])('%s, %s', async (section, operation, answer) => {
    const page = await openDocs(`/docs/${section}#${operation}`);
    const key = await newKey(page);
    const curl = await copied(page, `#${operation}`, 'curl');
    expect(curl).toContain(browser.gateway.url);
    expect(curl).not.toContain('svc_');
    expect(await printedBy('curl', curl, key)).toMatch(answer);
    const node = await copied(page, `#${operation}`, 'Node');
    expect((await printedBy('node', node, key)).trim()).not.toBe('');
    const python = await copied(page, `#${operation}`, 'Python');
    expect(python).toMatch(/^# pip install (openai|anthropic)$/m);
    // Anthropic's SDK adds /v1 itself.
    const baseUrl = browser.gateway.url + (python.includes('from anthropic') ? '' : '/v1');
    expect(python).toContain(`base_url="${baseUrl}"`);
    expect(python).not.toContain('svc_');
  });
});

it.each([
  'getting-started',
  'streaming',
  'tools',
  'images',
  'chat-completions',
  'limits',
  'responses',
  'messages',
  'embeddings',
  'models',
])('the first program for Node of the guide %s runs unchanged', async (guide) => {
  const page = await openDocs(`/docs/${guide}`);
  const node = await copied(page, 'main', 'Node');
  expect((await printedBy('node', node, await newKey(page))).trim()).not.toBe('');
});

it('curl with an access token calls the console’s API unchanged', async () => {
  const page = await openDocs('/docs/reference-session');
  const input = { userId: member.id, name: 'docs', scopes: ['usage.read'] };
  const { token } = await browser.gateway.services.get(AccessTokensService).create(input, GATEWAY);
  const code = async (operation: string) =>
    (await page.view.locator(`#${operation} pre`).first().innerText()).replaceAll('\u00a0', ' ');
  const signIn = `PASSWORD='${member.password}'\n${await code('Session_open')}`;
  const read = `GATEWAY_TOKEN='${token}'\n${await code('OwnDocs_openApi')}`;
  const printed = await printedBy('curl', `${signIn}\n${read}`, '');
  expect(printed).toContain('"openapi":"3.1.0"');
});

describe('the navigation', () => {
  it('shows a member the operations for members, and marks the other operations for an administrator', async () => {
    const page = await openDocs('/docs/reference-plans');
    const nav = page.view.getByRole('navigation', { name: 'Documentation' });
    await nav.getByRole('link', { name: 'Every plan, and yours' }).waitFor();
    expect(await nav.getByRole('link', { name: /^Users|Audit log|Settings/ }).count()).toBe(0);
    expect(await page.view.getByText('Make a plan').count()).toBe(0);
    await page.open('/docs/reference-users');
    expect(await page.view.getByText('There is no such section').count()).toBe(1);

    const other = await openDocs('/docs/reference-plans', admin);
    const create = other.view.locator('#Plans_create');
    await create.getByText('Administrators', { exact: true }).waitFor();
    await other.view.getByRole('link', { name: 'Users administrators' }).waitFor();
  });

  it('has the sections that the tests of all pages look at', async () => {
    const page = await openDocs('/docs', admin);
    const links = page.view.getByRole('navigation', { name: 'Documentation' }).getByRole('link');
    const sections = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(sections).toEqual(DOCS.map((section) => `/docs/${section}`));
  });

  it('has links to the next and previous section, and keeps the sections’ addresses', async () => {
    const page = await openDocs('/docs');
    await page.view.getByRole('navigation', { name: 'Previous and next' }).getByRole('link').click();
    await page.view.getByRole('heading', { level: 1, name: 'Streaming' }).waitFor();
    expect(page.path).toBe('/docs/streaming');
    await page.view.goBack();
    await page.view.getByRole('heading', { level: 1, name: 'Getting started' }).waitFor();
  });

  it('opens the operation in the address', async () => {
    const page = await openDocs('/docs/reference-chat-completions#getRequest');
    const heading = page.view.getByRole('heading', { level: 2, name: 'The result of a call' });
    await heading.waitFor();
    expect((await heading.boundingBox())?.y).toBeLessThan(900);
    expect(await page.view.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
  });

  it('is folded on a phone', async () => {
    const page = await openDocs('/docs/errors', member, 360);
    const nav = page.view.getByRole('navigation', { name: 'Documentation' });
    const link = nav.getByRole('link', { name: 'Streaming' });
    expect(await link.isVisible()).toBe(false);
    await nav.getByRole('button', { name: 'Contents' }).click();
    await link.click();
    await page.view.getByRole('heading', { level: 1, name: 'Streaming' }).waitFor();
    expect(await link.isVisible()).toBe(false);
  });
});

it('the search finds guides and operations, and reports if there are none', async () => {
  const page = await openDocs('/docs');
  const field = page.view.getByRole('searchbox', { name: 'Search the docs' });
  const nav = page.view.getByRole('navigation', { name: 'Documentation' });
  await field.fill('insufficient_quota');
  await nav.getByRole('link', { name: /What a 429 means/ }).waitFor();
  await field.fill('POST /v1/EMBEDDINGS');
  await nav.getByRole('link', { name: /Turn texts into vectors/ }).click();
  await page.view.getByRole('heading', { level: 1, name: 'Embeddings' }).waitFor();
  expect(new URL(page.view.url()).hash).toBe('#createEmbeddings');
  await field.fill('no such thing');
  await nav.getByText('Nothing found for “no such thing”').waitFor();
});

it('nested fields are drawn when they are opened, also by the keyboard', async () => {
  const page = await openDocs('/docs/reference-chat-completions');
  const field = page.view.locator('#createChatCompletion li', { hasText: 'stream_options' }).first();
  expect(await page.view.getByText('include_usage', { exact: true }).count()).toBe(0);
  await field.locator('summary').first().focus();
  await page.view.keyboard.press('Enter');
  await field.getByText('include_usage', { exact: true }).waitFor();
});

it('every error code is in the guide, with a remedy', async () => {
  const page = await openDocs('/docs/errors');
  const row = page.view.getByRole('row', { name: /insufficient_quota/ });
  expect(await row.innerText()).toMatch(/429[\s\S]*Do not retry/);
});

it.each(['/docs', '/docs/reference-chat-completions'])(
  '%s loads at most 200 kB of scripts and 26 kB for Markdown, all of them from the gateway',
  async (path) => {
    const page = await openDocs(path);
    const scripts = await page.view.evaluate<{ name: string; encodedBodySize: number }[]>(
      "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map((one) => one.toJSON())",
    );
    expect(scripts.filter(({ name }) => !name.startsWith(browser.gateway.url))).toEqual([]);
    const markdown = scripts.filter(({ name }) => name.includes('/markdown-'));
    const others = scripts.filter((script) => !markdown.includes(script));
    const bytesOf = (list: typeof scripts) => list.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    expect(bytesOf(others)).toBeGreaterThan(50_000);
    expect(bytesOf(others)).toBeLessThan(MAX_SCRIPT_BYTES);
    expect(bytesOf(markdown)).toBeGreaterThan(10_000);
    expect(bytesOf(markdown)).toBeLessThan(MAX_MARKDOWN_BYTES);
  },
);

it('the page without a session leads to the sign-in and back', async () => {
  const page = await browser.open();
  await page.open('/docs/streaming');
  expect(page.path).toBe('/login?next=%2Fdocs%2Fstreaming');
});
