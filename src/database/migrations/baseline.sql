-- The schema of version 0.1.0. Do not change it once that version is released: write a migration, see docs/migrations.md.
-- The SQL functions have files of their own; those of the triggers below are installed before.

-- People, projects, sign-in.

CREATE TABLE projects (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  archived_at timestamptz,
  logs_content boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX projects_name ON projects (lower(name)) WHERE archived_at IS NULL;

-- The user of kind `project` represents a project; others with a `project_id` are its service accounts. They never change
-- their project, so the project of a call is known from its user. `forgotten_at`: when e-mail address and name were replaced.
-- `permissions`: of service accounts. E-mail addresses are lower-cased in ASCII only.
CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text UNIQUE CHECK (email = lower(email COLLATE "C")),
  name text NOT NULL DEFAULT '',
  role text NOT NULL DEFAULT 'member' CHECK (role IN ('admin', 'member')),
  kind text NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'service', 'project')),
  password_hash text,
  disabled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  oidc_issuer text,
  oidc_subject text,
  last_seen_at timestamptz,
  project_id uuid CONSTRAINT users_project_fkey REFERENCES projects,
  forgotten_at timestamptz,
  permissions text[] NOT NULL DEFAULT '{}',
  UNIQUE (oidc_issuer, oidc_subject),
  CONSTRAINT users_has_email CHECK (email IS NOT NULL OR project_id IS NOT NULL),
  CONSTRAINT users_of_project_check CHECK (kind <> 'project' OR project_id IS NOT NULL)
);
CREATE UNIQUE INDEX users_of_project ON users (project_id) WHERE kind = 'project';
CREATE INDEX users_project ON users (project_id) WHERE project_id IS NOT NULL;

CREATE TABLE project_members (
  project_id uuid NOT NULL REFERENCES projects,
  user_id uuid NOT NULL REFERENCES users,
  role text NOT NULL CHECK (role IN ('manager', 'member')),
  source text NOT NULL CHECK (source IN ('local', 'oidc')),
  PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_members_user ON project_members (user_id);

CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  user_id uuid NOT NULL REFERENCES users,
  method text NOT NULL CHECK (method IN ('password', 'oidc', 'setup')),
  address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE one_time_links (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX one_time_links_user ON one_time_links (user_id);

CREATE TABLE oidc_sign_ins (
  state_hash bytea PRIMARY KEY CHECK (length(state_hash) = 32),
  browser_hash bytea NOT NULL,
  nonce text NOT NULL,
  code_verifier text NOT NULL,
  next text NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE sign_in_limits (key varchar(255) PRIMARY KEY, points int NOT NULL DEFAULT 0, expire bigint);

-- Set-up happens once and has one token at a time.
CREATE TABLE setup (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  done_at timestamptz,
  token_hash bytea CHECK (length(token_hash) = 32),
  token_expires_at timestamptz,
  CHECK (done_at IS NULL OR token_hash IS NULL)
);
INSERT INTO setup DEFAULT VALUES;

-- A random secret that all processes of an installation share.
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  secret bytea NOT NULL DEFAULT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
);
INSERT INTO installation DEFAULT VALUES;

-- Keys. `bound_…`: restrictions that users other than the owner have set. During a rotation a key has two secrets; each has
-- a last use of its own. The pages have free space, so that writing a last use changes no index, and are vacuumed earlier,
-- which frees it again. No index may contain a column that changes with each use.

CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL,
  kind text NOT NULL DEFAULT 'user' CHECK (kind IN ('user', 'playground')),
  key_hash bytea NOT NULL UNIQUE CHECK (length(key_hash) = 32),
  display text NOT NULL,
  models text[],
  addresses text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  disabled_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  note text NOT NULL DEFAULT '',
  last_used_address text,
  last_used_agent text,
  last_used_model text,
  rotated_at timestamptz,
  previous_key_hash bytea UNIQUE CHECK (length(previous_key_hash) = 32),
  previous_display text,
  previous_expires_at timestamptz,
  disabled_by uuid,
  bound_by uuid,
  bound_models text[],
  bound_addresses text[],
  bound_expires_at timestamptz,
  logs_content boolean NOT NULL DEFAULT false,
  secret_used_at timestamptz,
  previous_used_at timestamptz,
  previous_used_address text,
  previous_used_agent text
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX api_keys_user ON api_keys (user_id, created_at);

-- Access tokens for `/api`. `created_by`: the user who created it, if it was one.
CREATE TABLE access_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  display text NOT NULL,
  scopes text[] NOT NULL,
  addresses text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  last_used_agent text
);
CREATE INDEX access_tokens_user ON access_tokens (user_id, created_at);

-- POST requests to `/api` with an Idempotency-Key; `answer`: null while the first one runs. Without secrets.
CREATE TABLE idempotent_writes (
  user_id uuid NOT NULL REFERENCES users,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  answer jsonb,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, key_hash)
);
CREATE INDEX idempotent_writes_expires_at ON idempotent_writes (expires_at);

-- Plans and payments.

CREATE TABLE plans (
  id text PRIMARY KEY,
  name text NOT NULL,
  tiers text[] NOT NULL,
  rank int NOT NULL UNIQUE,
  models text[] NOT NULL DEFAULT '{}',
  retired_at timestamptz
);
INSERT INTO plans (id, name, tiers, rank) VALUES ('free', 'Free', '{free}', 0), ('pro', 'Pro', '{free,pro}', 100);

CREATE TABLE plan_grants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users,
  plan_id text NOT NULL REFERENCES plans,
  starts_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz,
  source text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (ends_at >= starts_at)
);
CREATE INDEX plan_grants_user ON plan_grants (user_id, ends_at);

-- Who pays for which plan, as Stripe last reported, and which of its events have been processed. Stripe is asked outside
-- transactions: the sequence orders its answers, so that an older one never replaces a newer one.
CREATE SEQUENCE stripe_asked;

CREATE TABLE stripe_customers (user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE, customer_id text NOT NULL);
CREATE INDEX stripe_customers_id ON stripe_customers (customer_id);

CREATE TABLE stripe_subscriptions (
  id text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  plan_id text NOT NULL,
  status text NOT NULL,
  paid_until timestamptz,
  ends boolean NOT NULL,
  asked bigint NOT NULL DEFAULT 0
);
CREATE INDEX stripe_subscriptions_user ON stripe_subscriptions (user_id);

CREATE TABLE stripe_events (id text PRIMARY KEY, heeded_at timestamptz NOT NULL DEFAULT now());

-- Charges that were refunded or disputed, and the periods that they paid for.
CREATE TABLE stripe_charges (
  id text NOT NULL,
  subscription_id text NOT NULL,
  taken_back boolean NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  asked bigint NOT NULL,
  PRIMARY KEY (subscription_id, id)
);

-- Limits and budgets of plans, users, keys and projects. Without an amount: unlimited, whatever the plan says. No row: not
-- set here.
CREATE TABLE limit_values (
  scope text NOT NULL CHECK (scope IN ('plan', 'user', 'key', 'project')),
  subject text NOT NULL,
  name text NOT NULL,
  amount bigint CHECK (amount >= 0),
  bound bigint CHECK (bound >= amount),
  PRIMARY KEY (scope, subject, name)
);

-- What each limited user (limits of plan and user), key or project has used. A transaction locks the balances that it needs
-- first, in the order of their ids, so that there are no deadlocks. Calls that count in a balance change only while it is
-- locked. Rates are stored as the used part of a bucket at the time `at`, so that a new size applies immediately. `running`:
-- concurrent requests. `base_…`: the part of what was spent that calls without a limit had spent before; `base_wanted` marks
-- balances whose base is still to be computed from the roll-ups. `cap_…`: the budget that applied last. `furthest_day`: the
-- latest day before the database's clock stepped back; null: it never did.
CREATE TABLE limit_balances (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  at timestamptz NOT NULL,
  requests_per_minute float8,
  requests_used float8 NOT NULL DEFAULT 0,
  tokens_per_minute float8,
  tokens_used float8 NOT NULL DEFAULT 0,
  running int NOT NULL DEFAULT 0,
  day date NOT NULL DEFAULT 'epoch',
  cap_day bigint,
  spent_day bigint NOT NULL DEFAULT 0,
  reserved_day bigint NOT NULL DEFAULT 0,
  base_day bigint NOT NULL DEFAULT 0,
  month date NOT NULL DEFAULT 'epoch',
  cap_month bigint,
  spent_month bigint NOT NULL DEFAULT 0,
  reserved_month bigint NOT NULL DEFAULT 0,
  base_month bigint NOT NULL DEFAULT 0,
  cap_total bigint,
  spent_total bigint NOT NULL DEFAULT 0,
  reserved_total bigint NOT NULL DEFAULT 0,
  base_total bigint NOT NULL DEFAULT 0,
  base_wanted int NOT NULL DEFAULT 0,
  furthest_day date
) WITH (fillfactor = 50);
CREATE INDEX limit_balances_wanted ON limit_balances (id) WHERE base_wanted > 0;

CREATE TABLE limit_caps (
  id uuid NOT NULL,
  since timestamptz NOT NULL,
  cap_day bigint,
  cap_month bigint,
  cap_total bigint,
  PRIMARY KEY (id, since)
);

-- The smallest reservation that a budget has refused in its latest period with refusals. `since`: the first day of that
-- period in UTC; of total budgets -infinity.
CREATE TABLE budget_refusals (
  balance_id uuid NOT NULL,
  period text NOT NULL,
  since date NOT NULL,
  least_nanodollars bigint NOT NULL,
  PRIMARY KEY (balance_id, period)
);

-- What each process used of the upstreams' limits in the last second. It need not survive a crash.
CREATE UNLOGGED TABLE capacity_shares (
  scope text NOT NULL,
  instance_id bigint NOT NULL,
  asked float8 NOT NULL,
  under_way int NOT NULL,
  places int NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (scope, instance_id)
) WITH (fillfactor = 50);

-- Audit log: each entry gets a hash of itself and the previous hash. `audit_redactions`: the hashes of entries whose text was
-- replaced when a user was forgotten; each `redaction` is named by a later entry.

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'command_line', 'gateway', 'nobody')),
  actor_id uuid,
  actor_name text NOT NULL,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text,
  target_name text NOT NULL DEFAULT '',
  before jsonb,
  after jsonb,
  address text,
  request_id text
);
CREATE INDEX audit_log_target ON audit_log (target_kind, target_id, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_at ON audit_log (at);

CREATE TABLE audit_chain (
  position bigint PRIMARY KEY CHECK (position > 0),
  entry_id bigint NOT NULL UNIQUE,
  hash bytea NOT NULL CHECK (length(hash) = 32)
);

CREATE TABLE audit_redactions (
  redaction uuid NOT NULL,
  entry_id bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (entry_id, redaction)
);

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
CREATE CONSTRAINT TRIGGER audit_log_chained AFTER INSERT ON audit_log
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_chain_append();

-- Alerts to send to a webhook, with its last answer, and the last state sent of each topic. Without a webhook they are never
-- due.

CREATE TABLE alerts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  at timestamptz NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  tried_at timestamptz,
  answer_status int,
  answer text
);
CREATE INDEX alerts_due ON alerts (next_at) WHERE sent_at IS NULL;

CREATE TABLE alert_topics (topic text PRIMARY KEY, type text NOT NULL, since timestamptz NOT NULL DEFAULT now());

-- The text of each SQL function that is installed, see `installFunctions`, and which version ran each migration.

CREATE TABLE sql_functions (name text PRIMARY KEY, digest text NOT NULL);
ALTER TABLE migrations ADD program text;
