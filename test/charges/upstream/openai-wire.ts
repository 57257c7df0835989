import { breakOff, type Exchange, reportedOutput, reportedParts, reportedPrompt, send } from './exchange.js';
import type { Turn } from './generation.js';

/** More than the gateway passes on. */
const LARGE = 65 * 1024 * 1024;

const COMMON = { id: 'chatcmpl-upstream', created: 1_700_000_000, model: 'billed' };
/** Answers name the tier that served. */
const tierOf = ({ attempt: { tier } }: Exchange) => ({ service_tier: tier ?? 'default' });

/** Answers in OpenAI's format. */
export async function answerOpenAi(exchange: Exchange): Promise<void> {
  if (exchange.isStreamed) await stream(exchange);
  else await whole(exchange);
}

async function whole(exchange: Exchange): Promise<void> {
  const { generation, response, waitMs, script } = exchange;
  for await (const _ of generation.turns(response, waitMs));
  if (response.destroyed) return;
  response.writeHead(200, { 'content-type': 'application/json' });
  if (generation.isBroken) {
    send(exchange, '{"id":"chatcmpl-upstream","choices":[');
    breakOff(exchange);
    return;
  }
  const all = { from: 0, to: generation.generated };
  const content = generation.text(all);
  const message = {
    role: 'assistant',
    ...(script.showsThoughts && { reasoning_content: generation.thoughts(all) }),
    ...(script.callsTool ? { content: null, tool_calls: [toolCall(content)] } : { content }),
  };
  const choices = [{ index: 0, message, finish_reason: finishReason(exchange), logprobs: null }];
  const usage = usageOf(exchange);
  exchange.attempt.hasBegun = true;
  response.end(
    JSON.stringify({
      ...{ ...COMMON, ...tierOf(exchange), object: 'chat.completion', choices },
      ...(usage && { usage }),
      ...(script.unusable === 'large' && { padding: 'x'.repeat(LARGE) }),
    }),
  );
}

async function stream(exchange: Exchange): Promise<void> {
  const { generation, response, waitMs, script } = exchange;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let hasStarted = false;
  for await (const turn of generation.turns(response, waitMs)) {
    const delta = deltaOf(exchange, turn, hasStarted);
    if (delta === null) continue;
    if (!hasStarted) event(exchange, [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
    hasStarted = true;
    event(exchange, [{ index: 0, delta, finish_reason: null }], script.report === 'each');
  }
  if (response.destroyed) return;
  if (generation.isBroken) {
    breakOff(exchange);
    return;
  }
  event(exchange, [{ index: 0, delta: {}, finish_reason: finishReason(exchange) }], script.report === 'each');
  if (script.report !== 'none') event(exchange, [], true);
  response.end('data: [DONE]\n\n');
}

/** The visible part of the turn; null: nothing. */
function deltaOf({ generation, script }: Exchange, turn: Turn, hasStarted: boolean): object | null {
  const thoughts = script.showsThoughts ? generation.thoughts(turn) : '';
  const text = generation.text(turn);
  if (thoughts === '' && text === '') return null;
  if (!script.callsTool || text === '') {
    return { ...(thoughts && { reasoning_content: thoughts }), ...(text && { content: text }) };
  }
  const isFirst = !hasStarted || generation.text({ from: 0, to: turn.from }) === '';
  const called = { arguments: text };
  const begun = isFirst
    ? { id: 'call_1', type: 'function', function: { name: 'note', ...called } }
    : { function: called };
  return { ...(thoughts && { reasoning_content: thoughts }), tool_calls: [{ index: 0, ...begun }] };
}

function event(exchange: Exchange, choices: object[], tellsUsage = false): void {
  const usage = tellsUsage ? usageOf(exchange) : null;
  const chunk = { ...COMMON, ...tierOf(exchange), object: 'chat.completion.chunk', choices, ...(usage && { usage }) };
  send(exchange, `data: ${JSON.stringify(chunk)}\n\n`);
}

function toolCall(text: string): object {
  return { id: 'call_1', type: 'function', function: { name: 'note', arguments: text } };
}

function finishReason({ generation, script }: Exchange): string {
  if (generation.isCut) return 'length';
  return script.callsTool ? 'tool_calls' : 'stop';
}

function usageOf(exchange: Exchange): object | null {
  const { generation, count } = exchange;
  const prompt = reportedPrompt(exchange);
  const output = reportedOutput(exchange, generation.tokens(count));
  if (prompt === null || output === null) return null;
  const { cached, written } = reportedParts(exchange);
  const writes = Object.values(written).reduce((sum, count) => sum + count, 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cached, ...(writes > 0 && { cache_write_tokens: writes }) },
    completion_tokens_details: { reasoning_tokens: Math.min(generation.thoughtTokens, Math.max(output, 0)) },
  };
}
