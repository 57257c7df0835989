import type { MigrationInterface } from 'typeorm';
import { Foundation1795219200000 } from './1795219200000-foundation.js';

/** Every migration, oldest first. */
export const MIGRATIONS: readonly (new () => MigrationInterface)[] = [Foundation1795219200000];
