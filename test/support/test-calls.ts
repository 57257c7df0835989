import { randomBytes, randomUUID } from 'node:crypto';
import type { ClosedCall, OpenCall } from '../../src/ledger/call-record.types.js';

/** A call as it is opened in the ledger. */
export function openCall(overrides: Partial<OpenCall> = {}): OpenCall {
  return {
    id: `chatcmpl-${randomBytes(8).toString('hex')}`,
    startedAt: new Date(),
    requestId: 'req_1',
    keyId: randomUUID(),
    keyDisplay: 'svc_ab12…9xYz',
    userId: randomUUID(),
    planId: 'free',
    model: 'gpt-6-luna',
    api: 'chat.completions',
    clientAddress: '203.0.113.7',
    userAgent: 'curl/8',
    stream: false,
    priceVersion: 'v1',
    simulated: false,
    estimatedInputTokens: 13,
    promptNanodollars: 0,
    admissionRequest: null,
    ...overrides,
  };
}

/** The same call as it is closed in the ledger. */
export function closedCall(call: OpenCall, overrides: Partial<ClosedCall> = {}): ClosedCall {
  return {
    ...call,
    status: 'settled',
    answerId: null,
    httpStatus: 200,
    servedModel: call.model,
    upstream: 'openai',
    upstreamModel: 'gpt-upstream',
    finishReason: 'stop',
    errorCode: null,
    tokens: { input: 11, cached: 5, output: 3, reasoning: 1 },
    tokenSource: 'reported',
    costNanodollars: 1234n,
    charge: null,
    attempts: [{ upstream: 'openai', upstreamModel: 'gpt-upstream', startMs: 1, ms: 20, outcome: 'ok', status: 200 }],
    firstTokenMs: 7,
    totalMs: 21,
    ...overrides,
  };
}
