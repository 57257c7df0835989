import type { Command } from 'commander';
import { UsageError } from '../common/usage.error.js';
import type { UpstreamTest } from '../upstreams/upstream-status.service.js';
import { print } from './output.js';

export function addUpstreamCommands(program: Command): void {
  program
    .command('upstream:test')
    .description('make real calls to each live upstream: one JSON, one streamed')
    .argument('[name]', 'only this upstream of upstreams.yaml')
    .action(test);
}

/** Only this command loads adapters and clients: they would make the start of other commands a quarter slower. */
async function test(name: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const { withUpstreams } = await import('./upstream-cli.module.js');
  const { UpstreamTestService } = await import('../upstreams/upstream-status.service.js');
  await withUpstreams(async (services) => {
    const service = services.get(UpstreamTestService);
    const upstreams = service.live().filter((upstream) => name === undefined || upstream.name === name);
    if (upstreams.length === 0) throw noneLive(name);
    const tests = (await Promise.all(upstreams.map((upstream) => service.test(upstream)))).flat();
    for (const warning of new Set(tests.flatMap((one) => one.warning ?? []))) process.stderr.write(`${warning}\n`);
    print(json ? tests.map((result) => ({ ...result })) : tests.map(toRow), json);
    if (tests.some(({ ok }) => !ok)) process.exitCode = 1;
  });
}

function noneLive(name: string | undefined): UsageError {
  return new UsageError(
    name === undefined
      ? 'No upstream is live, so there is nothing to call. Set the key of one, for example OPENAI_API_KEY.'
      : `There is no live upstream '${name}': it is not in upstreams.yaml, or it has no credential.`,
  );
}

function toRow({ upstream, key, kind, ok, model, firstTokenMs, usage, error, reason }: UpstreamTest) {
  const tokens = usage ? `${usage.prompt_tokens} in, ${usage.completion_tokens} out` : null;
  return {
    upstream: key === null ? upstream : `${upstream} #${key}`,
    call: kind,
    ok: ok ? 'yes' : 'no',
    model,
    'first token ms': firstTokenMs,
    tokens,
    error: error !== null && reason !== null ? `${error} ${reason}` : error,
  };
}
