import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { createWorkFolder } from '../support/test-settings.js';

const MAIN = resolve(import.meta.dirname, '../../dist/main.js');
/** Gives a program a terminal; other systems than Linux have another one of that name. */
const SCRIPT = '/usr/bin/script';
const hasTools = process.platform === 'linux' && [SCRIPT, '/usr/bin/curl'].every((tool) => existsSync(tool));

describe('a gateway that starts for the first time on a terminal', () => {
  (hasTools ? it : it.skip)('shows a curl with a first key that works as it stands', async () => {
    const folder = await createWorkFolder();
    const command = `echo "pid=$$"; exec "${process.execPath}" "${MAIN}"`;
    const terminal = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
      cwd: folder.path,
      env: { PATH: process.env.PATH ?? '', SHELL: '/bin/sh', ...folder.variables, PORT: '0', SIMULATOR: 'on' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    terminal.stdout.on('data', (data: Buffer) => (output += String(data).replaceAll('\r', '')));
    const pid = await eventually(() => /pid=(\d+)/.exec(output)?.[1]);
    try {
      const curl = await eventually(() => /curl http[\s\S]*?\}'$/m.exec(output)?.[0], 20_000);
      expect(output).toContain('first@localhost');
      expect(output).toMatch(/^Set up {5}http:\/\/127\.0\.0\.1:\d+\/setup#[\w-]{43}$/m);
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${curl} --silent`]);
      expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: 'stop' }] });
      const [key = ''] = /svc_\w+/.exec(curl) ?? [];
      const logged = output.split('\n').filter((line) => line.startsWith('{'));
      expect(logged.length).toBeGreaterThan(0);
      expect(logged.filter((line) => line.includes(key))).toEqual([]);
    } finally {
      process.kill(Number(pid), 'SIGTERM');
      await once(terminal, 'close');
      await folder.remove();
    }
    expect(terminal.exitCode).toBe(0);
  });
});
