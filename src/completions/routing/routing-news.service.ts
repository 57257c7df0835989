import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { SessionService } from '../../database/session.service.js';
import { type Underestimate, UnderestimatesService } from '../../limits/underestimates.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import type { GatewayProcess, HealthNews } from '../../upstreams/target.types.js';
import { TargetHealthService } from '../../upstreams/target-health.service.js';
import { type MovedConversation, MovedConversations } from './affinity.js';

const CHANNEL = 'routing_news';
/** News within this time is sent together. */
const GATHER_MS = 50;
/** News that is older than this is ignored, as it may no longer be true. */
const LATE_MS = 5000;
const MAX_WAITING = 5000;

/**
 * Announces set-aside and recovered targets, moved conversations and estimates that were too low to the other processes
 * on the database, and applies their news. While the database is unavailable, each process relies on its own calls.
 */
@Injectable()
export class RoutingNewsService implements BeforeApplicationShutdown {
  private readonly sender = { from: randomUUID(), host: hostname(), process: process.pid };
  private readonly logger = new Logger('RoutingNews');
  private waiting: { readonly news: RoutingNews; readonly at: number }[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly health: TargetHealthService,
    private readonly moved: MovedConversations,
    private readonly underestimates: UnderestimatesService,
    @InjectDataSource() private readonly dataSource: DataSource,
    session: SessionService,
  ) {
    session.listen(CHANNEL, (text) => this.heed(text));
    health.news.subscribe((news) => this.announce(news));
    moved.learned.subscribe((news) => this.announce(news));
    underestimates.learned.subscribe((news) => this.announce(news));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.sendWaiting();
  }

  private announce(news: RoutingNews): void {
    if (this.isStopping || this.waiting.length >= MAX_WAITING) return;
    this.waiting.push({ news, at: performance.now() });
    if (this.sending === null) this.timer ??= setTimeout(() => void this.sendWaiting(), GATHER_MS).unref();
  }

  private sendWaiting(): Promise<void> {
    this.timer = undefined;
    this.sending ??= this.send();
    return this.sending;
  }

  private async send(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        const now = performance.now();
        const news = this.waiting.splice(0).flatMap(({ news, at }) => shortened(news, now - at));
        for (const text of toMessages(this.sender, news)) {
          await this.dataSource.query('SELECT pg_notify($1, $2)', [CHANNEL, text]);
        }
      }
    } catch (error) {
      logFailure(this.logger, 'News for other processes could not be sent', error);
    } finally {
      this.sending = null;
    }
  }

  private heed(text: string): void {
    const message = fromMessage(text);
    if (message === null || message.from === this.sender.from) return;
    const { host, process, news } = message;
    for (const one of news) {
      if ('prompt' in one) this.underestimates.takeOver(one);
      else if ('conversation' in one) this.moved.note(one.conversation, one.targetId);
      else this.health.takeOver(one, { host, process });
    }
  }
}

/** Reduces the time by the delay; empty if the delay was too long. */
function shortened(news: RoutingNews, waitedMs: number): RoutingNews[] {
  if (!('kind' in news) || news.kind === 'back') return [news];
  const forMs = news.forMs - waitedMs;
  return forMs > 0 && waitedMs < LATE_MS ? [{ ...news, forMs }] : [];
}

type RoutingNews = HealthNews | MovedConversation | Underestimate;

/** Postgres allows fewer than 8000 bytes. */
const MAX_MESSAGE_LENGTH = 7900;

const health = z.object({
  kind: z.enum(['failing', 'limited', 'refused', 'certificate', 'back']),
  upstream: z.string(),
  key: z.string().nullable(),
  model: z.string().nullable(),
  forMs: z.number().min(0).max(86_400_000),
  times: z.int().min(0),
});
const moved = z.object({ conversation: z.string(), targetId: z.string() });
const factor = z.number().min(1).max(1000);
const underestimate = z.object({ userId: z.string(), model: z.string(), prompt: factor, output: factor });
const message = z.object({
  from: z.string(),
  host: z.string(),
  process: z.int(),
  news: z.array(z.unknown()),
});

export interface NewsMessage extends GatewayProcess {
  readonly from: string;
  readonly news: readonly RoutingNews[];
}

/** News that does not fit into a message is left out. */
export function toMessages(sender: Omit<NewsMessage, 'news'>, news: readonly RoutingNews[]): string[] {
  const room = MAX_MESSAGE_LENGTH - JSON.stringify({ ...sender, news: [] }).length;
  const parts: RoutingNews[][] = [];
  let left = 0;
  for (const one of news) {
    const length = Buffer.byteLength(JSON.stringify(one)) + 1;
    if (length > room) continue;
    if (length > left) {
      parts.push([]);
      left = room;
    }
    parts.at(-1)?.push(one);
    left -= length;
  }
  return parts.map((part) => JSON.stringify({ ...sender, news: part }));
}

/** Null: not a message. Ignores unknown kinds of news, which other versions may send. */
export function fromMessage(text: string): NewsMessage | null {
  const { data } = message.safeParse(parsed(text));
  if (!data) return null;
  const news = data.news.flatMap((one): RoutingNews[] => {
    const known = health.safeParse(one).data ?? moved.safeParse(one).data ?? underestimate.safeParse(one).data;
    return known ? [known] : [];
  });
  return { ...data, news };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
