import { createReadStream } from 'node:fs';
import type { ClosedCall } from '../rows/call-record.types.js';
import { callOf, ledgerOf } from './journal-record.js';

export interface ReadJournal {
  /** Null: the head is not whole, so nobody was told that a call of this file is safe. */
  readonly ledgerId: string | null;
  readonly calls: number;
  /** Lines that are not whole, without a last one: a process that was killed leaves that. */
  readonly damaged: number;
}

/** The id of the ledger that the calls of a file belong to; null where its head is not whole. */
export async function ledgerOfFile(file: string): Promise<string | null> {
  for await (const line of linesOf(file)) return ledgerOf(line);
  return null;
}

/** Reads a file of the journal in its order. */
export async function readJournal(file: string, each: (call: ClosedCall) => unknown): Promise<ReadJournal> {
  let ledgerId: string | null | undefined;
  let calls = 0;
  let damaged = 0;
  let isLastDamaged = false;
  for await (const line of linesOf(file)) {
    if (ledgerId === undefined) {
      ledgerId = ledgerOf(line);
      if (ledgerId === null) break;
      continue;
    }
    const call = callOf(line);
    isLastDamaged = call === null;
    if (call === null) damaged++;
    else {
      calls++;
      await each(call);
    }
  }
  return { ledgerId: ledgerId ?? null, calls, damaged: isLastDamaged ? damaged - 1 : damaged };
}

/** Split at line feeds alone, which JSON never holds; `readline` splits at other characters, too. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
