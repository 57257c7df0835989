import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request } from 'express';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../database/database.service.js';
import type { RequestedModel } from '../http/request-context.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { KeyOwner } from './caller.types.js';

const FLUSH_MS = 5000;
const MAX_USER_AGENT_LENGTH = 200;

interface Use {
  readonly keyId: string;
  readonly display: string;
  readonly at: number;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Contains the model after the body was read. */
  readonly requested: Readonly<RequestedModel>;
}

const SQL_IS_NEWER = "used.at >= coalesce(last_used_at, '-infinity')";
const SQL_PREVIOUS = 'used.secrets -> previous_display';

/** $1: the rows. Another gateway may have written a later use, or a use of the other secret. */
const WRITE = `
  UPDATE api_keys SET
    last_used_at = greatest(last_used_at, used.at),
    last_used_address = CASE WHEN ${SQL_IS_NEWER} THEN used.address ELSE last_used_address END,
    last_used_agent = CASE WHEN ${SQL_IS_NEWER} THEN used.agent ELSE last_used_agent END,
    last_used_model = CASE WHEN ${SQL_IS_NEWER} THEN coalesce(used.model, last_used_model) ELSE last_used_model END,
    secret_used_at = greatest(secret_used_at, (used.secrets -> display ->> 'at')::timestamptz),
    previous_used_at = greatest(previous_used_at, (${SQL_PREVIOUS} ->> 'at')::timestamptz),
    previous_used_address = coalesce(${SQL_PREVIOUS} ->> 'address', previous_used_address),
    previous_used_agent = coalesce(${SQL_PREVIOUS} ->> 'agent', previous_used_agent)
  FROM json_to_recordset($1::json) AS used (id uuid, at timestamptz, address text, agent text, model text, secrets json)
  WHERE api_keys.id = used.id`;

@Injectable()
export class LastUsedService {
  private readonly logger = new Logger('LastUsed');
  private used = new Map<string, Use>();
  /** The newest uses of keys' other secrets: during a rotation a key has two. */
  private others = new Map<string, Use>();
  /** Was written without the model. */
  private unfinished = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    });
  }

  record(
    { keyId, keyDisplay }: Pick<KeyOwner, 'keyId' | 'keyDisplay'>,
    address: string | undefined,
    { headers, context }: Pick<Request, 'headers' | 'context'>,
  ): void {
    const last = this.used.get(keyId);
    if (last !== undefined && last.display !== keyDisplay) this.others.set(keyId, last);
    this.used.set(keyId, {
      keyId,
      display: keyDisplay,
      at: Date.now(),
      address: address ?? null,
      userAgent: headers['user-agent'] ?? null,
      requested: context.requested,
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer) await this.flush();
  }

  private async flush(): Promise<void> {
    const uses = [this.unfinished, this.others, this.used].flatMap((some) => [...some.values()]);
    this.unfinished = new Map([...this.used].filter(([, { requested }]) => requested.model === null));
    this.used = new Map();
    this.others = new Map();
    if (uses.length === 0) return;
    const byKey = Map.groupBy(uses, ({ keyId }) => keyId);
    const rows = [...byKey].map(toRow).sort((a, b) => (a.id < b.id ? -1 : 1));
    try {
      await this.dataSource.query(WRITE, [JSON.stringify(rows)]);
    } catch (error) {
      logFailure(this.logger, 'The last use of keys could not be written', error);
    }
  }
}

/** The newest use of a key, and the newest of each of its secrets. */
function toRow([id, uses]: [string, Use[]]) {
  const inOrder = uses.toSorted((a, b) => a.at - b.at);
  const model = inOrder.findLast(({ requested }) => requested.model !== null)?.requested.model ?? null;
  const secrets = Object.fromEntries(inOrder.map((use) => [use.display, toSecretUse(use)]));
  return { id, ...toSecretUse(inOrder.at(-1)), model, secrets };
}

function toSecretUse(use: Use | undefined) {
  const agent = use?.userAgent?.replace(/(svc|gat)_\w+/g, '$1_…').slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  return { at: new Date(use?.at ?? 0), address: use?.address ?? null, agent };
}
