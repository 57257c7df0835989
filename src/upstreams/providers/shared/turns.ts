import type { GatewayError } from '../../../common/gateway.error.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { textsOf } from './data-url.js';
import { unsupported } from './ignored-fields.js';

/** Consecutive content of one role; never empty. */
export interface Turn<Block> {
  role: 'user' | 'assistant';
  content: Block[];
}

/** Placeholders for missing user messages at the start and the end. */
export const OPENING = 'Begin.';
const CLOSING = 'Continue.';

/** Builds a conversation whose roles alternate. */
export class Turns<Block> {
  protected readonly list: Turn<Block>[] = [];
  /** The tool results at the start of a turn; searching them for each result would take quadratic time. */
  private readonly results = { turn: null as Turn<Block> | null, count: 0 };

  constructor(private readonly toBlock: (text: string) => Block) {}

  add(role: Turn<Block>['role'], blocks: Block[]): void {
    if (blocks.length === 0) return;
    const last = this.list.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else this.list.push({ role, content: blocks });
  }

  /** Tool results come before other content of the user's turn. */
  addResult(result: Block): void {
    const { list, results } = this;
    const last = list.at(-1);
    const turn: Turn<Block> = last?.role === 'user' ? last : { role: 'user', content: [] };
    if (turn !== last) list.push(turn);
    if (results.turn !== turn) Object.assign(results, { turn, count: 0 });
    turn.content.splice(results.count++, 0, result);
  }

  /**
   * All turns. The user's turn is first and, unless the answer is `prefilled`, last. If there are no turns, the system
   * text becomes the user's.
   */
  withSystem<System extends Block>(system: System[], prefilled = false): { system: System[]; turns: Turn<Block>[] } {
    const { list } = this;
    const saying = (text: string): Turn<Block> => ({ role: 'user', content: [this.toBlock(text)] });
    if (list.length === 0) {
      return { system: [], turns: [system.length > 0 ? { role: 'user', content: system } : saying(OPENING)] };
    }
    if (list[0]?.role !== 'user') list.unshift(saying(OPENING));
    if (list.at(-1)?.role !== 'user' && !prefilled) list.push(saying(CLOSING));
    return { system, turns: list };
  }
}

/** Whether the conversation ends with the beginning of the answer ("prefill"), which some models continue. */
export function hasPrefill({ request }: ProviderCall): boolean {
  const last = request.messages.at(-1);
  if (last?.role !== 'assistant' || last.tool_calls?.length) return false;
  return [...textsOf(last.content), last.refusal ?? ''].some((text) => text.trim() !== '');
}

/** The error for a model that requires a user message at the end, always or together with another option. */
export function unsupportedPrefill({ request, model }: ProviderCall, beside = ''): GatewayError {
  const message = `The model '${model}' cannot continue an answer${beside}. End with a user message.`;
  return unsupported(`messages[${request.messages.length - 1}]`, message);
}
