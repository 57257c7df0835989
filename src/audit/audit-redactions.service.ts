import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { auditEntryText } from './audit-entry-text.js';

/** Who is replaced by the pseudonym, in entries and alerts. */
export interface Redaction {
  readonly id: string;
  /** Of keys and access tokens. */
  readonly keyIds: readonly string[];
  readonly email: string | null;
  readonly name: string | null;
  readonly pseudonym: string;
}

/** Every e-mail address and name that the user has had, unless it is another user's now. $1: the user's id. */
const IDENTITIES = `
  SELECT DISTINCT kind, value FROM audit_log, LATERAL (VALUES
    ('email', before ->> 'email'), ('email', after ->> 'email'), ('name', before ->> 'name'), ('name', after ->> 'name')
  ) AS had (kind, value)
  WHERE target_kind = 'user' AND target_id = $1 AND value <> ''
    AND NOT EXISTS (SELECT FROM users WHERE email = value AND id::text <> $1)`;

/** E-mail addresses as a whole, in any case. $3: their pattern; $4: the pseudonym. */
const withoutEmail = (text: string) =>
  `(CASE WHEN $3::text IS NULL THEN ${text} ELSE regexp_replace(${text}, $3, $4, 'gi') END)`;
/** Names only where they are a whole value, because they may be common words. $5: the pattern of the JSON texts. */
const withoutIdentity = (json: string) => `(CASE WHEN $5::text IS NULL THEN ${withoutEmail(`${json}::text`)}
  ELSE regexp_replace(${withoutEmail(`${json}::text`)}, $5, to_json($4::text)::text, 'g') END)::jsonb`;
const label = (text: string) =>
  `(CASE WHEN to_json(${text})::text ~ ('^' || $5 || '$') THEN $4 ELSE ${withoutEmail(text)} END)`;

const ENTRIES = `
  UPDATE audit_log SET actor_name = ${label('actor_name')},
    target_name = CASE WHEN target_kind IN ('key', 'token') AND target_id = ANY($2) THEN $4 ELSE ${label('target_name')} END,
    before = CASE WHEN target_kind IN ('key', 'token') AND target_id = ANY($2) THEN before - 'name' - 'note' - 'addresses'
      ELSE ${withoutIdentity('before')} END,
    after = CASE WHEN target_kind IN ('key', 'token') AND target_id = ANY($2) THEN after - 'name' - 'note' - 'addresses'
      ELSE ${withoutIdentity('after')} END,
    address = CASE WHEN actor_id = $1::uuid THEN NULL ELSE address END
  WHERE actor_id = $1::uuid OR (target_kind = 'user' AND target_id = $1::text)
    OR (target_kind IN ('key', 'token') AND target_id = ANY($2))
    OR ($3::text IS NOT NULL AND concat_ws(' ', actor_name, target_name, before::text, after::text) ~* $3)
  RETURNING id`;

const HASHES = `
  INSERT INTO audit_redactions
  SELECT $1, entry.id, sha256(convert_to(${auditEntryText('entry')}, 'UTF8')) FROM audit_log AS entry WHERE id = ANY($2)`;

/** Names a redaction's entries and their present text. */
const DIGEST = `encode(sha256(convert_to(string_agg(entry_id || ':' || encode(hash, 'hex'), ',' ORDER BY entry_id), 'UTF8')), 'hex')`;

/** $1: the redaction. */
const DIGEST_OF = `SELECT count(*)::int AS entries, coalesce(${DIGEST}, '') AS digest FROM audit_redactions WHERE redaction = $1`;

/** A replaced entry is genuine if a later entry of the chain has the digest of its redaction. */
export const UNPROVEN_REDACTION = `
  SELECT entry_id AS id FROM (SELECT redaction, min(entry_id) AS entry_id, ${DIGEST} AS digest FROM audit_redactions GROUP BY 1) AS r
  WHERE NOT EXISTS (SELECT FROM audit_log WHERE action = 'user.forget'
    AND after ->> 'redaction' = r.redaction::text AND after ->> 'digest' = r.digest) LIMIT 1`;

const ALERTS = `
  UPDATE alerts SET subject = ${label('subject')}, text = ${withoutEmail('text')}
  WHERE (($3::text IS NOT NULL AND (subject ~* $3 OR text ~* $3)) OR to_json(subject)::text ~ ('^' || $5 || '$'))`;

/**
 * Replaces a person in the audit log. The chain keeps the hashes of the original entries; the hashes of the new texts
 * are stored beside it, and their digest belongs into the entry that records the change.
 */
@Injectable()
export class AuditRedactionsService {
  async redact(
    manager: EntityManager,
    redaction: string,
    { id, keyIds, email, name, pseudonym }: Redaction,
  ): Promise<{ entries: number; digest: string }> {
    const former: { kind: 'email' | 'name'; value: string }[] = await manager.query(IDENTITIES, [id]);
    const all = (kind: 'email' | 'name', present: string | null) => [
      ...new Set([present ?? [], former.filter((one) => one.kind === kind).map(({ value }) => value)].flat()),
    ];
    const values = [id, keyIds, emailPattern(all('email', email)), pseudonym, namePattern(all('name', name))];
    await manager.query("SELECT set_config('gateway.redacting', 'on', true)");
    const [entries]: [{ id: string }[]] = await manager.query(ENTRIES, values);
    await manager.query("SELECT set_config('gateway.redacting', '', true)");
    await manager.query(HASHES, [redaction, entries.map((entry) => entry.id)]);
    await manager.query(`${ALERTS} AND $1::text IS NOT NULL AND $2::text[] IS NOT NULL`, values);
    const [found] = await manager.query(DIGEST_OF, [redaction]);
    return found;
  }
}

/** Not as a part of a longer address. */
function emailPattern(emails: readonly string[]): string | null {
  return emails.length === 0 ? null : `(?<![[:alnum:]._%+-])(?:${emails.map(escaped).join('|')})(?!\\.?[[:alnum:]-])`;
}

function namePattern(names: readonly string[]): string | null {
  return names.length === 0 ? null : `(?:${names.map((name) => escaped(JSON.stringify(name))).join('|')})`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
}
