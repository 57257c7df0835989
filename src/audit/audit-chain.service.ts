import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DatabaseService } from '../database/database.service.js';
import { auditEntryText } from './audit-entry-text.js';
import { UNPROVEN_REDACTION } from './audit-redactions.service.js';

const BATCH = 1000;
const DAY_MS = 24 * 60 * 60_000;

const LINKS = `
  SELECT position, entry_id, encode(hash, 'hex') AS hash, ${auditEntryText('entry')} AS text, entry.id IS NULL AS is_gone,
    EXISTS (
      SELECT FROM audit_redactions AS r
      WHERE r.entry_id = entry.id AND r.hash = sha256(convert_to(${auditEntryText('entry')}, 'UTF8'))
    ) AS is_redacted
  FROM audit_chain LEFT JOIN audit_log AS entry ON entry.id = entry_id
  WHERE position > $1 ORDER BY position LIMIT ${BATCH}`;

const UNCHAINED = `
  SELECT id FROM audit_log AS entry
  WHERE NOT EXISTS (SELECT FROM audit_chain WHERE entry_id = entry.id) ORDER BY id LIMIT 1`;

interface Link {
  position: string;
  entry_id: string;
  hash: string;
  text: string;
  is_gone: boolean;
  /** Its text was replaced: the chain has the hash of the original. */
  is_redacted: boolean;
}

/** The chain of hashes over the audit log's entries; the database computes them, this service checks them. */
@Injectable()
export class AuditChainService implements OnApplicationShutdown {
  private readonly logger = new Logger('AuditLog');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReadyInFirst(async () => {
      await this.logHead();
      this.timer = setInterval(() => void this.logHead().catch((error) => this.logger.warn(error)), DAY_MS).unref();
    });
  }

  /** Checks every entry from the first on; with an earlier head, also that the log contained it. */
  async verify(earlier: AuditHead | null): Promise<AuditProof> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      let head: AuditHead = { entries: 0, hash: '' };
      for (;;) {
        const links: Link[] = await manager.query(LINKS, [head.entries]);
        for (const link of links) {
          const fault = faultOf(link, head) ?? faultAgainst(link, earlier);
          if (fault !== null) return { head, fault };
          head = { entries: head.entries + 1, hash: link.hash };
        }
        if (links.length < BATCH) break;
      }
      return { head, fault: await faultAtEnd(manager, head, earlier) };
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Someone who can change the database cannot change the log files. */
  private async logHead(): Promise<void> {
    const [last]: { position: string; hash: string }[] = await this.dataSource.query(
      `SELECT position, encode(hash, 'hex') AS hash FROM audit_chain ORDER BY position DESC LIMIT 1`,
    );
    if (last) this.logger.log(`The audit log has ${last.position} entries; its head is ${last.position}:${last.hash}`);
  }
}

function faultOf({ position, entry_id: id, hash, text, is_gone, is_redacted }: Link, before: AuditHead): string | null {
  if (Number(position) !== before.entries + 1) return `link ${before.entries + 1} of the chain is missing`;
  if (is_gone) return `entry ${id} is missing`;
  if (is_redacted) return null;
  const expected = createHash('sha256').update(Buffer.from(before.hash, 'hex')).update(text).digest('hex');
  return hash === expected ? null : `entry ${id} was changed, or an earlier one`;
}

function faultAgainst({ position, hash }: Link, earlier: AuditHead | null): string | null {
  if (!earlier || Number(position) !== earlier.entries || hash === earlier.hash) return null;
  return `the first ${position} entries do not match the given head`;
}

async function faultAtEnd(manager: EntityManager, { entries }: AuditHead, earlier: AuditHead | null) {
  if (earlier && entries < earlier.entries) return `there are ${entries} entries, but there were ${earlier.entries}`;
  const [unproven]: { id: string }[] = await manager.query(UNPROVEN_REDACTION);
  if (unproven) return `entry ${unproven.id} was changed: no entry user.forget has its redaction`;
  const [unchained]: { id: string }[] = await manager.query(UNCHAINED);
  return unchained ? `entry ${unchained.id} was added without its hash` : null;
}

/** The state of the audit log. Stored elsewhere, it can prove later that no entry up to this position has changed. */
export interface AuditHead {
  readonly entries: number;
  /** SHA-256 of the last entry and the previous hash, in hex; empty without entries. */
  readonly hash: string;
}

/** The result of checking the chain. */
interface AuditProof {
  readonly head: AuditHead;
  /** The first mismatch; null if the log is intact. */
  readonly fault: string | null;
}
