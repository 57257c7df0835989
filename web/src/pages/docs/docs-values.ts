/** The values in the code on these pages: this gateway, and models that the person can call. */
export interface DocsValues {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly embeddingModel: string;
  readonly email: string;
}

export interface Code {
  /** `curl`, `python`, `node`, or another language of a guide. */
  readonly id: string;
  readonly name: string;
  readonly code: string;
}

/** The gateway's address without `/v1`. */
export function originOf({ baseUrl }: DocsValues): string {
  return baseUrl.replace(/\/v1$/, '');
}
