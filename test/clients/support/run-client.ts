import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const HERE = resolve(import.meta.dirname, '..');
const LIMIT_MS = 120_000;

export interface ClientRun {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs an installed client to its end, without a terminal and with only PATH from the environment of this process. */
export async function runClient(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<ClientRun> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output, errors };
}

export function npmClient(path: string): string {
  return resolve(HERE, 'node_modules', path);
}

export function pythonClient(): string {
  return resolve(HERE, '.venv/bin/python');
}
