import type { RequestKind } from './requests.ts';
import type { Format } from './traffic.ts';

/** A kind of load, the same for both servers. */
export interface Phase {
  name: 'json-64' | 'limits-64' | 'json-1' | 'streams-200' | 'anthropic-200' | 'conversation-8' | 'image-2';
  title: string;
  connections: number;
  request: RequestKind;
  /** The format that the gateway translates from and the proxy forwards; default: `openai`. */
  upstream?: Format;
  /** The format that the gateway's clients use; default: `openai`. */
  api?: Format;
  /** The key has limits on plan, user and key. */
  isLimited?: boolean;
  /** The bare proxy parses and serialises the body. */
  proxyParses?: boolean;
  /** What the CPU time is divided by. */
  unit: 'request' | 'chunk';
  /** Promised limits. */
  most: Promised;
}

/** Upper limits. */
export interface Promised {
  /** The gateway's CPU time as a multiple of the bare proxy's. */
  cpuRatio?: number;
  /** The database's CPU time, in µs a request. */
  databaseCpu?: number;
  /** What the gateway adds to the bare proxy's median. */
  addedP50Ms?: number;
}

/** How long a phase runs: `pairs` counted turns on each server, `seconds` each, after warming up. */
export interface Effort {
  pairs: number;
  seconds: number;
  warmUpAnswers: number;
}

/** Missing phases are skipped. */
export type Efforts = Partial<Record<Phase['name'], Effort>>;

export const phases: Phase[] = [
  {
    name: 'json-64',
    title: 'JSON, 64 connections',
    connections: 64,
    request: 'json',
    unit: 'request',
    most: { cpuRatio: 2.5, databaseCpu: 40 },
  },
  {
    name: 'limits-64',
    title: 'The same, with rates, concurrency and budgets on plan, user and key',
    connections: 64,
    request: 'json',
    isLimited: true,
    unit: 'request',
    most: {},
  },
  {
    name: 'json-1',
    title: 'JSON, 1 connection',
    connections: 1,
    request: 'json',
    unit: 'request',
    most: { addedP50Ms: 0.5 },
  },
  {
    name: 'streams-200',
    title: '200 streams',
    connections: 200,
    request: 'stream',
    unit: 'chunk',
    most: { cpuRatio: 1.3 },
  },
  {
    name: 'anthropic-200',
    title: '200 streams, Anthropic → OpenAI',
    connections: 200,
    request: 'stream',
    upstream: 'anthropic',
    unit: 'chunk',
    most: { cpuRatio: 1.5 },
  },
  {
    name: 'conversation-8',
    title: 'Conversation of 200 messages, 100 kB, 8 connections',
    connections: 8,
    request: 'conversation',
    unit: 'request',
    most: { cpuRatio: 2 },
  },
  {
    name: 'image-2',
    title: 'Image of 5 MB in base64, 2 connections; the bare proxy also parses and serialises it',
    connections: 2,
    request: 'image',
    proxyParses: true,
    unit: 'request',
    most: { cpuRatio: 1.5 },
  },
];

/** Many short turns instead of few long ones: other work on the machine then affects both servers alike. */
export const thorough: Efforts = {
  'json-64': { pairs: 16, seconds: 0.6, warmUpAnswers: 40_000 },
  'limits-64': { pairs: 8, seconds: 0.6, warmUpAnswers: 5000 },
  'json-1': { pairs: 8, seconds: 0.4, warmUpAnswers: 500 },
  'streams-200': { pairs: 16, seconds: 0.5, warmUpAnswers: 600 },
  'anthropic-200': { pairs: 5, seconds: 0.5, warmUpAnswers: 200 },
  'conversation-8': { pairs: 8, seconds: 0.5, warmUpAnswers: 1000 },
  'image-2': { pairs: 8, seconds: 0.8, warmUpAnswers: 30 },
};

export const quick: Efforts = {
  'json-64': { pairs: 4, seconds: 0.5, warmUpAnswers: 12_000 },
  'json-1': { pairs: 2, seconds: 0.3, warmUpAnswers: 200 },
  'streams-200': { pairs: 3, seconds: 0.5, warmUpAnswers: 200 },
  'anthropic-200': { pairs: 1, seconds: 0.5, warmUpAnswers: 0 },
};

/** @throws if there is no such load. */
export function phaseOf(name: Phase['name']): Phase {
  const phase = phases.find((one) => one.name === name);
  if (!phase) throw new Error(`there is no load '${name}'`);
  return phase;
}
