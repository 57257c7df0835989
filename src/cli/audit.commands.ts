import type { Command } from 'commander';
import { AuditChainService, type AuditHead } from '../audit/audit-chain.service.js';
import { UsageError } from '../common/usage.error.js';
import { print } from './output.js';
import { withServices } from './services.js';

interface VerifyOptions {
  since?: string;
  json?: boolean;
}

export function addAuditCommands(program: Command): void {
  program
    .command('audit:verify')
    .description('check that no entry of the audit log was changed, removed or inserted')
    .option('--since <head>', 'an earlier head, as printed or logged: the log must contain it')
    .action(verify);
}

async function verify({ since, json }: VerifyOptions): Promise<void> {
  const earlier = since === undefined ? null : toHead(since);
  const { head, fault } = await withServices((services) => services.get(AuditChainService).verify(earlier));
  if (fault !== null) throw new Error(`The audit log was altered: ${fault}.`);
  print({ entries: head.entries, head: `${head.entries}:${head.hash}` }, json);
}

function toHead(text: string): AuditHead {
  const [, entries, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!entries || !hash) throw new UsageError('A head looks like 120:9f86d0…, with 64 digits after the colon.');
  return { entries: Number(entries), hash };
}
