import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';

const DUPLICATE_DATABASE = '42P04';
const EMBEDDED = path.resolve(import.meta.dirname, '../dist/database/embedded/embedded-postgres.js');

/** Where one gateway of the bench keeps its data. */
export interface GrowthDatabase {
  /** For the gateway's environment. */
  variables: NodeJS.ProcessEnv;
  /** `folder`: of the running gateway. */
  connection(folder: string): Promise<pg.ClientConfig>;
  drop(): Promise<void>;
}

/** The gateway's embedded database, or one on a server: new and dropped at the end, or kept. */
export async function growthDatabase(serverUrl: string | null, keepAs: string | null): Promise<GrowthDatabase> {
  if (serverUrl === null) return { variables: {}, connection: embedded, drop: async () => undefined };
  const name = keepAs ?? `gateway_growth_${randomBytes(4).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`).catch((error) => {
    if (keepAs === null || error.code !== DUPLICATE_DATABASE) throw error;
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    variables: { DATABASE_URL: url.href },
    connection: async () => ({ connectionString: url.href }),
    drop: async () => {
      if (keepAs === null) await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function embedded(folder: string): Promise<pg.ClientConfig> {
  const { startEmbeddedPostgres } = await import(EMBEDDED);
  const { host, port, username, password, database } = await startEmbeddedPostgres(path.join(folder, 'data/postgres'));
  return { host, port, user: username, password, database };
}

async function onServer(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
