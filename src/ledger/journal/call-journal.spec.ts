import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import { closedCall, openCall } from '../../../test/support/test-calls.js';
import { NO_LIMITS } from '../../limits/values/limit-values.js';
import type { ClosedCall } from '../call-record.types.js';
import { CallJournal, JournalFolder } from './call-journal.js';
import { readJournal } from './journal-record.js';

const LEDGER = '5f3bd2f6-6a0e-4be4-8a5c-2f9c6ad4e0c1';

describe('the journal of ended calls', () => {
  let parent: TemporaryFolder;
  let folder: JournalFolder;
  const opened: CallJournal[] = [];
  beforeEach(async () => {
    parent = new TemporaryFolder();
    folder = new JournalFolder(path.join(parent.path, 'data'));
    await folder.open();
  });
  afterEach(async () => {
    for (const own of opened.splice(0)) await own.seal();
    parent.remove();
  });

  const names = () => readdirSync(folder.path).sort();
  const fileOf = (name = names()[0] ?? '') => path.join(folder.path, name);
  const read = async (file = fileOf()) => {
    const calls: ClosedCall[] = [];
    return { ...(await readJournal(file, (call) => calls.push(call))), rows: calls };
  };
  const journal = (mostBytes?: number) => {
    const own = new CallJournal(folder, '42', LEDGER, mostBytes);
    opened.push(own);
    return own;
  };
  const calls = (count: number) => Array.from({ length: count }, () => closedCall(openCall()));

  it("stores every field of a call's row, to the nano-dollar", async () => {
    const values = { ...NO_LIMITS, budgetDayNanodollars: 5n };
    const admissionRequest = {
      balances: [{ id: 'c2f8d5a8-8c8f-4a46-8f2a-6f6a5f3a1b11', kind: 'user' as const, values }],
      tokens: 12,
      money: null,
      grant: { reserved: 9_007_199_254_740_993n, day: '2026-11-23' },
    };
    const call = closedCall(openCall({ admissionRequest, model: 'line\u2028separator\r\nü' }), {
      costNanodollars: 9_007_199_254_740_995n,
      charge: { basis: 'time', hostedTools: { web_search: 2 } },
      firstTokenMs: null,
    });
    await journal().append(call);
    const { rows, ...file } = await read();
    expect(file).toEqual({ ledgerId: LEDGER, calls: 1, damaged: 0 });
    expect(rows).toEqual([
      {
        ...call,
        admissionRequest: {
          ...admissionRequest,
          balances: [{ ...admissionRequest.balances[0], values: NO_LIMITS }],
          tokens: 0,
          grant: { reserved: 9_007_199_254_740_993n, day: '' },
        },
      },
    ]);
  });

  it("stores only the ledger's fields, in files that only their owner can read", async () => {
    const call = { ...closedCall(openCall()), prompt: 'a secret' };
    await journal().append(call);
    expect(readFileSync(fileOf(), 'utf8')).not.toContain('secret');
    expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
  });

  it('stores concurrent calls in one file, in order', async () => {
    const [all, own] = [calls(300), journal()];
    await Promise.all(all.map((call) => own.append(call)));
    expect(names()).toEqual(['42-1.calls']);
    expect(own.calls).toBe(300);
    expect((await read()).rows.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  it('reads all calls before a truncated last call, wherever it was cut', async () => {
    const [first, second] = calls(2) as [ClosedCall, ClosedCall];
    const own = journal();
    await own.append(first);
    const whole = statSync(fileOf()).size;
    await own.append(second);
    const bytes = readFileSync(fileOf());
    for (let length = whole; length < bytes.length - 1; length++) {
      writeFileSync(fileOf(), bytes.subarray(0, length));
      const { rows, damaged } = await read();
      expect(rows.map(({ id }) => id)).toEqual([first.id]);
      expect(damaged).toBe(0);
    }
  });

  it('reports damage within a file, and reads the rest', async () => {
    const [first, second] = calls(2) as [ClosedCall, ClosedCall];
    const own = journal();
    await own.append(first);
    appendFileSync(fileOf(), '00000000 {"id":"x"}\n');
    await own.append(second);
    const { rows, damaged } = await read();
    expect(rows.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(damaged).toBe(1);
  });

  (process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0 ? it : it.skip)(
    'leaves no files on a full disk, and is used again when there is room',
    async () => {
      const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder.path]);
      // A container may not mount.
      if (status !== 0) return;
      try {
        writeFileSync(path.join(folder.path, 'full'), Buffer.alloc(16 * 1024));
        const own = journal();
        for (const call of calls(5)) await expect(own.append(call)).rejects.toMatchObject({ code: 'ENOSPC' });
        expect(names()).toEqual(['full']);
        rmSync(path.join(folder.path, 'full'));
        await own.append(closedCall(openCall()));
        expect(own.calls).toBe(1);
        await own.seal();
      } finally {
        spawnSync('umount', [folder.path]);
      }
    },
  );

  it('rejects calls while it is full, until a file is removed', async () => {
    const own = journal(2000);
    const results = await Promise.allSettled(calls(10).map((call) => own.append(call)));
    const stored = results.filter(({ status }) => status === 'fulfilled').length;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(10);
    expect(results.at(-1)).toMatchObject({ reason: { message: 'the journal is full' } });
    const [file] = await own.seal();
    if (file) await own.remove(file);
    await own.append(closedCall(openCall()));
    expect(own.calls).toBe(1);
  });

  it('starts another file after a seal or a failure', async () => {
    const [first, second, third] = calls(3) as [ClosedCall, ClosedCall, ClosedCall];
    const own = journal();
    await own.append(first);
    await own.seal();
    await own.append(second);
    expect(names()).toEqual(['42-1.calls', '42-2.calls']);
    await own.seal();
    rmSync(folder.path, { recursive: true });
    await expect(own.append(third)).rejects.toThrow('ENOENT');
    await folder.open();
    await own.append(third);
    expect((await read()).rows.map(({ id }) => id)).toEqual([third.id]);
  });

  it('loses nothing when another process takes over its file during an append', async () => {
    const [own, other] = [journal(), new CallJournal(folder, '43', LEDGER)];
    const stored: string[] = [];
    let [isOver, takeovers] = [false, 0];
    const appending = (async () => {
      for (let count = 0; count < 150; count++) {
        const call = closedCall(openCall());
        await own.append(call);
        stored.push(call.id);
      }
      isOver = true;
    })();
    const found = new Set<string>();
    while (!isOver) {
      for (const { path: file, instanceId } of await folder.files()) {
        if (instanceId === '43') continue;
        const taken = await other.takeOver(file);
        if (!taken) continue;
        takeovers++;
        for (const { id } of (await read(taken.path)).rows) found.add(id);
        await other.remove(taken);
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    }
    await appending;
    for (const name of names()) for (const { id } of (await read(fileOf(name))).rows) found.add(id);
    expect(stored.filter((id) => !found.has(id))).toEqual([]);
    expect(stored.length).toBe(150);
    expect(takeovers).toBeGreaterThan(0);
  });

  it('does not read a file that another process has taken over', async () => {
    const own = journal();
    await own.append(closedCall(openCall()));
    renameSync(fileOf(), path.join(folder.path, '43-1.calls'));
    expect((await folder.files()).map(({ instanceId }) => instanceId)).toEqual(['43']);
    expect(await new CallJournal(folder, '44', LEDGER).takeOver(path.join(folder.path, '42-1.calls'))).toBeNull();
  });
});
