import type { EntityManager } from 'typeorm';

/** Setup closes permanently when the first administrator exists, and its token becomes invalid. */
export async function markSetUp(manager: EntityManager): Promise<void> {
  await manager.query(
    'UPDATE setup SET done_at = now(), token_hash = NULL, token_expires_at = NULL WHERE done_at IS NULL',
  );
}

export async function isSetUp(manager: EntityManager): Promise<boolean> {
  const rows = await manager.query('SELECT 1 FROM setup WHERE done_at IS NULL');
  return rows.length === 0;
}

/** Whether setup is open, and stays so until the transaction ends; with a token, whether it is valid. */
export async function lockSetUp(manager: EntityManager, tokenHash: Buffer | null): Promise<boolean> {
  const rows = await manager.query(
    `SELECT 1 FROM setup
     WHERE done_at IS NULL AND ($1::bytea IS NULL OR (token_hash = $1 AND token_expires_at > now())) FOR UPDATE`,
    [tokenHash],
  );
  return rows.length === 1;
}

/** Makes this the only token. `instead`: only if it replaces this one or an expired one. */
export async function replaceToken(manager: EntityManager, tokenHash: Buffer, instead?: Buffer): Promise<boolean> {
  const [, affected]: [unknown, number] = await manager.query(
    `UPDATE setup SET token_hash = $1, token_expires_at = now() + interval '1 hour'
     WHERE done_at IS NULL
       AND ($2::bytea IS NULL OR token_hash IS NULL OR token_hash = $2 OR token_expires_at <= now())`,
    [tokenHash, instead ?? null],
  );
  return affected === 1;
}
