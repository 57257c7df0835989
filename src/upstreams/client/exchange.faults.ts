import { UpstreamError } from '../contract/upstream.error.js';
import type { ClockName } from './exchange.clock.js';

/** The technical reason of a failed exchange, for the log: free of header values and of what the upstream sent. */
export class ExchangeFault extends Error {
  constructor(
    /** A clock's name, or the code (else the name) of Node's or undici's error, for example `ECONNREFUSED`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ExchangeFault';
  }
}

const CLOCKS: Record<ClockName, string> = {
  connect: 'The connection took too long.',
  head: 'The response headers took too long.',
  firstEvent: 'The first event took too long.',
  idle: 'The answer stalled.',
  total: 'The call took too long.',
};

export function clockRanOut(clock: ClockName): UpstreamError {
  return new UpstreamError(
    { status: 504, isOutOfTime: clock === 'total' },
    { cause: new ExchangeFault(clock, CLOCKS[clock]) },
  );
}

/** What undici reported: 0 before the response's head, 502 within the answer or where it is not HTTP. */
export function connectionFailed(error: Error, inBody: boolean): UpstreamError {
  const code = codeOf(error);
  const cause = new ExchangeFault(code, messageOf(error));
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new UpstreamError({ status: 504 }, { cause });
  const isUnreadable = code === 'UND_ERR_HEADERS_OVERFLOW' || error.name === 'HTTPParserError';
  const certificateRefused = isCertificateFault(code) || undefined;
  return new UpstreamError({ status: inBody || isUnreadable ? 502 : 0, certificateRefused }, { cause });
}

/** OpenSSL's verdicts by the names that Node gives them, and Node's own about the name in the certificate. */
const CERTIFICATE_FAULTS = new Set([
  'CRL_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function isCertificateFault(code: string): boolean {
  return code.startsWith('CERT_') || CERTIFICATE_FAULTS.has(code);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** The message with those of its causes: a proxy's failure is told by the cause, that of several addresses by each. */
function messageOf(error: Error): string {
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  return [error.message, ...causes.filter((cause) => cause instanceof Error).map(messageOf)].filter(Boolean).join(': ');
}
