import { readFile } from 'node:fs/promises';

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
export async function profileSummary(file: string): Promise<ProfileSummary> {
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
