import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ProjectsService } from '../../src/accounts/projects.service.js';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';
import { TestProjects } from './support/test-projects.js';

const browser = await ConsoleBrowser.start({ env: { CONTENT_LOG_KEY: randomBytes(32).toString('base64') } });
const person = await browser.gateway.createPerson();
const input = { userId: person.id, name: 'laptop', expiresAt: null };
const { key } = await browser.gateway.services.get(ApiKeysService).create(input, GATEWAY);
afterEach(() => browser.closePages());

async function call(): Promise<Response> {
  const body = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Who was Grace Hopper?' }] };
  const reply = await fetch(`${browser.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await reply.text();
  return reply;
}

describe('the content log', () => {
  it('is switched on by the owner of a key, and the key says so', async () => {
    const page = await browser.open({ as: person });
    await page.open('/keys');
    const { view } = page;
    await view.getByRole('button', { name: 'Actions for laptop' }).click();
    await view.getByRole('menuitem', { name: 'Store prompts and answers' }).click();
    const dialog = view.getByRole('dialog', { name: 'Store prompts and answers?' });
    await dialog.getByText(/encrypted, for 30 days/).waitFor();
    await dialog.getByRole('button', { name: 'Store prompts and answers' }).click();
    await view
      .getByRole('row', { name: /laptop/ })
      .getByText('Content stored')
      .waitFor();
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot('content-log-key');
  });

  it('shows prompt and answer in the details of a request, after a click that is recorded', async () => {
    const reply = await eventually(async () => {
      const one = await call();
      return one.headers.get('x-gateway-content-log') === 'on' && one;
    });
    const id = reply.headers.get('x-request-id');
    await eventually(async () => (await browser.gateway.database.query('SELECT FROM call_contents')).length > 0);
    const page = await browser.open({ as: person });
    await page.open(`/requests?call=${id}`);
    const drawer = page.view.getByRole('dialog', { name: /Request/ });
    await drawer.getByRole('button', { name: 'Show prompt and answer' }).click();
    await drawer
      .getByText(/Who was Grace Hopper\?/)
      .first()
      .waitFor();
    await drawer.getByRole('region', { name: 'answer' }).waitFor();
    await page.screenshot('content-log-request');
    const [entry] = await browser.gateway.database.query("SELECT action FROM audit_log WHERE action = 'content.view'");
    expect(entry).toBeDefined();
  });

  it('gives the prompt of a request to curl and to the playground, where it can be sent again', async () => {
    const [stored] = await browser.gateway.database.query<{ id: string }>(
      'SELECT call_id AS id FROM call_contents LIMIT 1',
    );
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open(`/requests?call=${stored?.id}`);
    const drawer = view.getByRole('dialog', { name: /Request/ });
    await drawer.getByRole('button', { name: 'Copy as curl' }).click();
    await drawer.getByRole('button', { name: 'Copied' }).waitFor();
    const curl = await view.evaluate<string>('navigator.clipboard.readText()');
    expect(curl).toContain(`curl ${browser.gateway.url}/v1/chat/completions`);
    expect(curl).toContain('Who was Grace Hopper?');
    expect(await page.accessibilityFaults()).toEqual([]);
    await drawer.getByRole('button', { name: 'Open in playground' }).click();
    const field = view.getByLabel('Message', { exact: true });
    await eventually(async () => (await field.inputValue()) === 'Who was Grace Hopper?');
    expect(page.path).toContain('/playground?model=gpt-6-luna');
    await view.getByRole('button', { name: 'Send', exact: true }).click();
    await view
      .getByRole('article', { name: 'Assistant, message' })
      .getByText(/tokens/)
      .first()
      .waitFor();
  });

  it('the content log of a project is read by its manager, not by a plain member, who is told who can', async () => {
    const { gateway } = browser;
    const member = await gateway.createPerson();
    const projects = new TestProjects(gateway, { manager: person, member });
    const project = await projects.create('Support');
    await gateway.services.get(ProjectsService).switchContentLog(project, true, GATEWAY);
    const { id: keyId, key: secret } = await projects.createKey(project, 'support-bot');
    expect(await projects.call(secret)).toBe(200);
    const stored = () => gateway.database.query('SELECT FROM call_contents WHERE key_id = $1', [keyId]);
    await eventually(async () => (await stored()).length === 1);
    for (const [as, mayRead] of [
      [person, true],
      [member, false],
    ] as const) {
      const page = await browser.open({ as });
      const { view } = page;
      await page.open(`/projects/${project}`);
      await view.getByText('Content stored').waitFor();
      await view.getByRole('link', { name: 'View requests' }).click();
      await view.getByRole('row', { name: /support-bot/ }).click();
      const drawer = view.getByRole('dialog', { name: 'Request' });
      await drawer.getByText(/The content log of this key is on/).waitFor();
      const show = drawer.getByRole('button', { name: 'Show prompt and answer' });
      expect(await show.count()).toBe(mayRead ? 1 : 0);
      if (mayRead) {
        await show.click();
        await drawer.getByRole('region', { name: 'answer' }).waitFor();
      } else await drawer.getByText('Only managers of the project and administrators can read it.').waitFor();
      const id = new URL(view.url()).searchParams.get('call');
      const answer = await view.context().request.get(`/api/usage/calls/${id}/content`);
      expect(answer.status()).toBe(mayRead ? 200 : 403);
    }
  });
});
