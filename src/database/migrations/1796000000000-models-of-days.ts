import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './growing-tables.js';
import type { Migration } from './migration.js';

const INDEXES = [
  { table: 'usage_key_days', name: 'usage_key_days_model', definition: '(slot, model) WHERE model IS NOT NULL' },
  { table: 'usage_call_days', name: 'usage_call_days_model', definition: '(slot, model)' },
];

/** Finds the users and keys of one model without reading those of other models. */
export class ModelsOfDays1796000000000 implements Migration {
  readonly name = 'ModelsOfDays1796000000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await createIndexConcurrently(runner, index);
  }
}
