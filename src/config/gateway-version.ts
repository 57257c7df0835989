import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version that package.json states. */
export const GATEWAY_VERSION: string = JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')).version;
