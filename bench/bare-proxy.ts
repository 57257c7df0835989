/**
 * The baseline: the minimum that a Node process does to forward a request and its answer. `node:http` in front,
 * undici's `dispatch` behind, back-pressure between; JSON only on request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { answerQuestions } from './questions.ts';

const upstream = new Pool(process.env.BENCH_UPSTREAM ?? '');

class ResponsePipe implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, string>): void {
    delete headers['transfer-encoding'];
    this.#response.writeHead(status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, data: Buffer): void {
    if (this.#response.write(data)) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#response.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#response.destroy(error);
  }
}

function proxy(request: IncomingMessage, response: ServerResponse): void {
  const body: Buffer[] = [];
  request.on('data', (data: Buffer) => body.push(data));
  request.on('end', () => {
    const { authorization, 'content-type': contentType, 'x-parse': parses } = request.headers;
    const received = body.length === 1 ? body[0] : Buffer.concat(body);
    upstream.dispatch(
      {
        method: 'POST',
        path: request.url ?? '/',
        headers: { authorization, 'content-type': contentType },
        body: parses && received ? writtenAnew(received) : received,
      },
      new ResponsePipe(response),
    );
  });
}

/** The minimum work of a server that reads bodies. */
function writtenAnew(body: Buffer): string {
  return JSON.stringify(JSON.parse(body.toString()));
}

const server = createServer({ noDelay: true }, proxy);
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

answerQuestions({
  async port() {
    await listening;
    const address = server.address();
    return typeof address === 'object' ? address?.port : undefined;
  },
});
