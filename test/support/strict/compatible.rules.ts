import { objectsOf, type ReadonlyJsonObject } from '../../../src/upstreams/contract/json.js';
import { CHAT_RULES } from './openai-chat.rules.js';
import { type RefusalRule, unknownFields, wordsOf } from './refusal-rule.js';

const MISTRAL_FIELDS = wordsOf(
  'model messages temperature top_p max_tokens stream stop random_seed response_format tools tool_choice presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode reasoning_effort safe_prompt metadata guardrails prompt_cache_key',
);
const COHERE_FIELDS = wordsOf(
  'model messages stream tools strict_tools documents citation_options response_format safety_mode max_tokens stop_sequences temperature seed frequency_penalty presence_penalty k p logprobs tool_choice thinking priority',
);
const GROQ_REFUSED = ['logit_bias', 'logprobs', 'top_logprobs'];
export const XAI_EFFORTS: readonly string[] = ['low', 'medium', 'high', 'xhigh'];
const XAI_REASONING_REFUSED = ['presence_penalty', 'frequency_penalty', 'stop'];

/** "Extra inputs are not permitted", as servers with pydantic say it. */
function onlyFields(known: ReadonlySet<string>, source: string): RefusalRule {
  return {
    refuses: 'unknown fields',
    source,
    check: (body) => {
      const [name] = unknownFields(body, known);
      return name && { status: 422, message: `body.${name}: Extra inputs are not permitted` };
    },
  };
}

export const MISTRAL_RULES: readonly RefusalRule[] = [
  onlyFields(MISTRAL_FIELDS, 'docs.mistral.ai/api, chat completion; a recorded answer'),
  ...CHAT_RULES.filter(({ refuses }) => !refuses.includes('role')),
  {
    refuses: 'roles that it does not have',
    source: 'docs.mistral.ai/api, chat completion',
    check: ({ messages }) => {
      const other = objectsOf(messages).find(
        ({ role }) => !['system', 'user', 'assistant', 'tool'].includes(String(role)),
      );
      return (
        other && {
          status: 422,
          message: `Input tag '${other.role}' found using 'role' does not match any of the expected tags`,
        }
      );
    },
  },
  {
    refuses: 'ids of calls that are not nine letters and digits',
    source: 'a recorded answer: "Tool call id has to be defined"; package mistral-common',
    check: ({ messages }) => {
      const ids = objectsOf(messages).flatMap(({ tool_calls: calls, tool_call_id: id }) => [
        ...objectsOf(calls).map((call) => call.id),
        ...(id === undefined ? [] : [id]),
      ]);
      const bad = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(String(id)));
      return bad === undefined ? null : `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`;
    },
  },
  {
    refuses: 'an effort other than none and high',
    source: 'docs.mistral.ai/capabilities/reasoning',
    check: ({ reasoning_effort: effort }) =>
      effort !== undefined && effort !== 'none' && effort !== 'high'
        ? { status: 422, message: "body.reasoning_effort: Input should be 'none' or 'high'" }
        : null,
  },
];

export const GROQ_RULES: readonly RefusalRule[] = [
  ...CHAT_RULES,
  {
    refuses: 'fields that it does not support',
    source: 'console.groq.com/docs/openai',
    check: (body) => {
      const name = GROQ_REFUSED.find((field) => body[field] !== undefined);
      return name && { status: 400, message: `property '${name}' is unsupported`, param: name };
    },
  },
  {
    refuses: 'an effort that gpt-oss does not have',
    source: 'console.groq.com/docs/reasoning',
    check: ({ reasoning_effort: effort }) =>
      effort !== undefined && !['low', 'medium', 'high'].includes(String(effort))
        ? '`reasoning_effort` must be one of `low`, `medium`, or `high`'
        : null,
  },
];

export const DEEPSEEK_RULES: readonly RefusalRule[] = [
  ...CHAT_RULES,
  {
    refuses: 'calls of a turn without the reasoning that led to them',
    source: 'api-docs.deepseek.com/guides/thinking_mode',
    check: (body) =>
      isThinking(body) &&
      assistantsWithCalls(body).some(({ reasoning_content: reasoning }) => typeof reasoning !== 'string')
        ? 'Missing `reasoning_content` field in the assistant message. The `reasoning_content` in the thinking mode must be passed back to the API.'
        : null,
  },
  {
    refuses: 'an effort that it does not have',
    source: 'api-docs.deepseek.com/quick_start/pricing',
    check: ({ reasoning_effort: effort }) =>
      effort !== undefined && !['low', 'high', 'max'].includes(String(effort))
        ? `Failed to deserialize the JSON body into the target type: reasoning_effort: unknown variant \`${effort}\`, expected one of \`low\`, \`high\`, \`max\``
        : null,
  },
  {
    refuses: 'sampling while the model thinks, and a schema',
    source: 'yoagent v0.25.6; api-docs.deepseek.com/guides/json_mode',
    check: (body) => {
      if (isThinking(body) && (body.temperature !== undefined || body.top_p !== undefined)) {
        return 'temperature and top_p are not supported in thinking mode';
      }
      const { type } = Object(body.response_format);
      return type === 'json_schema' ? 'This response_format type is unavailable now' : null;
    },
  },
];

export const XAI_RULES: readonly RefusalRule[] = [
  ...CHAT_RULES,
  {
    refuses: 'penalties and stop of a model that reasons',
    source: 'docs.x.ai/docs/guides/reasoning',
    check: (body) => {
      const name = XAI_REASONING_REFUSED.find((field) => body[field] !== undefined);
      return name && `Model ${body.model} does not support parameter ${name}.`;
    },
  },
  {
    refuses: 'an effort that it does not have',
    source: 'xai-org/xai-sdk-python CHANGELOG, 1.18.0',
    check: ({ reasoning_effort: effort }) =>
      effort !== undefined && !XAI_EFFORTS.includes(String(effort))
        ? `Invalid reasoning effort: ${effort}. Must be one of: low, medium, high, xhigh.`
        : null,
  },
];

export const COHERE_RULES: readonly RefusalRule[] = [
  onlyFields(COHERE_FIELDS, 'docs.cohere.com/reference/chat'),
  ...CHAT_RULES.filter(({ refuses }) => !refuses.includes('role')),
  {
    refuses: 'a tool choice in small letters',
    source: 'github.com/langchain-ai/langchain-cohere/issues/161',
    check: ({ tool_choice: choice }) =>
      choice !== undefined && choice !== 'REQUIRED' && choice !== 'NONE'
        ? { status: 422, message: 'invalid tool_choice: must be one of REQUIRED, NONE' }
        : null,
  },
];

function isThinking({ thinking }: ReadonlyJsonObject): boolean {
  return Object(thinking).type !== 'disabled';
}

function assistantsWithCalls({ messages }: ReadonlyJsonObject): ReadonlyJsonObject[] {
  return objectsOf(messages).filter(
    ({ role, tool_calls: calls }) => role === 'assistant' && objectsOf(calls).length > 0,
  );
}
