import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import {
  type GatewayError,
  gatewayError,
  invalidRequest,
  requestTooLarge,
  unsupportedMediaType,
} from '../../common/gateway.error.js';
import { LARGE_JSON, parseInTurns, withoutByteOrderMark } from '../../json/json-in-turns.js';
import { BODY_BOUNDS, type JsonBounds, JsonShape } from '../../json/json-shape.js';
import { noteRawJson } from '../../json/raw-json.js';
import { BodyBudget, BufferedBody, readBody } from './request-body.js';

/** Throws for text that is not JSON. */
export type ParseText = (text: string) => unknown;

/** In bytes. Provided by the application. */
export const BODY_LIMIT = Symbol('BODY_LIMIT');

/** Smaller bodies cannot exceed the bounds, so they are not counted. */
const TOO_SMALL_TO_COUNT = 2 * BODY_BOUNDS.depth;
const MANY_BYTES = 1024 * 1024;
const MANY_VALUES = 10_000;

/**
 * Reads the JSON body after the guard, so that requests without a valid key are refused before their body is read.
 * Controllers call it directly, as guards, interceptors and pipes cost several promises per request.
 */
@Injectable()
export class JsonBodyReader {
  private readonly limit: number;
  private turn = Promise.resolve();

  constructor(
    @Inject(BODY_LIMIT) limit: number,
    private readonly budget: BodyBudget,
  ) {
    this.limit = Math.min(limit, budget.limit);
  }

  /**
   * The parsed body, which is also stored in the request. Rejects with a `GatewayError`. `keepsBytes`: keeps the bytes
   * of all lists and objects instead of only long ones. `parseText`: for bodies below 4 MB.
   */
  async read(request: Request, keepsBytes = false, parseText: ParseText = JSON.parse): Promise<unknown> {
    if (!hasBody(request)) throw missingBody();
    if (!isJsonInUtf8(request)) throw unsupportedMediaType();
    const shape = this.shapeOf(request, keepsBytes);
    const bytes = this.readBytes(request, shape);
    const body = bytes instanceof Promise ? await bytes : bytes;
    if (shape && request.context.body) request.context.body.values = shape.size;
    if (body.length === 0) throw missingBody();
    if (shape && (body.length > MANY_BYTES || shape.size > MANY_VALUES)) await this.ownTurn();
    const parsed = this.parse(body, shape, parseText);
    request.body = parsed instanceof Promise ? await parsed : parsed;
    if (shape) noteRawJson(request.body, body, shape);
    return request.body;
  }

  /** Adds stored JSON to a request's body, with which it must not be too large. Throws a `GatewayError`. */
  admitMore(body: BufferedBody | null, content: Buffer): void {
    const { length } = content;
    const refusal = (body?.size ?? 0) + length > this.limit ? requestTooLarge(this.limit) : body?.take(length);
    if (refusal) throw refusal;
    const shape = new JsonShape({ ...BODY_BOUNDS, values: BODY_BOUNDS.values - (body?.values ?? 0) });
    if (!shape.admits(content) && shape.broken !== null) {
      throw tooComplex(shape.broken, 'request body with the responses that it refers to');
    }
    if (body) body.values += shape.size;
  }

  /**
   * Admits stored content that a request without a body reads: it takes the owner's memory for bodies until the response
   * has ended. Call this method before the content is read. The returned function throws a `GatewayError`.
   */
  admitStoredContent({ context }: Request): (content: Buffer) => void {
    const content = new BufferedBody(this.budget, context.ownerId ?? '');
    context.body = content;
    return ({ length }) => {
      const refusal = content.take(length);
      if (refusal) throw refusal;
    };
  }

  private shapeOf(request: Request, keepsBytes: boolean): JsonShape | null {
    if (keepsBytes) return new JsonShape(BODY_BOUNDS, 0);
    return isSmall(request) ? null : new JsonShape(BODY_BOUNDS);
  }

  private readBytes(request: Request, shape: JsonShape | null): Buffer | Promise<Buffer> {
    const { context, headers } = request;
    const length = Number(headers['content-length'] ?? Infinity);
    const buffered = new BufferedBody(this.budget, context.ownerId ?? '');
    const full = length <= this.limit ? buffered.refusal(length) : buffered.refusal(1);
    if (full) throw full;
    context.body = buffered;
    return readBody(request, {
      limit: this.limit,
      refusal: (piece) => {
        const refusal = buffered.take(piece.length);
        if (refusal || shape === null || shape.admits(piece) || shape.broken === null) return refusal;
        return tooComplex(shape.broken);
      },
    });
  }

  private parse(body: Buffer, shape: JsonShape | null, parseText: ParseText): unknown {
    if (shape === null || body.length < LARGE_JSON) return parse(body, parseText);
    return parseInTurns(body, shape.strings, () => this.ownTurn()).catch(() => {
      throw invalidJson();
    });
  }

  /** Large bodies that arrive together are parsed in separate turns of the event loop. */
  private ownTurn(): Promise<void> {
    this.turn = this.turn.then(() => nextTurn());
    return this.turn;
  }
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isSmall({ headers }: Request): boolean {
  return Number(headers['content-length'] ?? Infinity) < TOO_SMALL_TO_COUNT && !headers['content-encoding'];
}

function isJsonInUtf8({ headers }: Request): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every((parameter) => !/^\s*charset\s*=/.test(parameter) || /=\s*"?utf-?8"?\s*$/.test(parameter));
}

/** The parser's message quotes the body, so it is dropped. A byte order mark is not part of the JSON. */
function parse(body: Buffer, parseText: ParseText): unknown {
  try {
    return parseText(withoutByteOrderMark(body.toString()));
  } catch {
    throw invalidJson();
  }
}

function invalidJson() {
  return invalidRequest('invalid_json', null, 'The request body is not valid JSON.');
}

function missingBody() {
  return invalidRequest('invalid_json', null, 'The request has no body. Send a JSON object as `application/json`.');
}

const COMPLEX: Readonly<Record<keyof JsonBounds, readonly [what: string, remedy: string]>> = {
  values: ['values', 'Send fewer messages, tools or fields.'],
  depth: ['levels of nesting', 'Use fewer levels.'],
  fields: ['top-level fields', 'Send fewer.'],
  layouts: ['different names in objects', 'Use the same names in the same order, or fewer of them.'],
  nameLength: ['bytes in a name', 'Shorten it.'],
  shortBytes: ['bytes in short values, names and white space', 'Send fewer of them.'],
};

function tooComplex(bound: keyof JsonBounds, subject = 'request body'): GatewayError {
  const [what, remedy] = COMPLEX[bound];
  const message = `The JSON of the ${subject} has more than ${BODY_BOUNDS[bound].toLocaleString('en')} ${what}. ${remedy}`;
  return gatewayError(413, 'request_too_large', message);
}
