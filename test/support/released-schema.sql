-- The schema of the released version, up to BalancesOfInterruptedCalls1795681000000: made by pg_dump --inserts from a database
-- that its migrations had set up; partitions are declared with their table.
CREATE TYPE public.usage_closing AS (
	id text,
	started_at timestamp with time zone,
	request_id text,
	key_id uuid,
	key_display text,
	user_id uuid,
	plan_id text,
	model text,
	stream boolean,
	simulated boolean,
	estimated_input_tokens bigint,
	price_version text,
	limited_by uuid[],
	reserved_nanodollars bigint,
	status text,
	served_model text,
	upstream text,
	upstream_model text,
	finish_reason text,
	error_code text,
	input_tokens bigint,
	cached_tokens bigint,
	output_tokens bigint,
	reasoning_tokens bigint,
	token_source text,
	cost_nanodollars bigint,
	attempts jsonb,
	first_token_ms integer,
	total_ms integer
);
CREATE TYPE public.usage_opening AS (
	id text,
	started_at timestamp with time zone,
	request_id text,
	key_id uuid,
	key_display text,
	user_id uuid,
	plan_id text,
	model text,
	stream boolean,
	simulated boolean,
	estimated_input_tokens bigint,
	price_version text,
	limited_by uuid[],
	reserved_nanodollars bigint
);
CREATE FUNCTION public.audit_chain_append() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      DECLARE
        last_position bigint;
        last_hash bytea;
      BEGIN
        PERFORM pg_advisory_xact_lock(26487, 3);
        -- A log that is copied comes with its chain.
        IF EXISTS (SELECT FROM audit_chain WHERE entry_id = NEW.id) THEN
          RETURN NULL;
        END IF;
        SELECT position, hash INTO last_position, last_hash FROM audit_chain ORDER BY position DESC LIMIT 1;
        INSERT INTO audit_chain VALUES (
          coalesce(last_position, 0) + 1,
          NEW.id,
          sha256(coalesce(last_hash, '') || convert_to(jsonb_build_array(NEW.id, to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), NEW.actor_kind, NEW.actor_id, NEW.actor_name, NEW.action, NEW.target_kind, NEW.target_id, NEW.target_name, NEW.before, NEW.after, NEW.address, NEW.request_id)::text, 'UTF8'))
        );
        RETURN NULL;
      END $$;
CREATE FUNCTION public.audit_log_is_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$;
CREATE FUNCTION public.limit_admit(asked json, calls json, size integer, again boolean, OUT at timestamp with time zone, OUT refused boolean[], OUT reserved bigint[], OUT ceilings bigint[], OUT states json) RETURNS record
    LANGUAGE plpgsql
    AS $$
  DECLARE
    ids uuid[];
    is_new boolean;
    fits boolean;
    caps_differ boolean;
    unseen uuid;
    wants_total boolean;
    today date;
    this_month date;
    rates float8[];
    token_rates float8[];
    requests_left float8[];
    tokens_left float8[];
    places_left float8[];
    money_left bigint[];
    caps_day bigint[];
    caps_month bigint[];
    caps_total bigint[];
    taken float8[];
    tokens_taken float8[];
    money_taken bigint[];
    stored text[];
    one record;
    i int;
    room bigint;
    need bigint;
    ceiling bigint;
  BEGIN
    SELECT array_agg(a.id), bool_or(a.new) INTO ids, is_new FROM json_to_recordset(asked) AS a (id uuid, new boolean);
    IF is_new THEN
      INSERT INTO limit_balances (id, kind, at)
      SELECT a.id, a.kind, clock_timestamp() FROM json_to_recordset(asked) AS a (id uuid, kind text) ORDER BY a.id
      ON CONFLICT DO NOTHING;
    END IF;
    at := limit_lock(ids);
    today := (at AT TIME ZONE 'UTC')::date;
    this_month := date_trunc('month', at AT TIME ZONE 'UTC')::date;

    FOR unseen, wants_total IN
      SELECT b.id, a.x IS NOT NULL FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint)
      JOIN limit_balances AS b ON b.id = a.id
      WHERE a.d IS NOT NULL AND b.cap_day IS NULL OR a.m IS NOT NULL AND b.cap_month IS NULL
        OR a.x IS NOT NULL AND b.cap_total IS NULL
    LOOP
      PERFORM limit_recount(unseen, at, wants_total);
    END LOOP;

    SELECT bool_and(
        coalesce(s.n <= s.requests_left + 1e-6, true) AND coalesce(s.e <= s.tokens_left + 1e-6, true)
        AND coalesce(s.n <= s.places_left, true) AND (s.w = 0 OR coalesce(s.w + s.f <= s.money_left, true))),
      bool_or(s.caps_differ), array_agg(s.id), array_agg(s.r), array_agg(s.t), array_agg(s.requests_left),
      array_agg(s.tokens_left), array_agg(s.places_left), array_agg(s.money_left), array_agg(s.d), array_agg(s.m),
      array_agg(s.x), array_agg(s.n), array_agg(s.e), array_agg(s.w),
      json_agg(json_build_array(s.requests_left, s.tokens_left, s.places_left, s.day_left, s.month_left, s.total_left,
        s.d - s.day_spent, s.m - s.month_spent, s.x - s.spent_total))
    INTO fits, caps_differ, ids, rates, token_rates, requests_left, tokens_left, places_left, money_left, caps_day,
      caps_month, caps_total, taken, tokens_taken, money_taken, states
    FROM (
      SELECT l.*, least(l.day_left, l.month_left, l.total_left) AS money_left FROM (
        SELECT a.*, v.*, b.spent_total,
          a.r - greatest(0, b.requests_used - v.passed * a.r / 60) AS requests_left,
          a.t - greatest(0, b.tokens_used - v.passed * a.t / 60) AS tokens_left,
          a.c - b.running AS places_left,
          a.d - v.day_spent - CASE WHEN b.day = today THEN b.reserved_day ELSE 0 END AS day_left,
          a.m - v.month_spent - CASE WHEN b.month = this_month THEN b.reserved_month ELSE 0 END AS month_left,
          a.x - b.spent_total - b.reserved_total AS total_left,
          (a.d, a.m, a.x) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total) AS caps_differ
        FROM ROWS FROM (json_to_recordset(asked) AS (
          id uuid, r float8, t float8, c float8, d bigint, m bigint, x bigint, n float8, e float8, w bigint, f bigint
        )) WITH ORDINALITY AS a (id, r, t, c, d, m, x, n, e, w, f, place)
        JOIN limit_balances AS b ON b.id = a.id
        CROSS JOIN LATERAL (
          SELECT extract(epoch FROM limit_admit.at - b.at)::float8 AS passed,
            CASE WHEN b.day = today THEN b.spent_day ELSE 0 END AS day_spent,
            CASE WHEN b.month = this_month THEN b.spent_month ELSE 0 END AS month_spent OFFSET 0
        ) AS v
      ) AS l
      ORDER BY l.place
    ) AS s;

    IF caps_differ THEN
      INSERT INTO limit_caps (id, since, cap_day, cap_month, cap_total)
      SELECT a.id, limit_admit.at, a.d, a.m, a.x
      FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint) JOIN limit_balances AS b ON b.id = a.id
      WHERE (a.d, a.m, a.x) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total)
      ON CONFLICT DO NOTHING;
    END IF;

    IF again OR NOT fits THEN
      taken := array_fill(0::float8, ARRAY[cardinality(ids)]);
      tokens_taken := taken;
      money_taken := array_fill(0::bigint, ARRAY[cardinality(ids)]);
      refused := array_fill(false, ARRAY[size]);
      reserved := array_fill(NULL::bigint, ARRAY[size]);
      ceilings := reserved;
      IF again THEN
        SELECT array_agg(c.id) INTO stored FROM json_to_recordset(calls) AS c (id text, s timestamptz)
        WHERE EXISTS (SELECT FROM usage_calls AS u WHERE u.id = c.id AND u.started_at = c.s);
      END IF;
      FOR one IN
        SELECT * FROM json_to_recordset(calls) AS c (
          n int, id text, s timestamptz, b int[], e float8, p numeric, u numeric, w bigint, k bigint, own boolean
        )
      LOOP
        need := one.w;
        ceiling := NULL;
        IF one.id = ANY (stored) THEN
          SELECT u.reserved_nanodollars INTO need FROM usage_calls AS u WHERE u.id = one.id AND u.started_at = one.s;
          IF need < one.w THEN
            ceiling := floor((need * 1000000.0 - one.p) / one.u);
          END IF;
          reserved[one.n] := need;
          ceilings[one.n] := ceiling;
          CONTINUE;
        END IF;
        room := NULL;
        FOREACH i IN ARRAY one.b LOOP
          room := least(room, money_left[i] - money_taken[i]);
          IF requests_left[i] - taken[i] + 1e-6 < 1 OR tokens_left[i] - tokens_taken[i] + 1e-6 < one.e
            OR places_left[i] - taken[i] < 1
          THEN
            refused[one.n] := true;
          END IF;
        END LOOP;
        IF need > 0 AND room IS NOT NULL AND NOT (one.own AND need <= room) THEN
          IF one.u > 0 THEN
            ceiling := greatest(256, floor((room * 1000000.0 - one.p) / 8 / one.u));
          END IF;
          IF ceiling < one.k THEN
            need := ceil((one.p + ceiling * one.u) / 1000000);
          ELSE
            ceiling := NULL;
          END IF;
          IF need > room THEN
            refused[one.n] := true;
          END IF;
        END IF;
        reserved[one.n] := need;
        ceilings[one.n] := ceiling;
        CONTINUE WHEN refused[one.n];
        FOREACH i IN ARRAY one.b LOOP
          taken[i] := taken[i] + 1;
          tokens_taken[i] := tokens_taken[i] + one.e;
          money_taken[i] := money_taken[i] + coalesce(need, 0);
        END LOOP;
      END LOOP;
    END IF;

    UPDATE limit_balances AS b SET
      at = limit_admit.at + size * interval '1 microsecond',
      requests_per_minute = a.r,
      requests_used = coalesce(a.r - a.requests_left + a.taken, 0),
      tokens_per_minute = a.t,
      tokens_used = coalesce(a.t - a.tokens_left + a.tokens_taken, 0),
      running = b.running + a.taken::int,
      day = today, cap_day = a.d,
      spent_day = CASE WHEN b.day = today THEN b.spent_day ELSE 0 END,
      reserved_day = CASE WHEN b.day = today THEN b.reserved_day ELSE 0 END + a.money_taken,
      base_day = CASE WHEN b.day = today THEN b.base_day ELSE 0 END,
      month = this_month, cap_month = a.m,
      spent_month = CASE WHEN b.month = this_month THEN b.spent_month ELSE 0 END,
      reserved_month = CASE WHEN b.month = this_month THEN b.reserved_month ELSE 0 END + a.money_taken,
      base_month = CASE WHEN b.month = this_month THEN b.base_month ELSE 0 END,
      cap_total = a.x,
      reserved_total = b.reserved_total + a.money_taken
    FROM unnest(ids, rates, token_rates, requests_left, tokens_left, caps_day, caps_month, caps_total, taken, tokens_taken,
      money_taken) AS a (id, r, t, requests_left, tokens_left, d, m, x, taken, tokens_taken, money_taken)
    WHERE b.id = a.id;
  END $$;
CREATE FUNCTION public.limit_change(limited_by text[], admitted_at timestamp with time zone[], reserved bigint[], charged bigint[], tokens double precision[], places integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
  BEGIN
    UPDATE limit_balances AS b SET
      at = greatest(b.at, clock_timestamp()),
      requests_used = greatest(0, b.requests_used - coalesce(passed * b.requests_per_minute / 60, 0)),
      tokens_used = greatest(0, b.tokens_used - coalesce(passed * b.tokens_per_minute / 60, 0))
        + CASE WHEN b.tokens_per_minute IS NULL THEN 0 ELSE sums.tokens END,
      running = b.running - sums.places,
      spent_day = b.spent_day + coalesce(sums.charged_day, 0),
      reserved_day = b.reserved_day - coalesce(sums.reserved_day, 0),
      spent_month = b.spent_month + coalesce(sums.charged_month, 0),
      reserved_month = b.reserved_month - coalesce(sums.reserved_month, 0),
      spent_total = b.spent_total + sums.charged,
      reserved_total = b.reserved_total - sums.reserved
    FROM (
      SELECT x.id, greatest(0, extract(epoch FROM clock_timestamp() - min(x.at)))::float8 AS passed,
        sum(c.tokens) AS tokens, count(*)::int * limit_change.places AS places, sum(c.charged) AS charged, sum(c.reserved) AS reserved,
        sum(c.charged) FILTER (WHERE (c.admitted_at AT TIME ZONE 'UTC')::date = x.day) AS charged_day,
        sum(c.reserved) FILTER (WHERE (c.admitted_at AT TIME ZONE 'UTC')::date = x.day) AS reserved_day,
        sum(c.charged) FILTER (WHERE date_trunc('month', c.admitted_at AT TIME ZONE 'UTC') = x.month) AS charged_month,
        sum(c.reserved) FILTER (WHERE date_trunc('month', c.admitted_at AT TIME ZONE 'UTC') = x.month) AS reserved_month
      FROM unnest(limit_change.limited_by, limit_change.admitted_at, limit_change.reserved, limit_change.charged,
        limit_change.tokens) AS c (limited_by, admitted_at, reserved, charged, tokens)
      CROSS JOIN unnest(c.limited_by::uuid[]) AS i (id) JOIN limit_balances AS x ON x.id = i.id
      GROUP BY x.id
    ) AS sums
    WHERE b.id = sums.id;
  END $$;
CREATE FUNCTION public.limit_charge(instant timestamp with time zone, balances text[], admitted date[], calls integer[], held bigint[], costs bigint[], tokens double precision[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
  DECLARE
    today date := (instant AT TIME ZONE 'UTC')::date;
    this_month date := date_trunc('month', today::timestamp)::date;
  BEGIN
    UPDATE limit_balances AS b SET
      at = instant,
      requests_used = CASE WHEN b.requests_per_minute IS NULL THEN b.requests_used
        ELSE greatest(0, b.requests_used - date_part('epoch', instant - b.at) * b.requests_per_minute / 60) END,
      tokens_used = CASE WHEN b.tokens_per_minute IS NULL THEN b.tokens_used
        ELSE greatest(0, b.tokens_used - date_part('epoch', instant - b.at) * b.tokens_per_minute / 60) + s.tokens END,
      running = b.running - s.calls,
      day = today,
      spent_day = CASE WHEN b.day = today THEN b.spent_day ELSE 0 END + s.cost_today,
      reserved_day = CASE WHEN b.day = today THEN b.reserved_day ELSE 0 END - s.held_today,
      base_day = CASE WHEN b.day = today THEN b.base_day ELSE 0 END,
      month = this_month,
      spent_month = CASE WHEN b.month = this_month THEN b.spent_month ELSE 0 END + s.cost_this_month,
      reserved_month = CASE WHEN b.month = this_month THEN b.reserved_month ELSE 0 END - s.held_this_month,
      base_month = CASE WHEN b.month = this_month THEN b.base_month ELSE 0 END,
      spent_total = b.spent_total + s.cost,
      reserved_total = b.reserved_total - s.held
    FROM (
      SELECT i.id, sum(c.calls)::int AS calls, sum(c.tokens) AS tokens, sum(c.cost)::bigint AS cost,
        sum(c.held)::bigint AS held,
        sum(CASE WHEN c.admitted = today THEN c.cost ELSE 0 END)::bigint AS cost_today,
        sum(CASE WHEN c.admitted = today THEN c.held ELSE 0 END)::bigint AS held_today,
        sum(CASE WHEN c.admitted >= this_month THEN c.cost ELSE 0 END)::bigint AS cost_this_month,
        sum(CASE WHEN c.admitted >= this_month THEN c.held ELSE 0 END)::bigint AS held_this_month
      FROM unnest(limit_charge.balances, limit_charge.admitted, limit_charge.calls, limit_charge.held, limit_charge.costs,
        limit_charge.tokens) AS c (balances, admitted, calls, held, cost, tokens)
      CROSS JOIN unnest(c.balances::uuid[]) AS i (id)
      GROUP BY i.id
    ) AS s
    WHERE b.id = s.id;
  END $$;
CREATE FUNCTION public.limit_charge_late(calls json, instant timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
  DECLARE
    ids uuid[];
    one record;
    room bigint;
    charge bigint;
    now_at timestamptz := instant;
  BEGIN
    SELECT array_agg(DISTINCT i.id) INTO ids
    FROM json_to_recordset(calls) AS c (limited_by uuid[]) CROSS JOIN unnest(c.limited_by) AS i (id);
    PERFORM limit_roll(ids, instant);
    FOR one IN
      SELECT * FROM json_to_recordset(calls) AS c (
        id text, started_at timestamptz, limited_by uuid[], cost bigint, reserved bigint, tokens float8
      )
    LOOP
      SELECT min(least(cap_day - spent_day - reserved_day, cap_month - spent_month - reserved_month,
        cap_total - spent_total - reserved_total)) INTO room
      FROM limit_balances WHERE id = ANY(one.limited_by);
      now_at := now_at + interval '1 microsecond';
      charge := greatest(0, least(one.cost, one.reserved, room));
      UPDATE usage_calls SET admitted_at = now_at, cost_nanodollars = charge,
        uncharged_nanodollars = nullif(one.cost - charge, 0),
        reserved_nanodollars = CASE WHEN room IS NOT NULL OR one.reserved IS NOT NULL THEN charge END
      WHERE id = one.id AND started_at = one.started_at;
      PERFORM limit_change(ARRAY[one.limited_by::text], ARRAY[now_at], ARRAY[0]::bigint[], ARRAY[charge],
        ARRAY[one.tokens], 0);
    END LOOP;
    UPDATE limit_balances AS b SET at = greatest(b.at, now_at) WHERE id = ANY(ids);
  END $$;
CREATE FUNCTION public.limit_forget(ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
      BEGIN
        PERFORM limit_lock(ids);
        UPDATE limit_balances SET cap_day = NULL, cap_month = NULL, cap_total = NULL WHERE id = ANY(ids);
      END $$;
CREATE FUNCTION public.limit_interrupt(instance bigint) RETURNS integer
    LANGUAGE plpgsql
    AS $$
  DECLARE
    locked uuid[];
    whose text[];
    since timestamptz[];
    held bigint[];
    calls int;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(instance) THEN
      RETURN 0;
    END IF;
    SELECT array_agg(DISTINCT i.id) INTO locked FROM usage_calls AS u CROSS JOIN unnest(u.limited_by) AS i (id)
    WHERE u.status = 'open' AND u.instance_id = instance;
    PERFORM limit_lock(locked);
    WITH closed AS (
      UPDATE usage_calls SET status = 'interrupted', error_code = 'interrupted', changed_in = DEFAULT,
        input_tokens = estimated_input_tokens, token_source = 'estimated'
      WHERE status = 'open' AND instance_id = instance AND (limited_by IS NULL OR limited_by <@ locked)
      RETURNING limited_by, admitted_at, coalesce(reserved_nanodollars, 0) AS reserved
    )
    SELECT count(*), array_agg(c.limited_by::text) FILTER (WHERE c.limited_by IS NOT NULL),
      array_agg(c.admitted_at) FILTER (WHERE c.limited_by IS NOT NULL),
      array_agg(c.reserved) FILTER (WHERE c.limited_by IS NOT NULL)
    INTO calls, whose, since, held FROM closed AS c;
    IF whose IS NOT NULL THEN
      PERFORM limit_change(whose, since, held, array_fill(0::bigint, ARRAY[cardinality(whose)]),
        array_fill(0::float8, ARRAY[cardinality(whose)]), 1);
    END IF;
    RETURN calls;
  END $$;
CREATE FUNCTION public.limit_lock(ids uuid[]) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    AS $$
  DECLARE
    instant timestamptz;
  BEGIN
    SELECT greatest(clock_timestamp(), max(b.at)) INTO instant FROM (
      SELECT at FROM limit_balances WHERE id = ANY(ids) ORDER BY id FOR UPDATE
    ) AS b;
    RETURN greatest(instant, date_trunc('day', instant + interval '1 ms', 'UTC'));
  END $$;
CREATE FUNCTION public.limit_not_usual() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
      BEGIN
        RAISE EXCEPTION 'a limited call does not end as usual' USING ERRCODE = 'GWNOT';
      END $$;
CREATE FUNCTION public.limit_open(asked json, calls text, size integer, again boolean, is_new boolean, OUT at timestamp with time zone, OUT refused boolean[], OUT reserved bigint[], OUT ceilings bigint[], OUT states json) RETURNS record
    LANGUAGE plpgsql
    AS $$
  DECLARE
    today date;
    this_month date;
    caps_differ boolean;
    fits boolean;
    unseen uuid;
    wants_total boolean;
  BEGIN
    IF is_new THEN
      INSERT INTO limit_balances (id, kind, at)
      SELECT a.id, a.kind, clock_timestamp() FROM json_to_recordset(asked) AS a (id uuid, kind text) ORDER BY a.id
      ON CONFLICT DO NOTHING;
    END IF;

    SELECT greatest(clock_timestamp(), max(l.at)), bool_or(l.caps_differ) INTO at, caps_differ FROM (
      SELECT b.at, (a.d, a.m, a.x) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total) AS caps_differ
      FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint) JOIN limit_balances AS b ON b.id = a.id
      ORDER BY b.id FOR UPDATE OF b
    ) AS l;
    -- With a millisecond to the end of its day.
    at := greatest(at, date_trunc('day', at + interval '1 ms', 'UTC'));
    today := (at AT TIME ZONE 'UTC')::date;
    this_month := date_trunc('month', today::timestamp)::date;

    IF caps_differ THEN
      FOR unseen, wants_total IN
        SELECT b.id, a.x IS NOT NULL FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint)
        JOIN limit_balances AS b ON b.id = a.id
        WHERE a.d IS NOT NULL AND b.cap_day IS NULL OR a.m IS NOT NULL AND b.cap_month IS NULL
          OR a.x IS NOT NULL AND b.cap_total IS NULL
      LOOP
        PERFORM limit_recount(unseen, at, wants_total);
      END LOOP;
      INSERT INTO limit_caps (id, since, cap_day, cap_month, cap_total)
      SELECT a.id, limit_open.at, a.d, a.m, a.x
      FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint) JOIN limit_balances AS b ON b.id = a.id
      WHERE (a.d, a.m, a.x) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total)
      ON CONFLICT DO NOTHING;
    END IF;

    WITH taken AS (
      UPDATE limit_balances AS b SET
        at = limit_open.at + size * interval '1 microsecond',
        requests_per_minute = a.r,
        requests_used = CASE WHEN a.r IS NULL THEN 0
          ELSE greatest(0, b.requests_used - date_part('epoch', limit_open.at - b.at) * a.r / 60) + a.n END,
        tokens_per_minute = a.t,
        tokens_used = CASE WHEN a.t IS NULL THEN 0
          ELSE greatest(0, b.tokens_used - date_part('epoch', limit_open.at - b.at) * a.t / 60) + a.e END,
        running = b.running + a.n::int,
        day = today, cap_day = a.d,
        spent_day = CASE WHEN b.day = today THEN b.spent_day ELSE 0 END,
        reserved_day = CASE WHEN b.day = today THEN b.reserved_day ELSE 0 END + a.w,
        base_day = CASE WHEN b.day = today THEN b.base_day ELSE 0 END,
        month = this_month, cap_month = a.m,
        spent_month = CASE WHEN b.month = this_month THEN b.spent_month ELSE 0 END,
        reserved_month = CASE WHEN b.month = this_month THEN b.reserved_month ELSE 0 END + a.w,
        base_month = CASE WHEN b.month = this_month THEN b.base_month ELSE 0 END,
        cap_total = a.x,
        reserved_total = b.reserved_total + a.w
      FROM ROWS FROM (json_to_recordset(asked) AS (
  id uuid, kind text, r float8, t float8, c float8, d bigint, m bigint, x bigint, n float8, e float8, w bigint, f bigint
)) WITH ORDINALITY AS a (id, kind, r, t, c, d, m, x, n, e, w, f, place)
      WHERE b.id = a.id
      RETURNING a.place, a.w, a.f, a.n, a.e, a.r - b.requests_used AS requests, a.t - b.tokens_used AS tokens,
        a.c - b.running AS places, a.d - b.spent_day AS day, a.d - b.spent_day - b.reserved_day AS free_day,
        a.m - b.spent_month AS month, a.m - b.spent_month - b.reserved_month AS free_month,
        a.x - b.spent_total AS total, a.x - b.spent_total - b.reserved_total AS free_total
    )
    SELECT bool_and(coalesce(l.requests >= -1e-6, true) AND coalesce(l.tokens >= -1e-6, true)
        AND coalesce(l.places >= 0, true)
        AND (l.w = 0 OR coalesce(least(l.free_day, l.free_month, l.free_total) >= l.f, true))),
      json_agg(json_build_array(l.requests + l.n, l.tokens + l.e, l.places + l.n, l.free_day + l.w, l.free_month + l.w,
        l.free_total + l.w, l.day, l.month, l.total) ORDER BY l.place)
    INTO fits, states FROM taken AS l;

    IF again OR NOT fits THEN
      SELECT o.refused, o.reserved, o.ceilings INTO refused, reserved, ceilings
      FROM limit_open_ordered(asked, calls, size, again, states) AS o;
    END IF;
  END $$;
CREATE FUNCTION public.limit_open_ordered(asked json, calls text, size integer, again boolean, states json, OUT refused boolean[], OUT reserved bigint[], OUT ceilings bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
  DECLARE
    requests_left float8[];
    tokens_left float8[];
    places_left float8[];
    money_left bigint[];
    taken float8[];
    tokens_taken float8[];
    money_taken bigint[];
    stored text[];
    one record;
    i int;
    room bigint;
    need bigint;
    ceiling bigint;
  BEGIN
    SELECT array_agg((s ->> 0)::float8 ORDER BY place), array_agg((s ->> 1)::float8 ORDER BY place),
      array_agg((s ->> 2)::float8 ORDER BY place),
      array_agg(least((s ->> 3)::bigint, (s ->> 4)::bigint, (s ->> 5)::bigint) ORDER BY place)
    INTO requests_left, tokens_left, places_left, money_left
    FROM json_array_elements(states) WITH ORDINALITY AS state (s, place);
    taken := array_fill(0::float8, ARRAY[cardinality(requests_left)]);
    tokens_taken := taken;
    money_taken := array_fill(0::bigint, ARRAY[cardinality(requests_left)]);
    refused := array_fill(false, ARRAY[size]);
    reserved := array_fill(NULL::bigint, ARRAY[size]);
    ceilings := reserved;
    IF again THEN
      SELECT array_agg(c.id) INTO stored FROM json_to_recordset(calls::json) AS c (id text, s timestamptz)
      WHERE EXISTS (SELECT FROM usage_calls AS u WHERE u.id = c.id AND u.started_at = c.s);
    END IF;

    FOR one IN
      SELECT * FROM json_to_recordset(calls::json) AS c (
        n int, id text, s timestamptz, b int[], e float8, p numeric, u numeric, w bigint, k bigint, own boolean
      )
    LOOP
      need := one.w;
      ceiling := NULL;
      IF one.id = ANY (stored) THEN
        SELECT u.reserved_nanodollars INTO need FROM usage_calls AS u WHERE u.id = one.id AND u.started_at = one.s;
        IF need < one.w THEN
          ceiling := floor((need * 1000000.0 - one.p) / one.u);
        END IF;
        reserved[one.n] := need;
        ceilings[one.n] := ceiling;
        CONTINUE;
      END IF;
      room := NULL;
      FOREACH i IN ARRAY one.b LOOP
        room := least(room, money_left[i] - money_taken[i]);
        IF requests_left[i] - taken[i] + 1e-6 < 1 OR tokens_left[i] - tokens_taken[i] + 1e-6 < one.e
          OR places_left[i] - taken[i] < 1
        THEN
          refused[one.n] := true;
        END IF;
      END LOOP;
      IF need > 0 AND room IS NOT NULL AND NOT (one.own AND need <= room) THEN
        IF one.u > 0 THEN
          ceiling := greatest(256, floor((room * 1000000.0 - one.p) / 8 / one.u));
        END IF;
        IF ceiling < one.k THEN
          need := ceil((one.p + ceiling * one.u) / 1000000);
        ELSE
          ceiling := NULL;
        END IF;
        IF need > room THEN
          refused[one.n] := true;
        END IF;
      END IF;
      reserved[one.n] := need;
      ceilings[one.n] := ceiling;
      CONTINUE WHEN refused[one.n];
      FOREACH i IN ARRAY one.b LOOP
        taken[i] := taken[i] + 1;
        tokens_taken[i] := tokens_taken[i] + one.e;
        money_taken[i] := money_taken[i] + coalesce(need, 0);
      END LOOP;
    END LOOP;

    UPDATE limit_balances AS b SET
      requests_used = CASE WHEN a.r IS NULL THEN 0 ELSE b.requests_used - a.n + taken[a.place] END,
      tokens_used = CASE WHEN a.t IS NULL THEN 0 ELSE b.tokens_used - a.e + tokens_taken[a.place] END,
      running = b.running - (a.n - taken[a.place])::int,
      reserved_day = b.reserved_day - a.w + money_taken[a.place],
      reserved_month = b.reserved_month - a.w + money_taken[a.place],
      reserved_total = b.reserved_total - a.w + money_taken[a.place]
    FROM ROWS FROM (json_to_recordset(asked) AS (
  id uuid, kind text, r float8, t float8, c float8, d bigint, m bigint, x bigint, n float8, e float8, w bigint, f bigint
)) WITH ORDINALITY AS a (id, kind, r, t, c, d, m, x, n, e, w, f, place)
    WHERE b.id = a.id;
  END $$;
CREATE FUNCTION public.limit_recount(one uuid, instant timestamp with time zone, whole boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
  DECLARE
    new_day bigint;
    new_month bigint;
    new_total bigint;
  BEGIN
    PERFORM limit_roll(ARRAY[one], instant);
    SELECT coalesce(sum(cost_nanodollars) FILTER (WHERE started_at >= date_trunc('day', instant, 'UTC')), 0),
      coalesce(sum(cost_nanodollars) FILTER (WHERE started_at >= date_trunc('month', instant, 'UTC')), 0),
      coalesce(sum(cost_nanodollars), 0) INTO new_day, new_month, new_total
    FROM (
      SELECT started_at, cost_nanodollars FROM usage_calls
      WHERE status <> 'open' AND user_id = one AND (SELECT kind FROM limit_balances WHERE id = one) = 'user'
        AND started_at >= CASE WHEN whole THEN '-infinity' ELSE date_trunc('month', instant, 'UTC') END
        AND (limited_by IS NULL OR NOT one = ANY(limited_by))
      UNION ALL SELECT started_at, cost_nanodollars FROM usage_calls
      WHERE status <> 'open' AND key_id = one AND (SELECT kind FROM limit_balances WHERE id = one) = 'key'
        AND started_at >= CASE WHEN whole THEN '-infinity' ELSE date_trunc('month', instant, 'UTC') END
        AND (limited_by IS NULL OR NOT one = ANY(limited_by))
    ) AS call;
    UPDATE limit_balances SET
      spent_day = spent_day - base_day + new_day, base_day = new_day,
      spent_month = spent_month - base_month + new_month, base_month = new_month,
      spent_total = CASE WHEN whole THEN spent_total - base_total + new_total ELSE spent_total END,
      base_total = CASE WHEN whole THEN new_total ELSE base_total END
    WHERE id = one;
  END $$;
CREATE FUNCTION public.limit_roll(ids uuid[], instant timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
  BEGIN
    UPDATE limit_balances SET day = (instant AT TIME ZONE 'UTC')::date, spent_day = 0, reserved_day = 0, base_day = 0
    WHERE id = ANY(ids) AND day < (instant AT TIME ZONE 'UTC')::date;
    UPDATE limit_balances SET
      month = date_trunc('month', instant AT TIME ZONE 'UTC')::date, spent_month = 0, reserved_month = 0, base_month = 0
    WHERE id = ANY(ids) AND month < date_trunc('month', instant AT TIME ZONE 'UTC')::date;
  END $$;
CREATE FUNCTION public.limit_settle(calls json, OUT charged bigint[], OUT reserved bigint[], OUT admitted_at timestamp with time zone[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
  DECLARE
    ids uuid[];
    now_at timestamptz;
    whose text[];
    since timestamptz[];
    held bigint[];
    costs bigint[];
    more float8[];
    is_late boolean;
    one record;
    room bigint;
  BEGIN
    SELECT array_agg(DISTINCT i.id) INTO ids
    FROM json_to_recordset(calls) AS c (limited_by uuid[]) CROSS JOIN unnest(c.limited_by) AS i (id);
    now_at := limit_lock(ids);

    SELECT
      array_agg(CASE
        WHEN c.limited_by IS NULL THEN NULL
        WHEN u.status NOT IN ('open', 'interrupted') THEN u.cost_nanodollars
        ELSE least(c.cost_nanodollars, u.reserved_nanodollars)
      END ORDER BY c.place),
      array_agg(u.limited_by::text) FILTER (WHERE u.status = 'open'),
      array_agg(u.admitted_at) FILTER (WHERE u.status = 'open'),
      array_agg(coalesce(u.reserved_nanodollars, 0)) FILTER (WHERE u.status = 'open'),
      array_agg(least(c.cost_nanodollars, u.reserved_nanodollars)) FILTER (WHERE u.status = 'open'),
      array_agg(greatest(0, c.input_tokens + c.output_tokens - u.estimated_input_tokens)::float8)
        FILTER (WHERE u.status = 'open'),
      bool_or(c.limited_by IS NOT NULL AND (u.id IS NULL OR u.status = 'interrupted'))
    INTO charged, whose, since, held, costs, more, is_late
    FROM ROWS FROM (json_to_recordset(calls) AS (
      id text, started_at timestamptz, limited_by uuid[], cost_nanodollars bigint, input_tokens bigint,
      output_tokens bigint
    )) WITH ORDINALITY AS c (id, started_at, limited_by, cost_nanodollars, input_tokens, output_tokens, place)
    LEFT JOIN usage_calls AS u ON u.id = c.id AND u.started_at = c.started_at AND c.limited_by IS NOT NULL;
    IF whose IS NOT NULL THEN
      PERFORM limit_change(whose, since, held, costs, more, 1);
    END IF;
    IF NOT is_late THEN
      RETURN;
    END IF;

    PERFORM limit_roll(ids, now_at);
    FOR one IN
      SELECT c.*, u.status FROM ROWS FROM (json_to_recordset(calls) AS (
        id text, started_at timestamptz, limited_by uuid[], cost_nanodollars bigint, reserved_nanodollars bigint,
        input_tokens bigint, output_tokens bigint, estimated_input_tokens bigint
      )) WITH ORDINALITY AS c (id, started_at, limited_by, cost_nanodollars, reserved_nanodollars, input_tokens,
        output_tokens, estimated_input_tokens, place)
      LEFT JOIN usage_calls AS u ON u.id = c.id AND u.started_at = c.started_at
      WHERE c.limited_by IS NOT NULL AND (u.id IS NULL OR u.status = 'interrupted')
      ORDER BY c.place
    LOOP
      SELECT min(least(cap_day - spent_day - reserved_day, cap_month - spent_month - reserved_month,
        cap_total - spent_total - reserved_total)) INTO room
      FROM limit_balances WHERE id = ANY(one.limited_by);
      now_at := now_at + interval '1 microsecond';
      admitted_at[one.place] := now_at;
      charged[one.place] := greatest(0, least(one.cost_nanodollars, one.reserved_nanodollars, room));
      reserved[one.place] := CASE WHEN room IS NOT NULL OR one.reserved_nanodollars IS NOT NULL
        THEN charged[one.place] END;
      PERFORM limit_change(ARRAY[one.limited_by::text], ARRAY[now_at], ARRAY[0]::bigint[], ARRAY[charged[one.place]],
        ARRAY[greatest(0, one.input_tokens + one.output_tokens
          - CASE WHEN one.status IS NULL THEN 0 ELSE one.estimated_input_tokens END)]::float8[], 0);
    END LOOP;
    UPDATE limit_balances AS b SET at = greatest(b.at, now_at) WHERE id = ANY(ids);
  END $$;
CREATE FUNCTION public.limit_take_back(ids json) RETURNS void
    LANGUAGE plpgsql
    AS $$
  DECLARE
    asked text[] := ARRAY(SELECT json_array_elements_text(ids));
    whose text[];
    since timestamptz[];
    held bigint[];
  BEGIN
    PERFORM limit_lock(array_agg(DISTINCT i.id)) FROM usage_calls AS u CROSS JOIN unnest(u.limited_by) AS i (id)
    WHERE u.status = 'open' AND u.id = ANY(asked);
    WITH gone AS (
      DELETE FROM usage_calls WHERE status = 'open' AND id = ANY(asked)
      RETURNING limited_by, admitted_at, coalesce(reserved_nanodollars, 0) AS reserved
    )
    SELECT array_agg(g.limited_by::text), array_agg(g.admitted_at), array_agg(g.reserved) INTO whose, since, held
    FROM gone AS g WHERE g.limited_by IS NOT NULL;
    IF whose IS NOT NULL THEN
      PERFORM limit_change(whose, since, held, array_fill(0::bigint, ARRAY[cardinality(whose)]),
        array_fill(0::float8, ARRAY[cardinality(whose)]), 1);
    END IF;
  END $$;
CREATE FUNCTION public.usage_histogram(ms integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT set_byte('\x00000001', 0,
      CASE WHEN ms < 1 THEN 0 ELSE least(255, 1 + floor(ln(ms::float8) / ln(1.1::float8))::int) END)
  $$;
CREATE FUNCTION public.usage_merged(histogram bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(string_agg(
      set_byte(int4send(least(16777215, total - part * 16777215)::int), 0, bucket), '' ORDER BY bucket, part), '')
    FROM (
      SELECT get_byte(histogram, entry) AS bucket,
        sum(get_byte(histogram, entry + 1) * 65536 + get_byte(histogram, entry + 2) * 256 + get_byte(histogram, entry + 3)) AS total
      FROM generate_series(0, length(histogram) - 4, 4) AS entry
      GROUP BY 1
    ) AS buckets
    CROSS JOIN LATERAL generate_series(0, (total - 1) / 16777215) AS part
  $$;
CREATE TABLE public.alert_topics (
    topic text NOT NULL,
    type text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.alerts (
    id bigint NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone
);
ALTER TABLE public.alerts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.alerts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.api_keys (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    kind text DEFAULT 'user'::text NOT NULL,
    key_hash bytea NOT NULL,
    display text NOT NULL,
    models text[],
    addresses text[],
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    disabled_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    note text DEFAULT ''::text NOT NULL,
    last_used_address text,
    last_used_agent text,
    last_used_model text,
    rotated_at timestamp with time zone,
    previous_key_hash bytea,
    previous_display text,
    previous_expires_at timestamp with time zone,
    disabled_by uuid,
    bound_by uuid,
    bound_models text[],
    bound_addresses text[],
    bound_expires_at timestamp with time zone,
    CONSTRAINT api_keys_key_hash_check CHECK ((length(key_hash) = 32)),
    CONSTRAINT api_keys_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'playground'::text]))),
    CONSTRAINT api_keys_previous_key_hash_check CHECK ((length(previous_key_hash) = 32))
);
CREATE TABLE public.audit_chain (
    "position" bigint NOT NULL,
    entry_id bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_chain_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT audit_chain_position_check CHECK (("position" > 0))
);
CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    action text NOT NULL,
    target_kind text NOT NULL,
    target_id text,
    target_name text DEFAULT ''::text NOT NULL,
    before jsonb,
    after jsonb,
    address text,
    request_id text,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'command_line'::text, 'gateway'::text, 'nobody'::text])))
);
ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.idempotent_calls (
    key_id uuid NOT NULL,
    key_hash bytea NOT NULL,
    request_hash bytea NOT NULL,
    call_id text NOT NULL,
    instance_id bigint NOT NULL,
    status text NOT NULL,
    answer bytea,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotent_calls_check CHECK (((answer IS NOT NULL) = (status = 'kept'::text))),
    CONSTRAINT idempotent_calls_status_check CHECK ((status = ANY (ARRAY['running'::text, 'kept'::text, 'not_kept'::text])))
);
CREATE TABLE public.limit_balances (
    id uuid NOT NULL,
    kind text NOT NULL,
    at timestamp with time zone NOT NULL,
    requests_per_minute double precision,
    requests_used double precision DEFAULT 0 NOT NULL,
    tokens_per_minute double precision,
    tokens_used double precision DEFAULT 0 NOT NULL,
    running integer DEFAULT 0 NOT NULL,
    day date DEFAULT '1970-01-01'::date NOT NULL,
    cap_day bigint,
    spent_day bigint DEFAULT 0 NOT NULL,
    reserved_day bigint DEFAULT 0 NOT NULL,
    base_day bigint DEFAULT 0 NOT NULL,
    month date DEFAULT '1970-01-01'::date NOT NULL,
    cap_month bigint,
    spent_month bigint DEFAULT 0 NOT NULL,
    reserved_month bigint DEFAULT 0 NOT NULL,
    base_month bigint DEFAULT 0 NOT NULL,
    cap_total bigint,
    spent_total bigint DEFAULT 0 NOT NULL,
    reserved_total bigint DEFAULT 0 NOT NULL,
    base_total bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.limit_caps (
    id uuid NOT NULL,
    since timestamp with time zone NOT NULL,
    cap_day bigint,
    cap_month bigint,
    cap_total bigint
);
CREATE TABLE public.limit_values (
    scope text NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    amount bigint,
    bound bigint,
    CONSTRAINT limit_values_amount_check CHECK ((amount >= 0)),
    CONSTRAINT limit_values_check CHECK ((bound >= amount)),
    CONSTRAINT limit_values_scope_check CHECK ((scope = ANY (ARRAY['plan'::text, 'user'::text, 'key'::text, 'project'::text])))
);
CREATE TABLE public.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL,
    program text DEFAULT '0.1.0'::text
);
CREATE SEQUENCE public.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.migrations_id_seq OWNED BY public.migrations.id;
CREATE TABLE public.oidc_sign_ins (
    state_hash bytea NOT NULL,
    browser_hash bytea NOT NULL,
    nonce text NOT NULL,
    code_verifier text NOT NULL,
    next text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT oidc_sign_ins_state_hash_check CHECK ((length(state_hash) = 32))
);
CREATE TABLE public.one_time_links (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT one_time_links_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE TABLE public.plan_grants (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    plan_id text NOT NULL,
    starts_at timestamp with time zone DEFAULT now() NOT NULL,
    ends_at timestamp with time zone,
    source text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT plan_grants_check CHECK ((ends_at >= starts_at))
);
CREATE TABLE public.plans (
    id text NOT NULL,
    name text NOT NULL,
    tiers text[] NOT NULL,
    rank integer NOT NULL,
    models text[] DEFAULT '{}'::text[] NOT NULL,
    retired_at timestamp with time zone
);
CREATE TABLE public.recent_errors (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    request_id text NOT NULL,
    key_id uuid,
    user_id uuid,
    model text,
    status integer NOT NULL,
    code text NOT NULL,
    asked_model text,
    message text,
    key_display text
);
ALTER TABLE public.recent_errors ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.recent_errors_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.refused_calls (
    hour timestamp with time zone NOT NULL,
    key_id uuid,
    model text,
    status integer NOT NULL,
    code text NOT NULL,
    calls bigint NOT NULL
);
CREATE TABLE public.sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    method text NOT NULL,
    address text,
    user_agent text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'oidc'::text, 'setup'::text]))),
    CONSTRAINT sessions_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE TABLE public.setup (
    only_row boolean DEFAULT true NOT NULL,
    done_at timestamp with time zone,
    token_hash bytea,
    token_expires_at timestamp with time zone,
    CONSTRAINT setup_check CHECK (((done_at IS NULL) OR (token_hash IS NULL))),
    CONSTRAINT setup_only_row_check CHECK (only_row),
    CONSTRAINT setup_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE TABLE public.sign_in_limits (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);
CREATE TABLE public.stripe_customers (
    user_id uuid NOT NULL,
    customer_id text NOT NULL
);
CREATE TABLE public.stripe_events (
    id text NOT NULL,
    heeded_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.stripe_subscriptions (
    id text NOT NULL,
    user_id uuid NOT NULL,
    plan_id text NOT NULL,
    status text NOT NULL,
    paid_until timestamp with time zone,
    ends boolean NOT NULL
);
CREATE TABLE public.usage_calls (
    id text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    instance_id bigint NOT NULL,
    request_id text NOT NULL,
    key_id uuid NOT NULL,
    user_id uuid NOT NULL,
    plan_id text NOT NULL,
    model text NOT NULL,
    upstream text,
    upstream_model text,
    simulated boolean DEFAULT false NOT NULL,
    stream boolean NOT NULL,
    status text NOT NULL,
    finish_reason text,
    error_code text,
    input_tokens bigint DEFAULT 0 NOT NULL,
    cached_tokens bigint DEFAULT 0 NOT NULL,
    output_tokens bigint DEFAULT 0 NOT NULL,
    reasoning_tokens bigint DEFAULT 0 NOT NULL,
    token_source text,
    price_version text NOT NULL,
    reserved_nanodollars bigint DEFAULT 0,
    cost_nanodollars bigint DEFAULT 0 NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    first_token_ms integer,
    total_ms integer,
    changed_in bigint DEFAULT (((pg_current_xact_id())::text)::bigint + '10000000000'::bigint) NOT NULL,
    interrupted_in bigint,
    estimated_input_tokens bigint DEFAULT 0 NOT NULL,
    key_display text,
    limited_by uuid[],
    admitted_at timestamp with time zone,
    uncharged_nanodollars bigint,
    served_model text
)
PARTITION BY RANGE (started_at);
CREATE TABLE public.usage_groups (
    id bigint NOT NULL,
    kind text NOT NULL,
    user_id uuid,
    key_id uuid,
    model text,
    upstream text,
    status text
);
CREATE TABLE public.usage_rollup_state (
    one boolean DEFAULT true NOT NULL,
    rolled_up_to bigint DEFAULT 0 NOT NULL,
    rolled_up_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    xid_offset bigint NOT NULL,
    server bigint NOT NULL,
    dropped_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    CONSTRAINT usage_rollup_state_one_check CHECK (one)
);
CREATE TABLE public.usage_rollups_all (
    quarters smallint NOT NULL,
    slot integer NOT NULL,
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
    first_token_ms bytea NOT NULL
)
PARTITION BY LIST (quarters);
CREATE TABLE public.usage_rollups_call (
    quarters smallint NOT NULL,
    slot integer NOT NULL,
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
    first_token_ms bytea NOT NULL
)
PARTITION BY LIST (quarters);
CREATE TABLE public.usage_rollups_failure (
    quarters smallint NOT NULL,
    slot integer NOT NULL,
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
    first_token_ms bytea NOT NULL
)
PARTITION BY LIST (quarters);
CREATE TABLE public.usage_rollups_key (
    quarters smallint NOT NULL,
    slot integer NOT NULL,
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
    first_token_ms bytea NOT NULL
)
PARTITION BY LIST (quarters);
CREATE TABLE public.usage_rollups_model (
    quarters smallint NOT NULL,
    slot integer NOT NULL,
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
    first_token_ms bytea NOT NULL
)
PARTITION BY LIST (quarters);
CREATE TABLE public.users (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    role text DEFAULT 'member'::text NOT NULL,
    kind text DEFAULT 'person'::text NOT NULL,
    password_hash text,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    oidc_issuer text,
    oidc_subject text,
    last_seen_at timestamp with time zone,
    CONSTRAINT users_email_check CHECK ((email = lower((email COLLATE "C")))),
    CONSTRAINT users_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'service'::text]))),
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
);
CREATE TABLE public.usage_calls_default PARTITION OF public.usage_calls DEFAULT;
CREATE TABLE public.usage_rollups_all_1 PARTITION OF public.usage_rollups_all FOR VALUES IN ('1') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_all_24 PARTITION OF public.usage_rollups_all FOR VALUES IN ('24') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_all_4 PARTITION OF public.usage_rollups_all FOR VALUES IN ('4') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_all_768 PARTITION OF public.usage_rollups_all FOR VALUES IN ('768') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_all_96 PARTITION OF public.usage_rollups_all FOR VALUES IN ('96') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_call_1 PARTITION OF public.usage_rollups_call FOR VALUES IN ('1') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_call_24 PARTITION OF public.usage_rollups_call FOR VALUES IN ('24') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_call_4 PARTITION OF public.usage_rollups_call FOR VALUES IN ('4') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_call_768 PARTITION OF public.usage_rollups_call FOR VALUES IN ('768') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_call_96 PARTITION OF public.usage_rollups_call FOR VALUES IN ('96') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_failure_1 PARTITION OF public.usage_rollups_failure FOR VALUES IN ('1') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_failure_24 PARTITION OF public.usage_rollups_failure FOR VALUES IN ('24') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_failure_4 PARTITION OF public.usage_rollups_failure FOR VALUES IN ('4') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_failure_768 PARTITION OF public.usage_rollups_failure FOR VALUES IN ('768') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_failure_96 PARTITION OF public.usage_rollups_failure FOR VALUES IN ('96') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_key_1 PARTITION OF public.usage_rollups_key FOR VALUES IN ('1') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_key_24 PARTITION OF public.usage_rollups_key FOR VALUES IN ('24') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_key_4 PARTITION OF public.usage_rollups_key FOR VALUES IN ('4') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_key_768 PARTITION OF public.usage_rollups_key FOR VALUES IN ('768') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_key_96 PARTITION OF public.usage_rollups_key FOR VALUES IN ('96') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_model_1 PARTITION OF public.usage_rollups_model FOR VALUES IN ('1') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_model_24 PARTITION OF public.usage_rollups_model FOR VALUES IN ('24') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_model_4 PARTITION OF public.usage_rollups_model FOR VALUES IN ('4') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_model_768 PARTITION OF public.usage_rollups_model FOR VALUES IN ('768') WITH (fillfactor='80');
CREATE TABLE public.usage_rollups_model_96 PARTITION OF public.usage_rollups_model FOR VALUES IN ('96') WITH (fillfactor='80');
ALTER TABLE ONLY public.migrations ALTER COLUMN id SET DEFAULT nextval('public.migrations_id_seq'::regclass);
INSERT INTO public.migrations VALUES (1, 1795219200000, 'Foundation1795219200000', NULL);
INSERT INTO public.migrations VALUES (2, 1795305600000, 'Console1795305600000', NULL);
INSERT INTO public.migrations VALUES (3, 1795309200000, 'UsageRollups1795309200000', NULL);
INSERT INTO public.migrations VALUES (4, 1795312800000, 'Setup1795312800000', NULL);
INSERT INTO public.migrations VALUES (5, 1795401800000, 'CarefulLedger1795401800000', NULL);
INSERT INTO public.migrations VALUES (6, 1795402400000, 'SetupOnce1795402400000', NULL);
INSERT INTO public.migrations VALUES (7, 1795402460000, 'KeyBounds1795402460000', NULL);
INSERT INTO public.migrations VALUES (8, 1795402520000, 'AuditChain1795402520000', NULL);
INSERT INTO public.migrations VALUES (9, 1795403000000, 'SchemaWriter1795403000000', '0.1.0');
INSERT INTO public.migrations VALUES (10, 1795403300000, 'RecentErrorsOfKeys1795403300000', '0.1.0');
INSERT INTO public.migrations VALUES (11, 1795405400000, 'RefusedRequests1795405400000', '0.1.0');
INSERT INTO public.migrations VALUES (12, 1795406000000, 'KeysOfTheirTime1795406000000', '0.1.0');
INSERT INTO public.migrations VALUES (13, 1795610000000, 'LeanLedger1795610000000', '0.1.0');
INSERT INTO public.migrations VALUES (14, 1795611000000, 'LimitBalances1795611000000', '0.1.0');
INSERT INTO public.migrations VALUES (15, 1795612000000, 'LimitAdmission1795612000000', '0.1.0');
INSERT INTO public.migrations VALUES (16, 1795613000000, 'LimitEndings1795613000000', '0.1.0');
INSERT INTO public.migrations VALUES (17, 1795620000000, 'LimitValues1795620000000', '0.1.0');
INSERT INTO public.migrations VALUES (18, 1795621000000, 'Alerts1795621000000', '0.1.0');
INSERT INTO public.migrations VALUES (19, 1795630000000, 'ServedModel1795630000000', '0.1.0');
INSERT INTO public.migrations VALUES (20, 1795640000000, 'Idempotency1795640000000', '0.1.0');
INSERT INTO public.migrations VALUES (21, 1795645000000, 'Payments1795645000000', '0.1.0');
INSERT INTO public.migrations VALUES (22, 1795650000000, 'RefusedKeysOfTheirTime1795650000000', '0.1.0');
INSERT INTO public.migrations VALUES (23, 1795660000000, 'SwiftLimitAdmission1795660000000', '0.1.0');
INSERT INTO public.migrations VALUES (24, 1795661000000, 'SwiftLimitEndings1795661000000', '0.1.0');
INSERT INTO public.migrations VALUES (25, 1795662000000, 'AlertsOfTheirTime1795662000000', '0.1.0');
INSERT INTO public.migrations VALUES (26, 1795663000000, 'LimitsTakenAway1795663000000', '0.1.0');
INSERT INTO public.migrations VALUES (27, 1795670000000, 'LedgerRowTypes1795670000000', '0.1.0');
INSERT INTO public.migrations VALUES (28, 1795680000000, 'UsualLimitEndings1795680000000', '0.1.0');
INSERT INTO public.migrations VALUES (29, 1795681000000, 'BalancesOfInterruptedCalls1795681000000', '0.1.0');
INSERT INTO public.plans VALUES ('free', 'Free', '{free}', 0, '{}', NULL);
INSERT INTO public.plans VALUES ('pro', 'Pro', '{free,pro}', 100, '{}', NULL);
INSERT INTO public.setup VALUES (true, NULL, NULL, NULL);
INSERT INTO public.usage_rollup_state VALUES (true, 0, '1970-01-01 00:00:00+00', 10000000000, 7711433672746653135, '1970-01-01 00:00:00+00');
SELECT pg_catalog.setval('public.alerts_id_seq', 1, false);
SELECT pg_catalog.setval('public.audit_log_id_seq', 1, false);
SELECT pg_catalog.setval('public.migrations_id_seq', 29, true);
SELECT pg_catalog.setval('public.recent_errors_id_seq', 1, false);
ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY public.alert_topics
    ADD CONSTRAINT alert_topics_pkey PRIMARY KEY (topic);
ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_previous_key_hash_key UNIQUE (previous_key_hash);
ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_entry_id_key UNIQUE (entry_id);
ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.idempotent_calls
    ADD CONSTRAINT idempotent_calls_pkey PRIMARY KEY (key_id, key_hash);
ALTER TABLE ONLY public.limit_balances
    ADD CONSTRAINT limit_balances_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.limit_caps
    ADD CONSTRAINT limit_caps_pkey PRIMARY KEY (id, since);
ALTER TABLE ONLY public.limit_values
    ADD CONSTRAINT limit_values_pkey PRIMARY KEY (scope, subject, name);
ALTER TABLE ONLY public.oidc_sign_ins
    ADD CONSTRAINT oidc_sign_ins_pkey PRIMARY KEY (state_hash);
ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.plan_grants
    ADD CONSTRAINT plan_grants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_rank_key UNIQUE (rank);
ALTER TABLE ONLY public.recent_errors
    ADD CONSTRAINT recent_errors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.refused_calls
    ADD CONSTRAINT refused_calls_hour_key_id_model_status_code_key UNIQUE NULLS NOT DISTINCT (hour, key_id, model, status, code);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.setup
    ADD CONSTRAINT setup_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.sign_in_limits
    ADD CONSTRAINT sign_in_limits_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.stripe_customers
    ADD CONSTRAINT stripe_customers_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.stripe_events
    ADD CONSTRAINT stripe_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.stripe_subscriptions
    ADD CONSTRAINT stripe_subscriptions_pkey PRIMARY KEY (id);
ALTER TABLE public.usage_calls
    ADD CONSTRAINT usage_calls_pkey PRIMARY KEY (id, started_at);
ALTER TABLE ONLY public.usage_groups
    ADD CONSTRAINT usage_groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.usage_rollup_state
    ADD CONSTRAINT usage_rollup_state_pkey PRIMARY KEY (one);
ALTER TABLE public.usage_rollups_all
    ADD CONSTRAINT usage_rollups_all_pkey PRIMARY KEY (quarters, group_id, slot);
ALTER TABLE public.usage_rollups_call
    ADD CONSTRAINT usage_rollups_call_pkey PRIMARY KEY (quarters, group_id, slot);
ALTER TABLE public.usage_rollups_failure
    ADD CONSTRAINT usage_rollups_failure_pkey PRIMARY KEY (quarters, group_id, slot);
ALTER TABLE public.usage_rollups_key
    ADD CONSTRAINT usage_rollups_key_pkey PRIMARY KEY (quarters, group_id, slot);
ALTER TABLE public.usage_rollups_model
    ADD CONSTRAINT usage_rollups_model_pkey PRIMARY KEY (quarters, group_id, slot);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_oidc_issuer_oidc_subject_key UNIQUE (oidc_issuer, oidc_subject);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX alerts_due ON public.alerts USING btree (next_at) WHERE (sent_at IS NULL);
CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id, created_at);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_id, id);
CREATE INDEX audit_log_at ON public.audit_log USING btree (at);
CREATE INDEX audit_log_target ON public.audit_log USING btree (target_kind, target_id, id);
CREATE INDEX idempotent_calls_expires_at ON public.idempotent_calls USING btree (expires_at);
CREATE INDEX one_time_links_user ON public.one_time_links USING btree (user_id);
CREATE INDEX plan_grants_user ON public.plan_grants USING btree (user_id, ends_at);
CREATE INDEX recent_errors_by_time ON public.recent_errors USING btree (at DESC, id DESC);
CREATE INDEX recent_errors_of_key ON public.recent_errors USING btree (key_id, id);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE INDEX stripe_customers_id ON public.stripe_customers USING btree (customer_id);
CREATE INDEX stripe_subscriptions_user ON public.stripe_subscriptions USING btree (user_id);
CREATE INDEX usage_calls_changed ON public.usage_calls USING btree (changed_in) WHERE (status <> 'open'::text);
CREATE INDEX usage_calls_closed ON public.usage_calls USING btree (started_at) WHERE (status <> 'open'::text);
CREATE INDEX usage_calls_open ON public.usage_calls USING btree (instance_id) WHERE (status = 'open'::text);
CREATE INDEX usage_calls_interrupted ON public.usage_calls USING btree (interrupted_in) WHERE (interrupted_in IS NOT NULL);
CREATE INDEX usage_calls_key ON public.usage_calls USING btree (key_id, started_at) WHERE (status <> 'open'::text);
CREATE INDEX usage_calls_errors ON public.usage_calls USING btree (started_at) WHERE (status = ANY (ARRAY['failed'::text, 'interrupted'::text]));
CREATE INDEX usage_calls_user ON public.usage_calls USING btree (user_id, started_at) WHERE (status <> 'open'::text);
CREATE INDEX usage_groups_key ON public.usage_groups USING btree (key_id, kind);
CREATE INDEX usage_groups_user ON public.usage_groups USING btree (user_id, kind);
CREATE INDEX usage_rollups_all_slot ON public.usage_rollups_all USING btree (slot);
CREATE INDEX usage_rollups_call_slot ON public.usage_rollups_call USING btree (slot);
CREATE INDEX usage_rollups_failure_slot ON public.usage_rollups_failure USING btree (slot);
CREATE INDEX usage_rollups_key_slot ON public.usage_rollups_key USING btree (slot);
CREATE INDEX usage_rollups_model_slot ON public.usage_rollups_model USING btree (slot);
CREATE TRIGGER audit_chain_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_chain FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_is_append_only();
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_is_append_only();
CREATE CONSTRAINT TRIGGER audit_log_chained AFTER INSERT ON public.audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.audit_chain_append();
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.idempotent_calls
    ADD CONSTRAINT idempotent_calls_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.plan_grants
    ADD CONSTRAINT plan_grants_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plans(id);
ALTER TABLE ONLY public.plan_grants
    ADD CONSTRAINT plan_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.stripe_customers
    ADD CONSTRAINT stripe_customers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.stripe_subscriptions
    ADD CONSTRAINT stripe_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
