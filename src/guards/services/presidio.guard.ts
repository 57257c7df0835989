import { z } from 'zod';
import type { OutboundHttp } from '../../common/outbound-http.js';
import type { GuardSettings } from '../../config/guard.settings.js';
import { withoutOverlaps } from '../detection/detector.js';
import type { GuardedCall, TextFindings } from '../guard.js';
import { ServiceGuard } from './service.guard.js';

const answerSchema = z.array(
  z.object({ start: z.int().min(0), end: z.int().min(0), entity_type: z.string(), score: z.number() }),
);

/** Asks the analyzer of Microsoft Presidio: https://microsoft.github.io/presidio/api-docs/ */
export class PresidioGuard extends ServiceGuard {
  private readonly presidio: NonNullable<GuardSettings['presidio']>;

  constructor(settings: GuardSettings, http: OutboundHttp) {
    const presidio = settings.presidio as NonNullable<GuardSettings['presidio']>;
    super(settings, http, { kind: 'window', characters: presidio.window }, presidio.timeout);
    this.presidio = presidio;
  }

  check(texts: readonly string[], { signal }: GuardedCall): Promise<readonly TextFindings[]> {
    return Promise.all(texts.map((text) => this.analyze(text, signal)));
  }

  private async analyze(text: string, signal: AbortSignal | undefined): Promise<TextFindings> {
    if (text.trim() === '') return [];
    const { url, language, entities, threshold } = this.presidio;
    const body = JSON.stringify({ text, language, score_threshold: threshold, ...(entities && { entities }) });
    const found = answerSchema.parse(await this.post(`${url.replace(/\/$/, '')}/analyze`, body, signal));
    const unitAt = unitsOf(text);
    return withoutOverlaps(
      found
        .filter(({ score }) => score >= threshold)
        .map(({ start, end, entity_type }) => ({
          start: unitAt(start),
          end: unitAt(end),
          name: entity_type.toLowerCase(),
          kind: entity_type.toLowerCase().replaceAll('_', ' '),
        })),
    );
  }
}

/** Presidio counts code points; a text without pairs of surrogates has the same positions in both. */
function unitsOf(text: string): (position: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (position) => Math.min(position, text.length);
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    starts.push(at);
    at += character.length;
  }
  return (position) => starts[position] ?? text.length;
}
