import type pg from 'pg';
import type { Callers } from './growth-seed.ts';
import type { SignedIn } from './usage-people.ts';

/** The console's users. */
export interface People {
  admin: SignedIn;
  member: SignedIn;
}

/** Users and callers: later runs on the same database need their cookies and keys. */
export interface GrowthSetting {
  people: People;
  callers: Callers;
}

/** In the bench's own database, beside the gateway's tables. */
export async function keepSetting(client: pg.Client, setting: GrowthSetting): Promise<void> {
  await client.query('CREATE TABLE bench_setting (setting jsonb NOT NULL)');
  await client.query('INSERT INTO bench_setting VALUES ($1)', [JSON.stringify(setting)]);
}

/** Null in a new database. */
export async function keptSetting(client: pg.Client): Promise<GrowthSetting | null> {
  const { rows } = await client.query("SELECT to_regclass('bench_setting') IS NOT NULL AS exists");
  if (!rows[0]?.exists) return null;
  return (await client.query<{ setting: GrowthSetting }>('SELECT setting FROM bench_setting')).rows[0]?.setting ?? null;
}
