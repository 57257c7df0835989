import { afterEach, describe, expect, it } from '@jest/globals';
import { answerTo, refusal, stream } from '../support/chat-answers.js';
import { eventually } from '../support/eventually.js';
import { hang } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

const model = (id: string, name: string, price: number) => `
- { id: ${id}, tier: free, displayName: ${name}, description: A model., contextLength: 100000, ownedBy: Somebody,
    capabilities: [image_input],
    price: { inputUsdPerMTok: ${price}, outputUsdPerMTok: ${price} }, targets: [{ upstream: openai, model: ${id} }] }`;

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const upstream = await ScriptedUpstream.start();
const browser = await ConsoleBrowser.start({
  env: { SIMULATOR: 'off', OPENAI_API_KEY: 'sk-one', OPENAI_BASE_URL: `${upstream.url}/v1` },
  config: {
    'models.yaml': [model('dear-one', 'Dear', 9), model('cheap-llama', 'Llama', 1), model('middle', 'Middle', 3)].join(
      '',
    ),
  },
});
const person = await browser.gateway.createPerson();
afterEach(async () => {
  await browser.closePages();
  upstream.always(answerTo);
});

async function playground(model = ''): Promise<ConsolePage> {
  upstream.always(answerTo);
  const page = await browser.open({ as: person });
  await page.open(`/playground${model && `?model=${model}`}`);
  return page;
}

async function send({ view }: ConsolePage, text: string): Promise<void> {
  await view.getByLabel('Message', { exact: true }).fill(text);
  await view.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Hovering loads the code of the list, so that the click is not the first use of it. */
async function compareWith({ view }: ConsolePage, name: RegExp): Promise<void> {
  const field = view.getByRole('combobox', { name: 'Compare with' });
  await field.hover();
  await view.waitForLoadState('networkidle');
  await field.click();
  await view.getByRole('option', { name }).click();
}

async function codeOf({ view }: ConsolePage): Promise<string> {
  await view.getByRole('button', { name: 'Code', exact: true }).click();
  const code = await view.getByRole('region', { name: 'curl program' }).innerText();
  await view.keyboard.press('Escape');
  await view.getByRole('dialog').waitFor({ state: 'detached' });
  return code;
}

describe('the playground', () => {
  it('starts with the cheapest model, later with the last one used', async () => {
    const page = await playground();
    const field = page.view.getByRole('combobox', { name: 'Model' });
    expect(await field.inputValue()).toBe('Llama');
    await field.click();
    await page.view.getByRole('option', { name: /Middle/ }).click();
    await send(page, 'Hi');
    await page.view.getByText('Hello there!').last().waitFor();
    await page.view.evaluate('sessionStorage.clear()');
    await page.open('/models');
    await page.open('/playground');
    expect(await field.inputValue()).toBe('Middle');
  });

  it('answers with two models side by side, each with its own earlier answers', async () => {
    const page = await playground('cheap-llama');
    const { view } = page;
    upstream.always((request) => {
      const { model, messages } = request.json() as { model: string; messages: unknown[] };
      return stream([`${model} answers message ${messages.length}`]);
    });
    await compareWith(page, /Middle/);
    await send(page, 'Who are you?');
    const answers = view.getByRole('article', { name: 'Assistant, message' });
    await answers.getByText('cheap-llama answers message 1').waitFor();
    await answers.getByText('middle answers message 1').waitFor();
    await send(page, 'And now?');
    await answers.getByText('middle answers message 3').waitFor();
    const sent = upstream.requests.map(
      (request) => request.json() as { model: string; messages: { content: string }[] },
    );
    const second = sent.filter(({ messages }) => messages.length === 3);
    expect(second.map(({ model, messages }) => `${model}: ${messages[1]?.content}`).sort()).toEqual([
      'cheap-llama: cheap-llama answers message 1',
      'middle: middle answers message 1',
    ]);
    const [one, other] = [await answers.first().boundingBox(), await answers.nth(1).boundingBox()];
    expect(Math.abs((one?.y ?? 0) - (other?.y ?? 100))).toBeLessThan(2);
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot('playground-two-models');
    await view.reload();
    await page.settled();
    await answers.getByText('cheap-llama answers message 3').waitFor();
    await answers.getByText('middle answers message 3').waitFor();
  });

  it('says before sending about how many tokens a message has and what it costs, for each model', async () => {
    const page = await playground('cheap-llama');
    const { view } = page;
    await view.getByLabel('Message', { exact: true }).fill('word '.repeat(4000));
    await view.getByText(/^≈ 5,0\d\d tokens, \$0\.00/).waitFor();
    await compareWith(page, /Middle/);
    await view.getByText(/^Llama: ≈ 5,0\d\d tokens, \$0\.00/).waitFor();
    await view.getByText(/^Middle: ≈ 5,0\d\d tokens, \$0\.02/).waitFor();
  });

  it('shows in the choice which model is failing, and does not suggest it', async () => {
    const user = await browser.gateway.createUser();
    upstream.always(() => refusal(500));
    for (let i = 0; i < 3; i++) {
      const messages = [{ role: 'user', content: 'Hi' }];
      expect((await browser.gateway.complete(user, { model: 'cheap-llama', messages })).status).toBe(502);
    }
    const page = await playground();
    const field = page.view.getByRole('combobox', { name: 'Model' });
    await eventually(async () => (await field.inputValue()) !== '');
    expect(await field.inputValue()).not.toBe('Llama');
    await field.click();
    await page.view
      .getByRole('option', { name: /Llama/ })
      .getByText(/^Failing: \d+ of the last/)
      .waitFor();
  });

  it('selects the typed model', async () => {
    const page = await playground();
    const field = page.view.getByRole('combobox', { name: 'Model' });
    await field.click();
    await field.fill('dear');
    await page.view.locator('[role="option"][data-combobox-selected]').filter({ hasText: 'dear-one' }).waitFor();
    await page.view.keyboard.press('Enter');
    await page.view.waitForURL(/model=dear-one/);
    expect(await field.inputValue()).toBe('Dear');
    expect(page.path).toBe('/playground?model=dear-one');
  });

  it('shows the code of the draft, and after an answer that of the question', async () => {
    const page = await playground();
    expect(await codeOf(page)).toContain('Hello!');
    await page.view.getByLabel('Message', { exact: true }).fill('Is it so?');
    expect(await codeOf(page)).toContain('Is it so?');
    await page.view.getByRole('button', { name: 'Send', exact: true }).click();
    await page.view.getByText('Hello there!').last().waitFor();
    const code = await codeOf(page);
    expect(code).toContain('Is it so?');
    expect(code).not.toContain('"assistant"');
  });

  it('copies code with complete images', async () => {
    const page = await playground();
    const { view } = page;
    const chooser = view.waitForEvent('filechooser');
    await view.getByRole('button', { name: 'Attach images' }).click();
    await (await chooser).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') });
    await view.getByText('dot.png').waitFor();
    await view.getByRole('button', { name: 'Code', exact: true }).click();
    expect(await view.getByRole('region', { name: 'curl program' }).innerText()).not.toContain(DOT);
    await view.getByRole('button', { name: 'Copy curl program' }).click();
    expect(await view.evaluate('navigator.clipboard.readText()')).toContain(`data:image/png;base64,${DOT}`);
  });

  it('keeps conversation and draft over a reload, and forgets them at sign-out', async () => {
    const page = await playground();
    const { view } = page;
    await send(page, 'Remember this');
    await view.getByText('Hello there!').last().waitFor();
    await view.getByLabel('Message', { exact: true }).fill('and this draft');
    await view.reload();
    await page.settled();
    await view.getByText('Remember this').waitFor();
    expect(await view.getByLabel('Message', { exact: true }).inputValue()).toBe('and this draft');
    await view.getByRole('button', { name: new RegExp(person.email) }).click();
    await view.getByRole('menuitem', { name: 'Sign out' }).click();
    await view.waitForURL(/\/login/);
    expect(await view.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('Remember this');
  });

  it('shows the usage of a stopped answer', async () => {
    const page = await playground();
    const { view } = page;
    upstream.always(() => stream(['Once upon a time', hang()]));
    await send(page, 'Tell me a story');
    await view.getByText('Once upon a time').last().waitFor();
    await view.getByRole('button', { name: /^Stop/ }).click();
    await view.getByText('Stopped by you').waitFor();
    await view.getByTitle('Tokens of the request and of the answer').waitFor();
    await view.getByTitle("By the model's price").waitFor();
  });

  it('shows raw HTML of an answer as text', async () => {
    const page = await playground();
    upstream.always(() => stream(['Use <kbd>Tab</kbd> here.\n\n', '<div onclick="x()">block</div>\n']));
    await send(page, 'HTML?');
    const answer = page.view.getByRole('article', { name: 'Assistant, message' });
    await answer.getByText('<div onclick="x()">block</div>').waitFor();
    expect(await answer.innerText()).toContain('Use <kbd>Tab</kbd> here.');
  });

  it.each([360, 320])('keeps all buttons of a message in sight at %d px', async (width) => {
    upstream.always(answerTo);
    const page = await browser.open({ as: person, width, theme: width === 320 ? 'dark' : 'light' });
    const { view } = page;
    await page.open('/playground');
    await send(page, 'Hi');
    await view.getByText('Hello there!').last().waitFor();
    await view.getByLabel('Message', { exact: true }).fill('A longer message than the last one');
    for (const name of ['Attach images', 'Add without sending', 'Send']) {
      expect([name, await isWhole(page, name)]).toEqual([name, true]);
    }
    expect(await page.sidewaysFaults()).toEqual([]);
    await page.screenshot(`playground-message-${width}`);
  });

  it.each(['light', 'dark'] as const)('shows the keys beside Send with a contrast of 4.5 to 1: %s', async (theme) => {
    const page = await browser.open({ as: person, theme });
    await page.open('/playground');
    await page.view.getByLabel('Message', { exact: true }).fill('Hi');
    await page.view.locator('button:enabled:has(kbd)', { hasText: 'Send' }).waitFor();
    await page.view.evaluate('Promise.all(document.getAnimations().map((one) => one.finished))');
    expect(Number(await page.view.evaluate(HINT_CONTRAST))).toBeGreaterThanOrEqual(4.5);
  });
});

/** Whether nothing hides a part of the button: its corners are in the window and on it. */
async function isWhole({ view }: ConsolePage, name: string): Promise<boolean> {
  const button = view.getByRole('button', { name, exact: true });
  return button.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const points = [left + 3, right - 3].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const));
    return points.every(([x, y]) => element.contains(element.ownerDocument.elementFromPoint(x, y)));
  });
}

/** Runs in the page. The text's color with its opacity, on the button. */
const HINT_CONTRAST = `(() => {
  const hint = [...document.querySelectorAll('kbd')].find((one) => one.textContent.includes('↵'));
  const button = hint.closest('button');
  const rgb = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const back = rgb(getComputedStyle(button).backgroundColor);
  const alpha = Number(getComputedStyle(hint).opacity);
  const front = rgb(getComputedStyle(hint).color).map((value, index) => value * alpha + back[index] * (1 - alpha));
  const linear = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
  const [one, other] = [light(front), light(back)];
  return Math.max(one, other) / Math.min(one, other);
})()`;
