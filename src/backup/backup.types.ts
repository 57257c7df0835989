/** The header of a backup: its origin, and what a restored database must contain. */
export interface BackupHead extends BackupSummary {
  /** Of the file format, not of the schema. */
  readonly format: number;
  /** The gateway's version that made the backup. */
  readonly program: string;
  readonly createdAt: string;
  /** The migrations of the schema, oldest first. */
  readonly migrations: readonly { readonly name: string; readonly program: string | null }[];
}

/** Counted before and after, to detect missing data. */
export interface BackupSummary {
  /** Rows of each table; rows of partitions count for their table. */
  readonly tables: Readonly<Record<string, number>>;
  readonly balances: readonly Balance[];
}

/** The usage of a user's key, from the ledger. */
export interface Balance {
  readonly userId: string;
  readonly email: string | null;
  readonly keyId: string;
  readonly calls: number;
  readonly tokens: number;
  /** A decimal number; it can exceed a double. */
  readonly costNanodollars: string;
}
