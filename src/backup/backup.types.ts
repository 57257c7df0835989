/** The first thing in a backup: who made it, of what, and what a restored database must come to. */
export interface BackupHead extends BackupSummary {
  /** Of the file, not of the schema. */
  readonly format: number;
  /** Version of the gateway that made the backup. */
  readonly program: string;
  readonly createdAt: string;
  /** The state of the schema, oldest first. */
  readonly migrations: readonly { readonly name: string; readonly program: string | null }[];
}

/** What is counted before and after, to know that nothing is missing. */
export interface BackupSummary {
  /** Rows of each table; those of partitions count for the table that they belong to. */
  readonly tables: Readonly<Record<string, number>>;
  readonly balances: readonly Balance[];
}

/** What a user's key has used, by the ledger. */
export interface Balance {
  readonly userId: string;
  readonly email: string | null;
  readonly keyId: string;
  readonly calls: number;
  readonly tokens: number;
  /** A decimal number: it may be larger than a double holds. */
  readonly costNanodollars: string;
}
