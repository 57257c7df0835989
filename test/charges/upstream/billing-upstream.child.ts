import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { scriptIn } from '../answer-script.js';
import { BILLS_WHOLE, MODELS, modelOf } from '../catalog.js';
import { answerAnthropic } from './anthropic-wire.js';
import { Bill, type BilledAttempt } from './bill.js';
import type { Exchange } from './exchange.js';
import { Generation } from './generation.js';
import { answerOpenAi } from './openai-wire.js';
import { billPrompt, promptTokens } from './prompt-bill.js';
import { answerResponses } from './responses-wire.js';
import { tokenizerOf } from './tokenizer.js';

/**
 * The process of a model provider. It answers at the speed of each model, and keeps a bill of the prompts and of the
 * tokens that it generated until the end of the answer or of its connection. It sends `{ url }`, `{ progress: id }`
 * when an answer has progressed as far as its request specifies, and the bill on request.
 */
const bill = new Bill();

interface Requested {
  model: string;
  stream?: boolean;
  max_tokens?: number;
  max_completion_tokens?: number;
  max_output_tokens?: number;
  max_new_tokens?: number;
  n_predict?: number;
  texts?: string[];
  service_tier?: string;
}

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  void answer(request, response).catch((error) => {
    if (!response.destroyed)
      process.stderr.write(`the upstream failed: ${error instanceof Error ? error.stack : error}\n`);
    response.destroy();
  });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await json(request)) as Requested & Record<string, unknown>;
  const upstream = (request.url ?? '').split('/')[1] ?? '';
  const count = tokenizerOf(upstream);
  const walk = billPrompt(body, count);
  const script = scriptIn(walk.texts);
  const { attempt, nth } = bill.begin(
    script,
    upstream,
    body.model,
    body.service_tier,
    promptTokens(walk, script, body.prompt_cache_options),
  );
  if (nth < script.busy || script.busyModel === body.model) {
    attempt.ending = 'refused';
    response
      .writeHead(503, { 'content-type': 'application/json' })
      .end('{"error":{"message":"Busy.","type":"server_error"}}');
    return;
  }
  if (body.texts) {
    answerEmbeddings(body.texts, attempt, response);
    return;
  }
  const named = body.n_predict ?? body.max_new_tokens;
  const limit = named ?? body.max_completion_tokens ?? body.max_output_tokens ?? body.max_tokens ?? null;
  const { speed } = MODELS[modelOf(upstream, body.model)];
  const generation = new Generation(script, limit, speed, (id) => process.send?.({ progress: id }));
  const waitMs = script.waits[nth] ?? 0;
  const exchange: Exchange = { script, attempt, generation, response, isStreamed: body.stream === true, waitMs, count };
  response.once('close', () => close(attempt, exchange));
  generation.reportProgress();
  await wireOf(request.url ?? '')(exchange);
}

function wireOf(url: string): (exchange: Exchange) => Promise<void> {
  if (url.endsWith('/messages')) return answerAnthropic;
  return url.endsWith('/responses') ? answerResponses : answerOpenAi;
}

function answerEmbeddings(texts: readonly string[], attempt: BilledAttempt, response: ServerResponse): void {
  const isBad = texts.some((text) => text.startsWith('BAD'));
  attempt.ending = isBad ? 'refused' : 'delivered';
  attempt.reported = { prompt: attempt.prompt.total, output: 0 };
  const float = texts.map(() => [1, 0]);
  const meta = { billed_units: { input_tokens: attempt.prompt.total } };
  response
    .writeHead(isBad ? 400 : 200, { 'content-type': 'application/json' })
    .end(JSON.stringify(isBad ? { message: 'One text is bad.' } : { id: 'e', embeddings: { float }, meta }));
}

/** A caller that closes the connection early pays for the tokens generated so far, or for the complete answer. */
function close(attempt: BilledAttempt, { generation, response, count }: Exchange): void {
  if (attempt.ending === 'open') attempt.ending = response.writableFinished ? 'delivered' : 'left';
  if (attempt.ending === 'left' && attempt.upstream === BILLS_WHOLE) generation.generated = generation.total;
  attempt.output = generation.tokens(count);
}

process.on('message', () => process.send?.({ bill: bill.attempts }));
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
