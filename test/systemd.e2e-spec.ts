import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProgram } from './support/program.js';

const program = findProgram('systemd-analyze', 'TEST_SYSTEMD');
const run = promisify(execFile);

(program ? describe : describe.skip)('the systemd unit', () => {
  let folder: string;
  let unit: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-systemd-'));
    unit = join(folder, 'gateway.service');
    const shipped = await readFile('deploy/systemd/chat-completion-gateway.service', 'utf8');
    await writeFile(unit, shipped.replaceAll('/opt/chat-completion-gateway', process.cwd()));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is valid for systemd and starts an existing program', async () => {
    const { stdout, stderr } = await run(program ?? '', ['verify', '--man=no', unit]);
    expect(stdout + stderr).toBe('');
  });

  it('gives the gateway few rights', async () => {
    const { stdout } = await run(program ?? '', ['security', '--offline=true', '--no-pager', '--threshold=20', unit]);
    expect(stdout).toContain('OK');
  });
});
