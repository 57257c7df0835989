import { objectOf, objectsOf } from '../../../src/upstreams/contract/json.js';
import type { RefusalRule } from './refusal-rule.js';

const is55 = (path: string) => /claude-[a-z]+-5-5/.test(decodeURIComponent(path));

/** What Claude 5.5 refuses everywhere, in Converse's fields. */
export const BEDROCK_CLAUDE_RULES: readonly RefusalRule[] = [
  {
    refuses: 'forced tools of Claude 5.5',
    source: 'platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5, whats-new-sonnet-5-5',
    check: ({ toolConfig, additionalModelRequestFields: more }, { path }) => {
      const { any, tool } = objectOf(objectOf(toolConfig).toolChoice);
      const { type } = objectOf(objectOf(more).tool_choice);
      return is55(path) && (any || tool || type === 'any' || type === 'tool')
        ? `This model doesn't support the toolConfig.toolChoice.${tool ? 'tool' : 'any'} field. Remove it and try again.`
        : null;
    },
  },
  {
    refuses: 'Claude 5.5 without thinking, and with a budget for it',
    source: 'platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5, sonnet-5-5/migration-guide',
    check: ({ additionalModelRequestFields: more }, { path }) => {
      const { type } = objectOf(objectOf(more).thinking);
      return is55(path) && (type === 'disabled' || type === 'enabled')
        ? `The model returned the following errors: "thinking.type.${type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
        : null;
    },
  },
  {
    refuses: 'sampling of Claude 5.5',
    source: 'platform.claude.com/docs/en/models/haiku-5-5/migration-guide',
    check: ({ inferenceConfig }, { path }) => {
      const { temperature, topP } = objectOf(inferenceConfig);
      if (!is55(path) || (temperature === undefined && topP === undefined)) return null;
      const name = temperature === undefined ? 'top_p' : 'temperature';
      return `The model returned the following errors: \`${name}\` is deprecated for this model.`;
    },
  },
  {
    refuses: 'an answer that begins with words of the caller, on Claude 5.5',
    source: 'platform.claude.com/docs/en/models/haiku-5-5/migration-guide',
    check: ({ messages }, { path }) =>
      is55(path) && objectsOf(messages).at(-1)?.role === 'assistant'
        ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
        : null,
  },
];
