/** Numbers, or base64 of little-endian 32-bit floats. */
export type Vector = readonly number[] | string;

export interface EmbeddingAnswer {
  /** In the order of the inputs. */
  readonly vectors: readonly Vector[];
  /** Undefined: not reported. */
  readonly inputTokens?: number | undefined;
}
