import { expect, it } from '@jest/globals';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { createMigratedDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { piecesOf } from '../rollups/usage-pieces.js';
import { readState } from './usage-reading.js';

it('a report of all time reads no sums before the first call, instead of each hour since 1970', async () => {
  const database = await createMigratedDatabase();
  const services = await startServices(database.url);
  const state = await readState(services.get<DataSource>(getDataSourceToken()).manager);
  const pieces = piecesOf({ starts: [0], end: 2_000_000 }, state);
  expect(pieces).toEqual({ days: [], hours: [], lateHours: [], stretches: [] });
});
