import type { ConsoleClient } from '../../support/console-client.js';
import type { Fleet } from './fleet.js';

export interface FleetProject {
  readonly id: string;
  /** Keys of the project itself and of its service accounts, in turn. */
  readonly keys: readonly string[];
}

/** A new project with these limits, in the format of the console's API, and this number of keys. */
export async function createProject(fleet: Fleet, limits: object, keys: number): Promise<FleetProject> {
  const admin = await fleet.admin();
  const { id } = await made(admin, '/api/projects', { name: `project ${crypto.randomUUID()}` });
  const all: string[] = [];
  for (let index = 0; index < keys; index++) {
    const isOfAccount = index % 2 === 1;
    const name = `robot ${index}`;
    const account = isOfAccount ? await made(admin, `/api/projects/${id}/service-accounts`, { name }) : null;
    const owner = { projectId: id, ...(account && { serviceAccountId: account.id }) };
    all.push((await made(admin, '/api/keys', { name: `key ${index}`, ...owner })).key);
  }
  const { status, body } = await admin.put(`/api/projects/${id}/limits`, limits);
  if (status !== 200) throw new Error(`the limits cannot be set: ${JSON.stringify(body)}`);
  return { id, keys: all };
}

/** The ledger's charges of the users of a project, in US dollars. */
export async function chargedToProject(fleet: Fleet, id: string): Promise<number> {
  const rows = await fleet.query<{ sum: string }>(
    `SELECT coalesce(sum(cost_nanodollars), 0) AS sum FROM usage_calls
     WHERE user_id IN (SELECT id FROM users WHERE project_id = $1)`,
    [id],
  );
  return Number(rows[0]?.sum) / 1e9;
}

async function made(admin: ConsoleClient, path: string, body: object): Promise<{ id: string; key: string }> {
  const reply = await admin.post(path, body);
  if (reply.status !== 201) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}
