import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CanActivate,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  Header,
  Injectable,
  Param,
  Query,
  Req,
  Res,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { BearerGuard, CurrentCaller } from '../../../auth/bearer.guard.js';
import type { Caller } from '../../../auth/caller.types.js';
import { invalidRequest, unknownUrl } from '../../../common/gateway.error.js';
import { JsonBodyReader } from '../../../http/body/json-body.reader.js';
import { unservedUrlHint } from '../../../http/exception.filter.js';
import { FairTurnsInterceptor } from '../../../http/fair-turns.interceptor.js';
import { stringifyInTurns } from '../../../json/json-in-turns.js';
import { ResponseMemory } from './response-memory.service.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** After this long, a client that does not read is disconnected. */
const UNREAD_LIMIT_MS = 60_000;

/** If no responses are stored, their URLs do not exist. */
@Injectable()
class StoredResponsesGuard implements CanActivate {
  constructor(private readonly memory: ResponseMemory) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.memory.isOn) return true;
    throw unknownUrl(unservedUrlHint(context.switchToHttp().getRequest<Request>().path));
  }
}

/** Stored responses, in OpenAI's format. */
@Controller(['v1/responses', 'openai/v1/responses', 'openai/responses'])
@UseGuards(StoredResponsesGuard, BearerGuard)
@UseInterceptors(FairTurnsInterceptor)
export class StoredResponsesController {
  constructor(
    private readonly memory: ResponseMemory,
    private readonly bodies: JsonBodyReader,
  ) {}

  @Get(':id')
  @Header('cache-control', 'private, no-store')
  async get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
    @Query('stream') stream?: unknown,
  ): Promise<void> {
    if (stream === 'true') {
      const message = "'stream' is not supported: a stored response is complete. Leave it out.";
      throw invalidRequest('unsupported_parameter', 'stream', message);
    }
    const stored = await this.memory.get(caller, id, this.bodies.admitStoredContent(request));
    await send(response, stored.response);
  }

  @Delete(':id')
  async delete(@CurrentCaller() caller: Caller, @Param('id') id: string) {
    await this.memory.delete(caller, id);
    return { id, object: 'response', deleted: true };
  }

  @Get(':id/input_items')
  @Header('cache-control', 'private, no-store')
  async inputItems(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
    @Query() { limit, order, after }: Record<string, unknown>,
  ): Promise<void> {
    const size = limitOf(limit);
    const isAscending = isAscendingOf(order);
    const items = (await this.memory.get(caller, id, this.bodies.admitStoredContent(request))).listedInput();
    if (!isAscending) items.reverse();
    const from = after === undefined ? 0 : items.findIndex((item) => item.id === after) + 1;
    if (after !== undefined && from === 0) throw invalidQuery('after', 'the id of an item in this list');
    const data = items.slice(from, from + size);
    const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
    const hasMore = from + size < items.length;
    await send(response, { object: 'list', data, first_id: first, last_id: last, has_more: hasMore });
  }
}

async function send(response: Response, value: object): Promise<void> {
  const json = await stringifyInTurns(value, () => nextTurn());
  response.setTimeout(UNREAD_LIMIT_MS);
  response.type('json').send(json);
}

function limitOf(limit: unknown): number {
  const number = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (Number.isInteger(number) && number >= 1 && number <= MAX_LIMIT) return number;
  throw invalidQuery('limit', `a number from 1 to ${MAX_LIMIT}`);
}

function isAscendingOf(order: unknown): boolean {
  if (order === undefined || order === 'desc') return false;
  if (order === 'asc') return true;
  throw invalidQuery('order', "'asc' or 'desc'");
}

function invalidQuery(name: string, expected: string) {
  return invalidRequest('invalid_value', name, `Invalid value for '${name}': it must be ${expected}.`);
}
