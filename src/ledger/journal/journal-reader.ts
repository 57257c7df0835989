import { createReadStream } from 'node:fs';
import type { ClosedCall } from '../rows/call-record.types.js';
import { callOf, ledgerOf } from './journal-record.js';

export interface ReadJournal {
  /** Null: the head is incomplete, so no call of this file was confirmed. */
  readonly ledgerId: string | null;
  readonly calls: number;
  /** The number of damaged lines. An incomplete last line, which a killed process leaves, is not counted. */
  readonly damaged: number;
}

/** The id of the ledger of the file's calls; null when the head is incomplete. */
export async function ledgerOfFile(file: string): Promise<string | null> {
  for await (const line of linesOf(file)) return ledgerOf(line);
  return null;
}

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

/** Splits only at line feeds, which JSON text never contains; `readline` also splits at other characters. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
