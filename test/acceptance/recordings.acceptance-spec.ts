import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type ListedAdapter, PROVIDERS } from '../../src/upstreams/providers/providers.js';
import { expectFailure, expectFaithful, expectRefusal } from '../support/adapter-checks.js';
import type { Exchange } from '../support/exchanges.js';
import type { UpstreamReader } from '../support/upstream-reader.js';
import { readerOf } from '../support/upstream-readers.js';
import { RECORDINGS, recordingsOf } from './shared-recordings.js';

function foldersOf(protocol: string): readonly string[] {
  return readerOf(protocol).folders ?? [protocol];
}

describe.each(PROVIDERS.map((adapter) => [adapter.protocol, adapter] as const))('%s', (protocol, adapter) => {
  const reader = readerOf(protocol);

  for (const recording of foldersOf(protocol).flatMap(recordingsOf).filter(reader.isChat)) {
    it(`translates ${recording.file}`, () => expectTranslated(adapter, reader, recording));
  }
});

it('every folder of recordings is read for a protocol', () => {
  const folders = readdirSync(RECORDINGS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const read = new Set(PROVIDERS.flatMap(({ protocol }) => foldersOf(protocol)));
  expect(folders.map(({ name }) => name).filter((name) => !read.has(name))).toEqual([]);
});

async function expectTranslated(adapter: ListedAdapter, reader: UpstreamReader, recording: Exchange): Promise<void> {
  if (recording.status >= 400) return expectRefusal(adapter, recording, `error-${recording.status}`);
  const fails = recording.stream !== null && reader.streamError(recording.stream);
  return fails ? expectFailure(adapter, reader, recording) : expectFaithful(adapter, reader, recording);
}
