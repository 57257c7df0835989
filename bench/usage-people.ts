import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Gateway } from './gateway.ts';

const CLI = path.resolve(import.meta.dirname, '../dist/cli/main.js');
const PASSWORD = 'usage bench password';

export interface SignedIn {
  id: string;
  cookie: string;
}

/** A new user, signed in to the console. */
export async function signedIn(gateway: Gateway, role: 'admin' | 'member'): Promise<SignedIn> {
  const email = `${role}@localhost`;
  const words = ['user:create', '--email', email, '--role', role, '--password-stdin', '--json'];
  const child = spawn(process.execPath, [CLI, ...words], { env: gateway.env, cwd: gateway.folder });
  child.stdin.end(`${PASSWORD}\n`);
  const ended = once(child, 'close');
  let told = '';
  for await (const part of child.stdout) told += part;
  await ended;
  const { id } = JSON.parse(told) as { id: string };
  const response = await fetch(`http://127.0.0.1:${gateway.port}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`${email} cannot sign in: ${await response.text()}`);
  return {
    id,
    cookie: response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  };
}
