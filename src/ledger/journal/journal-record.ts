import { crc32 } from 'node:zlib';
import { NO_LIMITS } from '../../limits/values/limit-values.js';
import type { AdmissionRequest } from '../rows/admission.types.js';
import type { ClosedCall } from '../rows/call-record.types.js';

/** An ended call as JSON: the contents of its row. Money is text. */
interface CallRecord extends Omit<ClosedCall, 'api' | 'startedAt' | 'costNanodollars' | 'admissionRequest'> {
  readonly api?: string;
  readonly startedAt: string;
  readonly costNanodollars: string;
  readonly limitedBy: readonly string[] | null;
  readonly reserved: string | null;
}

interface Head {
  readonly journal: 1;
  readonly ledger: string;
}

export function headLine(ledgerId: string): string {
  const head: Head = { journal: 1, ledger: ledgerId };
  return toLine(head);
}

/** The ledger's id; null when the line is not a complete head. */
export function ledgerOf(line: string): string | null {
  const head = fromLine(line) as Partial<Head> | null;
  return head?.journal === 1 && typeof head.ledger === 'string' ? head.ledger : null;
}

export function callLine(call: ClosedCall): string {
  return toLine(toRecord(call));
}

/** Null when the line is damaged or incomplete. */
export function callOf(line: string): ClosedCall | null {
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
    stream: call.stream,
    priceVersion: call.priceVersion,
    simulated: call.simulated,
    estimatedInputTokens: call.estimatedInputTokens,
    promptNanodollars: call.promptNanodollars,
    limitedBy: admissionRequest?.balances.map(({ id }) => id) ?? null,
    reserved: reserved?.toString() ?? null,
    status: call.status,
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

/** Older journals have no API, and hold calls of chat completions only. */
function fromRecord({ limitedBy, reserved, startedAt, costNanodollars, ...rest }: CallRecord): ClosedCall {
  return {
    ...rest,
    api: rest.api ?? 'chat.completions',
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
