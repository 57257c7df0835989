import type { Format } from './traffic.ts';

/** A kind of load, the same for both servers. */
export interface Phase {
  name: 'json-64' | 'json-1' | 'streams-200' | 'anthropic-200';
  title: string;
  connections: number;
  stream: boolean;
  /** The format that the gateway translates from and the proxy passes through; default: `openai`. */
  upstream?: Format;
  /** What the CPU time is divided by. */
  unit: 'request' | 'chunk';
  /** The most that the gateway may spend, as a multiple of the bare proxy's CPU time; null where nothing is promised. */
  wanted: number | null;
}

/** How long a phase is driven: `pairs` times counted on each server in turn, `seconds` each, once it is warm. */
export interface Effort {
  pairs: number;
  seconds: number;
  warmUpAnswers: number;
}

export const phases: Phase[] = [
  { name: 'json-64', title: 'JSON, 64 connections', connections: 64, stream: false, unit: 'request', wanted: 1.9 },
  { name: 'json-1', title: 'JSON, 1 connection', connections: 1, stream: false, unit: 'request', wanted: null },
  { name: 'streams-200', title: '200 streams', connections: 200, stream: true, unit: 'chunk', wanted: 1.4 },
  {
    name: 'anthropic-200',
    title: '200 streams, Anthropic → OpenAI',
    connections: 200,
    stream: true,
    upstream: 'anthropic',
    unit: 'chunk',
    wanted: null,
  },
];

/** Many short turns rather than few long ones: what else the machine does then hits both servers alike. */
export const thorough: Record<Phase['name'], Effort> = {
  'json-64': { pairs: 16, seconds: 0.6, warmUpAnswers: 40_000 },
  'json-1': { pairs: 6, seconds: 0.4, warmUpAnswers: 500 },
  'streams-200': { pairs: 16, seconds: 0.5, warmUpAnswers: 600 },
  'anthropic-200': { pairs: 5, seconds: 0.5, warmUpAnswers: 200 },
};

export const quick: Record<Phase['name'], Effort> = {
  'json-64': { pairs: 4, seconds: 0.5, warmUpAnswers: 12_000 },
  'json-1': { pairs: 2, seconds: 0.3, warmUpAnswers: 200 },
  'streams-200': { pairs: 3, seconds: 0.5, warmUpAnswers: 200 },
  'anthropic-200': { pairs: 1, seconds: 0.5, warmUpAnswers: 0 },
};
