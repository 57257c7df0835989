import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';

/** Collects what the translation of a request loses. */
export class Losses {
  private readonly dropped = new Set<string>();
  private first: GatewayError | null = null;
  private readonly content: unknown[] = [];

  /** Paths of the parts that have no effect on translated targets. */
  get untranslated(): readonly string[] {
    return [...this.dropped];
  }

  /** The 400 for the first part that cannot be left out without changing the request's meaning. */
  get untranslatable(): GatewayError | null {
    return this.first;
  }

  /** Blocks that only a native target reads. */
  get nativeContent(): readonly unknown[] {
    return this.content;
  }

  drop(path: string): void {
    this.dropped.add(path);
  }

  dropBlock(block: unknown, path: string): void {
    this.content.push(block);
    this.drop(path);
  }

  refuseBlock(block: unknown, path: string): void {
    this.content.push(block);
    this.refuse(`${path}.type`);
  }

  refuse(path: string): void {
    this.first ??= invalidRequest(
      'unsupported_parameter',
      path,
      `'${path}' is only supported by models whose provider has the Messages API. Remove it, or choose another model.`,
    );
  }
}
