-- The part of the baseline that grows with every call.

-- The ledger. It has one partition a month, which the gateway creates. `changed_in`: the number of the transaction that closed
-- the call; `interrupted_in`: of the one that closed it as interrupted before, if any. `key_display`: the secret of the key
-- when the call began. `served_model`: the model that answered, perhaps a fallback. Values that only the gateway writes have
-- no checks, which took a sixth of the time.

CREATE TABLE usage_calls (
  id text NOT NULL,
  started_at timestamptz NOT NULL,
  instance_id bigint NOT NULL,
  request_id text NOT NULL,
  key_id uuid NOT NULL,
  user_id uuid NOT NULL,
  plan_id text NOT NULL,
  model text NOT NULL,
  upstream text,
  upstream_model text,
  simulated boolean NOT NULL DEFAULT false,
  stream boolean NOT NULL,
  status text NOT NULL,
  finish_reason text,
  error_code text,
  input_tokens bigint NOT NULL DEFAULT 0,
  cached_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  reasoning_tokens bigint NOT NULL DEFAULT 0,
  token_source text,
  price_version text NOT NULL,
  reserved_nanodollars bigint DEFAULT 0,
  cost_nanodollars bigint NOT NULL DEFAULT 0,
  attempts jsonb NOT NULL DEFAULT '[]',
  first_token_ms int,
  total_ms int,
  changed_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint + 10000000000,
  interrupted_in bigint,
  estimated_input_tokens bigint NOT NULL DEFAULT 0,
  key_display text,
  limited_by uuid[],
  admitted_at timestamptz,
  uncharged_nanodollars bigint,
  served_model text,
  prompt_nanodollars bigint,
  charge jsonb,
  api text NOT NULL DEFAULT 'chat.completions',
  PRIMARY KEY (id, started_at)
) PARTITION BY RANGE (started_at);
CREATE INDEX usage_calls_open ON usage_calls (instance_id) WHERE status = 'open';
CREATE INDEX usage_calls_changed ON usage_calls (changed_in) WHERE status <> 'open';
CREATE INDEX usage_calls_interrupted ON usage_calls (interrupted_in) WHERE interrupted_in IS NOT NULL;
CREATE INDEX usage_calls_closed ON usage_calls (started_at) WHERE status <> 'open';
CREATE INDEX usage_calls_errors ON usage_calls (started_at) WHERE status IN ('failed', 'interrupted');
-- By the hour, so that new entries go to the few pages of the present hour instead of pages all over the index.
CREATE INDEX usage_calls_hour ON usage_calls
  (date_bin('1 hour', started_at, '2000-01-01 00:00:00+00'::timestamptz), user_id, key_id) WHERE status <> 'open';

-- The rows that a gateway sends to the ledger, in Postgres' binary format. Gateways of two versions may run side by side, so
-- a type never changes: further columns need another type.

CREATE TYPE usage_row_opening AS (
  id text, started_at timestamptz, request_id text, key_id uuid, key_display text, user_id uuid, plan_id text,
  model text, api text, stream boolean, simulated boolean, estimated_input_tokens bigint, prompt_nanodollars bigint,
  price_version text, limited_by uuid[], reserved_nanodollars bigint
);
CREATE TYPE usage_row_closing AS (
  id text, started_at timestamptz, request_id text, key_id uuid, key_display text, user_id uuid, plan_id text,
  model text, api text, stream boolean, simulated boolean, estimated_input_tokens bigint, prompt_nanodollars bigint,
  price_version text, limited_by uuid[], reserved_nanodollars bigint, status text, served_model text, upstream text,
  upstream_model text, finish_reason text, error_code text, input_tokens bigint, cached_tokens bigint,
  output_tokens bigint, reasoning_tokens bigint, token_source text, cost_nanodollars bigint, charge jsonb,
  attempts jsonb, first_token_ms int, total_ms int
);

-- Roll-ups: sums of the ledger. `slot` and `hours_…`, `days_…`: quarter-hours since 1970. `rows_from`: calls that started
-- earlier may be missing from the ledger, because of `usage.retention`. `dropped_at`: when a month of the ledger was last
-- dropped. `ledger_id`: calls in a gateway's journal are only written to the ledger they belong to.

CREATE TABLE usage_rollup_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  rolled_up_to bigint NOT NULL DEFAULT 0,
  rolled_up_at timestamptz NOT NULL DEFAULT 'epoch',
  xid_offset bigint NOT NULL,
  server bigint NOT NULL,
  dropped_at timestamptz NOT NULL DEFAULT 'epoch',
  hours_begin int NOT NULL DEFAULT 0,
  hours_kept_from int NOT NULL DEFAULT 0,
  days_up_to int NOT NULL DEFAULT 0,
  ledger_id uuid,
  rows_from timestamptz NOT NULL DEFAULT 'epoch'
);
INSERT INTO usage_rollup_state (xid_offset, server, ledger_id)
  SELECT 10000000000, system_identifier, gen_random_uuid() FROM pg_control_system();

CREATE TABLE usage_groups (
  id bigint PRIMARY KEY,
  kind text NOT NULL,
  user_id uuid,
  key_id uuid,
  model text,
  upstream text,
  status text,
  api text DEFAULT 'chat.completions'
);
CREATE INDEX usage_groups_user ON usage_groups (user_id, kind);
CREATE INDEX usage_groups_key ON usage_groups (key_id, kind);

-- By the hour, one row for each key, model, upstream and status, and by the day, computed from the hours. The index by model
-- finds the users and keys of one model without reading those of others.
CREATE TABLE usage_hours (
  slot int NOT NULL,
  user_id uuid NOT NULL,
  key_id uuid NOT NULL,
  group_id bigint NOT NULL,
  model text NOT NULL,
  upstream text,
  status text NOT NULL,
  calls bigint NOT NULL,
  errors bigint NOT NULL,
  aborted bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  cost_nanodollars bigint NOT NULL,
  total_ms bytea NOT NULL,
  first_token_ms bytea NOT NULL,
  api text NOT NULL DEFAULT 'chat.completions',
  PRIMARY KEY (slot, user_id, key_id, group_id)
) WITH (fillfactor = 80);
CREATE TABLE usage_call_days (
  slot int NOT NULL,
  user_id uuid NOT NULL,
  key_id uuid NOT NULL,
  group_id bigint NOT NULL,
  model text NOT NULL,
  upstream text,
  status text NOT NULL,
  calls bigint NOT NULL,
  errors bigint NOT NULL,
  aborted bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  cost_nanodollars bigint NOT NULL,
  total_ms bytea NOT NULL,
  first_token_ms bytea NOT NULL,
  api text NOT NULL DEFAULT 'chat.completions',
  PRIMARY KEY (slot, user_id, key_id, group_id)
) WITH (fillfactor = 80);
CREATE INDEX usage_call_days_model ON usage_call_days (slot, model);

CREATE TABLE usage_key_days (
  slot int NOT NULL,
  user_id uuid NOT NULL,
  key_id uuid NOT NULL,
  is_mixed boolean NOT NULL,
  model text,
  upstream text,
  status text,
  calls bigint NOT NULL,
  errors bigint NOT NULL,
  aborted bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  cost_nanodollars bigint NOT NULL,
  total_ms bytea NOT NULL,
  first_token_ms bytea NOT NULL,
  api text DEFAULT 'chat.completions',
  PRIMARY KEY (slot, user_id, key_id)
) WITH (fillfactor = 80);
CREATE INDEX usage_key_days_model ON usage_key_days (slot, model) WHERE model IS NOT NULL;

-- By status (`all`), and also by model and upstream (`model`), for periods of so many quarter-hours. Each size has its own
-- partition, so that rows that are read together lie together. The other kinds (by key, by both, and of calls that were not
-- settled) hold what was summed before there was `usage_hours`: their constraint stops further rows.
DO $$
DECLARE
  kind text;
  quarters int;
BEGIN
  FOREACH kind IN ARRAY ARRAY['all', 'model', 'key', 'call', 'failure'] LOOP
    EXECUTE format(
      'CREATE TABLE usage_rollups_%1$s (
        quarters smallint NOT NULL,
        slot int NOT NULL,
        group_id bigint NOT NULL,
        calls bigint NOT NULL,
        errors bigint NOT NULL,
        aborted bigint NOT NULL,
        input_tokens bigint NOT NULL,
        cached_tokens bigint NOT NULL,
        output_tokens bigint NOT NULL,
        reasoning_tokens bigint NOT NULL,
        cost_nanodollars bigint NOT NULL,
        total_ms bytea NOT NULL,
        first_token_ms bytea NOT NULL,
        PRIMARY KEY (quarters, group_id, slot)
      ) PARTITION BY LIST (quarters);
      CREATE INDEX usage_rollups_%1$s_slot ON usage_rollups_%1$s (slot)', kind);
    FOREACH quarters IN ARRAY ARRAY[1, 4, 24, 96, 768] LOOP
      EXECUTE format(
        'CREATE TABLE usage_rollups_%1$s_%2$s PARTITION OF usage_rollups_%1$s FOR VALUES IN (%2$s) WITH (fillfactor = 80)',
        kind, quarters);
    END LOOP;
    IF kind IN ('key', 'call', 'failure') THEN
      EXECUTE format('ALTER TABLE usage_rollups_%1$s ADD CONSTRAINT usage_rollups_%1$s_ended CHECK (slot < 0) NOT VALID', kind);
    END IF;
  END LOOP;
END $$;

-- What upstreams may bill but no caller is charged, by quarter-hour, requested model and reason.
CREATE TABLE uncharged_costs (
  slot int NOT NULL,
  model text NOT NULL,
  reason text NOT NULL,
  nanodollars bigint NOT NULL,
  PRIMARY KEY (slot, model, reason)
);

-- Refused calls are counted by user and API; the recent errors of each key are kept, and are found by their request's id.

CREATE TABLE refused_calls (
  hour timestamptz NOT NULL,
  key_id uuid,
  model text,
  status int NOT NULL,
  code text NOT NULL,
  calls bigint NOT NULL,
  user_id uuid,
  api text
);
CREATE UNIQUE INDEX refused_calls_counted ON refused_calls (hour, key_id, model, status, code, api) NULLS NOT DISTINCT;
CREATE INDEX refused_calls_of_user ON refused_calls (user_id, hour);

CREATE TABLE recent_errors (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  request_id text NOT NULL,
  key_id uuid,
  user_id uuid,
  model text,
  status int NOT NULL,
  code text NOT NULL,
  asked_model text,
  message text,
  key_display text,
  api text DEFAULT 'chat.completions'
);
CREATE INDEX recent_errors_of_key ON recent_errors (key_id, id);
CREATE INDEX recent_errors_by_time ON recent_errors (at DESC, id DESC);
CREATE INDEX recent_errors_of_user ON recent_errors (user_id, at DESC, id DESC);
CREATE INDEX recent_errors_request ON recent_errors (request_id);

-- Stored answers for repeats with the same Idempotency-Key, and which call is still running for one.
CREATE TABLE idempotent_calls (
  key_id uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  call_id text NOT NULL,
  instance_id bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'kept', 'not_kept')),
  answer bytea CHECK ((answer IS NOT NULL) = (status = 'kept')),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (key_id, key_hash)
);
CREATE INDEX idempotent_calls_expires_at ON idempotent_calls (expires_at);

-- Prompts and answers of keys and projects that opted in, encrypted. Encrypted bytes cannot be compressed.
CREATE TABLE call_contents (
  call_id text PRIMARY KEY,
  at timestamptz NOT NULL,
  key_id uuid NOT NULL,
  user_id uuid NOT NULL,
  secret_id text NOT NULL,
  content bytea NOT NULL
);
ALTER TABLE call_contents ALTER content SET STORAGE EXTERNAL;
CREATE INDEX call_contents_at ON call_contents (at);

-- Responses that later requests may refer to, encrypted. `owner_id`: a project, or a user outside of projects.
CREATE TABLE remembered_responses (
  owner_id uuid NOT NULL,
  response_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  item_ids text[] NOT NULL,
  secret_id text NOT NULL,
  bytes int NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (owner_id, response_id)
);
ALTER TABLE remembered_responses ALTER content SET STORAGE EXTERNAL;
CREATE INDEX remembered_responses_at ON remembered_responses (at);
CREATE INDEX remembered_responses_size ON remembered_responses (owner_id, at DESC, response_id) INCLUDE (bytes);
CREATE INDEX remembered_responses_items ON remembered_responses USING gin (item_ids);
