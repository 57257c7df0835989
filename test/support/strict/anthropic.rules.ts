import { listOf, objectOf, objectsOf, type ReadonlyJsonObject, textOf } from '../../../src/upstreams/contract/json.js';
import { isOfAnotherConversation } from './bound-signature.js';
import { type RefusalRule, unknownFields, wordsOf } from './refusal-rule.js';

const FIELDS = wordsOf(
  'model messages max_tokens system stop_sequences stream temperature top_p top_k tools tool_choice thinking metadata service_tier output_config cache_control inference_geo speed container mcp_servers context_management fallbacks output_format',
);
const TOOL_FIELDS = wordsOf(
  'name description input_schema cache_control type strict defer_loading eager_input_streaming input_examples allowed_callers',
);
const EFFORTS = wordsOf('low medium high xhigh max');
const REFERENCE = 'platform.claude.com/docs/en/api/messages, request body';
const VERSION_2026 = 'platform.claude.com/docs/en/api/migration-2026-10-21';

/** Claude Opus, Sonnet and Haiku 5.5, whose names end so at every cloud. */
const isOf55 = ({ model }: ReadonlyJsonObject) => /5[-.]5/.test(String(model));

interface Placed {
  readonly at: string;
  readonly role: unknown;
  readonly block: ReadonlyJsonObject;
}

function blocksOf({ messages }: ReadonlyJsonObject): Placed[] {
  return objectsOf(messages).flatMap(({ role, content }, message) =>
    objectsOf(content).map((block, index) => ({ at: `messages.${message}.content.${index}`, role, block })),
  );
}

/** The Messages API with the models of autumn 2026. */
export const ANTHROPIC_RULES: readonly RefusalRule[] = [
  {
    refuses: 'a request without a known version',
    source: 'platform.claude.com/docs/en/api/versioning',
    check: (_, { headers }) => {
      const version = headers['anthropic-version'];
      if (!version) return 'anthropic-version: header is required';
      const isKnown = version === '2023-06-01' || version === '2026-10-21';
      return isKnown ? null : `anthropic-version: "${version}" is not a valid version`;
    },
  },
  {
    refuses: 'unknown fields',
    source: 'a recorded answer: "Extra inputs are not permitted"',
    check: (body) => {
      const [name] = unknownFields(body, FIELDS);
      return name && `${name}: Extra inputs are not permitted`;
    },
  },
  {
    refuses: 'unknown fields of a tool, and a tool without a schema or with another name',
    source: REFERENCE,
    check: ({ tools }) => {
      for (const [at, tool] of objectsOf(tools).entries()) {
        if (tool.type && tool.type !== 'custom') continue;
        const [name] = unknownFields(tool, TOOL_FIELDS);
        if (name) return `tools.${at}.custom.${name}: Extra inputs are not permitted`;
        if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(tool.name))) {
          return `tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
        }
        if (objectOf(tool.input_schema).type !== 'object')
          return `tools.${at}.custom.input_schema.type: Field required`;
      }
      return null;
    },
  },
  {
    refuses: 'a request without max_tokens',
    source: REFERENCE,
    check: ({ max_tokens: limit }, { path }) =>
      limit === undefined && !path.includes('count_tokens') ? 'max_tokens: Field required' : null,
  },
  {
    refuses: 'sampling in the version of October 2026',
    source: VERSION_2026,
    check: (body, { headers }) => {
      const name = ['temperature', 'top_p', 'top_k'].find((field) => body[field] !== undefined);
      if (!name) return null;
      if (headers['anthropic-version'] === '2026-10-21') return `${name}: Extra inputs are not permitted`;
      return isOf55(body) ? `\`${name}\` is deprecated for this model.` : null;
    },
  },
  {
    refuses: 'documents of the assistant and citations of the user in the version of October 2026',
    source: VERSION_2026,
    check: (body, { headers }) => {
      if (headers['anthropic-version'] !== '2026-10-21') return null;
      for (const { at, role, block } of blocksOf(body)) {
        if (role === 'assistant' && block.type === 'document') {
          return `${at}: document blocks are not permitted in assistant messages`;
        }
        if (role === 'user' && block.type === 'text' && listOf(block.citations).length > 0) {
          return `${at}.text.citations: Extra inputs are not permitted`;
        }
      }
      return null;
    },
  },
  {
    refuses: 'forced tools of Claude 5.5',
    source: 'platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5, whats-new-sonnet-5-5',
    check: (body) => {
      const { type } = objectOf(body.tool_choice);
      return isOf55(body) && (type === 'any' || type === 'tool')
        ? `tool_choice.type: "${type}" is not supported for this model. Use "auto" or "none".`
        : null;
    },
  },
  {
    refuses: 'Claude 5.5 without thinking, and with a budget for it',
    source: 'platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5, sonnet-5-5/migration-guide',
    check: (body) => {
      const { type } = objectOf(body.thinking);
      if (!isOf55(body)) return null;
      if (type === 'between_tools') {
        const { effort } = objectOf(body.output_config);
        if (!/sonnet/.test(String(body.model))) return '"thinking.type.between_tools" is not supported for this model.';
        return effort === 'xhigh' || effort === 'max'
          ? `output_config.effort: "${effort}" is not supported with thinking.type "between_tools".`
          : null;
      }
      return type === 'disabled' || type === 'enabled'
        ? `"thinking.type.${type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
        : null;
    },
  },
  {
    refuses: 'an effort that Claude 5.5 does not have',
    source: 'platform.claude.com/docs/en/models/overview?model=claude-opus-5-5; the words are those of Claude 4.6',
    check: (body) => {
      const { effort } = objectOf(body.output_config);
      return isOf55(body) && effort !== undefined && !EFFORTS.has(String(effort))
        ? `This model does not support effort level '${effort}'. Supported levels: high, low, max, medium, xhigh.`
        : null;
    },
  },
  {
    refuses: 'an answer that begins with words of the caller, on Claude 5.5',
    source: 'platform.claude.com/docs/en/models/haiku-5-5/migration-guide',
    check: (body) =>
      isOf55(body) && objectsOf(body.messages).at(-1)?.role === 'assistant'
        ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
        : null,
  },
  {
    refuses: 'context management without its beta',
    source: 'platform.claude.com/docs/en/build-with-claude/context-editing',
    check: ({ context_management: management }, { headers }) =>
      management && !headers['anthropic-beta']?.includes('context-management')
        ? 'context_management: Extra inputs are not permitted'
        : null,
  },
  {
    refuses: 'more than four cache marks',
    source: 'platform.claude.com/docs/en/build-with-claude/prompt-caching',
    check: (body) => {
      const marks = JSON.stringify(body).split('"cache_control":{').length - 1;
      return marks > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.` : null;
    },
  },
  {
    refuses: 'tool results anywhere but right behind their calls, and calls without them',
    source: 'github.com/langchain-ai/langchain-aws/issues/451; github.com/browser-use/browser-use/issues/988',
    check: ({ messages }) => {
      let open: unknown[] = [];
      for (const [at, { role, content }] of objectsOf(messages).entries()) {
        const blocks = objectsOf(content);
        if (role === 'user') {
          const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id);
          const missing = open.filter((id) => !results.includes(id));
          if (missing.length > 0) return unanswered(at - 1, missing);
          const stray = results.find((id) => !open.includes(id));
          if (stray !== undefined) {
            return `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
          }
          const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
          const lastResult = blocks.findLastIndex(({ type }) => type === 'tool_result');
          if (firstOther >= 0 && firstOther < lastResult) return unanswered(at - 1, open);
          open = [];
        } else if (role === 'assistant') {
          if (open.length > 0) return unanswered(at - 1, open);
          open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
        }
      }
      return open.length > 0 ? unanswered(objectsOf(messages).length - 1, open) : null;
    },
  },
  {
    refuses: 'ids of calls with other characters',
    source: 'a recorded answer',
    check: (body) => {
      const bad = blocksOf(body).find(
        ({ block }) => block.type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(block.id)),
      );
      return bad && `${bad.at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
    },
  },
  {
    refuses: 'empty texts, and an answer that ends in white space',
    source: 'a recorded answer: "text content blocks must be non-empty"',
    check: (body) => {
      const empty = blocksOf(body).find(({ block }) => block.type === 'text' && !textOf(block.text));
      if (empty) return `${empty.at}.text: text content blocks must be non-empty`;
      const last = objectsOf(body.messages).at(-1);
      return last?.role === 'assistant' && /\s$/.test(String(objectsOf(last.content).at(-1)?.text ?? ''))
        ? 'messages: final assistant content cannot end with trailing whitespace'
        : null;
    },
  },
  {
    refuses: 'thinking with a signature that it did not make',
    source: 'github.com/anthropics/claude-code/issues/10627; github.com/anthropics/anthropic-sdk-python/issues/1598',
    check: (body) => {
      const foreign = blocksOf(body).find(
        ({ block }) => block.type === 'thinking' && !String(block.signature ?? '').startsWith('sig-'),
      );
      return foreign && `${foreign.at}: Invalid \`signature\` in \`thinking\` block`;
    },
  },
  {
    refuses: 'thinking of Claude 5.5 behind another beginning of the conversation',
    source: 'platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation',
    check: (body) => {
      if (!isOf55(body)) return null;
      for (const [index, { content }] of objectsOf(body.messages).entries()) {
        const at = objectsOf(content).findIndex(
          ({ type, signature }) => type === 'thinking' && isOfAnotherConversation(signature, body, index),
        );
        if (at >= 0) {
          return `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`thinking-binding-controls-2026-08-01\` value in the \`anthropic-beta\` header.`;
        }
      }
      return null;
    },
  },
  {
    refuses: 'a system message within the conversation, for models before Claude 5.5',
    source: 'platform.claude.com/docs/en/models/sonnet-5-5/whats-new-sonnet-5-5',
    check: (body, { headers }) => {
      const at = objectsOf(body.messages).findIndex(({ role }) => role === 'system');
      return at >= 0 && !isOf55(body) && !headers['anthropic-beta']?.includes('mid-conversation-system')
        ? `messages.${at}.role: Input should be 'user' or 'assistant'`
        : null;
    },
  },
];

function unanswered(at: number, ids: readonly unknown[]): string {
  return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}
