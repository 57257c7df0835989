import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { NativeApiName } from '../../src/upstreams/contract/native.body.js';
import { UpstreamError } from '../../src/upstreams/contract/upstream.error.js';
import { type Exchange, readExchange } from '../support/exchanges.js';
import {
  callTo,
  chunksOf,
  type DeclaredApi,
  declaredApis,
  expectAnswerPassed,
  expectStreamPassed,
  READERS,
  upstreamBytes,
} from '../support/native-checks.js';
import { RECORDINGS, RESPONSES_RECORDINGS } from './shared-recordings.js';

/** One upstream for each framing is enough if many upstreams implement an API in the same way. */
const TESTED = ['openai responses', 'xai responses', 'anthropic messages', 'bedrock messages'];

function recordings(api: NativeApiName): Exchange[] {
  const folders = {
    responses: [...subfolders(RESPONSES_RECORDINGS), join(RECORDINGS, 'openai'), join(RECORDINGS, 'azure')],
    messages: [join(RECORDINGS, 'anthropic')],
  };
  return folders[api].flatMap(recordingsIn).filter(READERS[api].isChat);
}

function subfolders(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

function recordingsIn(folder: string): Exchange[] {
  const files = readdirSync(folder).filter((file) => /\.(?:json|chunks\.txt)$/.test(file));
  return files.map((file) => readExchange(folder, file));
}

const declared = declaredApis().filter(({ protocol, api }) => TESTED.includes(`${protocol} ${api}`));

describe.each(declared.map((one) => [one.protocol, one.api, one] as const))('%s, %s', (protocol, api, one) => {
  for (const recording of recordings(api)) {
    it(`forwards ${recording.file}`, () => expectPassed(one, recording, callTo(protocol)));
  }
});

it('there are recordings of each API', () => {
  expect(recordings('responses').length).toBeGreaterThan(20);
  expect(recordings('messages').length).toBeGreaterThan(20);
});

async function expectPassed(one: DeclaredApi, recording: Exchange, call: DeclaredApi['call']): Promise<void> {
  const { status, headers, body, stream } = recording;
  if (status >= 400) expect(one.native.toError(status, headers, body, call)).toBeInstanceOf(UpstreamError);
  else if (stream === null) expectAnswerPassed(one, JSON.stringify(body), recording);
  else if (READERS[one.api].streamError(stream) === undefined) await expectStreamPassed(one, recording);
  else await expect(chunksOf(one, [upstreamBytes(one.native, recording)])).rejects.toBeInstanceOf(UpstreamError);
}
