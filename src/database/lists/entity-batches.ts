import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { rowBatches } from './row-batches.js';

/**
 * Selects entities like `rowBatches`. `rest` follows the columns of `alias`. Only for entities whose columns need no
 * conversion, which saves most of TypeORM's time.
 */
export async function* entityBatches<Entity extends ObjectLiteral, More>(
  dataSource: DataSource,
  target: EntityTarget<Entity>,
  alias: string,
  rest: string,
): AsyncGenerator<(Entity & More)[]> {
  const columns = dataSource.getMetadata(target).columns.filter(({ isSelect }) => isSelect);
  const selected = columns.map(({ databaseName, propertyName }) => `${alias}.${databaseName} AS "${propertyName}"`);
  yield* rowBatches<Entity & More>(dataSource, `SELECT ${selected.join(', ')}${rest}`);
}
