import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BodyBudget } from '../../http/body/body-budget.js';
import { JsonBodyReader } from '../../http/body/json-body.reader.js';
import { checkBodyShape } from './body-shape.js';

/** Requests of the console are short. */
const BODY_LIMIT = 64 * 1024;

/** Reads a JSON body if there is one. */
@Injectable()
export class ConsoleBodyGuard implements CanActivate {
  private readonly reader = new JsonBodyReader(BODY_LIMIT, new BodyBudget(Infinity));

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { headers } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody) return true;
    checkBodyShape(await this.reader.read(request));
    return true;
  }
}
