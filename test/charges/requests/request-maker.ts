import { Random } from '../../support/random.js';
import { type AnswerScript, type Report, toScriptText } from '../answer-script.js';
import { OVERDRAWN } from '../callers.js';
import { MODEL_IDS, MODELS, type ModelId } from '../catalog.js';
import { filePart, imagePart, soundPart } from './media.js';
import { MOVE_POOL, MOVES, type Move, type MoveName } from './moves.js';
import { promptLength, textOf } from './texts.js';

/**
 * When a caller disconnects: as soon as the request is written, or when its answer has progressed this far; null:
 * never.
 */
export type Disconnection = 'immediately' | 'progress' | null;

export interface MadeRequest {
  readonly id: string;
  /** The caller of the request. */
  readonly caller: number;
  readonly model: ModelId;
  readonly move: MoveName | null;
  readonly path: Move['path'];
  readonly script: AnswerScript;
  readonly disconnection: Disconnection;
  readonly body: string;
}

/** The share of requests that are moves. */
const MOVE_SHARE = 0.25;

const MODEL_WEIGHTS: Readonly<Record<ModelId, number>> = {
  plain: 28,
  compatible: 14,
  hidden: 16,
  visible: 10,
  claude: 16,
  whole: 5,
  hedged: 7,
  fragile: 4,
  // Only by moves.
  ...{ responses: 0, local: 0, slow: 0, vectors: 0 },
};

/** The request of this number: the same for the same seed. */
export function makeRequest(seed: number, number: number, callers: number): MadeRequest {
  const random = new Random(seed * 1_000_003 + number);
  random.next();
  const caller = random.below(callers);
  if (!OVERDRAWN.has(caller) && random.chance(MOVE_SHARE)) return makeMove(random, `r${number}`, caller);
  const model = random.pick(POOL);
  const disconnection = pickDisconnection(random);
  const script = makeScript(
    random,
    `r${number}`,
    model,
    disconnection,
    OVERDRAWN.has(caller) ? 'over' : pickReport(random, model),
  );
  return {
    id: script.id,
    caller,
    model,
    move: null,
    path: '/v1/chat/completions',
    script,
    disconnection: disconnection.kind,
    body: JSON.stringify(makeBody(random, model, script)),
  };
}

const PLAIN = {
  ...{ output: 100, thinking: 0, showsThoughts: false, callsTool: false, report: 'true', busy: 0, busyModel: null },
  ...{ waits: [20, 20, 20], breaksAt: null, cached: 0, written: 0, servedTier: null, mark: 'read', progressAt: null },
  ...{ kind: 'text', unusable: null, searches: 0, pages: null },
} as const satisfies Partial<AnswerScript>;

function makeMove(random: Random, id: string, caller: number): MadeRequest {
  const name = random.pick(MOVE_POOL);
  const { model, path, script: changes, leaves = false, body }: Move = MOVES[name];
  const script: AnswerScript = { ...PLAIN, id, output: 20 + random.below(200), ...changes };
  const text = `${toScriptText(script)} ${textOf(random, 40 + random.below(800))}`;
  return {
    ...{ id, caller, model, move: name, path, script },
    disconnection: leaves ? 'progress' : null,
    body: JSON.stringify({ model, ...body(text, random) }),
  };
}

const POOL = MODEL_IDS.flatMap((id) => Array<ModelId>(MODEL_WEIGHTS[id]).fill(id));

interface Left {
  readonly kind: Disconnection;
  readonly progressAt: number | null;
}

function pickDisconnection(random: Random): Left {
  const share = random.next();
  if (share < 0.02) return { kind: 'immediately', progressAt: null };
  if (share < 0.06) return { kind: 'progress', progressAt: 0 };
  if (share < 0.12) return { kind: 'progress', progressAt: 0.15 + random.next() * 0.7 };
  if (share < 0.15) return { kind: 'progress', progressAt: 0.95 };
  return { kind: null, progressAt: null };
}

function makeScript(random: Random, id: string, model: ModelId, { progressAt }: Left, report: Report): AnswerScript {
  const thinks = model === 'hidden' || model === 'visible' || (model === 'claude' && random.chance(0.2));
  const isBusy = random.next();
  return {
    id,
    output: random.chance(0.9) ? 5 + random.below(250) : 250 + random.below(1200),
    thinking: thinks ? 50 + random.below(model === 'hidden' ? 1200 : 400) : 0,
    showsThoughts: thinks && model !== 'hidden',
    callsTool: random.chance(0.12),
    report,
    waits: waitsOf(random, model),
    busy: isBusy < 0.03 ? 1 : isBusy < 0.04 ? 9 : 0,
    busyModel: model === 'fragile' && random.chance(0.6) ? MODELS.fragile.name : null,
    breaksAt: random.chance(0.02) ? random.next() : null,
    cached: random.chance(0.25) && MODELS[model].upstream === 'east' ? random.next() * 0.9 : 0,
    written: random.chance(0.2) && MODELS[model].upstream === 'east' ? random.next() * 0.1 : 0,
    servedTier: model === 'plain' && random.chance(0.08) ? random.pick(['default', 'priority']) : null,
    mark: random.chance(0.5) ? 'write' : 'read',
    progressAt,
    ...{ kind: 'text', unusable: null, searches: 0, pages: null },
  };
}

function waitsOf(random: Random, model: ModelId): number[] {
  const waits = [20 + random.below(200), 20 + random.below(60)];
  return model === 'hedged' && random.chance(0.4) ? [1200, ...waits] : waits;
}

/**
 * Every upstream sometimes reports wrong usage. The one with the general OpenAI format often reports no usage, or
 * reports it with each chunk.
 */
function pickReport(random: Random, model: ModelId): Report {
  const chance = random.next();
  if (chance < 0.02) return 'over';
  if (chance < 0.04) return 'huge';
  if (chance < 0.055) return 'negative';
  if (chance < 0.07) return 'zero';
  if (chance < 0.09) return 'none';
  const share = random.next();
  if (MODELS[model].upstream !== 'compatible' && model !== 'whole') return 'true';
  if (share < 0.25) return 'none';
  return share < 0.6 ? 'each' : 'true';
}

function makeBody(random: Random, model: ModelId, script: AnswerScript): object {
  const required = script.thinking + script.output;
  const limit = random.chance(0.5) ? Math.max(1, Math.floor(required * (0.4 + random.next() * 3))) : null;
  const isCapped = limit !== null;
  const field = random.chance(0.5) ? 'max_tokens' : 'max_completion_tokens';
  const hasTools = script.callsTool || random.chance(0.1);
  return {
    model,
    messages: makeMessages(random, model, script),
    ...(random.chance(0.65) && {
      stream: true,
      ...(random.chance(0.5) && { stream_options: { include_usage: true } }),
    }),
    ...(isCapped && { [field]: Math.min(limit, 3500) }),
    ...(hasTools && { tools: makeTools(random) }),
    ...(model === 'plain' && random.chance(0.1) && { service_tier: 'priority' }),
    ...(MODELS[model].upstream === 'east' && random.chance(0.2) && { prompt_cache_options: { ttl: '12h' } }),
    ...(random.chance(model === 'compatible' ? 0.25 : 0.04) && {
      knowledge: { notes: textOf(random, 5000), version: 3 },
    }),
  };
}

function makeMessages(random: Random, model: ModelId, script: AnswerScript): object[] {
  const messages: object[] = [];
  if (random.chance(0.4)) messages.push({ role: 'system', content: textOf(random, promptLength(random) / 2) });
  for (let turn = random.below(4); turn > 0; turn--) {
    messages.push({ role: 'user', content: textOf(random, 100 + random.below(600)) });
    messages.push({ role: 'assistant', content: textOf(random, 100 + random.below(1500)) });
  }
  if (random.chance(0.08)) messages.push(...toolTurn(random));
  messages.push({ role: 'user', content: makeContent(random, model, script) });
  return messages;
}

function makeContent(random: Random, model: ModelId, script: AnswerScript): object[] {
  const text = { type: 'text', text: `${toScriptText(script)} ${textOf(random, promptLength(random))}` };
  const parts: object[] = [];
  if (model === 'claude' && random.chance(0.4)) {
    const ttl = random.pick(['5m', '1h']);
    parts.push({
      type: 'text',
      text: textOf(random, 2000 + random.below(9000)),
      cache_control: { type: 'ephemeral', ttl },
    });
  }
  parts.push(text);
  const takesMedia = model === 'plain' || model === 'claude' || model === 'fragile';
  if (takesMedia && random.chance(0.15)) parts.push(random.chance(0.7) ? imagePart(random) : filePart(random));
  if (model === 'plain' && random.chance(0.05)) parts.push(soundPart(random));
  return parts;
}

function makeTools(random: Random): object[] {
  return Array.from({ length: 1 + random.below(4) }, (_, index) => ({
    type: 'function',
    function: {
      name: index === 0 ? 'note' : `lookup_${index}`,
      description: textOf(random, 80 + random.below(300)),
      parameters: {
        type: 'object',
        properties: {
          text: { type: 'string', description: textOf(random, 60) },
          count: { type: 'integer', description: textOf(random, 40) },
        },
        required: ['text'],
      },
    },
  }));
}

function toolTurn(random: Random): object[] {
  const call = {
    id: 'call_before',
    type: 'function',
    function: { name: 'note', arguments: JSON.stringify({ text: textOf(random, 100) }) },
  };
  return [
    { role: 'user', content: textOf(random, 80) },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_before', content: textOf(random, 50 + random.below(1500)) },
  ];
}
