import { Injectable, Module } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { longDuration } from '../config/units.js';
import { notifyCallerChanged } from '../database/changes.service.js';

const duration = longDuration('1s', '365d');
const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** The channel that makes every process forget the answers that it has just read. */
export const CACHE_CLEARED = 'cache_cleared';

/** `1h`, `none`, or `default` for what the model's row says, which is null. Throws a `UsageError` for others. */
export function toCacheSeconds(text: string): number | null {
  if (text === 'default') return null;
  if (text === 'none') return 0;
  const { data } = duration.safeParse(text);
  if (data === undefined || data === 0)
    throw new UsageError('The cache must be a duration from 1s to 365d such as 1h, none, or default.', 'cache');
  return Math.floor(data / 1000);
}

export function cacheText(seconds: number | null): string {
  if (seconds === null) return 'default';
  const [unit, size] = UNITS.find(([, length]) => seconds % length === 0) ?? (['s', 1] as const);
  return seconds === 0 ? 'none' : `${seconds / size}${unit}`;
}

/** Turns the cache on or off for projects and keys, and empties it. */
@Injectable()
export class CacheSettingsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** As `toCacheSeconds` reads it. Throws a `UsageError` if the cache cannot be turned on. */
  seconds(text: string): number | null {
    const seconds = toCacheSeconds(text);
    if (seconds && this.settings.contentLogKeys.length === 0)
      throw new UsageError('The cache needs an encryption key: set CONTENT_LOG_KEY.', 'cache');
    return seconds;
  }

  /** `text` as in `seconds`; effective within a second. The caller has checked that the actor may do so. */
  async set(kind: 'project' | 'key', id: string, text: string, actor: Actor): Promise<void> {
    const seconds = this.seconds(text);
    const table = kind === 'key' ? 'api_keys' : 'projects';
    await this.dataSource.transaction(async (manager) => {
      const [found]: { name: string; before: number | null }[] = await manager.query(
        `SELECT name, cache_seconds AS before FROM ${table} WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (!found || found.before === seconds) return;
      await manager.query(`UPDATE ${table} SET cache_seconds = $2 WHERE id = $1`, [id, seconds]);
      await this.audit.record(manager, actor, {
        action: `${kind}.cache`,
        target: { kind, id, name: found.name },
        before: { cache: cacheText(found.before) },
        after: { cache: cacheText(seconds) },
      });
      await notifyCallerChanged(manager, kind, id);
    });
  }

  async of(kind: 'project' | 'key', id: string): Promise<string> {
    const table = kind === 'key' ? 'api_keys' : 'projects';
    const [row]: { seconds: number | null }[] = await this.dataSource.query(
      `SELECT cache_seconds AS seconds FROM ${table} WHERE id = $1`,
      [id],
    );
    return cacheText(row?.seconds ?? null);
  }

  /** Returns the number of deleted answers. Without a model and a project, all are deleted. */
  async clear(model: string | null, project: { id: string; name: string } | null, actor: Actor): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const [, cleared]: [unknown, number] = await manager.query(
        'DELETE FROM cached_answers WHERE ($1::text IS NULL OR model = $1) AND ($2::uuid IS NULL OR owner_id = $2)',
        [model, project?.id ?? null],
      );
      await manager.query('SELECT pg_notify($1, $2)', [CACHE_CLEARED, '']);
      const name = [model ?? 'all models', project?.name ?? 'all projects'].join(', ');
      const target = { kind: 'cache', id: name, name } as const;
      await this.audit.record(manager, actor, { action: 'cache.clear', target, after: { answers: cleared } });
      return cleared;
    });
  }
}

/** Also for the command line, which serves no calls. */
@Module({
  imports: [AuditModule],
  providers: [CacheSettingsService],
  exports: [CacheSettingsService],
})
export class CacheSettingsModule {}
