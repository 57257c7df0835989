import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Nest's adapter, whose server makes requests and responses that are Express's from the start. Express changes the
 * prototype of Node's, which costs each call 3 µs, and more wherever one of their fields is set or read afterwards.
 */
export class GatewayAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    Object.setPrototypeOf(ExpressRequest.prototype, express.request);
    Object.setPrototypeOf(ExpressResponse.prototype, express.response);
    this.setHttpServer(createServer({ IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }, express));
  }
}
