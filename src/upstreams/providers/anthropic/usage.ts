import type { CompletionUsage, UsageSoFar } from '../../contract/chat.types.js';
import { countOf, isObject } from '../../contract/json.js';

/** Usage with the API's names. A stream reports cumulative counts in several events. */
export class UsageCounts {
  private readonly counts = new Map<string, number>();

  /** Reported counts replace earlier ones. */
  read(usage: unknown): void {
    if (!isObject(usage)) return;
    for (const name of NAMES) this.set(name, usage[name]);
    if (isObject(usage.cache_creation)) {
      this.set('written_1h', usage.cache_creation.ephemeral_1h_input_tokens);
    }
    if (isObject(usage.server_tool_use)) this.set('web_searches', usage.server_tool_use.web_search_requests);
    if (isObject(usage.output_tokens_details)) this.set('thinking_tokens', usage.output_tokens_details.thinking_tokens);
  }

  /** Undefined until output is counted. The API's input count excludes cache reads and writes. */
  total(): CompletionUsage | undefined {
    const completion = this.counts.get('output_tokens');
    if (completion === undefined) return undefined;
    const { prompt_tokens: prompt, prompt_tokens_details } = this.prompt();
    const thinking = this.counts.get('thinking_tokens');
    const searches = this.get('web_searches');
    return {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details,
      ...(thinking !== undefined && { completion_tokens_details: { reasoning_tokens: thinking } }),
      ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
    };
  }

  /** Prompt usage before output is counted; undefined if none was reported. */
  ofPrompt(): UsageSoFar | undefined {
    return this.counts.has('input_tokens') ? this.prompt() : undefined;
  }

  private prompt() {
    const cached = this.get('cache_read_input_tokens');
    const written = this.get('cache_creation_input_tokens');
    const writtenForAnHour = this.get('written_1h');
    const details = { cached_tokens: cached, cache_write_tokens: written };
    return {
      prompt_tokens: this.get('input_tokens') + written + cached,
      prompt_tokens_details: writtenForAnHour > 0 ? { ...details, cache_write_1h_tokens: writtenForAnHour } : details,
    };
  }

  private get(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** An invalid count removes the previous one, which is out of date. */
  private set(name: string, value: unknown): void {
    if (value === undefined || value === null) return;
    const count = countOf(value);
    if (count === undefined) this.counts.delete(name);
    else this.counts.set(name, count);
  }
}

export function toUsage(usage: unknown): CompletionUsage | undefined {
  const counts = new UsageCounts();
  counts.read(usage);
  return counts.total();
}

const NAMES = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'] as const;
