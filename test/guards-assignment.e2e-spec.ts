import { beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { auditOf } from './support/console-keys.js';
import { startConsole } from './support/console-people.js';
import { eventually } from './support/eventually.js';
import type { TestGateway } from './support/test-gateway.js';

const MODEL = 'gpt-6-luna';
const MODELS = [`id: ${MODEL}, tier: free, guards: [everyone]`, 'id: other, tier: pro, guards: [keys]']
  .map(
    (fields) =>
      `- { ${fields}, displayName: M, description: D, contextLength: 1000, maxOutputTokens: 100,
           price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, targets: [{ upstream: openai, model: m }] }\n`,
  )
  .join('');
let gateway: TestGateway;
let admin: ConsoleClient;
let manager: ConsoleClient;
let member: ConsoleClient;
beforeAll(async () => {
  const file = `
guards:
  plans: { words: { plan: [alpha] } }
  projects: { words: { project: [beta] } }
  keys: { words: { key: [gamma] } }
  everyone: { words: { all: [omega] }, do: report }
  service: { webhook: { url: "http://127.0.0.1:9/check?token=t", timeout: 1s }, on: [request, answer] }
guardsForAll: [everyone]`;
  ({
    gateway,
    admin,
    alice: manager,
    bob: member,
  } = await startConsole({
    config: { 'gateway.yaml': file, 'models.yaml': MODELS },
  }));
});

const ask = async (key: string, content: string) => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content }] }),
  });
  const body = (await response.json()) as { error?: { code: string } };
  return body.error?.code ?? response.status;
};

async function newProject() {
  const { body: project } = await admin.post('/api/projects', { name: `Guarded ${Math.random()}` });
  await admin.put(`/api/projects/${project.id}/members/${manager.user.id}`, { role: 'manager' });
  const { body: key } = await manager.post('/api/keys', { name: 'k', projectId: project.id });
  return { project: project.id as string, keyId: key.id as string, key: key.key as string };
}

describe('The guards of a plan, a project and a key', () => {
  it('add up for its calls within a second, and an administrator takes them away', async () => {
    const { project, keyId, key } = await newProject();
    const paths = ['/api/guards/plan/free', `/api/guards/project/${project}`, `/api/guards/key/${keyId}`];
    expect(await ask(key, 'alpha beta gamma')).toBe(200);
    for (const [index, name] of ['plans', 'projects', 'keys'].entries()) {
      const set = await admin.put(paths[index] as string, { guards: [name] });
      expect([set.status, set.body.guards]).toEqual([200, [name]]);
      const word = ['alpha', 'beta', 'gamma'][index] as string;
      await eventually(async () => (await ask(key, word)) === 'content_blocked');
    }
    for (const word of ['alpha', 'beta', 'gamma']) expect(await ask(key, word)).toBe('content_blocked');
    expect(await ask(key, 'delta')).toBe(200);
    const { body } = await admin.get('/api/guards');
    expect(body.guards).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'keys', do: 'block', detects: ['key'], line: 5 })]),
    );
    expect(body.assignments).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'key', id: keyId, guards: ['keys'] })]),
    );
    for (const path of paths) expect((await admin.put(path, { guards: [] })).status).toBe(200);
    await eventually(async () => (await ask(key, 'alpha beta gamma')) === 200);
    expect((await auditOf(gateway, keyId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['key.create', 'key.guards', 'key.guards']),
    );
  });

  it('are added by managers of the project, who remove none', async () => {
    const { project, keyId } = await newProject();
    for (const path of [`/api/guards/project/${project}`, `/api/guards/key/${keyId}`]) {
      expect((await manager.put(path, { guards: ['keys'] })).status).toBe(200);
      expect((await manager.put(path, { guards: ['keys', 'projects'] })).body.guards).toEqual(['keys', 'projects']);
      const refused = await manager.put(path, { guards: ['projects'] });
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        "Only administrators can remove a guard. Keep 'keys'.",
      ]);
      expect((await manager.get(path)).body.guards).toEqual(['keys', 'projects']);
      expect((await member.put(path, { guards: ['keys'] })).status).toBeGreaterThanOrEqual(403);
    }
    expect((await manager.put('/api/guards/plan/free', { guards: ['keys'] })).status).toBe(403);
    expect((await manager.get('/api/guards')).status).toBe(403);
  });

  it('are shown with those that are inherited from all calls, the plan and the project', async () => {
    const { project, keyId } = await newProject();
    await admin.put('/api/guards/plan/free', { guards: ['plans'] });
    await admin.put(`/api/guards/project/${project}`, { guards: ['projects'] });
    await admin.put(`/api/guards/key/${keyId}`, { guards: ['keys'] });
    const all = { guard: 'everyone', from: 'all', name: null };
    const ofPlan = { guard: 'plans', from: 'plan', name: 'Free' };
    const { body: key } = await manager.get(`/api/guards/key/${keyId}`);
    expect(key).toMatchObject({
      guards: ['keys'],
      inherited: [all, ofPlan, { guard: 'projects', from: 'project', name: expect.stringMatching(/^Guarded/) }],
      available: ['plans', 'projects', 'keys', 'everyone', 'service'],
      mayRemove: false,
    });
    expect((await manager.get(`/api/guards/project/${project}`)).body.inherited).toEqual([all, ofPlan]);
    const { body: plan } = await admin.get('/api/guards/plan/free');
    expect([plan.inherited, plan.mayRemove]).toEqual([[all], true]);
    const { body: shown } = await manager.get(`/api/keys/${keyId}`);
    expect(shown.guards).toEqual([
      all,
      ofPlan,
      { guard: 'projects', from: 'project', name: expect.stringMatching(/^Guarded/) },
      { guard: 'keys', from: 'key', name: 'k' },
      { guard: 'everyone', from: 'model', name: MODEL },
    ]);
    await manager.delete(`/api/keys/${keyId}`);
    expect((await manager.get(`/api/keys/${keyId}`)).body.guards).toEqual([]);
    await admin.put('/api/guards/plan/free', { guards: [] });
  });

  it('The guards of a plan, a project and a key of a key of somebody else, or with an id that is none, do not exist', async () => {
    const { body: own } = await manager.post('/api/keys', { name: 'own' });
    const get = async (client: ConsoleClient, path: string) => (await client.get(`/api/guards/${path}`)).status;
    expect(await get(manager, `key/${own.id}`)).toBe(403);
    expect(await get(member, `key/${own.id}`)).toBe(404);
    expect(await get(admin, 'key/none')).toBe(404);
    expect(await get(member, 'project/none')).toBe(404);
  });

  it('must be in gateway.yaml; one that it lost blocks the calls', async () => {
    const { keyId, key } = await newProject();
    const refused = await admin.put(`/api/guards/key/${keyId}`, { guards: ['keys', 'gone'] });
    expect(refused.body.error).toMatchObject({
      param: 'guards[1]',
      message: expect.stringContaining("no guard 'gone'"),
    });
    await gateway.database.query("UPDATE api_keys SET guards = '{gone}' WHERE id = $1", [keyId]);
    expect(await ask(key, 'delta')).toBe('guard_unavailable');
    expect((await admin.put(`/api/guards/key/${keyId}`, { guards: [] })).status).toBe(200);
    await eventually(async () => (await ask(key, 'delta')) === 200);
  });
});

describe('A text that an administrator tries', () => {
  it('shows what the guard finds', async () => {
    const { body, status } = await admin.post('/api/guards/keys/try', { text: 'a Gamma b' });
    expect([status, body.findings]).toEqual([
      200,
      [{ start: 2, end: 7, kind: 'a word of the list key', action: 'block' }],
    ]);
    expect((await admin.post('/api/guards/none/try', { text: 'x' })).status).toBe(404);
    expect((await manager.post('/api/guards/keys/try', { text: 'x' })).status).toBe(403);
  });

  it('is a 503 that names the guard if its service is away', async () => {
    const { body: list } = await admin.get('/api/guards');
    const service = list.guards.find(({ name }: { name: string }) => name === 'service');
    expect(service).toMatchObject({ service: 'webhook', serviceAddress: 'http://127.0.0.1:9/check' });
    const { status, body } = await admin.post('/api/guards/service/try', { text: 'x' });
    expect([status, body.error.code]).toEqual([503, 'guard_unavailable']);
  });
});
