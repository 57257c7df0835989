import type { Response } from 'express';
import type { GatewayError } from '../../common/gateway.error.js';
import { noteError, sendError } from '../../http/exception.filter.js';

/** Sent before the turn ends, so that no caller waits for the end of a long one. */
const MAX_GATHERED = 128;

interface Refusal {
  readonly response: Response;
  readonly error: GatewayError;
}

/** Sends the refusals of one turn of the event loop together at its end. See README.md. */
export class GatheredRefusals {
  private gathered: Refusal[] = [];

  send(response: Response, refusal: GatewayError): void {
    const count = this.gathered.push({ response, error: noteError(response.req, refusal) });
    if (count === 1) setImmediate(() => this.sendGathered());
    if (count === MAX_GATHERED) this.sendGathered();
  }

  private sendGathered(): void {
    const { gathered } = this;
    this.gathered = [];
    for (const { response, error } of gathered) sendError(response, error);
  }
}
