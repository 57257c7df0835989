import type { CompletionUsage } from '../../contract/chat.types.js';
import { countOf, isObject } from '../../contract/json.js';

/** The counts of one answer, under the API's names. A stream tells them in parts, each time as they are by then. */
export class UsageCounts {
  private readonly counts = new Map<string, number>();

  /** Takes over the counts that are told; those told before are replaced, not added to. */
  read(usage: unknown): void {
    if (!isObject(usage)) return;
    for (const name of NAMES) this.set(name, usage[name]);
    if (isObject(usage.output_tokens_details)) this.set('thinking_tokens', usage.output_tokens_details.thinking_tokens);
  }

  /** Undefined as long as the output is not counted. The API's input leaves out what was read from or put into a cache. */
  total(): CompletionUsage | undefined {
    const completion = this.counts.get('output_tokens');
    if (completion === undefined) return undefined;
    const cached = this.get('cache_read_input_tokens');
    const written = this.get('cache_creation_input_tokens');
    const prompt = this.get('input_tokens') + written + cached;
    const thinking = this.counts.get('thinking_tokens');
    return {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
      ...(thinking !== undefined && { completion_tokens_details: { reasoning_tokens: thinking } }),
    };
  }

  private get(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  private set(name: string, value: unknown): void {
    const count = countOf(value);
    if (count !== undefined) this.counts.set(name, count);
  }
}

/** The usage of a whole answer. */
export function toUsage(usage: unknown): CompletionUsage | undefined {
  const counts = new UsageCounts();
  counts.read(usage);
  return counts.total();
}

const NAMES = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'] as const;
