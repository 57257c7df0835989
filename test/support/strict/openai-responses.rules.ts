import { listOf, objectOf, objectsOf, type ReadonlyJsonObject, textOf } from '../../../src/upstreams/contract/json.js';
import { XAI_EFFORTS } from './compatible.rules.js';
import { effortsOf } from './openai-chat.rules.js';
import { type RefusalRule, unknownFields, wordsOf } from './refusal-rule.js';

const FIELDS = wordsOf(
  'background client_metadata context_management conversation include input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user',
);
const REFERENCE = 'developers.openai.com/api/reference/resources/responses, request body';
const INPUT_PARTS = wordsOf('input_text input_image input_file computer_screenshot');
const OUTPUT_PARTS = wordsOf('output_text refusal');

const itemsOf = ({ input }: ReadonlyJsonObject) => objectsOf(input);
const isCall = (type: unknown) => String(type).endsWith('_call');
const isOutput = (type: unknown) => String(type).endsWith('_call_output');

const RULES: readonly RefusalRule[] = [
  {
    refuses: 'unknown fields',
    source: 'a recorded answer with the code unknown_parameter',
    check: (body) => {
      const [param] = unknownFields(body, FIELDS);
      return param && { status: 400, message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' };
    },
  },
  {
    refuses: 'a reasoning item without its content, as nothing is stored',
    source: 'github.com/anomalyco/opencode/issues/7724; github.com/can1357/oh-my-pi/issues/41',
    check: (body) => {
      const lost = itemsOf(body).find(
        ({ type, id, encrypted_content: content }) => type === 'reasoning' && id && !content,
      );
      return lost && { status: 404, message: notFound(lost.id), param: 'input' };
    },
  },
  {
    refuses: 'a reference to an item that is not stored',
    source: 'github.com/vercel/ai/issues/7543',
    check: (body) => {
      const reference = itemsOf(body).find(({ type }) => type === 'item_reference');
      return reference && { status: 404, message: notFound(reference.id), param: 'input' };
    },
  },
  {
    refuses: 'a response that is not stored',
    source: 'developers.openai.com/api/docs/guides/conversation-state',
    check: ({ previous_response_id: id }) =>
      textOf(id) && {
        status: 400,
        message: `Previous response with id '${id}' not found.`,
        param: 'previous_response_id',
        code: 'previous_response_not_found',
      },
  },
  {
    refuses: 'encrypted reasoning of another account or provider',
    source: 'github.com/openai/codex/issues/8145',
    check: (body) => {
      const foreign = itemsOf(body).find(
        ({ type, encrypted_content: content }) =>
          type === 'reasoning' && content && !String(content).startsWith('enc-'),
      );
      return (
        foreign && {
          status: 400,
          code: 'invalid_encrypted_content',
          message: `The encrypted content ${String(foreign.encrypted_content).slice(0, 4)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
        }
      );
    },
  },
  {
    refuses: 'a call that came with reasoning and is sent back with its id but without the reasoning',
    source: 'github.com/0xPlaygrounds/rig/issues/751; github.com/qbit-ai/qbit/pull/180',
    check: (body) => {
      const items = itemsOf(body);
      const bare = items.find(
        ({ type, id }, at) =>
          isCall(type) && textOf(id) && !items.slice(0, at).some((other) => other.type === 'reasoning'),
      );
      return (
        bare &&
        `Item '${bare.id}' of type '${bare.type}' was provided without its required 'reasoning' item: 'rs_${String(bare.id).split('_')[1]}'.`
      );
    },
  },
  {
    refuses: 'an output without its call, and a call without its output',
    source: 'github.com/continuedev/continue/issues/10092; github.com/symgraph/GhidrAssist/issues/78',
    check: (body) => {
      const items = itemsOf(body);
      const idsOf = (is: (type: unknown) => boolean) =>
        new Set(items.filter(({ type }) => is(type)).map((item) => item.call_id));
      const [calls, outputs] = [idsOf(isCall), idsOf(isOutput)];
      const lone = items.find(({ type, call_id: id }) => isOutput(type) && !calls.has(id));
      if (lone) return `No tool call found for function call output with call_id ${lone.call_id}.`;
      const open = items.find(({ type, call_id: id }) => type === 'function_call' && !outputs.has(id));
      return open && `No tool output found for function call ${open.call_id}.`;
    },
  },
  {
    refuses: "parts of the other side's messages",
    source: REFERENCE,
    check: (body) => {
      for (const [at, { role, content }] of itemsOf(body).entries()) {
        const known = role === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS;
        const part = objectsOf(content).find(({ type }) => role && !known.has(String(type)));
        if (part) {
          const message = `Invalid value: '${part.type}'. Supported values are: ${[...known].map((name) => `'${name}'`).join(', ')}.`;
          return { status: 400, message, param: `input[${at}].content[0]`, code: 'invalid_value' };
        }
      }
      return null;
    },
  },
  {
    refuses: 'ids that do not begin as the kind of item does',
    source: 'github.com/Wei-Shaw/sub2api/issues/3981; github.com/openai/codex/issues/33176',
    check: (body) => {
      const prefixes: Readonly<Record<string, string>> = {
        message: 'msg',
        function_call: 'fc',
        reasoning: 'rs',
        custom_tool_call: 'ctc',
      };
      for (const [at, { type, id, role }] of itemsOf(body).entries()) {
        const prefix = role && role !== 'assistant' ? undefined : prefixes[String(type)];
        if (prefix && textOf(id) && !String(id).startsWith(prefix)) {
          const message = `Invalid 'input[${at}].id': '${id}'. Expected an ID that begins with '${prefix}'.`;
          return { status: 400, message, param: `input[${at}].id`, code: 'invalid_value' };
        }
      }
      return null;
    },
  },
  {
    refuses: 'a limit below 16',
    source: 'a recorded answer with the code integer_below_min_value',
    check: ({ max_output_tokens: limit }) =>
      typeof limit === 'number' && limit < 16
        ? {
            status: 400,
            param: 'max_output_tokens',
            code: 'integer_below_min_value',
            message: `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`,
          }
        : null,
  },
  {
    refuses: 'an input without anything',
    source: REFERENCE,
    check: ({ input }) =>
      typeof input !== 'string' && listOf(input).length === 0 ? "Missing required parameter: 'input'." : null,
  },
];

/** OpenAI's own, with the models of autumn 2026. */
export const OPENAI_RESPONSES_RULES: readonly RefusalRule[] = [
  ...RULES,
  {
    refuses: 'sampling while the model reasons',
    source: 'github.com/BerriAI/litellm/discussions/42523',
    check: (body) => {
      if (objectOf(body.reasoning).effort === 'none') return null;
      const param = ['temperature', 'top_p'].find((name) => (body[name] ?? 1) !== 1);
      return (
        param && { status: 400, message: `Unsupported parameter: '${param}' is not supported with this model.`, param }
      );
    },
  },
  {
    refuses: 'log probabilities while the model reasons',
    source: 'github.com/BerriAI/litellm/discussions/42523',
    check: (body) =>
      objectOf(body.reasoning).effort !== 'none' && (body.top_logprobs !== undefined || includesLogprobs(body))
        ? { status: 400, message: 'logprobs are not supported with reasoning models.', param: 'include' }
        : null,
  },
  {
    refuses: 'an effort that the model does not have',
    source: 'dev.to/hassann: GPT-6.1 Sol raises none and minimal; docs.litellm.ai/blog/gpt-6-1-terra',
    check: (body) => refusedEffort(body, effortsOf(body.model)),
  },
];

export const XAI_RESPONSES_RULES: readonly RefusalRule[] = [
  ...RULES,
  {
    refuses: 'an effort that the model does not have',
    source: 'xai-org/xai-sdk-python CHANGELOG, 1.18.0',
    check: (body) => refusedEffort(body, XAI_EFFORTS),
  },
];

/** Also an effort that an item of the conversation sets. */
function refusedEffort(body: ReadonlyJsonObject, known: readonly string[]) {
  const updates = itemsOf(body).filter(({ type }) => type === 'configuration_update');
  for (const { reasoning } of [body, ...updates]) {
    const { effort } = objectOf(reasoning);
    if (typeof effort !== 'string' || known.includes(effort)) continue;
    const message = `Unsupported value: '${effort}' is not supported with the '${body.model}' model. Supported values are: ${known.map((one) => `'${one}'`).join(', ')}.`;
    return { status: 400, message, param: 'reasoning.effort', code: 'unsupported_value' };
  }
  return null;
}

function includesLogprobs({ include }: ReadonlyJsonObject): boolean {
  return listOf(include).includes('message.output_text.logprobs');
}

function notFound(id: unknown): string {
  return `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
}
