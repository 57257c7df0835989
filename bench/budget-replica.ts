/** Writes limited calls to the ledger: one of many processes that share a budget. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type pg from 'pg';
import { answerQuestions } from './questions.ts';

type Writers = typeof import('../src/ledger/ledger-writers.js');
type LedgerWriters = import('../src/ledger/ledger-writers.js').LedgerWriters;
type OpenCall = import('../src/ledger/call-record.types.js').OpenCall;

export interface ReplicaPlan {
  connection: pg.ClientConfig;
  instance: number;
  userId: string;
  keyId: string;
  /** Nano-dollars a month, for the user. */
  budget: string;
}

export interface ReplicaRun {
  callers: number;
  seconds: number;
}

export interface ReplicaFigures {
  calls: number;
  refused: number;
  failed: number;
  /** CPU of this process, in µs. */
  cpu: number;
}

const LEDGER = path.resolve(import.meta.dirname, '../dist/ledger');
const CEILING = 100;
const TOKEN_PRICE = 1_000_000_000n;
const NOTHING = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrentCalls: null,
  budgetDayNanodollars: null,
  budgetMonthNanodollars: null,
  budgetTotalNanodollars: null,
};

const { ledgerWriters, startWatching }: Writers = await import(path.join(LEDGER, 'ledger-writers.js'));
const load = { underWay: 0 };
let plan: ReplicaPlan;
let writers: LedgerWriters;

function newCall(): OpenCall {
  const { userId, keyId, budget } = plan;
  const balances = [
    { id: userId, kind: 'user' as const, values: { ...NOTHING, budgetMonthNanodollars: BigInt(budget) } },
    { id: keyId, kind: 'key' as const, values: { ...NOTHING, requestsPerMinute: 1_000_000_000 } },
  ];
  const full = (BigInt(CEILING) * TOKEN_PRICE) / 1_000_000n;
  return {
    id: `chatcmpl-${randomBytes(16).toString('hex')}`,
    startedAt: new Date(),
    requestId: `req_${randomBytes(12).toString('hex')}`,
    keyId,
    keyDisplay: 'svc_ab12…9xYz',
    userId,
    planId: 'free',
    model: 'gpt-6-luna',
    api: 'chat.completions',
    clientAddress: '127.0.0.1',
    userAgent: 'bench',
    stream: false,
    priceVersion: 'bench',
    simulated: false,
    estimatedInputTokens: 13,
    promptNanodollars: 0,
    admissionRequest: {
      balances,
      tokens: 13,
      money: {
        ...{ full, promptPrice: 0n, tokenPrice: TOKEN_PRICE, choices: 1, ceiling: CEILING, isOwnCeiling: true },
        ...{ hostedCalls: null, factors: { prompt: 1, output: 1 } },
      },
    },
  };
}

/** True if it was admitted. */
async function call(): Promise<boolean> {
  load.underWay++;
  try {
    return await openedAndClosed();
  } finally {
    load.underWay--;
  }
}

async function openedAndClosed(): Promise<boolean> {
  const opened = newCall();
  const admission = await writers.open.write(opened);
  if (!admission?.isAdmitted) return false;
  await writers.closed.write({
    ...opened,
    status: 'settled',
    answerId: null,
    httpStatus: 200,
    servedModel: opened.model,
    upstream: 'openai',
    upstreamModel: 'gpt-6-luna',
    finishReason: 'stop',
    errorCode: null,
    tokens: { input: 11, cached: 0, output: 9, reasoning: 0 },
    tokenSource: 'reported',
    costNanodollars: 9000n,
    charge: null,
    attempts: [],
    firstTokenMs: null,
    totalMs: 21,
  });
  return true;
}

answerQuestions({
  async open(given: ReplicaPlan) {
    plan = given;
    const metrics = {
      observerOf: () => () => undefined,
      observePerCaller: () => undefined,
      observeTimeout: () => undefined,
    };
    const asItIs = (error: unknown) => error as Error;
    const events = {
      onFailure: () => undefined,
      onSlowCaller: () => undefined,
      makePartitions: async () => undefined,
      notOpened: asItIs,
      notClosed: asItIs,
    };
    writers = ledgerWriters(given.connection as never, String(given.instance), metrics as never, events, load);
    await startWatching(writers);
  },
  async run({ callers, seconds }: ReplicaRun): Promise<ReplicaFigures> {
    const figures = { calls: 0, refused: 0, failed: 0 };
    const before = process.cpuUsage();
    const end = performance.now() + seconds * 1000;
    const caller = async () => {
      while (performance.now() < end) {
        const isAdmitted = await call().catch(() => null);
        if (isAdmitted === null) figures.failed++;
        else if (isAdmitted) figures.calls++;
        else figures.refused++;
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    const { user, system } = process.cpuUsage(before);
    return { ...figures, cpu: user + system };
  },
  async close() {
    for (const writer of [writers.open, writers.closed, writers.unopened]) writer.stop();
    await Promise.all(writers.pools.map((pool) => pool.end()));
  },
});
process.channel?.ref();
