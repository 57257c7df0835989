import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import {
  countedRows,
  eventually,
  ServerUser,
  TemporaryFolder,
} from '../../../test/support/embedded-postgres.process.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { isGatewayLockTaken, startGatewayPostgres } from './gateway-postgres.js';

describe("a gateway's embedded Postgres", () => {
  // One folder for all tests: each leaves a stopped server behind.
  const temporary = new TemporaryFolder();
  const folder = path.join(temporary.path, 'postgres');
  afterEach(() => ServerUser.killAll());
  afterAll(() => temporary.remove());

  it('is not shared with a second gateway', async () => {
    const first = new ServerUser('gateway', folder);
    await first.ready();
    const second = new ServerUser('gateway', folder);
    const message = `another gateway is already running on the data folder ${folder}`;
    await expect(second.ready()).rejects.toThrow(message);
    await expect(startGatewayPostgres(folder)).rejects.toThrow(message);
    expect(await first.ready()).toMatchObject({ owner: true });
    await first.stop();
  });

  it('goes to one of two gateways that start together', async () => {
    const gateways = [new ServerUser('gateway', folder), new ServerUser('gateway', folder)];
    const starts = await Promise.allSettled(gateways.map((gateway) => gateway.ready()));
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });

  it('is joined by a command-line tool', async () => {
    const gateway = await startGatewayPostgres(folder);
    const tool = new ServerUser('tool', folder);
    expect(await tool.ready()).toMatchObject({ pid: gateway.pid, owner: false });
    await tool.insertRows(5);
    await tool.stop();
    expect(await countedRows(gateway)).toBeGreaterThanOrEqual(5);
    await gateway.stop();
  });

  it('waits for a command-line tool that runs the server, and then starts its own', async () => {
    const tool = await startEmbeddedPostgres(folder);
    const gateway = new ServerUser('gateway', folder);
    await eventually(() => gateway.reported.some(({ log }) => log?.startsWith('waiting for the command-line tool')));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(gateway.reported).toHaveLength(1);

    await tool.stop();
    const server = await gateway.ready();
    expect(server.owner).toBe(true);
    expect(server.pid).not.toBe(tool.pid);
    await gateway.stop();
  });

  it('releases its lock when it stops, without reporting a loss', async () => {
    let lost = 0;
    const onLost = () => {
      lost++;
    };
    await (await startGatewayPostgres(folder, { onLost })).stop();
    const next = await startGatewayPostgres(folder, { onLost });
    expect(await isGatewayLockTaken(next)).toBe(true);
    await next.stop();
    expect(lost).toBe(0);
  });

  it('reports once when the server has ended', async () => {
    const causes: Error[] = [];
    const gateway = await startGatewayPostgres(folder, { onLost: (cause) => causes.push(cause) });
    process.kill(gateway.pid, 'SIGKILL');
    await eventually(() => causes.length > 0);
    await gateway.stop();
    expect(causes).toHaveLength(1);
  });

  it('is found through its socket when its process is not visible, as from another container', async () => {
    const gateway = await startGatewayPostgres(folder);
    const unseen = 999_999_998;
    const file = path.join(gateway.folder, 'pg18', 'postmaster.pid');
    writeFileSync(file, `${unseen}\n${gateway.folder}/pg18\n1\n5432\n${gateway.host}\n\n1 1\nready\n`);
    expect(await startEmbeddedPostgres(folder)).toMatchObject({ pid: unseen, owner: false });
    await expect(startGatewayPostgres(folder)).rejects.toThrow('another gateway is already running');
    await gateway.stop();
  });
});
