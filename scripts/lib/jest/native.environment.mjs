import { setTimeout as sleep } from 'node:timers/promises';
import { createContext } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const { console, process } = globalThis;
const { exit } = process;
/** What test/support/after-file.ts adds. */
const AFTER_FILE = Symbol.for('after-file');
const LIMIT_MS = 120_000;

/** Test files run in the worker's own globals, and not in a copy of them. */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    globalThis[AFTER_FILE] = [];
  }

  /** Restores the globals, and stops what the file started. */
  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = console;
    process.exit = exit;
    await inTime(stopAll(globalThis[AFTER_FILE].reverse()), 'What the file started does not stop');
  }

  getVmContext() {
    return createContext();
  }
}

/** The others stop even if one fails. */
async function stopAll(steps) {
  const failures = [];
  for (const step of steps) await step().catch((reason) => failures.push(reason));
  if (failures.length > 0) throw failures[0];
}

/** Jest itself waits forever for what runs outside of tests and hooks. */
export async function inTime(work, message) {
  const late = sleep(LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`${message} within ${LIMIT_MS / 1000} s.`);
  });
  return Promise.race([work, late]);
}
