import type pg from 'pg';

/**
 * The ids of the types in which rows are sent. Each server has its own: they are read anew with each connection, and a
 * statement that was made for another server fails and is made again.
 */
export class RowTypes {
  private readonly ids = { opening: 0, closing: 0 };

  get opening(): number {
    return this.ids.opening;
  }

  get closing(): number {
    return this.ids.closing;
  }

  async read(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    const { rows } = await client.query<{ opening: number; closing: number }>(
      `SELECT 'usage_opening'::regtype::oid AS opening, 'usage_closing'::regtype::oid AS closing`,
    );
    Object.assign(this.ids, rows[0]);
  }
}
