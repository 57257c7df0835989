import { accountFileIn } from '../../../completions/dto/provider-files.js';
import type { ContentBlock, MessagesRequest } from '../request/messages.types.js';
import { isHostedTrace } from '../translation/hosted-traces.js';

/** Text and calls; they may mention any address without being references. */
const WITHOUT_FILES: ReadonlySet<string> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'search_result',
]);

/** The path of the first reference to a file in the provider's account, or null. */
export function accountFileOf({ messages }: MessagesRequest): string | null {
  for (const [index, { content }] of messages.entries()) {
    const path = Array.isArray(content) ? fileIn(content, `messages[${index}].content`) : null;
    if (path !== null) return path;
  }
  return null;
}

function fileIn(blocks: readonly ContentBlock[], path: string): string | null {
  for (const [index, block] of blocks.entries()) {
    const { type } = block;
    if (WITHOUT_FILES.has(type) || isHostedTrace(block)) continue;
    const at = `${path}[${index}]`;
    if (type === 'tool_result') {
      const within = Array.isArray(block.content) ? fileIn(block.content, `${at}.content`) : null;
      if (within !== null) return within;
    } else {
      const within = accountFileIn('source' in block ? block.source : block);
      if (within !== null) return `${at}${'source' in block ? '.source' : ''}${within}`;
    }
  }
  return null;
}
