export interface Refusal {
  requestId: string;
  keyId: string | null;
  userId: string | null;
  /** The API that the client called, for example `responses`. */
  api?: string;
  /** A model id of the catalog; other requested names are not recorded here. */
  model: string | null;
  status: number;
  code: string;
  /** The display form of the presented secret. */
  keyDisplay?: string | null;
  /** The requested model. It and the error message are stored, shortened, with recent errors only. */
  askedModel?: string | null;
  message?: string | null;
}
