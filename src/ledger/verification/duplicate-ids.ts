import type { EntityManager } from 'typeorm';
import { LEDGER } from '../rows/ledger-schema.js';
import { FaultList } from './fault-list.js';

const PAGE = 50_000;

/** The last id of a full page is checked with the next page, which starts with it. */
const READ_PAGE = `
  WITH page AS MATERIALIZED (SELECT id FROM ${LEDGER} WHERE id >= $1 ORDER BY id LIMIT $2),
    whole AS (SELECT count(*)::int AS rows, max(id) AS last FROM page)
  SELECT rows, last, ARRAY(
    SELECT format('call %s has %s rows', id, count(*)) FROM page
    WHERE id <> last OR rows < $2 GROUP BY id HAVING count(*) > 1 ORDER BY id
  ) AS faults
  FROM whole`;

interface Page {
  readonly rows: number;
  readonly last: string;
  readonly faults: readonly string[];
}

/** Finds ids with several rows, by reading the primary key in pages. */
export async function duplicateIds(
  manager: EntityManager,
  visited: (rows: number) => void,
  size = PAGE,
): Promise<readonly string[]> {
  const faults = new FaultList();
  for (let from: string | null = ''; from !== null; ) {
    const { rows, last, faults: found } = await readPage(manager, from, size);
    faults.add(found.map((fault) => ({ fault })));
    visited(rows);
    if (rows < size) break;
    if (last === from) faults.add([{ fault: `call ${last} has ${rows} rows or more` }]);
    from = last === from ? await idAfter(manager, last) : last;
  }
  return faults.all;
}

async function readPage(manager: EntityManager, from: string, size: number): Promise<Page> {
  const [page] = await manager.query(READ_PAGE, [from, size]);
  return page;
}

/** For a page that consists of one id. */
async function idAfter(manager: EntityManager, id: string): Promise<string | null> {
  const [next] = await manager.query(`SELECT id FROM ${LEDGER} WHERE id > $1 ORDER BY id LIMIT 1`, [id]);
  return next?.id ?? null;
}
