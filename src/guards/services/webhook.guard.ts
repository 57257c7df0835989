import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { OutboundHttp } from '../../common/outbound-http.js';
import type { GuardSettings } from '../../config/guard.settings.js';
import type { Finding, GuardedCall, TextFindings } from '../guard.js';
import { ServiceGuard } from './service.guard.js';

const answerSchema = z.object({
  action: z.enum(['pass', 'block', 'mask']),
  kind: z.string().max(200).nullish(),
  texts: z.array(z.object({ path: z.string(), text: z.string() })).nullish(),
});

type Answer = z.output<typeof answerSchema>;

/** The finding of a webhook that is away, where the guard lets calls pass. */
export const AWAY = 'away';

/** Asks a webhook of the company; docs/guards.md has the format of request and answer. */
export class WebhookGuard extends ServiceGuard {
  private readonly webhook: NonNullable<GuardSettings['webhook']>;

  constructor(settings: GuardSettings, http: OutboundHttp) {
    const webhook = settings.webhook as NonNullable<GuardSettings['webhook']>;
    const characters = webhook.hold === 'whole' ? Infinity : webhook.window;
    super(settings, http, { kind: 'window', characters }, webhook.timeout);
    this.webhook = webhook;
  }

  async check(texts: readonly string[], call: GuardedCall): Promise<readonly TextFindings[]> {
    const answer = await this.ask(texts, call);
    if (answer === null) return texts.map((_, index) => (index === 0 ? [awayFinding()] : []));
    const kind = answer.kind ?? 'something that is not allowed';
    if (answer.action === 'pass') return texts.map(() => []);
    if (answer.action === 'block')
      return texts.map((text) => [{ start: 0, end: text.length, name: 'block', kind, action: 'block' }]);
    return masked(texts, call.paths, answer, kind);
  }

  /** Null: it is away, and calls pass then. */
  private async ask(texts: readonly string[], call: GuardedCall): Promise<Answer | null> {
    const { side, id, api, model, userId, project, keyId, paths, signal } = call;
    const body = JSON.stringify({
      type: side,
      call: id,
      api,
      model,
      user: userId,
      project,
      key: keyId,
      texts: texts.map((text, index) => ({ path: paths[index] ?? '', text })),
    });
    try {
      return answerSchema.parse(await this.post(this.webhook.url, body, signal, this.signature(body)));
    } catch (error) {
      if (this.webhook.whenAway === 'refuse' || signal?.aborted) throw error;
      return null;
    }
  }

  private signature(body: string): Record<string, string> {
    const { secret } = this.settings;
    if (secret === null) return {};
    const seconds = Math.floor(Date.now() / 1000);
    const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return { 'x-gateway-signature': `t=${seconds},v1=${digest}` };
  }
}

const awayFinding = (): Finding => ({ start: 0, end: 0, name: AWAY, kind: 'the webhook is away', action: 'report' });

/** A text that the webhook returns replaces the whole one; a text that it leaves out stays. */
function masked(
  texts: readonly string[],
  paths: readonly string[],
  { texts: given }: Answer,
  kind: string,
): readonly TextFindings[] {
  if (!given) throw new Error('The webhook masks, but returns no texts.');
  const byPath = new Map(given.map(({ path, text }) => [path, text]));
  for (const path of byPath.keys())
    if (!paths.includes(path)) throw new Error('The webhook returns a text that was not sent.');
  return texts.map((text, index) => {
    const replacement = byPath.get(paths[index] ?? '');
    if (replacement === undefined || replacement === text) return [];
    return [{ start: 0, end: text.length, name: 'mask', kind, action: 'mask', replacement }];
  });
}
