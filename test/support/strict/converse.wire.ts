import { objectOf, objectsOf } from '../../../src/upstreams/contract/json.js';
import { awsEvent } from '../aws-event-stream.js';
import { chunk, head, json, lastChunk } from '../script.js';
import { piecesOf, TURN_USAGE, type TurnWire } from './turn.js';

const { input, cached, output } = TURN_USAGE;
const USAGE = {
  inputTokens: input - cached,
  cacheReadInputTokens: cached,
  outputTokens: output,
  totalTokens: input + output,
};

/** Converse and ConverseStream. */
export const CONVERSE_TURNS: TurnWire = {
  read: (body, path) => ({
    model: decodeURIComponent(/\/model\/([^/]+)\//.exec(path)?.[1] ?? ''),
    isStreamed: path.endsWith('/converse-stream'),
    tools: objectsOf(objectOf(body.toolConfig).tools).flatMap(({ toolSpec }) =>
      toolSpec ? [String(objectOf(toolSpec).name)] : [],
    ),
    results: objectsOf(body.messages)
      .flatMap(({ content }) => objectsOf(content))
      .filter(({ toolResult }) => toolResult).length,
    schema: undefined,
  }),
  write: (turn, { isStreamed, model, body }, number) => {
    const more = objectOf(objectOf(JSON.parse(body)).additionalModelRequestFields);
    const thinks = objectOf(more.reasoningConfig).type === 'enabled' || objectOf(more.thinking).type !== undefined;
    const signature = model.includes('anthropic') ? { signature: `sig-${number}` } : {};
    const thought = thinks ? [{ reasoningContent: { reasoningText: { text: turn.reasoning, ...signature } } }] : [];
    const calls = turn.calls.map(({ name, input: value }, index) => ({
      toolUse: { toolUseId: `tooluse_${number}_${index}`, name, input: value },
    }));
    const stopReason = turn.isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
    if (!isStreamed) {
      const content = [...thought, ...(turn.text ? [{ text: turn.text }] : []), ...calls];
      return json(200, {
        output: { message: { role: 'assistant', content } },
        stopReason,
        usage: USAGE,
        metrics: { latencyMs: 5 },
      });
    }
    let index = 0;
    const block = (deltas: object[], start?: object) => {
      const contentBlockIndex = index++;
      return [
        ...(start ? [awsEvent('contentBlockStart', { contentBlockIndex, start })] : []),
        ...deltas.map((delta) => awsEvent('contentBlockDelta', { contentBlockIndex, delta })),
        awsEvent('contentBlockStop', { contentBlockIndex }),
      ];
    };
    const reasoned = [
      ...piecesOf(turn.reasoning).map((text) => ({ reasoningContent: { text } })),
      ...('signature' in signature ? [{ reasoningContent: signature }] : []),
    ];
    const events = [
      awsEvent('messageStart', { role: 'assistant' }),
      ...(thinks ? block(reasoned) : []),
      ...(turn.text ? block(piecesOf(turn.text).map((text) => ({ text }))) : []),
      ...calls.flatMap(({ toolUse: { toolUseId, name, input: value } }) =>
        block(
          piecesOf(JSON.stringify(value)).map((text) => ({ toolUse: { input: text } })),
          { toolUse: { toolUseId, name } },
        ),
      ),
      awsEvent('messageStop', { stopReason }),
      awsEvent('metadata', { usage: USAGE, metrics: { latencyMs: 5 } }),
    ];
    const type = { 'content-type': 'application/vnd.amazon.eventstream', 'transfer-encoding': 'chunked' };
    return [head(200, type), ...events.map((event) => chunk(event)), lastChunk()];
  },
  refusal: (status, message) =>
    json(status, { message }, { 'x-amzn-errortype': 'ValidationException:http://internal.amazon.com/' }),
};
