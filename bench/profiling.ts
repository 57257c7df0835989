import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measure, warmUp } from './measure.ts';
import { phases, thorough } from './phases.ts';
import { profileSummary } from './profile-summary.ts';
import type { Setting } from './setting.ts';

const PROFILED_SECONDS = 3;
const FUNCTIONS_SHOWN = 30;
const PLACES_SHOWN = 16;

/** Profiles the warm servers under every load with a promised limit, and reports where their time goes. */
export async function profile({ gateway, proxy, driver }: Setting): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gateway-profiles-'));
  const lines: string[] = [];
  for (const phase of phases.filter(({ most }) => most.cpuRatio !== undefined)) {
    for (const target of [proxy, gateway]) {
      const file = path.join(folder, `${target.name}-${phase.name}.cpuprofile`);
      await warmUp(target, phase, driver, thorough[phase.name]?.warmUpAnswers ?? 0);
      const { cpu } = await measure(target, phase, driver, PROFILED_SECONDS);
      await target.child.ask('startProfile');
      await measure(target, phase, driver, PROFILED_SECONDS);
      await target.child.ask('writeProfile', file);
      lines.push(`${phase.title}, ${target.name}: ${cpu.toFixed(1)} µs per ${phase.unit} before profiling. ${file}`);
      lines.push(...(await summaryLines(file, cpu)), '');
    }
  }
  return lines.join('\n');
}

/** Each share also as a part of the CPU time measured without the profiler. */
async function summaryLines(file: string, cpu: number): Promise<string[]> {
  const { byPlace, byFunction, byCaller } = await profileSummary(file);
  const line = ([name, share]: [string, number]): string =>
    `  ${(share * 100).toFixed(1).padStart(5)} %  ${(share * cpu).toFixed(1).padStart(6)} µs  ${name}`;
  return [
    ...byPlace.slice(0, PLACES_SHOWN).map(line),
    '  By function, own time:',
    ...byFunction.slice(0, FUNCTIONS_SHOWN).map(line),
    ...(byCaller.length > 0 ? ['  By function of the gateway, with what it calls:'] : []),
    ...byCaller.slice(0, FUNCTIONS_SHOWN).map(line),
  ];
}
