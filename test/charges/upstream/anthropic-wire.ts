import { breakOff, type Exchange, reportedOutput, reportedParts, reportedPrompt, send } from './exchange.js';
import { SEARCH_RESULT } from './prompt-bill.js';

const ENVELOPE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude' };

/** Answers like Anthropic's Messages API. */
export async function answerAnthropic(exchange: Exchange): Promise<void> {
  if (exchange.isStreamed) await stream(exchange);
  else await whole(exchange);
}

async function whole(exchange: Exchange): Promise<void> {
  const { generation, response, waitMs, script } = exchange;
  for await (const _ of generation.turns(response, waitMs));
  if (response.destroyed) return;
  response.writeHead(200, { 'content-type': 'application/json' });
  if (generation.isBroken) {
    send(exchange, '{"id":"msg_1","content":[');
    breakOff(exchange);
    return;
  }
  const all = { from: 0, to: generation.generated };
  const thinking = generation.thoughts(all);
  const text = generation.text(all);
  const content = [
    ...(thinking ? [{ type: 'thinking', thinking, signature: 'c2ln' }] : []),
    script.callsTool
      ? { type: 'tool_use', id: 'toolu_1', name: 'note', input: { text } }
      : { type: 'text', text: text || '-' },
  ];
  const output = reportedOutput(exchange, generation.tokens(exchange.count));
  const usage = { ...promptUsage(exchange), ...(output !== null && { output_tokens: output }) };
  exchange.attempt.hasBegun = true;
  response.end(JSON.stringify({ ...ENVELOPE, content, stop_reason: stopReason(exchange), usage }));
}

async function stream(exchange: Exchange): Promise<void> {
  const { generation, response, waitMs, script } = exchange;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let block = -1;
  let kind = '';
  const open = (required: string, start: object) => {
    if (kind === required) return;
    if (block >= 0) event(exchange, 'content_block_stop', { index: block });
    kind = required;
    event(exchange, 'content_block_start', { index: ++block, content_block: { type: required, ...start } });
  };
  const say = (delta: object) => event(exchange, 'content_block_delta', { index: block, delta });
  for await (const turn of generation.turns(response, waitMs)) {
    if (!exchange.attempt.hasBegun) {
      begin(exchange);
      for (let search = 0; search < script.searches; search++) {
        open('server_tool_use', { id: `srv_${search}`, name: 'web_search', input: {} });
        open('web_search_tool_result', { tool_use_id: `srv_${search}`, content: [] });
      }
    }
    const thinking = generation.thoughts(turn);
    const text = generation.text(turn);
    if (thinking) {
      open('thinking', { thinking: '', signature: '' });
      say({ type: 'thinking_delta', thinking });
    }
    if (text && script.kind === 'server_tool') {
      open('server_tool_use', { id: 'srv_1', name: 'web_search', input: {} });
      say({ type: 'input_json_delta', partial_json: text });
    } else if (text && script.callsTool) {
      open('tool_use', { id: 'toolu_1', name: 'note', input: {} });
      say({ type: 'input_json_delta', partial_json: text });
    } else if (text) {
      open('text', { text: '' });
      say({ type: 'text_delta', text });
    }
  }
  if (response.destroyed) return;
  if (generation.isBroken) {
    breakOff(exchange);
    return;
  }
  event(exchange, 'content_block_stop', { index: block });
  const output = reportedOutput(exchange, generation.tokens(exchange.count));
  const ofPrompt = script.searches > 0 ? promptUsage(exchange) : {};
  const usage = output === null ? {} : { usage: { ...ofPrompt, output_tokens: output } };
  event(exchange, 'message_delta', { delta: { stop_reason: stopReason(exchange) }, ...usage });
  event(exchange, 'message_stop', {});
  response.end();
}

/** The API reports the prompt immediately, with the first tokens of the output. */
function begin(exchange: Exchange): void {
  const usage = {
    ...promptUsage(exchange),
    ...(exchange.script.searches > 0 && { input_tokens: firstReading(exchange) }),
  };
  const reported = exchange.script.report === 'none' ? {} : { usage: { ...usage, output_tokens: 1 } };
  event(exchange, 'message_start', { message: { ...ENVELOPE, content: [], ...reported } });
}

/** The usage at the message's start counts the prompt before any search. */
function firstReading({ script: { searches }, attempt }: Exchange): number {
  return (attempt.prompt.total - SEARCH_RESULT * ((searches * (searches + 1)) / 2)) / (searches + 1);
}

function promptUsage(exchange: Exchange): object {
  const prompt = reportedPrompt(exchange);
  if (prompt === null) return {};
  const { cached, written } = reportedParts(exchange);
  const { searches } = exchange.script;
  const { '5m': written5m = 0, '1h': written1h = 0 } = written;
  return {
    input_tokens: prompt - cached - written5m - written1h,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written5m + written1h,
    ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
    cache_creation: { ephemeral_5m_input_tokens: written5m, ephemeral_1h_input_tokens: written1h },
  };
}

function event(exchange: Exchange, type: string, fields: object): void {
  send(exchange, `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}

function stopReason({ generation, script }: Exchange): string {
  if (generation.isCut) return 'max_tokens';
  return script.callsTool ? 'tool_use' : 'end_turn';
}
