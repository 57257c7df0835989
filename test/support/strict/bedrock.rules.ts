import { isObject, objectOf, objectsOf, type ReadonlyJsonObject } from '../../../src/upstreams/contract/json.js';
import type { RefusalRule } from './refusal-rule.js';

const REFERENCE = 'docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html';

const messagesOf = ({ messages }: ReadonlyJsonObject) => objectsOf(messages);
const isNova = (path: string) => path.includes('nova');

/** Converse and ConverseStream, with Claude 5.5 and Nova 2. */
export const BEDROCK_RULES: readonly RefusalRule[] = [
  {
    refuses: 'a model that can only be called through an inference profile',
    source: 'docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html',
    check: (_, { path }) =>
      /\/model\/amazon\.nova-2/.test(decodeURIComponent(path))
        ? "Invocation of model ID amazon.nova-2-lite-v1:0 with on-demand throughput isn't supported. Retry your request with the ID or ARN of an inference profile that contains this model."
        : null,
  },
  {
    refuses: 'roles that do not alternate, and a conversation that does not begin with the user',
    source: REFERENCE,
    check: (body) => {
      const messages = messagesOf(body);
      if (messages[0]?.role !== 'user')
        return 'A conversation must start with a user message. Try again with a conversation that starts with a user message.';
      const at = messages.findIndex(({ role }, index) => index > 0 && role === messages[index - 1]?.role);
      return at < 0 ? null : `messages.${at}: roles must alternate between "user" and "assistant".`;
    },
  },
  {
    refuses: 'empty texts and messages',
    source: 'github.com/langchain-ai/langchain-aws/issues/141',
    check: (body) => {
      for (const [at, { content }] of messagesOf(body).entries()) {
        const blocks = objectsOf(content);
        if (blocks.length === 0 || blocks.some(({ text }) => text === '')) {
          return `The content field in the Message object at messages.${at} is empty. Add a ContentBlock object to the content field and try again.`;
        }
      }
      return null;
    },
  },
  {
    refuses: 'another number of results than of calls in the turn before',
    source: 'github.com/langchain-ai/langchain-aws/issues/451',
    check: (body) => {
      const messages = messagesOf(body);
      for (const [at, message] of messages.entries()) {
        const calls = idsOf(message, 'toolUse');
        const results = idsOf(messages[at + 1] ?? {}, 'toolResult');
        if (message.role === 'assistant' && calls.some((id) => !results.includes(id))) {
          return `Expected toolResult blocks at messages.${at + 1}.content for the following Ids: ${calls}`;
        }
        if (message.role === 'assistant' && results.some((id) => !calls.includes(id))) {
          return `The number of toolResult blocks at messages.${at + 1}.content exceeds the number of toolUse blocks of previous turn.`;
        }
      }
      return null;
    },
  },
  {
    refuses: 'tool blocks without toolConfig',
    source: 'github.com/langchain-ai/langchain-aws/issues/130',
    check: (body) => {
      const hasTools = messagesOf(body).some(
        (message) => [...idsOf(message, 'toolUse'), ...idsOf(message, 'toolResult')].length > 0,
      );
      return hasTools && !isObject(body.toolConfig)
        ? 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'
        : null;
    },
  },
  {
    refuses: 'strict tools and structured output of Nova',
    source: 'github.com/vercel/ai, packages/amazon-bedrock at ed857f50',
    check: ({ toolConfig, outputConfig }, { path }) => {
      if (!isNova(path)) return null;
      const strict = objectsOf(objectOf(toolConfig).tools).some(
        ({ toolSpec }) => objectOf(toolSpec).strict !== undefined,
      );
      if (strict) return 'The model returned the following errors: tools.0.strict: Extra inputs are not permitted';
      return isObject(outputConfig) ? 'This model does not support the outputConfig field.' : null;
    },
  },
  {
    refuses: 'strict tools of Claude Opus 5.5',
    source: 'github.com/lobehub/lobehub/issues/19876',
    check: ({ toolConfig }, { path }) => {
      const at = objectsOf(objectOf(toolConfig).tools).findIndex(({ toolSpec }) => objectOf(toolSpec).strict === true);
      return path.includes('claude-opus-5-5') && at >= 0
        ? `The model returned the following errors: tools.${at}.custom.strict: Extra inputs are not permitted`
        : null;
    },
  },
  {
    refuses: 'structured output of Claude Haiku 4.5, in some regions',
    source: 'github.com/vectorize-io/hindsight/issues/3300',
    check: ({ outputConfig }, { path }) =>
      path.includes('claude-haiku-4-5') && isObject(outputConfig)
        ? 'The model returned the following errors: output_config.format: Extra inputs are not permitted'
        : null,
  },
  {
    refuses: 'a reasoningConfig of Nova with a limit and the effort high',
    source: 'docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html',
    check: ({ additionalModelRequestFields: more, inferenceConfig }, { path }) => {
      const { type, maxReasoningEffort: effort } = objectOf(objectOf(more).reasoningConfig);
      if (!isNova(path) || type !== 'enabled') return null;
      if (!['low', 'medium', 'high'].includes(String(effort)))
        return `Malformed input request: maxReasoningEffort ${effort} is not valid`;
      const { maxTokens, temperature, topP } = objectOf(inferenceConfig);
      return effort === 'high' && [maxTokens, temperature, topP].some((value) => value !== undefined)
        ? 'maxTokens, temperature and topP cannot be set when maxReasoningEffort is high.'
        : null;
    },
  },
  {
    refuses: 'reasoning without a signature sent back to Claude',
    source: 'github.com/vercel/ai, packages/amazon-bedrock, 2026-08-05',
    check: (body, { path }) => {
      if (!path.includes('anthropic')) return null;
      const blocks = messagesOf(body).flatMap(({ content }) => objectsOf(content));
      const thoughts = blocks.map(({ reasoningContent }) => objectOf(reasoningContent).reasoningText).filter(isObject);
      return thoughts.some(({ signature }) => !signature) ? 'Invalid `signature` in `thinking` block' : null;
    },
  },
];

function idsOf({ content }: ReadonlyJsonObject, kind: 'toolUse' | 'toolResult'): unknown[] {
  return objectsOf(content).flatMap((block) => (isObject(block[kind]) ? [block[kind].toolUseId] : []));
}
