import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SessionService } from '../../database/session.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { TargetHealthService } from '../../upstreams/health/target-health.service.js';
import { MovedConversations } from '../affinity/moved-conversations.js';
import { fromMessage, type RoutingNews, toMessages } from './news-message.js';

const CHANNEL = 'routing_news';
/** News within this time is sent together. */
const GATHER_MS = 50;
/** News that is older than this is ignored, as it may no longer be true. */
const LATE_MS = 5000;
const MAX_WAITING = 5000;

/**
 * Announces set-aside and recovered targets and moved conversations to the other processes on the database, and applies
 * their news. While the database is unavailable, each process relies on its own calls.
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
    @InjectDataSource() private readonly dataSource: DataSource,
    session: SessionService,
  ) {
    session.listen(CHANNEL, (text) => this.heed(text));
    health.news.subscribe((news) => this.announce(news));
    moved.learned.subscribe((news) => this.announce(news));
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
      logFailure(this.logger, 'Set-aside targets could not be announced to other processes', error);
    } finally {
      this.sending = null;
    }
  }

  private heed(text: string): void {
    const message = fromMessage(text);
    if (message === null || message.from === this.sender.from) return;
    const { host, process, news } = message;
    for (const one of news) {
      if ('conversation' in one) this.moved.note(one.conversation, one.targetId);
      else this.health.takeOver(one, { host, process });
    }
  }
}

/** Reduces the time by the delay; empty if the delay was too long. */
function shortened(news: RoutingNews, waitedMs: number): RoutingNews[] {
  if ('conversation' in news || news.kind === 'back') return [news];
  const forMs = news.forMs - waitedMs;
  return forMs > 0 && waitedMs < LATE_MS ? [{ ...news, forMs }] : [];
}
