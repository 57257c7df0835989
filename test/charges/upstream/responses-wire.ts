import type { OutputKind } from '../answer-script.js';
import { breakOff, type Exchange, reportedOutput, reportedPrompt, send } from './exchange.js';

const ENVELOPE = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'billed' };
const EVENTS: Readonly<Record<OutputKind, string>> = {
  text: 'response.output_text.delta',
  custom: 'response.custom_tool_call_input.delta',
  sound: 'response.audio.transcript.delta',
  patch: 'response.apply_patch_call_operation_diff.delta',
  server_tool: 'response.code_interpreter_call_code.delta',
  unknown: 'response.new_thing.delta',
};

/** Answers like OpenAI's Responses API. */
export async function answerResponses(exchange: Exchange): Promise<void> {
  const { generation, response, waitMs, isStreamed, script } = exchange;
  if (isStreamed) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for await (const turn of generation.turns(response, waitMs)) {
    if (!isStreamed) continue;
    if (!exchange.attempt.hasBegun) event(exchange, 'response.created', { response: responseOf('in_progress') });
    const at = { item_id: 'i', output_index: 0, content_index: 0 };
    event(exchange, EVENTS[script.kind], { ...at, delta: generation.text(turn) });
  }
  if (response.destroyed) return;
  if (generation.isBroken) {
    if (!isStreamed) response.writeHead(200, { 'content-type': 'application/json' });
    send(exchange, '{');
    breakOff(exchange);
    return;
  }
  const isFailure = script.unusable === 'failure';
  const whole = responseOf(isFailure ? 'failed' : 'completed', exchange);
  exchange.attempt.hasBegun = true;
  if (isStreamed) {
    event(exchange, isFailure ? 'response.failed' : 'response.completed', { response: whole });
    response.end();
  } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
}

function responseOf(status: string, exchange?: Exchange): object {
  if (!exchange) return { ...ENVELOPE, status, output: [] };
  const text = exchange.generation.text({ from: 0, to: exchange.generation.generated });
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  const usage = usageOf(exchange);
  return {
    ...{ ...ENVELOPE, status, incomplete_details: null },
    error: status === 'failed' ? { code: 'server_error', message: 'It failed.' } : null,
    output: [{ type: 'message', id: 'i', role: 'assistant', status: 'completed', content }],
    ...(usage && { usage }),
  };
}

function usageOf(exchange: Exchange): object | null {
  const input = reportedPrompt(exchange);
  const output = reportedOutput(exchange, exchange.generation.tokens(exchange.count));
  if (input === null || output === null) return null;
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  return { input_tokens: input, output_tokens: output, total_tokens: input + output, ...details };
}

function event(exchange: Exchange, type: string, fields: object): void {
  send(exchange, `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 1, ...fields })}\n\n`);
}
