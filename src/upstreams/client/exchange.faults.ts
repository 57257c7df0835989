import { UpstreamError } from '../contract/upstream.error.js';
import type { ClockName } from './exchange.clock.js';

/** The technical cause of a failed exchange, for the log. Contains no header values and no data from the upstream. */
export class ExchangeFault extends Error {
  constructor(
    /** The name of a clock, or the code or name of an error of Node or undici, for example `ECONNREFUSED`. */
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
    { status: 504, limit: clock === 'connect' ? undefined : 'time' },
    { cause: new ExchangeFault(clock, CLOCKS[clock]) },
  );
}

/** Status 0 before the response's head, 502 within the body or if it is not HTTP, 504 for a connect timeout. */
export function connectionFailed(error: Error, inBody: boolean): UpstreamError {
  const code = codeOf(error);
  const cause = new ExchangeFault(code, messageOf(error));
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new UpstreamError({ status: 504 }, { cause });
  const isUnreadable = code === 'UND_ERR_HEADERS_OVERFLOW' || error.name === 'HTTPParserError';
  const certificateRefused = isCertificateFault(code) || undefined;
  return new UpstreamError(
    { status: inBody || isUnreadable ? 502 : 0, certificateRefused, broken: inBody || undefined },
    { cause },
  );
}

/** Node's names of OpenSSL's error codes, and Node's own code for a name mismatch. */
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

/** Includes the messages of causes, which have the reason for proxies and multiple addresses. */
function messageOf(error: Error): string {
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  return [error.message, ...causes.filter((cause) => cause instanceof Error).map(messageOf)].filter(Boolean).join(': ');
}
