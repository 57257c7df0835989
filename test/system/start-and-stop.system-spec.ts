import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { DatabaseService } from '../../src/database/database.service.js';
import { type Phase, START, STOP } from '../../src/lifecycle/start-and-stop.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { TestGateway } from '../support/test-gateway.js';

const HOOKS = [
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
] as const;

type Hooks = Partial<Record<(typeof HOOKS)[number], (...given: unknown[]) => unknown>>;

const CONTENT_LOG_KEY = Buffer.alloc(32).toString('base64');
const OPTIONS = { env: { SIMULATOR: 'on', ALERT_WEBHOOK_URL: 'http://127.0.0.1:9', CONTENT_LOG_KEY } };

/** Records the steps, in order, of gateways created while it watches. */
class Watcher {
  readonly seen: string[] = [];
  private readonly undo: (() => void)[] = [];

  constructor(parts: Iterable<Hooks>) {
    for (const part of parts) for (const hook of HOOKS) if (Object.hasOwn(part, hook)) this.watchHook(part, hook);
    this.watchStarters();
  }

  end(): void {
    for (const undo of this.undo) undo();
  }

  private watchHook(part: Hooks, hook: keyof Hooks): void {
    const { seen } = this;
    const original = part[hook];
    part[hook] = function (this: object, ...given) {
      seen.push(`${hook} ${this.constructor.name}`);
      return original?.apply(this, given);
    };
    this.undo.push(() => Object.assign(part, { [hook]: original }));
  }

  private watchStarters(): void {
    const { seen } = this;
    const { beforeReady } = DatabaseService.prototype;
    DatabaseService.prototype.beforeReady = function (work) {
      const { stack = '' } = new Error();
      // Work of the first process only comes through `beforeReadyInFirst`.
      const step = `beforeReady ${makerIn(stack)}${stack.includes('database.service.ts') ? ', in first' : ''}`;
      beforeReady.call(this, () => {
        seen.push(step);
        return work();
      });
    };
    this.undo.push(() => Object.assign(DatabaseService.prototype, { beforeReady }));
  }
}

/** A stack in which `usage-ledger.service.ts` makes its class → `UsageLedgerService` */
function makerIn(stack: string): string {
  const [, file = ''] = /at new \w+ \(.*?([\w.-]+)\.ts:/.exec(stack) ?? [];
  return file.replace(/(?:^|[-.])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The prototypes of all classes of a gateway. */
function partsOf(gateway: TestGateway): Set<Hooks> {
  const modules = [...gateway.services.get(ModulesContainer).values()];
  const parts = modules.flatMap(({ providers, controllers }) => [...providers.values(), ...controllers.values()]);
  const instances = parts.flatMap(({ instance }) => (typeof instance === 'object' && instance ? [instance] : []));
  return new Set(instances.map((instance) => Object.getPrototypeOf(instance) as Hooks));
}

/** The steps of the list that Nest and the database run. */
function watched(phases: readonly Phase[]): string[] {
  return phases
    .filter(({ by }) => !by.endsWith('.ts'))
    .flatMap(({ by, steps }) =>
      steps.map(({ who, inFirst }) => `${by} ${who}${by === 'beforeReady' && inFirst ? ', in first' : ''}`),
    );
}

function linesOf(phases: readonly Phase[]): string[] {
  return phases.flatMap(({ steps }) => steps.flatMap(({ says = [] }) => says));
}

describe('the list of steps', () => {
  let first: TestGateway;
  let watcher: Watcher;
  let atStart: string[];
  let atStop: string[];

  beforeAll(async () => {
    first = await TestGateway.start(OPTIONS);
    watcher = new Watcher(partsOf(first));
    const gateway = await TestGateway.start(OPTIONS);
    atStart = watcher.seen.splice(0);
    await gateway.stop();
    atStop = watcher.seen.splice(0);
  });
  afterAll(async () => {
    watcher?.end();
    await first?.stop();
  });

  it('at start matches reality, in order', () => {
    expect(atStart).toEqual(watched(START));
  });

  it('at stop matches reality, in order', () => {
    expect(atStop).toEqual(watched(STOP));
  });

  it('matches the log of a gateway with workers, in order', async () => {
    const gateway = await GatewayProcess.start({
      env: { SIMULATOR: 'on', WORKERS: '2', PORT: String(await freePort()) },
    });
    const said = () => gateway.log.map(({ msg }) => String(msg));
    await eventually(() => said().some((line) => line.startsWith('Console')));
    expect(await gateway.kill('SIGTERM')).toBe(0);
    const places = linesOf([...START, ...STOP]).map((begin) => said().findIndex((line) => line.startsWith(begin)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    await gateway.folder.remove();
  });
});
