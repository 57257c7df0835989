import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Answer, Question } from './questions.ts';

/** CPU of all processes below `pid` in µs: the embedded database's. Null without /proc. */
export function descendantsCpu(pid: number): number | null {
  try {
    return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child) + (descendantsCpu(child) ?? 0), 0);
  } catch {
    return null;
  }
}

/** CPU in µs, all threads included, of a process and its forks that run `program`, by process id. */
export function workersCpu(pid: number, program: string): Map<number, number> {
  const forked = childrenOf(pid).filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(program));
  return new Map([pid, ...forked].map((id) => [id, cpuOfThreads(id)]));
}

function cpuOfThreads(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + cpuOf(`${pid}/task/${thread}`), 0);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number);
}

function cpuOf(pid: number | string): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1000;
}

const PROBE = withoutTypes('probe', 'questions');
const STOP_TIMEOUT_MS = 20_000;

export interface ChildOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** File descriptor for stdout and stderr; by default stderr is inherited and stdout discarded. */
  log?: number;
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** A Node process with the probe, queried over IPC. */
export class Child {
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  requested = 0;

  constructor(script: string, { env = process.env, cwd, log }: ChildOptions = {}) {
    this.#process = spawn(process.execPath, ['--import', PROBE, script], {
      env,
      cwd,
      stdio: ['ignore', log ?? 'ignore', log ?? 'inherit', 'ipc'],
    });
    this.pid = this.#process.pid ?? 0;
    this.#process.on('message', (answer: Answer) => this.#settle(answer));
    this.#process.on('error', (error) => this.#fail(error));
    this.#process.on('exit', (code, signal) => this.#fail(new Error(`${script} ended (${signal ?? code})`)));
  }

  get hasEnded(): boolean {
    return this.pid === 0 || this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** @throws the child's error, or if the child has ended. */
  ask<T>(name: string, argument?: unknown): Promise<T> {
    const question: Question = { id: ++this.requested, name, argument };
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(question.id, { resolve: resolve as (value: unknown) => void, reject });
      this.#process.send(question, (error) => error && this.#fail(error));
    });
  }

  /** SIGTERM, then SIGKILL after a timeout. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    this.#waiting.delete(answer.id);
    if ('error' in answer) waiting.reject(new Error(answer.error));
    else waiting.resolve(answer.value);
  }

  #fail(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

/**
 * The first module's URL, compiled to JavaScript: measured processes must not load the type stripper, which takes 30
 * MB.
 */
function withoutTypes(...names: [string, ...string[]]): string {
  const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/bench');
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const source = readFileSync(path.join(import.meta.dirname, `${name}.ts`), 'utf8');
    const script = stripTypeScriptTypes(source).replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.mjs'");
    writeFileSync(path.join(folder, `${name}.mjs`), script);
  }
  return pathToFileURL(path.join(folder, `${names[0]}.mjs`)).href;
}
