import { eventually } from './eventually.js';
import type { TestDatabase } from './test-database.js';

/** Resolves once every budget counts the spending before it was set. */
export async function budgetsCounted(database: Pick<TestDatabase, 'query'>): Promise<void> {
  await eventually(async () => {
    const required = await database.query('SELECT FROM limit_balances WHERE base_wanted > 0');
    return required.length === 0;
  });
}
