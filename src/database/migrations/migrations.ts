import type { MigrationInterface } from 'typeorm';
import { Foundation1795219200000 } from './1795219200000-foundation.js';
import { Console1795305600000 } from './1795305600000-console.js';
import { UsageRollups1795309200000 } from './1795309200000-usage-rollups.js';
import { Setup1795312800000 } from './1795312800000-setup.js';

/** Every migration, oldest first. */
export const MIGRATIONS: readonly (new () => MigrationInterface)[] = [
  Foundation1795219200000,
  Console1795305600000,
  UsageRollups1795309200000,
  Setup1795312800000,
];
