export interface Refusal {
  requestId: string;
  keyId: string | null;
  userId: string | null;
  /** By which the client called, for example `responses`. */
  api?: string;
  /** A model id of the catalog; other requested names are not recorded here. */
  model: string | null;
  status: number;
  code: string;
  /** The display form of the presented secret. */
  keyDisplay?: string | null;
  /** The requested model and the error message; stored shortened with recent errors, and not counted by. */
  askedModel?: string | null;
  message?: string | null;
}
