import { createHash } from 'node:crypto';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** JavaScript after the build, TypeScript in tests. */
const PROGRAM = new URL(`./tokenizer.thread${path.extname(import.meta.url)}`, import.meta.url);
const IDLE_LIMIT_MS = 300_000;
/** For longer text, the count is extrapolated from pieces of it. */
const MAX_COUNTED_LENGTH = 100_000;
const PIECE_LENGTH = 500;
const PIECES = MAX_COUNTED_LENGTH / PIECE_LENGTH;

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/**
 * Counts tokens if an upstream does not report them. The tokenizer needs 60 MB and a quarter of a second to load, so it
 * runs in a thread that starts on first use and stops after five idle minutes.
 */
@Injectable()
export class TokenCounter implements OnApplicationShutdown {
  private thread: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private requested = 0;
  private idle: NodeJS.Timeout | undefined;

  /** Exact up to 1000 characters, estimated beyond. */
  async count(text: string): Promise<number> {
    if (text === '') return 0;
    if (text.length <= MAX_COUNTED_LENGTH) return this.ask<number>('count', text);
    const tokens = await this.ask<number>('count', sampleOf(text));
    return Math.ceil((tokens * text.length) / MAX_COUNTED_LENGTH);
  }

  /** Splits text into pieces of one token; a piece that would split a character is joined to the next. */
  async split(text: string): Promise<string[]> {
    return this.ask<string[]>('pieces', text);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.idle);
    await this.thread?.terminate();
  }

  private ask<T>(required: TokenizerQuestion['required'], text: string): Promise<T> {
    const question: TokenizerQuestion = { id: ++this.requested, required, text };
    this.thread ??= this.start();
    this.thread.ref();
    clearTimeout(this.idle);
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(question.id, { resolve, reject });
      this.thread?.postMessage(question);
    });
  }

  private start(): Worker {
    const thread = new Worker(PROGRAM);
    thread.on('message', (answer: TokenizerAnswer) => this.settle(answer));
    thread.on('error', (error: Error) => this.end(thread, error));
    thread.on('exit', () => this.end(thread, new Error('the tokenizer ended')));
    return thread;
  }

  private settle({ id, value }: TokenizerAnswer): void {
    this.waiting.get(id)?.resolve(value as never);
    this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    this.thread?.unref();
    this.idle = setTimeout(() => this.release(), IDLE_LIMIT_MS).unref();
  }

  private release(): void {
    const { thread } = this;
    this.thread = undefined;
    void thread?.terminate();
  }

  private end(thread: Worker, error: Error): void {
    if (this.thread !== thread) return;
    this.thread = undefined;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/**
 * Pieces from all parts of a text. Where they are depends on the whole text, so that nobody can write the pieces in few
 * tokens and the rest in many.
 */
function sampleOf(text: string): string {
  const places = createHash('shake256', { outputLength: PIECES * 4 })
    .update(text)
    .digest();
  const part = text.length / PIECES;
  let sample = '';
  for (let index = 0; index < PIECES; index++) {
    const at = Math.floor(part * index + (part - PIECE_LENGTH) * (places.readUInt32LE(index * 4) / 2 ** 32));
    sample += text.slice(at, at + PIECE_LENGTH);
  }
  return sample;
}

/** Counts the tokens of a model whose tokenizer makes `factor` times as many. */
export function scaledCounter(counter: TokenCounter, factor: number): Pick<TokenCounter, 'count'> {
  return factor === 1 ? counter : { count: async (text) => Math.ceil((await counter.count(text)) * factor) };
}

/** Messages of the tokenizer thread. */
export interface TokenizerQuestion {
  id: number;
  required: 'count' | 'pieces';
  text: string;
}

export interface TokenizerAnswer {
  id: number;
  value: number | string[];
}
