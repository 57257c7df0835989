import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { NO_LIMITS } from '../../limits/values/limit-values.js';
import type { AdmissionRequest, ClosedCall } from '../call-record.types.js';

/** Fields that older journals lack. */
type NewField = 'api' | 'clientAddress' | 'userAgent' | 'answerId' | 'httpStatus';

/** An ended call as JSON: the contents of its row. Money is text. */
interface CallRecord extends Omit<ClosedCall, NewField | 'startedAt' | 'costNanodollars' | 'admissionRequest'> {
  readonly api?: string;
  readonly clientAddress?: string | null;
  readonly userAgent?: string | null;
  readonly answerId?: string | null;
  readonly httpStatus?: number | null;
  readonly startedAt: string;
  readonly costNanodollars: string;
  readonly limitedBy: readonly string[] | null;
  readonly reserved: string | null;
}

interface Head {
  readonly journal: 1;
  readonly ledger: string;
}

function headLine(ledgerId: string): string {
  const head: Head = { journal: 1, ledger: ledgerId };
  return toLine(head);
}

/** The ledger's id; null when the line is not a complete head. */
function ledgerOf(line: string): string | null {
  const head = fromLine(line) as Partial<Head> | null;
  return head?.journal === 1 && typeof head.ledger === 'string' ? head.ledger : null;
}

export function callLine(call: ClosedCall): string {
  return toLine(toRecord(call));
}

/** Null when the line is damaged or incomplete. */
function callOf(line: string): ClosedCall | null {
  const record = fromLine(line) as CallRecord | null;
  return record === null || typeof record.id !== 'string' ? null : fromRecord(record);
}

/** Lists each field, so that nothing else of a call gets into a file. */
function toRecord(call: ClosedCall): CallRecord {
  const { admissionRequest } = call;
  const reserved = admissionRequest?.grant ? admissionRequest.grant.reserved : (admissionRequest?.money?.full ?? null);
  return {
    id: call.id,
    startedAt: call.startedAt.toISOString(),
    requestId: call.requestId,
    keyId: call.keyId,
    keyDisplay: call.keyDisplay,
    userId: call.userId,
    planId: call.planId,
    model: call.model,
    api: call.api,
    clientAddress: call.clientAddress,
    userAgent: call.userAgent,
    stream: call.stream,
    priceVersion: call.priceVersion,
    simulated: call.simulated,
    estimatedInputTokens: call.estimatedInputTokens,
    promptNanodollars: call.promptNanodollars,
    limitedBy: admissionRequest?.balances.map(({ id }) => id) ?? null,
    reserved: reserved?.toString() ?? null,
    status: call.status,
    answerId: call.answerId,
    httpStatus: call.httpStatus,
    servedModel: call.servedModel,
    upstream: call.upstream,
    upstreamModel: call.upstreamModel,
    finishReason: call.finishReason,
    errorCode: call.errorCode,
    tokens: call.tokens,
    tokenSource: call.tokenSource,
    costNanodollars: call.costNanodollars.toString(),
    charge: call.charge,
    attempts: call.attempts,
    firstTokenMs: call.firstTokenMs,
    totalMs: call.totalMs,
  };
}

/** The oldest journals have no API, and hold calls of chat completions only. */
function fromRecord({ limitedBy, reserved, startedAt, costNanodollars, ...rest }: CallRecord): ClosedCall {
  return {
    ...rest,
    api: rest.api ?? 'chat.completions',
    clientAddress: rest.clientAddress ?? null,
    userAgent: rest.userAgent ?? null,
    answerId: rest.answerId ?? null,
    httpStatus: rest.httpStatus ?? null,
    startedAt: new Date(startedAt),
    costNanodollars: BigInt(costNanodollars),
    admissionRequest: limitedBy && toAdmissionRequest(limitedBy, reserved),
  };
}

/** Only the ids of balances matter at the end of a call. `day` is empty, as it is unknown whether the row is open. */
function toAdmissionRequest(ids: readonly string[], reserved: string | null): AdmissionRequest {
  return {
    balances: ids.map((id) => ({ id, kind: 'user', values: NO_LIMITS })),
    tokens: 0,
    money: null,
    grant: { reserved: reserved === null ? null : BigInt(reserved), day: '' },
  };
}

/** A checksum of eight hexadecimal digits, a space, and JSON. */
function toLine(value: unknown): string {
  const json = JSON.stringify(value);
  return `${checksum(json)} ${json}\n`;
}

function fromLine(line: string): unknown {
  const json = line.slice(9);
  return line.slice(0, 9) === `${checksum(json)} ` ? JSON.parse(json) : null;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

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

/** Another process took over the file during a write and may not have read the last lines. */
export class FileTakenError extends Error {
  constructor() {
    super('another process has taken over the file of the journal');
  }
}

export class JournalFile {
  calls = 0;
  bytes = 0;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly inode: bigint,
  ) {}

  static async create(file: string, ledgerId: string): Promise<JournalFile> {
    const handle = await open(file, 'ax', 0o600);
    try {
      const { ino } = await handle.stat({ bigint: true });
      const journal = new JournalFile(file, handle, ino);
      await journal.append(headLine(ledgerId), 0);
      await syncFolder(path.dirname(file));
      return journal;
    } catch (error) {
      await handle.close();
      // It has no calls: a full disk must not fill with files.
      await rm(file, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Resolves when the lines are on disk and will certainly be read. A process that takes over a file renames it before
   * it reads it, so a file that still has its name has not been read.
   */
  async append(lines: string, calls: number): Promise<void> {
    await this.handle.appendFile(lines);
    await this.handle.datasync();
    if (!(await this.hasItsName())) throw new FileTakenError();
    this.calls += calls;
    this.bytes += Buffer.byteLength(lines);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async hasItsName(): Promise<boolean> {
    const named = await stat(this.path, { bigint: true }).catch(() => null);
    return named?.ino === this.inode;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
