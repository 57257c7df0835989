import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

interface Requested {
  stream?: boolean;
  max_tokens?: number;
  max_completion_tokens?: number;
  messages: { content: string }[];
}

/** The script of an answer in a caller's message: the number of tokens, and the delay in ms. */
export interface AnswerScript {
  tokens: number;
  ms: number;
}

const CHUNKS = 5;

/** An upstream in OpenAI's format that follows the script in the last message, and counts its calls. */
export class BusyUpstream {
  calls = 0;
  underWay = 0;
  mostUnderWay = 0;
  /** The tokens that its answers reported. */
  readonly reported = { input: 0, output: 0 };
  /** `performance.now()` of each call's arrival. */
  arrivals: number[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<BusyUpstream> {
    const server = createServer({ keepAliveTimeout: 60_000 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const upstream = new BusyUpstream(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on(
      'request',
      (request, response) => void upstream.answer(request, response).catch(() => response.destroy()),
    );
    return upstream;
  }

  reset(): void {
    this.calls = 0;
    this.mostUnderWay = this.underWay;
    this.arrivals = [];
    Object.assign(this.reported, { input: 0, output: 0 });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requested = (await json(request)) as Requested;
    this.calls++;
    this.arrivals.push(performance.now());
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    response.once('close', () => this.underWay--);
    const { tokens, ms } = JSON.parse(requested.messages.at(-1)?.content ?? '{}') as AnswerScript;
    const most = requested.max_completion_tokens ?? requested.max_tokens ?? tokens;
    const usage = { prompt_tokens: 10, completion_tokens: Math.min(tokens, most), total_tokens: 0 };
    usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
    this.reported.input += usage.prompt_tokens;
    this.reported.output += usage.completion_tokens;
    const finish = tokens > most ? 'length' : 'stop';
    if (requested.stream) await stream(response, ms, usage, finish);
    else {
      await sleep(ms);
      const message = { role: 'assistant', content: `answer ${this.calls}`, refusal: null };
      const choices = [{ index: 0, message, finish_reason: finish, logprobs: null }];
      const body = { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  }
}

async function stream(response: ServerResponse, ms: number, usage: object, finish: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choices: object[], more: object = {}) => {
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null, logprobs: null }]);
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    await sleep(ms / CHUNKS, undefined, { ref: false });
    send([{ index: 0, delta: { content: `word ${chunk} ` }, finish_reason: null, logprobs: null }]);
  }
  send([{ index: 0, delta: {}, finish_reason: finish, logprobs: null }]);
  send([], { usage });
  response.end('data: [DONE]\n\n');
}
