import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../common/request-context.js';
import { RefusalsService } from '../usage/refusals/refusals.service.js';

const PATH = /\/v1\/chat\/completions\/?$/i;

const LONGEST_MESSAGE = 500;
const LONGEST_MODEL = 200;

/** Counts the calls that ended with an error before they were accepted, whichever part refused them. */
@Injectable()
export class RefusedCallsService {
  constructor(private readonly refusals: RefusalsService) {}

  /** To be told of every request that has ended. */
  note(context: RequestContext, path: string, body: unknown): void {
    const { id, startedAt, keyId, keyDisplay, userId, model, error, call } = context;
    if (!error || call?.isAccepted || !PATH.test(path)) return;
    const { code, type, message } = error.body;
    const told = { status: error.status, code: code ?? type, message: tellable(message, LONGEST_MESSAGE) };
    const who = { keyId, keyDisplay, userId, model };
    const refusal = { requestId: id, ...who, ...told, askedModel: askedModelOf(body) };
    this.refusals.record(refusal, performance.now() - startedAt);
  }
}

/** What the request named, whether or not there is such a model. */
function askedModelOf(body: unknown): string | null {
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : null;
  return typeof model === 'string' ? tellable(model, LONGEST_MODEL) : null;
}

/** An API key, but not what stands for one: `svc_ab12…9xYz`. */
const KEY_TEXT = /svc_(?!\w{4}…\w{4}\b)\w+/g;

/** Kept to be read by people: of no great length, and never an API key. */
function tellable(text: string, longest: number): string {
  return text.replaceAll('\0', '').replace(KEY_TEXT, 'svc_…').slice(0, longest).toWellFormed();
}
