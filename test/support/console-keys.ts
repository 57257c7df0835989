import { expect } from '@jest/globals';
import type { ConsoleClient } from './console-client.js';
import type { TestGateway } from './test-gateway.js';

/** A created key as the API returns it. */
export async function createKey(client: ConsoleClient, body: object = {}) {
  const reply = await client.post('/api/keys', { name: 'laptop', ...body });
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body;
}

export function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}

/** The status that /v1 answers for a key. */
export async function statusOf(gateway: TestGateway, key: string): Promise<number> {
  return (await gateway.get('/v1/models', bearer(key))).status;
}

export async function modelsOf(gateway: TestGateway, key: string): Promise<string[]> {
  const models = (await (await gateway.get('/v1/models', bearer(key))).json()) as { id: string }[];
  return models.map(({ id }) => id);
}

/** A call by a program whose name contains the key. */
export function completeWith(gateway: TestGateway, key: string, model: string): Promise<Response> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] });
  const headers = { ...bearer(key), 'content-type': 'application/json', 'user-agent': `tool/1 ${key}` };
  return fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
}

/** The audit log entries about an object, oldest first. */
export function auditOf(gateway: TestGateway, id: string): Promise<Record<string, unknown>[]> {
  return gateway.database.query('SELECT * FROM audit_log WHERE target_id = $1 ORDER BY id', [id]);
}
