/**
 * The yardstick: the least that a Node process must do to pass a request on and its answer back.
 * `node:http` in front, undici's `dispatch` behind, nothing in between but back-pressure; JSON only where it is asked to.
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

/** Where the load asks for it: what anybody must do who looks into a body. */
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
