import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { logFailure } from '../telemetry/failure-log.js';
import { type ContentCipher, currentCipher, type SealedContent } from './content-log.service.js';

export interface RememberedResponse {
  readonly id: string;
  /** The ids of its items, of the input and the output. */
  readonly itemIds: readonly string[];
  readonly content: Buffer;
}

interface FoundRow extends SealedContent {
  id: string;
}

interface OwnReads {
  underWay: number;
  readonly waiting: (() => void)[];
}

/** Of one owner at the same time: a large response holds a connection that others need. */
const MAX_READS = 2;
/** The responses of an owner are counted again after this share of their maximum was written. */
const TRIM_SHARE = 1 / 16;
/** Limits the memory for the sizes; forgotten owners are counted again at their next response. */
const MAX_OWNERS = 10_000;

const FIND = `SELECT response_id AS id, secret_id AS "secretId", content AS bytes FROM remembered_responses
  WHERE owner_id = $1 AND at > now() - $2 * interval '1 ms'`;

/** Keeps the newest responses up to `$2` bytes, and always the newest one. */
const TRIM = `DELETE FROM remembered_responses AS stored
  USING (SELECT response_id, bytes, sum(bytes) OVER (ORDER BY at DESC, response_id) AS total
    FROM remembered_responses WHERE owner_id = $1) AS ranked
  WHERE stored.owner_id = $1 AND stored.response_id = ranked.response_id
    AND ranked.total > $2 AND ranked.total > ranked.bytes`;

/** Responses that later requests may refer to, encrypted. Their owner is a project, or a user outside of projects. */
@Injectable()
export class RememberedResponsesService {
  private readonly logger = new Logger('RememberedResponses');
  private readonly reads = new Map<string, OwnReads>();
  /** Bytes written since the responses of an owner were last counted. */
  private readonly untrimmed = new Map<string, number>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  get isOn(): boolean {
    return this.cipher !== null;
  }

  private get cipher(): ContentCipher | null {
    return this.settings.responses.remember === null ? null : currentCipher(this.settings);
  }

  /** Never rejects, as the answer was paid for and is sent even if it could not be read or stored. */
  async store(ownerId: string, read: () => Promise<RememberedResponse | null>): Promise<void> {
    try {
      const response = await read();
      const { cipher } = this;
      if (!cipher || response === null) return;
      const { id, itemIds, content } = response;
      const { secretId, bytes } = await cipher.seal(boundTo(ownerId, id), content);
      const size = bytes.length + itemIds.join().length;
      await this.dataSource.query(
        `INSERT INTO remembered_responses (owner_id, response_id, item_ids, secret_id, bytes, content)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (owner_id, response_id) DO UPDATE SET at = now(), item_ids = excluded.item_ids,
           secret_id = excluded.secret_id, bytes = excluded.bytes, content = excluded.content`,
        [ownerId, id, itemIds, secretId, size, bytes],
      );
      await this.trim(ownerId, size);
    } catch (error) {
      logFailure(this.logger, 'A response could not be stored', error);
    }
  }

  find(ownerId: string, id: string): Promise<Buffer | null> {
    return this.open(ownerId, `${FIND} AND response_id = $3`, id);
  }

  /** The newest response with this item. */
  findByItem(ownerId: string, itemId: string): Promise<Buffer | null> {
    return this.open(ownerId, `${FIND} AND item_ids @> ARRAY[$3::text] ORDER BY at DESC, response_id LIMIT 1`, itemId);
  }

  /** False: there is no such response. */
  async delete(ownerId: string, id: string): Promise<boolean> {
    const [, count]: [unknown, number] = await this.dataSource.query(
      `DELETE FROM remembered_responses
       WHERE owner_id = $1 AND at > now() - $2 * interval '1 ms' AND response_id = $3`,
      [ownerId, this.settings.responses.remember, id],
    );
    return count > 0;
  }

  private async open(ownerId: string, statement: string, id: string): Promise<Buffer | null> {
    const parameters = [ownerId, this.settings.responses.remember, id];
    return this.inTurn(ownerId, async () => {
      const [found]: FoundRow[] = await this.dataSource.query(statement, parameters);
      const { cipher } = this;
      return found && cipher ? cipher.open(boundTo(ownerId, found.id), found) : null;
    });
  }

  private async inTurn<Result>(ownerId: string, read: () => Promise<Result>): Promise<Result> {
    const own = this.reads.get(ownerId) ?? { underWay: 0, waiting: [] };
    this.reads.set(ownerId, own);
    if (own.underWay < MAX_READS) own.underWay++;
    else await new Promise<void>((resolve) => own.waiting.push(resolve));
    try {
      return await read();
    } finally {
      const next = own.waiting.shift();
      // The next read takes this one's place.
      if (next) next();
      else if (--own.underWay === 0) this.reads.delete(ownerId);
    }
  }

  private async trim(ownerId: string, written: number): Promise<void> {
    const { maxPerOwner } = this.settings.responses;
    const before = this.untrimmed.get(ownerId);
    const bytes = (before ?? 0) + written;
    if (before !== undefined && bytes < maxPerOwner * TRIM_SHARE) {
      this.untrimmed.set(ownerId, bytes);
      return;
    }
    if (this.untrimmed.size >= MAX_OWNERS) this.untrimmed.clear();
    this.untrimmed.set(ownerId, 0);
    await this.dataSource.query(TRIM, [ownerId, maxPerOwner]);
  }
}

function boundTo(ownerId: string, id: string): string {
  return `${ownerId}/${id}`;
}
