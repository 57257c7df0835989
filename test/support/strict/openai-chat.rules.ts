import { isObject, listOf, objectsOf, type ReadonlyJsonObject } from '../../../src/upstreams/contract/json.js';
import { type RefusalRule, unknownFields, wordsOf } from './refusal-rule.js';

const FIELDS = wordsOf(
  'model messages audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options',
);
const REFERENCE = 'developers.openai.com/api/reference/resources/chat, request body';

/** The efforts of a model; only Responses has max. GPT-6.1 Sol and GPT-6 Astra cannot be told not to reason. */
export function effortsOf(model: unknown): string[] {
  const alwaysReasons = /6\.1-sol|astra/.test(String(model));
  return [...(alwaysReasons ? [] : ['none']), 'low', 'medium', 'high', 'xhigh', 'max'];
}

/** Rules that every server with Chat Completions has in common. */
export const CHAT_RULES: readonly RefusalRule[] = [
  {
    refuses: 'a conversation without messages',
    source: REFERENCE,
    check: ({ messages }) => (listOf(messages).length === 0 ? "Invalid 'messages': empty array." : null),
  },
  {
    refuses: 'a tool result that does not follow its call, and a call without its result',
    source: 'github.com/miurla/morphic/issues/136; github.com/FoundationAgents/OpenManus/issues/744',
    check: ({ messages }) => {
      let open: unknown[] = [];
      for (const { role, tool_call_id: id, tool_calls: calls } of objectsOf(messages)) {
        if (role === 'tool') {
          if (!open.includes(id)) {
            return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
          }
          open = open.filter((other) => other !== id);
        } else {
          if (open.length > 0) return unanswered(open);
          if (role === 'assistant') open = objectsOf(calls).map((call) => call.id);
        }
      }
      return open.length > 0 ? unanswered(open) : null;
    },
  },
  {
    refuses: 'images in the result of a tool',
    source: 'openai-openapi, ChatCompletionRequestToolMessage: text parts only',
    check: ({ messages }) => {
      const at = objectsOf(messages).findIndex(
        ({ role, content }) => role === 'tool' && objectsOf(content).some(({ type }) => type !== 'text'),
      );
      return at < 0
        ? null
        : `Invalid 'messages[${at}]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.`;
    },
  },
  {
    refuses: 'a role that the format does not have',
    source: REFERENCE,
    check: ({ messages }) => {
      const roles = wordsOf('system developer user assistant function tool');
      const other = objectsOf(messages).find(({ role }) => !roles.has(String(role)));
      return (
        other &&
        `Invalid value: '${other.role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`
      );
    },
  },
];

/** OpenAI's own Chat Completions, with the models of autumn 2026. */
export const OPENAI_CHAT_RULES: readonly RefusalRule[] = [
  {
    refuses: 'unknown fields',
    source: 'a recorded answer with the code unknown_parameter',
    check: (body) => {
      const [param] = unknownFields(body, FIELDS);
      return param && { status: 400, message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' };
    },
  },
  ...CHAT_RULES,
  {
    refuses: 'max_tokens for a model that reasons',
    source: 'github.com/mnfst/modelparams.dev/pull/91',
    check: ({ max_tokens: limit }) =>
      limit === undefined
        ? null
        : unsupported(
            'max_tokens',
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          ),
  },
  {
    refuses: 'sampling and logprobs while the model reasons',
    source: 'github.com/BerriAI/litellm/discussions/42523',
    check: (body) => {
      if (body.reasoning_effort === 'none') return null;
      const field = ['temperature', 'top_p', 'logprobs', 'top_logprobs'].find(
        (name) => body[name] !== undefined && body[name] !== 1 && body[name] !== false,
      );
      return field && unsupported(field, `Unsupported parameter: '${field}' is not supported with this model.`);
    },
  },
  {
    refuses: 'an effort that the model does not have',
    source:
      'dev.to/hassann: GPT-6.1 Sol raises none and minimal; docs.litellm.ai/blog/gpt-6-1-terra; docs.laozhang.ai: max is only in Responses',
    check: ({ model, reasoning_effort: effort }) =>
      effort !== undefined && (effort === 'max' || !effortsOf(model).includes(String(effort)))
        ? unsupported(
            'reasoning_effort',
            `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model.`,
          )
        : null,
  },
  {
    refuses: 'function tools while the model reasons',
    source: 'community.openai.com/t/1386454; docs.instructorphp.com v2.14.2',
    check: ({ model, tools, reasoning_effort: effort }) =>
      objectsOf(tools).some(({ type }) => type === 'function') && effort !== 'none'
        ? {
            status: 400,
            param: 'reasoning_effort',
            message: `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`,
          }
        : null,
  },
  {
    refuses: 'an assistant message without any content',
    source: 'a recorded answer',
    check: ({ messages }) => {
      const at = objectsOf(messages).findIndex(isSilent);
      return at < 0 ? null : `Invalid value for 'content': expected a string, got null. (messages.[${at}].content)`;
    },
  },
];

function isSilent({ role, content, tool_calls: calls, refusal, function_call: call, audio }: ReadonlyJsonObject) {
  return role === 'assistant' && (content ?? null) === null && !calls && !refusal && !isObject(call) && !audio;
}

function unanswered(ids: readonly unknown[]): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`;
}

function unsupported(param: string, message: string) {
  return { status: 400, message, param, code: 'unsupported_parameter' };
}
