import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { rowBatches } from './row-batches.js';

/**
 * The entities that `rest` gives, the part of a statement behind the columns of `alias`, as `rowBatches` gives rows. For
 * entities whose columns are what the driver gives, which spares most of the time of looking them up.
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
