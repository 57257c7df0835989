import { objectOf, objectsOf } from '../../../src/upstreams/contract/json.js';
import { json, sse } from '../script.js';
import { piecesOf, TURN_USAGE, type TurnWire } from './turn.js';

const { input, cached, output, reasoning } = TURN_USAGE;
const USAGE = {
  promptTokenCount: input,
  cachedContentTokenCount: cached,
  candidatesTokenCount: output - reasoning,
  thoughtsTokenCount: reasoning,
  totalTokenCount: input + output,
};
const STATUSES: Readonly<Record<number, string>> = { 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED' };

/** generateContent and streamGenerateContent. */
export const GEMINI_TURNS: TurnWire = {
  read: (body, path) => {
    const generation = objectOf(body.generationConfig);
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
      isStreamed: path.includes('streamGenerateContent'),
      tools: objectsOf(body.tools)
        .flatMap(({ functionDeclarations }) => objectsOf(functionDeclarations))
        .map(({ name }) => String(name)),
      results: objectsOf(body.contents)
        .flatMap(({ parts }) => objectsOf(parts))
        .filter((part) => part.functionResponse).length,
      schema: generation.responseJsonSchema ?? generation.responseSchema,
    };
  },
  write: (turn, { isStreamed, model, body }, number) => {
    const { includeThoughts } = objectOf(objectOf(objectOf(JSON.parse(body)).generationConfig).thinkingConfig);
    const signature = { thoughtSignature: `gsig-${number}` };
    const calls = turn.calls.map(({ name, input: args }, index) => ({
      functionCall: { name, args, id: `gc${number}${index}` },
      ...(index === 0 && signature),
    }));
    const thoughts = includeThoughts ? [{ text: turn.reasoning, thought: true }] : [];
    const answer = (parts: object[], finishReason?: string) => ({
      candidates: [{ content: { parts, role: 'model' }, index: 0, ...(finishReason && { finishReason }) }],
      usageMetadata: USAGE,
      modelVersion: model,
      responseId: `r${number}`,
    });
    const finish = turn.isCut ? 'MAX_TOKENS' : 'STOP';
    if (!isStreamed) {
      const text = turn.text ? [{ text: turn.text, ...(calls.length === 0 && signature) }] : [];
      return json(200, answer([...thoughts, ...text, ...calls], finish));
    }
    const parts = [...thoughts, ...piecesOf(turn.text).map((text) => ({ text })), ...calls];
    const end = calls.length === 0 ? { text: '', ...signature } : { text: '' };
    const events = [...parts.map((part) => answer([part])), answer([end], finish)];
    return sse(
      events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`),
      { done: false },
    );
  },
  refusal: (status, message) =>
    json(status, { error: { code: status, message, status: STATUSES[status] ?? 'INVALID_ARGUMENT' } }),
};
