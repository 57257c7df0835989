import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type GatewayError,
  gatewayError,
  headersTooLarge,
  malformedHttp,
  methodNotSupported,
  uriTooLong,
} from '../common/gateway.error.js';
import { newRequestId } from './request-context.js';

interface ClientFault extends Error {
  code?: string;
  rawPacket?: Buffer;
}

/** The response that is being written to the socket, like in Node's own handling of these errors. */
interface ServedSocket extends Duplex {
  _httpMessage?: { headersSent: boolean } | null;
}

/** Options of Node's server constructor that Node reads for each connection. */
interface TunableServer extends Server {
  requireHostHeader?: boolean;
  maxHeaderSize?: number;
}

/** Well above the longest valid URL, so that the error can say whether the URL or the headers are too long. */
const MAX_HEAD_BYTES = 32 * 1024;

/** Gives Node's own error responses the gateway's error format. */
export function answerHttpFaults(server: TunableServer): void {
  server.requireHostHeader = false;
  server.maxHeaderSize = MAX_HEAD_BYTES;
  server.on('clientError', (fault: ClientFault, socket: ServedSocket) => {
    if (fault.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    socket.end(toRawResponse(toError(fault)));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.end(toRawResponse(methodNotSupported(['GET', 'HEAD', 'POST'])));
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, text } = gatewayError(417, 'invalid_request', 'This server supports only `Expect: 100-continue`.');
    response.writeHead(status, { ...COMMON_HEADERS, 'x-request-id': newRequestId() });
    response.end(text);
  });
}

const COMMON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
};

function toError(fault: ClientFault): GatewayError {
  if (fault.code === 'HPE_HEADER_OVERFLOW') return isInRequestLine(fault) ? uriTooLong() : headersTooLarge();
  if (fault.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return gatewayError(408, 'request_timeout', 'The request took too long to arrive.');
  }
  return malformedHttp();
}

function isInRequestLine({ rawPacket }: ClientFault): boolean {
  return rawPacket !== undefined && /^[A-Z]+ [^\s]{8192}/.test(rawPacket.toString('latin1', 0, 16_384));
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

function toRawResponse({ status, text, headers }: GatewayError): string {
  const lines = Object.entries({
    ...COMMON_HEADERS,
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': newRequestId(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\n${lines.join('')}\r\n${text}`;
}
