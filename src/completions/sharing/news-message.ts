import { z } from 'zod';
import type { GatewayProcess, HealthNews } from '../../upstreams/health/health-news.types.js';
import type { MovedConversation } from '../affinity/moved-conversations.js';

export type RoutingNews = HealthNews | MovedConversation;

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
    const known = health.safeParse(one).data ?? moved.safeParse(one).data;
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
