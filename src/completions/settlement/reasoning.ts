import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { isObject, type ReadonlyJsonObject } from '../../upstreams/contract/json.js';
import { nativeFormOf } from '../../upstreams/tokens/native-walk.js';

/** Fields of several providers that turn reasoning on or off, beside the effort. */
const SWITCHES = ['reasoning', 'thinking', 'enable_thinking', 'thinking_budget', 'chat_template_kwargs', 'prompt_mode'];
const OFF: ReadonlySet<unknown> = new Set(['none', 'disabled', 'between_tools', 'off']);
/** Fields that only decide which reasoning is returned, or kept from earlier turns; they do not turn it on or off. */
const DISPLAY: ReadonlySet<string> = new Set(['summary', 'generate_summary', 'exclude', 'display', 'context']);
/** In native forms also what the inner effort says. */
const TRANSLATED_OR_DISPLAY: ReadonlySet<string> = new Set([...DISPLAY, 'effort', 'budget_tokens']);

/**
 * Whether a model may reason for a request. Effort `none` is believed only where every target declares it, as others
 * send the nearest effort that the model has, and without another field that turns reasoning on.
 */
export function reasons({ capabilities, targets }: Model, request: ChatCompletionRequest): boolean {
  const isReasoning = capabilities?.includes('reasoning') ?? false;
  const { reasoning_effort: effort } = request;
  if (isSwitchedOn(request)) return true;
  if (effort !== 'none') return isReasoning || typeof effort === 'string';
  return targets.some(({ traits: { efforts } }) => (efforts === null ? isReasoning : !efforts.includes('none')));
}

function isSwitchedOn(request: ChatCompletionRequest): boolean {
  const native = nativeFormOf(request);
  return SWITCHES.some((name) => turnsOn(request[name]) || turnsOn(native?.[name], TRANSLATED_OR_DISPLAY));
}

function turnsOn(value: unknown, except = DISPLAY): boolean {
  if (isObject(value))
    return Object.entries(value as ReadonlyJsonObject).some(([name, one]) => !except.has(name) && turnsOn(one, except));
  return Boolean(value) && !OFF.has(value);
}
