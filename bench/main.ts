import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Comparison, compare, toTable } from './comparison.ts';
import { OPTIONS_HELP, type Options, parseOptions, prepare, type Setting } from './gateway.ts';
import { measure, phases, quick, thorough, warmUp } from './measure.ts';

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
}

interface ProfileNode {
  id: number;
  callFrame: CallFrame;
  children?: number[];
}

interface CpuProfile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

type Shares = [name: string, share: number][];

/** Shares of the main thread's busy time, largest first. */
export interface ProfileSummary {
  /** Self time by package, or by folder of the gateway. */
  byPlace: Shares;
  /** Self time by function. */
  byFunction: Shares;
  /** Time of the gateway's functions, including what they call synchronously. */
  byCaller: Shares;
}

/** Where the time of a .cpuprofile went, without idle time. */
async function profileSummary(file: string): Promise<ProfileSummary> {
  const profile = JSON.parse(await readFile(file, 'utf8')) as CpuProfile;
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const places = new Map<string, number>();
  const functions = new Map<string, number>();
  const callers = new Map<string, number>();
  let busy = 0;
  for (const [id, time] of selfTimes(profile)) {
    const frame = nodes.get(id)?.callFrame;
    if (!frame || isNoWork(frame)) continue;
    busy += time;
    add(places, placeOf(frame), time);
    add(functions, functionOf(frame), time);
    for (const caller of ownFunctions(id, nodes, parents)) add(callers, caller, time);
  }
  return { byPlace: shares(places, busy), byFunction: shares(functions, busy), byCaller: shares(callers, busy) };
}

function selfTimes({ samples, timeDeltas }: CpuProfile): Map<number, number> {
  const times = new Map<number, number>();
  samples.forEach((id, i) => {
    times.set(id, (times.get(id) ?? 0) + (timeDeltas[i] ?? 0));
  });
  return times;
}

/** The gateway's functions on the stack of a node, each once. */
function ownFunctions(id: number, nodes: Map<number, ProfileNode>, parents: Map<number, number>): Set<string> {
  const found = new Set<string>();
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const frame = nodes.get(at)?.callFrame;
    if (frame && shortUrl(frame.url).startsWith('dist/')) found.add(functionOf(frame));
  }
  return found;
}

/** Idle time, and the profiler's own start and stop. */
function isNoWork({ functionName, url }: CallFrame): boolean {
  return functionName === '(idle)' || url === 'node:inspector';
}

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time);
}

function shares(times: Map<string, number>, total: number): Shares {
  return [...times].map(([name, time]): [string, number] => [name, time / total]).sort((a, b) => b[1] - a[1]);
}

function functionOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name}  ${shortUrl(url)}:${lineNumber + 1}`;
}

/** The package, the folder of the gateway, or `node:` for Node's own code; V8's work keeps its name. */
function placeOf({ url, functionName }: CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native code)';
  const path = shortUrl(url);
  if (path.startsWith('node:')) return 'node:';
  const [first = '', second = '', third = ''] = path.split('/');
  if (first === 'dist' && third !== '') return `${first}/${second}`;
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** From the package's name, or from `dist/` or `bench/` on. */
function shortUrl(url: string): string {
  return url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/(dist|bench)\//, '$1/');
}

const PROFILED_SECONDS = 3;
const FUNCTIONS_SHOWN = 30;
const PLACES_SHOWN = 16;

/** Profiles the warm servers under every load with a promised limit, and reports where their time goes. */
async function profile({ gateway, proxy, driver }: Setting): Promise<string> {
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

const options = readOptions(process.argv.slice(2));
const setting = await prepare(options);
try {
  if (options.profile) console.log(await profile(setting));
  else report(await compare(setting, options.quick ? quick : thorough, !options.quick), setting, options);
} finally {
  await setting.stop();
}

function report(comparison: Comparison, { pinning }: Setting, { json }: Options): void {
  console.log(json ? JSON.stringify(comparison, null, 2) : toTable(comparison, pinning));
  if (comparison.errors > 0) process.exitCode = 1;
}

function readOptions(words: string[]): Options {
  try {
    return parseOptions(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${OPTIONS_HELP}`);
    process.exit(2);
  }
}
