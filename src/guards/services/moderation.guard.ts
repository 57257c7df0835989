import { z } from 'zod';
import type { OutboundHttp } from '../../common/outbound-http.js';
import type { GuardSettings } from '../../config/guard.settings.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import type { GuardedCall, TextFindings } from '../guard.js';
import { ServiceGuard } from './service.guard.js';

const answerSchema = z.object({
  results: z.array(z.object({ category_scores: z.record(z.string(), z.number()) })),
});

/** Asks OpenAI's moderation API, or one in its format: https://platform.openai.com/docs/api-reference/moderations */
export class ModerationGuard extends ServiceGuard {
  private readonly moderation: NonNullable<GuardSettings['moderation']>;

  constructor(
    settings: GuardSettings,
    http: OutboundHttp,
    /** The upstream as it is now; a reload can replace it. */
    private readonly upstream: () => UpstreamSettings | undefined,
  ) {
    const moderation = settings.moderation as NonNullable<GuardSettings['moderation']>;
    super(settings, http, { kind: 'window', characters: moderation.window }, moderation.timeout);
    this.moderation = moderation;
  }

  async check(texts: readonly string[], { signal }: GuardedCall): Promise<readonly TextFindings[]> {
    const upstream = this.upstream();
    if (!upstream) throw new Error('The upstream of the guard is not configured.');
    const { model, above } = this.moderation;
    const input = texts.map((text) => (text.trim() === '' ? '-' : text));
    const headers: Record<string, string> =
      upstream.apiKey === null ? {} : { authorization: `Bearer ${upstream.apiKey}` };
    const answer = await this.post(
      `${upstream.baseUrl}/moderations`,
      JSON.stringify({ model, input }),
      signal,
      headers,
    );
    const { results } = answerSchema.parse(answer);
    if (results.length !== texts.length) throw new Error('The moderation API answered for another number of texts.');
    return results.map(({ category_scores }, index) => {
      const [category, score] = Object.entries(category_scores).sort(([, a], [, b]) => b - a)[0] ?? ['', 0];
      if (score <= above) return [];
      const kind = `content of the category ${category}`;
      return [{ start: 0, end: (texts[index] as string).length, name: category.replaceAll(/\W+/g, '_'), kind }];
    });
  }
}
