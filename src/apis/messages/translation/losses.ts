import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';

/** Collects what the translation of a request loses. */
export class Losses {
  /** Paths of the parts that have no effect on translated targets. */
  readonly untranslated = new Set<string>();
  /** The 400 for the first part that cannot be left out without changing the request's meaning. */
  untranslatable: GatewayError | null = null;
  /** Blocks that only a native target reads. */
  readonly nativeContent: unknown[] = [];

  drop(path: string): void {
    this.untranslated.add(path);
  }

  dropBlock(block: unknown, path: string): void {
    this.nativeContent.push(block);
    this.drop(path);
  }

  refuseBlock(block: unknown, path: string): void {
    this.nativeContent.push(block);
    this.refuse(`${path}.type`);
  }

  refuse(path: string): void {
    this.untranslatable ??= invalidRequest(
      'unsupported_parameter',
      path,
      `'${path}' is only supported by models whose provider has the Messages API. Remove it, or choose another model.`,
    );
  }
}
