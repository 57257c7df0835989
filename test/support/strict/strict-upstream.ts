import { objectOf, objectsOf } from '../../../src/upstreams/contract/json.js';
import type { ReceivedRequest } from '../received-request.js';
import { json, type Script } from '../script.js';
import { ScriptedUpstream } from '../scripted-upstream.js';
import { ANTHROPIC_RULES } from './anthropic.rules.js';
import { BEDROCK_RULES } from './bedrock.rules.js';
import { BEDROCK_CLAUDE_RULES } from './bedrock-claude.rules.js';
import { chatWire } from './chat.wire.js';
import { COHERE_TURNS } from './cohere.wire.js';
import { COHERE_RULES, DEEPSEEK_RULES, GROQ_RULES, MISTRAL_RULES, XAI_RULES } from './compatible.rules.js';
import { CONVERSE_TURNS } from './converse.wire.js';
import { GEMINI_RULES } from './gemini.rules.js';
import { GEMINI_TURNS } from './gemini.wire.js';
import { MESSAGES_TURNS } from './messages.wire.js';
import { CHAT_RULES, OPENAI_CHAT_RULES } from './openai-chat.rules.js';
import { OPENAI_RESPONSES_RULES, XAI_RESPONSES_RULES } from './openai-responses.rules.js';
import { type Refusal, type RefusalRule, refusalOf } from './refusal-rule.js';
import { RESPONSES_TURNS } from './responses.wire.js';
import type { TurnPlan, TurnWire } from './turn.js';

interface StrictApi {
  /** The end of its paths. */
  readonly path: RegExp;
  readonly rules: readonly RefusalRule[];
  readonly wire: TurnWire;
}

const CHAT_PATH = /\/chat\/completions$/;
const RESPONSES: StrictApi = { path: /\/responses$/, rules: OPENAI_RESPONSES_RULES, wire: RESPONSES_TURNS };

const letters = (turn: number, call: number) => `turn${String(turn).padStart(4, '0')}${call}`;
const chat = (rules: readonly RefusalRule[], wire: TurnWire): StrictApi => ({ path: CHAT_PATH, rules, wire });

/** What each provider serves, by the first part of its address. `chat` is a server with Chat Completions alone. */
export const STRICT_PROVIDERS: Readonly<Record<string, readonly StrictApi[]>> = {
  openai: [chat(OPENAI_CHAT_RULES, chatWire(null)), RESPONSES],
  azure: [chat(OPENAI_CHAT_RULES, chatWire(null)), RESPONSES],
  anthropic: [{ path: /\/v1\/messages(\/count_tokens)?(\?.*)?$/, rules: ANTHROPIC_RULES, wire: MESSAGES_TURNS }],
  gemini: [{ path: /:(streamG|g)enerateContent/, rules: GEMINI_RULES, wire: GEMINI_TURNS }],
  bedrock: [
    { path: /\/converse(-stream)?$/, rules: [...BEDROCK_RULES, ...BEDROCK_CLAUDE_RULES], wire: CONVERSE_TURNS },
  ],
  mistral: [chat(MISTRAL_RULES, chatWire(null, letters))],
  deepseek: [chat(DEEPSEEK_RULES, chatWire('reasoning_content'))],
  xai: [chat(XAI_RULES, chatWire('reasoning_content')), { ...RESPONSES, rules: XAI_RESPONSES_RULES }],
  groq: [chat(GROQ_RULES, chatWire('reasoning'))],
  cohere: [{ path: /\/v2\/chat$/, rules: COHERE_RULES, wire: COHERE_TURNS }],
  chat: [chat(CHAT_RULES, chatWire('reasoning_content'))],
};

/**
 * One server for all providers: each below its own name (`/openai/v1/responses`), refusing what the provider refuses and
 * answering with whole turns. The tables of `*.rules.ts` name the source of each refusal.
 */
export class StrictUpstream {
  /** `PROVIDER: MESSAGE` of each refusal, in order. */
  readonly refusals: string[] = [];
  private turns = 0;

  private constructor(
    readonly server: ScriptedUpstream,
    private plan: TurnPlan,
  ) {
    server.always((request) => this.answer(request));
  }

  static async start(plan: TurnPlan): Promise<StrictUpstream> {
    return new StrictUpstream(await ScriptedUpstream.start(), plan);
  }

  /** The address of a provider, without `/v1`. */
  url(provider: string): string {
    return `${this.server.url}/${provider}`;
  }

  follow(plan: TurnPlan): void {
    this.plan = plan;
  }

  private answer(request: ReceivedRequest): Script {
    const [, provider = ''] = request.path.split('/');
    const api = STRICT_PROVIDERS[provider]?.find(({ path }) => path.test(request.path));
    if (request.path.endsWith('/embeddings')) return embeddings(request);
    if (!api)
      return json(404, {
        error: { message: `Invalid URL (${request.method} ${request.path})`, type: 'invalid_request_error' },
      });
    const body = objectOf(request.json());
    const rejected = refusalOf(api.rules, body, request);
    if (rejected) return this.refuse(provider, api.wire, rejected);
    if (request.path.includes('count_tokens')) return json(200, { input_tokens: 1234 });
    const view = { ...api.wire.read(body, request.path), body: request.body };
    const turn = this.plan(view);
    return 'status' in turn ? this.refuse(provider, api.wire, turn) : api.wire.write(turn, view, ++this.turns);
  }

  private refuse(provider: string, wire: TurnWire, { status, message, param, code }: Refusal): Script {
    this.refusals.push(`${provider}: ${message}`);
    return wire.refusal(status, message, param, code);
  }
}

function embeddings(request: ReceivedRequest): Script {
  const { input } = objectOf(request.json());
  const count = Array.isArray(input) && typeof input[0] !== 'number' ? objectsOf(input).length || input.length : 1;
  const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding: [0.25, -0.5] }));
  return json(200, { object: 'list', model: 'vectors', data, usage: { prompt_tokens: 2, total_tokens: 2 } });
}
