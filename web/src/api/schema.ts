// Made by `npm run docs` from the OpenAPI document of the console's API.

export interface paths {
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your account */
        get: operations["Account_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change your name */
        patch: operations["Account_update"];
        trace?: never;
    };
    "/api/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Your other sessions end.
         */
        post: operations["Account_changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where you are signed in */
        get: operations["Account_listSessions"];
        put?: never;
        post?: never;
        /** Sign out everywhere */
        delete: operations["Account_closeSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out somewhere */
        delete: operations["Account_closeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who changed what, newest first
         * @description **For administrators.**
         */
        get: operations["Audit_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The actions that the log has lately
         * @description **For administrators.**
         */
        get: operations["Audit_actions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All entries that match, as a file; itself an entry of the log
         * @description **For administrators.**
         */
        get: operations["Audit_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your API keys; for an admin everybody's, too */
        get: operations["Keys_list"];
        put?: never;
        /** Make an API key; the answer is the only place where it stands */
        post: operations["Keys_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One API key */
        get: operations["Keys_get"];
        put?: never;
        post?: never;
        /** Revoke an API key, for good; within a second nothing takes it any more */
        delete: operations["Keys_revoke"];
        options?: never;
        head?: never;
        /** Change an API key, or disable and enable it; felt within a second */
        patch: operations["Keys_update"];
        trace?: never;
    };
    "/api/keys/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether an API key is still in use */
        get: operations["Keys_activity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an API key a new secret, and the one before some time yet */
        post: operations["Keys_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether several API keys are still in use */
        post: operations["Keys_activities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disable, enable or revoke several API keys: all of them, or none */
        post: operations["Keys_changeAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What limits you, all your keys together */
        get: operations["Limits_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The models that you may call; for an admin also the others, with the reason */
        get: operations["ConsoleModels_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the provider sends the browser back to */
        get: operations["Oidc_callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oidc/failure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this browser's last sign-in failed of */
        get: operations["Oidc_failure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Begin a sign-in with the company's single sign-on */
        get: operations["Oidc_start"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What you use today and this month, your plan, and what went wrong lately */
        get: operations["Overview_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview/first-call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether your first request has succeeded; light enough to be asked every two seconds */
        get: operations["Overview_firstCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password-links/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whose password a one-time link sets */
        post: operations["PasswordLinks_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password-links/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the password, and sign in */
        post: operations["PasswordLinks_use"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What you may buy, and what you bought
         * @description Only where payments are set up.
         */
        get: operations["Payments_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to buy a plan
         * @description Only where payments are set up.
         */
        post: operations["Payments_checkout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Manage what you bought
         * @description Only where payments are set up.
         */
        post: operations["Payments_portal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/stripe/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * For Stripe's signed events
         * @description Only where payments are set up.
         */
        post: operations["StripeWebhook_heed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every plan, and yours */
        get: operations["Plans_list"];
        put?: never;
        /**
         * Make a plan
         * @description **For administrators.**
         */
        post: operations["Plans_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a plan, or retire it; felt within a second
         * @description **For administrators.**
         */
        patch: operations["Plans_update"];
        trace?: never;
    };
    "/api/plans/{id}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who was given a plan, now or for a time to come, and by what
         * @description **For administrators.**
         */
        get: operations["Plans_holders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playground/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A key for the playground
         * @description It works for 15 minutes on `/v1` with your own rights, and is listed nowhere.
         */
        post: operations["Playground_createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in */
        get: operations["Session_get"];
        put?: never;
        /**
         * Sign in
         * @description Too many wrong attempts: 429 with `Retry-After`.
         */
        post: operations["Session_open"];
        /** Sign out */
        delete: operations["Session_close"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every setting with what sets it; files and variables are where they are changed
         * @description **For administrators.**
         */
        get: operations["Settings_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the files were last read again: what changed, or which mistakes kept it from changing
         * @description **For administrators.**
         */
        get: operations["Settings_reload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the first administrator is yet to be made */
        get: operations["Setup_get"];
        put?: never;
        /** Make the first administrator, and sign in */
        post: operations["Setup_complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upstreams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every upstream and every model of the configuration, and which of them are live
         * @description **For administrators.**
         */
        get: operations["Upstreams_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upstreams/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call an upstream for real, once for JSON and once streamed; it costs what it costs
         * @description **For administrators.**
         */
        post: operations["Upstreams_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was used over a stretch of time: in all, by group, and by hour or day */
        get: operations["Usage_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Single requests, newest first */
        get: operations["Usage_calls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One request with its attempts
         * @description By the id of the completion, by the `x-request-id` of the answer, or by the id of a refused request.
         */
        get: operations["Usage_call"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All of it as a file: the report with every group, or every single request */
        get: operations["Usage_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** More groups of a report, a page at a time */
        get: operations["Usage_groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users, page by page
         * @description **For administrators.**
         */
        get: operations["Users_list"];
        put?: never;
        /**
         * Invite a person, or make a service account
         * @description **For administrators.**
         */
        post: operations["Users_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user
         * @description **For administrators.**
         */
        get: operations["Users_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a user, change the role, disable or enable
         * @description **For administrators.**
         */
        patch: operations["Users_update"];
        trace?: never;
    };
    "/api/users/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What limits a user, all keys together
         * @description **For administrators.**
         */
        get: operations["UserLimits_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set a user's own limits and budgets in the place of the plan's; felt within a second
         * @description **For administrators.**
         */
        patch: operations["UserLimits_set"];
        trace?: never;
    };
    "/api/users/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a one-time link to a new password
         * @description Earlier links of the user die.
         *
         *     **For administrators.**
         */
        post: operations["Users_createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a user a plan from now on; given again, it takes the new end
         * @description **For administrators.**
         */
        post: operations["UserPlan_grant"];
        /**
         * End every plan that a user was given; the one of everybody stays
         * @description **For administrators.**
         */
        delete: operations["UserPlan_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process runs */
        get: operations["isLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether it can serve
         * @description No while the database is away, and from the beginning of a shutdown on.
         */
        get: operations["isReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation
         * @description OpenAI’s Chat Completions format for every model. Use any OpenAI SDK with this gateway’s address + `/v1` as the base URL.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The models that the key may call
         * @description Plain clients get an array of five fields; clients that are known to need it, like OpenAI’s SDKs, and everybody under `/openai/v1` OpenAI’s list. `format` decides explicitly.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One model with its context, prices and capabilities */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a call
         * @description For the owner of the key, with any of the owner’s keys. Nothing of what was asked or answered is told.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountSessionView: {
            address: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The one that asks. */
            current: boolean;
            /**
             * Format: date-time
             * @description When it ends in any case.
             */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastSeenAt: string;
            /** @enum {string} */
            method: "password" | "oidc" | "setup";
            userAgent: string | null;
        };
        AccountUpdate: {
            name: string;
        };
        AccountView: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            /** @description Whether there is a password to change. */
            hasPassword: boolean;
            /** Format: uuid */
            id: string;
            /** @description May be empty. */
            name: string;
            /** @enum {string} */
            role: "admin" | "member";
            /** @enum {string} */
            source: "local" | "oidc" | "service";
        };
        AnswerMessage: {
            content: string | null;
            /** @description The model’s thoughts, where the provider shows them. */
            reasoning_content?: string;
            /** @description Instead of an answer: why the model gives none. */
            refusal: string | null;
            /** @enum {string} */
            role: "assistant";
            tool_calls?: components["schemas"]["ToolCall"][];
        };
        /** @description What the model answered before. */
        AssistantMessage: {
            audio?: {
                id: string;
            } | null;
            /** @description May be missing beside `tool_calls`, `refusal` or `audio`. */
            content?: (string | (components["schemas"]["TextPart"] | components["schemas"]["RefusalPart"])[]) | null;
            /** @deprecated */
            function_call?: {
                arguments: string;
                name: string;
            } | null;
            /** @description Tells participants of one role apart. */
            name?: string;
            refusal?: string | null;
            /** @enum {string} */
            role: "assistant";
            tool_calls?: components["schemas"]["ToolCall"][];
        };
        /** @description Sound. */
        AudioPart: {
            input_audio: {
                /** @description The base64-encoded audio without a 'data:' prefix. */
                data: string;
                /** @enum {string} */
                format: "wav" | "mp3";
            };
            prompt_cache_breakpoint?: {
                /** @enum {string} */
                mode: "explicit";
            };
            /** @enum {string} */
            type: "input_audio";
        };
        AuditActorView: {
            id: string | null;
            /** @enum {string} */
            kind: "user" | "command_line" | "gateway" | "nobody";
            /** @description The e-mail address of a user. */
            name: string;
        };
        AuditEntryView: {
            /** @example key.create */
            action: string;
            actor: components["schemas"]["AuditActorView"];
            address: string | null;
            after: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            at: string;
            before: {
                [key: string]: unknown;
            } | null;
            id: string;
            requestId: string | null;
            target: components["schemas"]["AuditTargetView"];
        };
        AuditPageView: {
            items: components["schemas"]["AuditEntryView"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
        };
        AuditTargetView: {
            id: string | null;
            /** @enum {string} */
            kind: "user" | "key" | "plan" | "session" | "upstream" | "export";
            name: string;
        };
        BudgetView: {
            /** @description US dollars. */
            amountUsd: number;
            /** @description What was spent before it was set is still being summed up; until then only calls since then count. */
            calculating: boolean;
            /**
             * @description Days and months are those of UTC.
             * @enum {string}
             */
            period: "day" | "month" | "total";
            /**
             * Format: date-time
             * @description When it resets; null: never.
             */
            resetsAt: string | null;
            /** @description US dollars that calls which have ended cost since the period began. */
            spentUsd: number;
        };
        CacheWriteView: {
            /** @description Their price relative to the input price; null: the prices have changed since. */
            factor: number | null;
            /**
             * @description For how long the provider keeps them.
             * @enum {integer}
             */
            minutes: 5 | 60;
            tokens: number;
        };
        CallAttemptView: {
            /** @description The name of the upstream's key, where it has several. */
            key?: string;
            /** @description How long it took, in milliseconds. */
            ms: number;
            /** @description `ok`, or the code of the error that it ended with. */
            outcome: string;
            /** @description Milliseconds after the start of the request. */
            startMs: number;
            /** @description The HTTP status; null or 0 where there was none. */
            status: number | null;
            upstream: string;
            upstreamModel: string;
            /** @description For how long the request waited before it, while every target was full, in milliseconds. */
            waitedMs?: number;
        };
        CallChargeView: {
            /**
             * @description How tokens were found that the upstream did not report: counted in what was seen of the answer, by the time that the model had, the most that the answer could have, or the prompt alone. Null: it reported them.
             * @enum {string|null}
             */
            basis: "visible" | "time" | "ceiling" | "prompt" | null;
            /** @description Input that was written to the provider's cache. */
            cacheWrites: components["schemas"]["CacheWriteView"][];
            /** @description Calls of the provider's own tools. */
            hostedTools: components["schemas"]["HostedToolCallsView"][];
            /** @description Not charged, since the upstream failed in the middle of the answer. */
            isFree: boolean;
            /** @description The model has no price, so the call counts as $0. As the model is set up now. */
            isUnpriced: boolean;
            /** @description Dollars beyond what was reserved, by which a budget may be exceeded. */
            overReservedUsd: number;
            /** @description Null: the list price. */
            serviceTier: components["schemas"]["ServiceTierView"] | null;
        };
        CallDetailView: {
            attempts: components["schemas"]["CallAttemptView"][];
            cachedTokens: number;
            /** @description Null: the list price of the tokens that the upstream reported. */
            charge: components["schemas"]["CallChargeView"] | null;
            /**
             * @description The exact cost: whole nano-dollars (10⁻⁹ $).
             * @example 1234500
             */
            costNanodollars: string;
            /** @description The same in dollars, as near as a number can be. */
            costUsd: number;
            errorCode: string | null;
            finishReason: string | null;
            /** @description Milliseconds after the start. */
            firstTokenMs: number | null;
            /** @description What a refused request was answered with. */
            httpStatus: number | null;
            /**
             * @description `refused-…`: it was refused before it became a call.
             * @example chatcmpl-9f86d081884c7d65
             */
            id: string;
            /** @description Cached ones included. */
            inputTokens: number;
            /** @description The display form of the key, with the secret of its time. */
            keyDisplay: string | null;
            /** Format: uuid */
            keyId: string;
            keyName: string;
            /** @description What the caller of a refused request was told. */
            message: string | null;
            /** @description Of a refused request what it named, which may be no model; empty: nothing that can be told. */
            model: string;
            /** @description Reasoning ones included. */
            outputTokens: number;
            /** @description The plan that its user was on; null: it was refused. */
            planId: string | null;
            reasoningTokens: number;
            /** @description The `x-request-id` of its answer. */
            requestId: string;
            /** @description The one that answered, and is charged; null: none did, or not known. */
            servedModel: string | null;
            simulated: boolean;
            /** Format: date-time */
            startedAt: string;
            status: components["schemas"]["CallStatus"];
            stream: boolean;
            /**
             * @description Null while it is under way.
             * @enum {string|null}
             */
            tokenSource: "reported" | "estimated" | null;
            /** @description Milliseconds after the start. */
            totalMs: number | null;
            /** @description Null: none was called. */
            upstream: string | null;
            upstreamModel: string | null;
            /** Format: uuid */
            userId: string;
            userName: string;
        };
        CallExplanation: {
            attempts: {
                /** @description How long it took. */
                ms: number;
                /** @description `ok`, `aborted`, `outrun` where another target answered first, or the code of the error. */
                outcome: string;
                /** Format: date-time */
                startedAt: string;
                /** @description The upstream’s; 0: no connection. */
                status: number | null;
                upstream: string;
                upstreamModel: string;
                /** @description For how long the call waited before it, while every target was full. */
                waitedMs?: number;
            }[];
            completionId: string;
            /** @description A whole number. */
            costNanodollars: string;
            costUsd: number;
            errorCode: string | null;
            finishReason: string | null;
            firstTokenMs: number | null;
            /** @description The request’s, as in `x-request-id`. */
            id: string;
            /** @description The one that was asked. */
            model: string;
            /** @description The one that answered, and is charged. */
            servedModel: string | null;
            simulated: boolean;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            status: "open" | "settled" | "failed" | "aborted" | "interrupted";
            stream: boolean;
            tokens: {
                /** @description Part of the input. */
                cached: number;
                input: number;
                output: number;
                /** @description Part of the output. */
                reasoning: number;
                /** @enum {string|null} */
                source: "reported" | "estimated" | null;
            };
            totalMs: number | null;
        };
        CallPageView: {
            items: components["schemas"]["CallView"][];
            /** @description The `cursor` of the next page; null after the last. */
            next: string | null;
        };
        /** @enum {string} */
        CallStatus: "open" | "settled" | "failed" | "aborted" | "interrupted" | "refused";
        CallView: {
            cachedTokens: number;
            /**
             * @description The exact cost: whole nano-dollars (10⁻⁹ $).
             * @example 1234500
             */
            costNanodollars: string;
            /** @description The same in dollars, as near as a number can be. */
            costUsd: number;
            errorCode: string | null;
            finishReason: string | null;
            /** @description Milliseconds after the start. */
            firstTokenMs: number | null;
            /** @description What a refused request was answered with. */
            httpStatus: number | null;
            /**
             * @description `refused-…`: it was refused before it became a call.
             * @example chatcmpl-9f86d081884c7d65
             */
            id: string;
            /** @description Cached ones included. */
            inputTokens: number;
            /** @description The display form of the key, with the secret of its time. */
            keyDisplay: string | null;
            /** Format: uuid */
            keyId: string;
            keyName: string;
            /** @description What the caller of a refused request was told. */
            message: string | null;
            /** @description Of a refused request what it named, which may be no model; empty: nothing that can be told. */
            model: string;
            /** @description Reasoning ones included. */
            outputTokens: number;
            reasoningTokens: number;
            /** @description The `x-request-id` of its answer. */
            requestId: string;
            /** @description The one that answered, and is charged; null: none did, or not known. */
            servedModel: string | null;
            simulated: boolean;
            /** Format: date-time */
            startedAt: string;
            status: components["schemas"]["CallStatus"];
            stream: boolean;
            /**
             * @description Null while it is under way.
             * @enum {string|null}
             */
            tokenSource: "reported" | "estimated" | null;
            /** @description Milliseconds after the start. */
            totalMs: number | null;
            /** @description Null: none was called. */
            upstream: string | null;
            upstreamModel: string | null;
            /** Format: uuid */
            userId: string;
            userName: string;
        };
        CatalogModelView: {
            /** @description The share of its input tokens in the last 24 hours that came from the cache of a provider. */
            cachedShare: number | null;
            displayName: string;
            /** @description False: nobody has said what it costs, so its calls count as $0. */
            hasPrice: boolean;
            id: string;
            /**
             * @description A hidden one is not listed and cannot be called.
             * @enum {string}
             */
            state: "live" | "simulated" | "hidden";
            targets: components["schemas"]["ModelTargetView"][];
            tier: string;
        };
        ChangeKeysDto: {
            /** @enum {string} */
            change: "disable" | "enable" | "revoke";
            ids: string[];
        };
        /** @description The answer to a request without `stream`. */
        ChatCompletion: {
            choices: {
                /**
                 * @description Why it ended: complete, token limit reached, tool calls, or content filter.
                 * @enum {string}
                 */
                finish_reason: "stop" | "length" | "tool_calls" | "content_filter" | "function_call";
                /** @description From 0. */
                index: number;
                /** @description Log probabilities of the tokens, if asked for. */
                logprobs: Record<string, unknown> | null;
                message: components["schemas"]["AnswerMessage"];
            }[];
            /** @description Unix seconds. */
            created: number;
            /** @description `chatcmpl-…`, given by the gateway; the same in every chunk. */
            id: string;
            /** @description The model that you asked for. */
            model: string;
            /** @enum {string} */
            object: "chat.completion";
            usage: components["schemas"]["Usage"];
        };
        /** @description One event of a streamed answer. */
        ChatCompletionChunk: {
            choices: {
                delta: {
                    /** @description The next piece of the answer. */
                    content?: string | null;
                    /** @description The next piece of the model’s thoughts, where the provider shows them. */
                    reasoning_content?: string;
                    refusal?: string | null;
                    /**
                     * @description On the first chunk.
                     * @enum {string}
                     */
                    role?: "assistant";
                    tool_calls?: {
                        function?: {
                            /** @description The next piece of the JSON text. */
                            arguments?: string;
                            name?: string;
                        };
                        id?: string;
                        /** @description Which of the calls; the same in every piece of one. */
                        index: number;
                        /** @enum {string} */
                        type?: "function";
                    }[];
                };
                /**
                 * @description Why it ended: complete, token limit reached, tool calls, or content filter.
                 * @enum {string|null}
                 */
                finish_reason: "stop" | "length" | "tool_calls" | "content_filter" | "function_call" | null;
                /** @description From 0. */
                index: number;
                /** @description Log probabilities of the tokens, if asked for. */
                logprobs?: Record<string, unknown> | null;
            }[];
            /** @description Unix seconds. */
            created: number;
            /** @description `chatcmpl-…`, given by the gateway; the same in every chunk. */
            id: string;
            /** @description The model that you asked for. */
            model: string;
            /** @enum {string} */
            object: "chat.completion.chunk";
            usage?: components["schemas"]["Usage"] | null;
        };
        /** @description OpenAI’s Chat Completions request. What a model is known not to do is a 400 that names the field. */
        ChatCompletionRequest: {
            /** @description Voice and format of a spoken answer. */
            audio?: {
                /** @enum {string} */
                format: "wav" | "aac" | "mp3" | "flac" | "opus" | "pcm16";
                voice: string | {
                    id: string;
                };
            } | null;
            /** @description Positive values reduce repetition of words. */
            frequency_penalty?: number | null;
            /**
             * @deprecated
             * @description The older form of `tool_choice`.
             */
            function_call?: ("none" | "auto") | {
                name: string;
            };
            /**
             * @deprecated
             * @description The older form of `tools`.
             */
            functions?: {
                /** @description Tells the model when and how to call it. */
                description?: string;
                name: string;
                /** @description JSON Schema of the arguments. */
                parameters?: Record<string, unknown>;
            }[];
            /** @description Makes tokens more or less likely, by token id. */
            logit_bias?: {
                [key: string]: number;
            } | null;
            /** @description Return the log probability of each token. */
            logprobs?: boolean | null;
            /** @description The longest answer, reasoning included. */
            max_completion_tokens?: number | null;
            /** @description The older name of `max_completion_tokens`; every model takes it. */
            max_tokens?: number | null;
            /** @description The conversation so far. */
            messages: components["schemas"]["ChatMessage"][];
            /** @description Your own labels. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Whether the answer is written, spoken or both. */
            modalities?: ("text" | "audio")[] | null;
            /** @description A model of `GET /v1/models`. */
            model: string;
            /** @description The provider’s moderation of question and answer. */
            moderation?: {
                model: string;
                policy?: {
                    input?: {
                        /** @enum {string} */
                        mode: "score" | "block";
                    } | null;
                    output?: {
                        /** @enum {string} */
                        mode: "score" | "block";
                    } | null;
                } | null;
            } | null;
            /** @description How many answers. */
            n?: number | null;
            /** @description Whether the model may call several tools in one answer. */
            parallel_tool_calls?: boolean;
            /** @description Text that the answer will mostly repeat. */
            prediction?: {
                content: string | components["schemas"]["TextPart"][];
                /** @enum {string} */
                type: "content";
            } | null;
            /** @description Positive values reduce repetition of topics. */
            presence_penalty?: number | null;
            /** @description Requests with the same key share cached prompt prefixes. */
            prompt_cache_key?: string | null;
            /** @description What the provider caches. */
            prompt_cache_options?: {
                /** @enum {string} */
                mode?: "implicit" | "explicit";
                /** @enum {string} */
                ttl?: "30m";
            };
            /**
             * @description How long the provider keeps the cached prompt.
             * @enum {string|null}
             */
            prompt_cache_retention?: "in_memory" | "24h" | null;
            /**
             * @description How long the model may think.
             * @enum {string|null}
             */
            reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
            /** @description The format of the answer. */
            response_format?: {
                /** @enum {string} */
                type: "text";
            } | {
                /** @enum {string} */
                type: "json_object";
            } | {
                json_schema: {
                    description?: string;
                    name: string;
                    /** @description JSON Schema of the answer. */
                    schema?: Record<string, unknown>;
                    /** @description Whether the answer must follow it exactly. */
                    strict?: boolean | null;
                };
                /** @enum {string} */
                type: "json_schema";
            };
            /** @description The newer form of `user`. */
            safety_identifier?: string | null;
            /** @description The same seed gives the same answer, as far as the provider can. */
            seed?: number | null;
            /**
             * @description How soon the provider serves it, and for which price.
             * @enum {string|null}
             */
            service_tier?: "auto" | "default" | "flex" | "scale" | "priority" | "fast" | null;
            /** @description Where the answer ends. */
            stop?: (string | string[]) | null;
            /** @description Whether the provider may keep the answer. */
            store?: boolean | null;
            /** @description Answer in server-sent events while the model writes. */
            stream?: boolean | null;
            stream_options?: {
                /** @description Pad the chunks to one length, where the provider does. */
                include_obfuscation?: boolean;
                /** @description Send the tokens used as the last chunk, with `choices: []`. */
                include_usage?: boolean;
            } | null;
            /** @description Higher values give more varied answers. */
            temperature?: number | null;
            /** @description Whether the model may, must or must not call a tool, or which tool to call. */
            tool_choice?: ("none" | "auto" | "required") | ({
                function: {
                    name: string;
                };
                /** @enum {string} */
                type: "function";
            } | {
                custom: {
                    name: string;
                };
                /** @enum {string} */
                type: "custom";
            } | {
                allowed_tools: {
                    /** @enum {string} */
                    mode: "auto" | "required";
                    tools: Record<string, unknown>[];
                };
                /** @enum {string} */
                type: "allowed_tools";
            });
            /** @description For models with the capability `tools`. */
            tools?: components["schemas"]["Tool"][];
            /** @description How many alternatives to return for each token; needs `logprobs`. */
            top_logprobs?: number | null;
            /** @description Considers only the most likely tokens that add up to this probability. */
            top_p?: number | null;
            /** @description Your own name of the end user, for the provider’s abuse detection. */
            user?: string;
            /**
             * @description How detailed the answer should be.
             * @enum {string|null}
             */
            verbosity?: "low" | "medium" | "high" | null;
            /** @description Let the model search the web, where the provider can. */
            web_search_options?: {
                /** @enum {string} */
                search_context_size?: "low" | "medium" | "high";
                user_location?: {
                    approximate: {
                        city?: string;
                        country?: string;
                        region?: string;
                        timezone?: string;
                    };
                    /** @enum {string} */
                    type: "approximate";
                } | null;
            };
        };
        /** @description One message of the conversation. */
        ChatMessage: components["schemas"]["SystemMessage"] | components["schemas"]["DeveloperMessage"] | components["schemas"]["UserMessage"] | components["schemas"]["AssistantMessage"] | components["schemas"]["ToolMessage"] | components["schemas"]["FunctionMessage"];
        ClosedSessionsView: {
            /** @description How many sessions were ended. */
            closed: number;
        };
        ConfigChangeView: {
            /** @enum {string} */
            change: "added" | "removed" | "changed";
            /** @enum {string} */
            file: "gateway.yaml" | "upstreams.yaml" | "models.yaml";
            /** @description A section of gateway.yaml, the name of an upstream or the id of a model. */
            name: string;
        };
        ConfigFaultView: {
            file: string;
            /** @example retry.attempts */
            key: string;
            problem: string;
        };
        CreatedKeyView: {
            /** @description Null: any. */
            addresses: string[] | null;
            /** @description What an administrator has narrowed it to: its owner can only narrow it further. Null: to nothing. */
            bounds: components["schemas"]["KeyBoundsView"] | null;
            /** @description Those of its own, with what is spent of them. */
            budgets: components["schemas"]["BudgetView"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description What an administrator disabled, only an administrator enables. Null: it is not disabled.
             * @enum {string|null}
             */
            disabledBy: "owner" | "administrator" | null;
            /**
             * @description The most of the key that is ever shown again.
             * @example svc_ab12…9xYz
             */
            display: string;
            /**
             * Format: date-time
             * @description Null: never.
             */
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
            /** @description The key itself: shown this once, and kept nowhere. */
            key: string;
            /** @description Null: never used. */
            lastUsed: components["schemas"]["KeyLastUseView"] | null;
            /** @description Of this key alone, beside what its owner has. */
            limits: components["schemas"]["LimitsView"];
            /** @description Null: all that its owner may call. */
            models: string[] | null;
            name: string;
            note: string;
            owner: components["schemas"]["KeyOwnerView"];
            /** @description The secret before the last rotation, while it is taken. */
            previous: components["schemas"]["PreviousSecretView"] | null;
            /** @description Those of its own, with what is used of them now. */
            rates: components["schemas"]["RateView"][];
            /** Format: date-time */
            revokedAt: string | null;
            /** @description Since the first of the month, in UTC. */
            spentThisMonth: components["schemas"]["SpendingView"];
            /** @enum {string} */
            status: "active" | "expired" | "disabled" | "revoked";
        };
        CreatedUserView: {
            /** @description Null for a service account, and where people sign in by single sign-on only. */
            link: components["schemas"]["PasswordLinkView"] | null;
            user: components["schemas"]["UserView"];
        };
        CreateKeyDto: {
            /**
             * @description The only addresses and ranges that it may be used from; null: any.
             * @example [
             *       "203.0.113.7",
             *       "10.0.0.0/8"
             *     ]
             */
            addresses?: string[] | null;
            /**
             * Format: date-time
             * @description Null: never, where the key policy allows it. Left out: after the policy's default lifetime.
             */
            expiresAt?: string | null;
            /** @description Of this key alone, beside what its owner has and never above it. */
            limits?: components["schemas"]["LimitsDto"];
            /** @description The only models that it may call, out of those that its owner may; null: all of them. */
            models?: string[] | null;
            /** @example alice-laptop */
            name: string;
            /** @description Whatever helps to know it again. */
            note?: string;
            /**
             * Format: uuid
             * @description Whose it is, for example a service account; only admins may say.
             */
            userId?: string;
        };
        CreatePlanDto: {
            /** @example team-a */
            id: string;
            /** @description For each user on it, all keys of that user together. */
            limits?: components["schemas"]["LimitsDto"];
            /** @example Pro */
            name?: string;
            /** @description Models beside those of the tiers, by their ids. */
            namedModels?: string[];
            /** @description If a user has several plans, the one with the highest rank applies. */
            rank?: number;
            /**
             * @description Tiers of the catalog, whose models the plan opens; at least one, unless it names models.
             * @example [
             *       "free",
             *       "pro"
             *     ]
             */
            tiers?: string[];
        };
        CreateUserDto: {
            /** @example ada@example.com */
            email: string;
            /**
             * @description A service account has keys and no login.
             * @default person
             * @enum {string}
             */
            kind: "person" | "service";
            name?: string;
            /**
             * @default member
             * @enum {string}
             */
            role: "admin" | "member";
        };
        /** @description The newer form of a `system` message. */
        DeveloperMessage: {
            content: string | components["schemas"]["TextPart"][];
            /** @description Tells participants of one role apart. */
            name?: string;
            /** @enum {string} */
            role: "developer";
        };
        /** @description Every error has this shape. Name the `x-request-id` of the answer when you ask for help. */
        Error: {
            error: {
                /** @description For programs: `invalid_api_key`, `model_not_found`, `invalid_value`, … */
                code: string | null;
                /** @description For people; it holds no secret. */
                message: string;
                /** @description The path of the field at fault. */
                param: string | null;
                /** @description The family: `invalid_request_error`, `permission_error`, `server_error`, … */
                type: string;
            };
        };
        FailingUpstreamView: {
            /** @description Calls in the last 24 hours that tell how it answers. */
            attempts: number;
            /** @description Of the last failure. */
            code: string | null;
            failures: number;
            name: string;
        };
        /** @description A file. */
        FilePart: {
            file: {
                /** @description The base64-encoded file, alone or as a data URL. */
                file_data?: string;
                file_id?: string;
                filename?: string;
            };
            prompt_cache_breakpoint?: {
                /** @enum {string} */
                mode: "explicit";
            };
            /** @enum {string} */
            type: "file";
        };
        FirstCallView: {
            /** Format: date-time */
            at: string | null;
            done: boolean;
            model: string | null;
        };
        /** @description The older form of a `tool` message. */
        FunctionMessage: {
            content: string | null;
            name: string;
            /** @enum {string} */
            role: "function";
        };
        GrantPlanDto: {
            /** @example pro */
            planId: string;
            /**
             * Format: date-time
             * @description Missing or null: no end.
             */
            until?: string | null;
        };
        HeldPlanView: {
            plan: components["schemas"]["PlanNameView"];
            /**
             * Format: date-time
             * @description Null: from the beginning.
             */
            since: string | null;
            /**
             * Format: date-time
             * @description Null: no end.
             */
            until: string | null;
        };
        HostedToolCallsView: {
            calls: number;
            /** @example web_search */
            name: string;
        };
        /** @description An image, for models with the capability `image_input`. */
        ImagePart: {
            image_url: {
                /** @enum {string} */
                detail?: "auto" | "low" | "high" | "original";
                /** @description A web address, or a data URL that begins with 'data:image/' and a type, then ';base64,' and the encoded image. */
                url: string;
            };
            prompt_cache_breakpoint?: {
                /** @enum {string} */
                mode: "explicit";
            };
            /** @enum {string} */
            type: "image_url";
        };
        KeyActivityView: {
            /** @description Calls that were let in during the last 24 hours. */
            callsLast24h: number;
            lastUsed: components["schemas"]["KeyLastUseView"] | null;
        };
        KeyBoundsView: {
            addresses: string[] | null;
            /** Format: date-time */
            expiresAt: string | null;
            limits: components["schemas"]["LimitsView"];
            models: string[] | null;
        };
        KeyCallsView: {
            /** @description Calls that were let in during the last 24 hours. */
            callsLast24h: number;
            /** Format: uuid */
            id: string;
        };
        KeyIdsDto: {
            ids: string[];
        };
        KeyLastUseView: {
            address: string | null;
            /**
             * Format: date-time
             * @description Exact to some seconds.
             */
            at: string;
            /** @description Of the last call that named one. */
            model: string | null;
            /** @description As the client says. */
            userAgent: string | null;
        };
        KeyOwnerView: {
            /** @description None of its keys works as long as its owner is disabled. */
            disabled: boolean;
            email: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "person" | "service";
        };
        KeyPageView: {
            items: components["schemas"]["KeyView"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
            /** @description On the first page. */
            total: components["schemas"]["ListTotalView"] | null;
        };
        KeyPolicyView: {
            /** @description What is proposed for a new key. */
            defaultLifetimeDays: number | null;
            /** @description The longest life that a key may be given; null: any. */
            maxLifetimeDays: number | null;
        };
        KeyView: {
            /** @description Null: any. */
            addresses: string[] | null;
            /** @description What an administrator has narrowed it to: its owner can only narrow it further. Null: to nothing. */
            bounds: components["schemas"]["KeyBoundsView"] | null;
            /** @description Those of its own, with what is spent of them. */
            budgets: components["schemas"]["BudgetView"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description What an administrator disabled, only an administrator enables. Null: it is not disabled.
             * @enum {string|null}
             */
            disabledBy: "owner" | "administrator" | null;
            /**
             * @description The most of the key that is ever shown again.
             * @example svc_ab12…9xYz
             */
            display: string;
            /**
             * Format: date-time
             * @description Null: never.
             */
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
            /** @description Null: never used. */
            lastUsed: components["schemas"]["KeyLastUseView"] | null;
            /** @description Of this key alone, beside what its owner has. */
            limits: components["schemas"]["LimitsView"];
            /** @description Null: all that its owner may call. */
            models: string[] | null;
            name: string;
            note: string;
            owner: components["schemas"]["KeyOwnerView"];
            /** @description The secret before the last rotation, while it is taken. */
            previous: components["schemas"]["PreviousSecretView"] | null;
            /** @description Those of its own, with what is used of them now. */
            rates: components["schemas"]["RateView"][];
            /** Format: date-time */
            revokedAt: string | null;
            /** @description Since the first of the month, in UTC. */
            spentThisMonth: components["schemas"]["SpendingView"];
            /** @enum {string} */
            status: "active" | "expired" | "disabled" | "revoked";
        };
        LastReloadView: {
            /** @description Null: not since the gateway was started. */
            last: components["schemas"]["ReloadView"] | null;
        };
        LastSignInFailureView: {
            /** @description Null: there is none, or it is long ago. */
            failure: components["schemas"]["SignInFailureView"] | null;
        };
        LimitsDto: {
            /** @description US dollars a day, in UTC; as text exact to the nano-dollar. */
            budgetDayUsd?: (number | string) | null;
            /** @description US dollars a month, in UTC. */
            budgetMonthUsd?: (number | string) | null;
            /** @description US dollars for good; not for plans. */
            budgetTotalUsd?: (number | string) | null;
            /** @description Calls under way. */
            concurrentCalls?: number | null;
            /** @description So many at once, refilled continuously. */
            requestsPerMinute?: number | null;
            tokensPerMinute?: number | null;
        };
        LimitsView: {
            /** @description US dollars. */
            budgetDayUsd: number | null;
            /** @description US dollars. */
            budgetMonthUsd: number | null;
            /** @description US dollars. */
            budgetTotalUsd: number | null;
            /** @description Calls under way. */
            concurrentCalls: number | null;
            requestsPerMinute: number | null;
            tokensPerMinute: number | null;
        };
        ListTotalView: {
            count: number;
            /** @description False: there are more; so many were counted. */
            isExact: boolean;
        };
        /** @description A model as OpenAI’s SDKs and the tools around them read it. */
        Model: {
            /** @description Of `image_input`, `tools`, `json_schema` and `reasoning`. */
            capabilities: string[];
            /** @description Tokens that fit in: question, history and answer. */
            context_len: number;
            /** @description As `context_len`, under the name that many clients read. */
            context_length: number;
            /** @description Unix seconds; 0: not known. */
            created: number;
            description: string;
            display_name: string;
            /** @description What a request names in `model`; it may hold slashes. */
            id: string;
            /** @description The same again. */
            max_model_len: number;
            /** @description The longest answer; null: not known. */
            max_output_tokens: number | null;
            modalities: {
                input: string[];
                output: string[];
            };
            /** @enum {string} */
            object: "model";
            owned_by: string;
            pricing: {
                /** @description Per million of those that the provider had in its cache. */
                cached_input: number;
                /** @enum {string} */
                currency: "USD";
                /** @description Per million input tokens. */
                input: number;
                /** @description Per million output tokens. */
                output: number;
                /** @enum {string} */
                unit: "per million tokens";
            };
            /** @description Answered by the built-in simulator, since no provider is connected for it. */
            simulated: boolean;
            /** @description A plan names the tiers whose models it brings. */
            tier: string;
        };
        /** @description The models as OpenAI’s SDKs get them. */
        ModelList: {
            data: components["schemas"]["Model"][];
            /** @enum {string} */
            object: "list";
        };
        ModelPriceView: {
            /** @description US dollars per million input tokens that the provider had in its cache. */
            cachedInputUsdPerMTok: number;
            /** @description The same for an hour; null: not set, which is twice the input price. */
            cacheWrite1hUsdPerMTok: number | null;
            /** @description US dollars per million input tokens that are written to the provider's cache for 5 minutes; null: not set, which is 1.25 times the input price. */
            cacheWrite5mUsdPerMTok: number | null;
            /**
             * @description By tool that the provider runs, US dollars for each of its calls.
             * @example {
             *       "web_search": 0.01
             *     }
             */
            hostedTools: {
                [key: string]: number;
            };
            /** @description US dollars per million input tokens. */
            inputUsdPerMTok: number;
            /** @description US dollars per million output tokens, reasoning included. */
            outputUsdPerMTok: number;
            /**
             * @description By service tier, how its prices are to these.
             * @example {
             *       "priority": 2
             *     }
             */
            serviceTiers: {
                [key: string]: number;
            };
        };
        /** @description A model as plain clients get it. */
        ModelSummary: {
            /** @description Tokens that fit in: question, history and answer. */
            context_len: number;
            description: string;
            display_name: string;
            /** @description What a request names in `model`; it may hold slashes. */
            id: string;
            /** @description A plan names the tiers whose models it brings. */
            tier: string;
        };
        ModelTargetView: {
            /** @description Who found that out; null: the process that answers. */
            asideBy: components["schemas"]["SeenByView"] | null;
            /**
             * @description Why it is set aside; null: it is not, or not with all its keys.
             * @enum {string|null}
             */
            asideReason: "failing" | "limited" | "refused" | null;
            /**
             * Format: date-time
             * @description Until when it is set aside, in the process that answers.
             */
            asideUntil: string | null;
            /** @description How it stands with each key; empty: its upstream has no several. */
            keys: components["schemas"]["TargetKeyView"][];
            live: boolean;
            /** @description What the upstream calls it. */
            model: string;
            priority: number;
            upstream: string;
            weight: number;
        };
        ModelView: {
            /** @description Whether you may call it now. */
            callable: boolean;
            /**
             * @description Null: not known, so nothing is refused beforehand.
             * @example [
             *       "image_input",
             *       "tools",
             *       "json_schema",
             *       "reasoning"
             *     ]
             */
            capabilities: string[] | null;
            /** @description Tokens that fit in: question, history and answer. */
            contextLength: number;
            description: string;
            displayName: string;
            /** @description False: nobody has said what it costs, so its calls count as $0. */
            hasPrice: boolean;
            /**
             * @description What a request names in `model`; it may hold slashes.
             * @example gpt-5.4-nano
             */
            id: string;
            /**
             * @example [
             *       "text",
             *       "image"
             *     ]
             */
            inputModalities: string[];
            /** @description The longest answer, in tokens; null: not known. */
            maxOutputTokens: number | null;
            /**
             * @example [
             *       "text"
             *     ]
             */
            outputModalities: string[];
            /** @description Who made the model. */
            ownedBy: string;
            price: components["schemas"]["ModelPriceView"];
            /** @description Whether requests may refer to files in the company's account at the provider. */
            providerFiles: boolean;
            /**
             * @description Why you may not: your plan lacks its tier, or no provider has a credential. Only admins see such models.
             * @enum {string|null}
             */
            reason: "plan" | "no_credential" | null;
            /** @description Answered by the built-in simulator, at no cost, since no provider is connected for it. */
            simulated: boolean;
            /**
             * @description A plan names the tiers whose models it brings.
             * @example free
             */
            tier: string;
        };
        OfferView: {
            /** @example Pro */
            name: string;
            /** @example pro */
            planId: string;
        };
        OverviewErrorView: {
            /** Format: date-time */
            at: string;
            code: string;
            /** @description Finds it among the requests; null: it is not kept there. */
            id: string | null;
            keyName: string | null;
            /** @description What the caller of a refused request was told. */
            message: string | null;
            model: string | null;
            /** @description Finds the request in the gateway's log. */
            requestId: string;
            /** @description The HTTP status that was answered, where it is known. */
            status: number | null;
            userName: string | null;
        };
        OverviewModelView: {
            displayName: string;
            id: string;
        };
        OverviewPlanView: {
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description Null: the plan everybody has.
             */
            since: string | null;
            /**
             * Format: date-time
             * @description Null: no end is set.
             */
            until: string | null;
        };
        OverviewPointView: {
            /** @description Dollars. */
            costUsd: number;
            /** @description Failed requests; one that its caller gave up is none. */
            errors: number;
            requests: number;
            /** Format: date-time */
            start: string;
            /** @description Input and output tokens. */
            tokens: number;
        };
        OverviewSpanView: {
            /** Format: date-time */
            from: string;
            /** @description Hours of the day, days of the month; those without a call, too. */
            points: components["schemas"]["OverviewPointView"][];
            /** @description Of the same stretch of the day or month before. */
            previous: components["schemas"]["OverviewTotalsView"];
            /** Format: date-time */
            to: string;
            totals: components["schemas"]["OverviewTotalsView"];
            /** @description Answered calls of models that have no price now: they count as $0. By the model that was asked for; simulated ones are none. */
            unpricedCalls: number;
        };
        OverviewTotalsView: {
            /** @description Dollars. */
            costUsd: number;
            /** @description Failed requests; one that its caller gave up is none. */
            errors: number;
            requests: number;
            /** @description Input and output tokens. */
            tokens: number;
        };
        OverviewView: {
            /** @description The cheapest, to try first; null: none may be called. */
            exampleModel: string | null;
            /** @description Upstreams that fail now; told to admins only. */
            failing: components["schemas"]["FailingUpstreamView"][];
            /** Format: date-time */
            firstCallAt: string | null;
            /** @description Whether a call of the person has ever succeeded. */
            hasCalledSuccessfully: boolean;
            /** @description Whether the person has a key that works. */
            hasKey: boolean;
            month: components["schemas"]["OverviewSpanView"];
            plan: components["schemas"]["OverviewPlanView"];
            /** @description Served models that only the pro plan would add. */
            proAdds: components["schemas"]["OverviewModelView"][];
            /** @description The newest ten. */
            recentErrors: components["schemas"]["OverviewErrorView"][];
            /** @description Whether all that the person may call is answered by the simulator, at no cost. */
            simulated: boolean;
            today: components["schemas"]["OverviewSpanView"];
        };
        OwnLimitsView: {
            budgetDayUsd: (number | "plan") | null;
            budgetMonthUsd: (number | "plan") | null;
            budgetTotalUsd: (number | "plan") | null;
            concurrentCalls: (number | "plan") | null;
            requestsPerMinute: (number | "plan") | null;
            tokensPerMinute: (number | "plan") | null;
        };
        PaidPlanView: {
            /** @description It is not renewed at the end of what is paid. */
            ends: boolean;
            /** Format: date-time */
            paidUntil: string | null;
            /** @example pro */
            planId: string;
            /** @description It goes on, or may yet be paid. */
            running: boolean;
            /**
             * @description The subscription's status at Stripe.
             * @example active
             */
            status: string;
        };
        PasswordChange: {
            /** Format: password */
            currentPassword: string;
            /** Format: password */
            newPassword: string;
        };
        PasswordLinkCheck: {
            /** @description What stands behind the `#` of the link's URL. */
            token: string;
        };
        PasswordLinkOwnerView: {
            email: string;
            /** @description False for an invitation: there is no password yet. */
            hasPassword: boolean;
            /** @description May be empty. */
            name: string;
        };
        PasswordLinkUse: {
            /** Format: password */
            password: string;
            /** @description What stands behind the `#` of the link's URL. */
            token: string;
        };
        PasswordLinkView: {
            /** Format: date-time */
            expiresAt: string;
            /** @description To be given to the person; it is never shown again. */
            url: string;
        };
        PaymentLinkView: {
            /** @description A page of Stripe, to send the browser to. */
            url: string;
        };
        PaymentsView: {
            /** @description What you may buy. */
            offers: components["schemas"]["OfferView"][];
            /** @description What you bought. */
            paid: components["schemas"]["PaidPlanView"][];
        };
        PlanHoldersView: {
            items: components["schemas"]["PlanHolderView"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
        };
        PlanHolderView: {
            /** @description Whether the account is disabled. */
            disabled: boolean;
            email: string;
            name: string;
            /**
             * Format: date-time
             * @description May lie in the future.
             */
            since: string;
            /**
             * @description Who or what gave it.
             * @example console
             */
            source: string;
            /**
             * Format: date-time
             * @description Null: no end.
             */
            until: string | null;
            /** Format: uuid */
            userId: string;
        };
        PlanNameView: {
            /** @example pro */
            id: string;
            /** @example Pro */
            name: string;
        };
        PlansView: {
            /** @description The plan of who asks. */
            mine: components["schemas"]["HeldPlanView"];
            /** @description The lowest first. */
            plans: components["schemas"]["PlanView"][];
            /** @description Those of the catalog. */
            tiers: components["schemas"]["TierView"][];
        };
        PlanToBuy: {
            /** @example pro */
            planId: string;
        };
        PlanView: {
            /** @example pro */
            id: string;
            /** @description Whether it is the plan of everybody who was given none. */
            isDefault: boolean;
            /** @description It cannot be granted to new users; existing users keep it. */
            isRetired: boolean;
            /** @description For each user on it, all keys of that user together. Null: of another plan than yours, unless an admin asks. */
            limits: components["schemas"]["LimitsView"] | null;
            /** @description How many models can be called with it today. */
            models: number;
            /** @example Pro */
            name: string;
            /** @description These models, too. */
            namedModels: string[];
            /** @description If a user has several plans, the one with the highest rank applies. */
            rank: number;
            /** @description Models of these tiers can be called. */
            tiers: string[];
            /** @description How many users are on it now; null unless an admin asks. */
            users: number | null;
        };
        PlaygroundKeyView: {
            /**
             * Format: date-time
             * @description When it stops working.
             */
            expiresAt: string;
            /** @description For `Authorization: Bearer` on `/v1`. Keep it in memory only. */
            key: string;
        };
        PreviousSecretView: {
            /** @example svc_ab12…9xYz */
            display: string;
            /** Format: date-time */
            expiresAt: string;
        };
        RateView: {
            /**
             * Format: date-time
             * @description When all of it is free again, should nothing more be used; null for calls under way.
             */
            fullAt: string | null;
            limit: number;
            /** @enum {string} */
            name: "requestsPerMinute" | "tokensPerMinute" | "concurrentCalls";
            /** @description Now; it may be above the limit, where calls used more tokens than their prompts were estimated at. */
            used: number;
        };
        /** @description Why the model gave no answer. */
        RefusalPart: {
            refusal: string;
            /** @enum {string} */
            type: "refusal";
        };
        ReloadView: {
            /** Format: date-time */
            at: string;
            /**
             * @description What asked for it: SIGHUP, the command line, or a change of the files.
             * @enum {string}
             */
            cause: "signal" | "command" | "files";
            changes: components["schemas"]["ConfigChangeView"][];
            faults: components["schemas"]["ConfigFaultView"][];
            /** @description Sections of gateway.yaml that changed and count after a restart only. */
            needsRestart: string[];
        };
        RotateKeyDto: {
            /**
             * @description For how long the secret before is taken, too.
             * @enum {string}
             */
            overlap: "none" | "1h" | "24h" | "7d";
        };
        SeenByView: {
            host: string;
            /** @description Its id there. */
            process: number;
        };
        ServedModelView: {
            /** @description The public model id. */
            id: string;
            /** @description What the upstream calls it. */
            upstreamModel: string;
        };
        ServiceTierView: {
            /** @description Its price relative to the list price. */
            factor: number;
            /** @example priority */
            name: string;
        };
        SessionPlanView: {
            /** @example pro */
            id: string;
            /** @example Pro */
            name: string;
            /**
             * @example [
             *       "free",
             *       "pro"
             *     ]
             */
            tiers: string[];
        };
        SessionUserView: {
            email: string;
            /** Format: uuid */
            id: string;
            /** @description May be empty. */
            name: string;
            /** @enum {string} */
            role: "admin" | "member";
        };
        SessionView: {
            /**
             * @description What API clients take for their base URL.
             * @example https://gateway.example.com/v1
             */
            baseUrl: string;
            keyPolicy: components["schemas"]["KeyPolicyView"];
            /**
             * @description The same for apps that list the models: where the list is always the one that they know.
             * @example https://gateway.example.com/openai/v1
             */
            listBaseUrl: string;
            /** @description Whether plans are sold: then `GET /api/payments` has more. */
            payments: boolean;
            plan: components["schemas"]["SessionPlanView"] | null;
            signIn: components["schemas"]["SignInView"];
            /** @description Null: nobody is signed in. */
            user: components["schemas"]["SessionUserView"] | null;
            /** @description Of the gateway; only for who is signed in. */
            version: string | null;
        };
        SettingGroupView: {
            settings: components["schemas"]["SettingView"][];
            /** @example Server */
            title: string;
        };
        SettingView: {
            description: string;
            /**
             * @description A key of gateway.yaml, or a variable.
             * @example server.bodyLimit
             */
            name: string;
            /**
             * @description Of a secret no more is told than this.
             * @enum {string|null}
             */
            secret: "set" | "not set" | null;
            /**
             * @description The variable or the file that sets it, or would.
             * @example PORT
             */
            setBy: string;
            /** @enum {string} */
            source: "environment" | ".env" | "file" | "default";
            /**
             * @description Null: nothing, or a secret.
             * @example 32mb
             */
            value: string | null;
        };
        SetupRequest: {
            /** @example you@example.com */
            email: string;
            name: string;
            /** Format: password */
            password: string;
            /** @description From the set-up link of the first start (on the terminal, else in `DATA_DIR/setup-link`); it works once. */
            token: string;
        };
        SetupView: {
            /** @description There is no administrator yet. */
            needed: boolean;
        };
        SignInFailureView: {
            /** @description The claim that the provider did not send, or the groups of which one is needed. */
            missing: string[];
            /** @example not_in_group */
            reason: string;
            /** @example req_9fQ2nM3xK8sTbW1c */
            requestId: string;
        };
        SignInRequest: {
            /** @example you@example.com */
            email: string;
            /** Format: password */
            password: string;
        };
        SignInView: {
            /** @description Whether one may sign in with e-mail address and password. */
            local: boolean;
            oidc: components["schemas"]["SsoView"][];
            /** @description There is no administrator yet: the link in the log of the gateway makes the first. */
            setupNeeded: boolean;
        };
        SpendingView: {
            calls: number;
            /**
             * @description Integer nano-dollars.
             * @example 1250000
             */
            costNanodollars: string;
            /** @description The same in US dollars, rounded to what a number holds. */
            costUsd: number;
        };
        SsoView: {
            /** @example oidc */
            id: string;
            /** @example Single sign-on */
            label: string;
            /**
             * @description Where a browser goes to sign in; takes `?next=/path`.
             * @example /api/oidc/start
             */
            startUrl: string;
        };
        /** @description What the model is and how it should answer. */
        SystemMessage: {
            content: string | components["schemas"]["TextPart"][];
            /** @description Tells participants of one role apart. */
            name?: string;
            /** @enum {string} */
            role: "system";
        };
        TargetKeyView: {
            /** @description Who found that out; null: the process that answers. */
            asideBy: components["schemas"]["SeenByView"] | null;
            /**
             * @description Why it is set aside; null: it is not.
             * @enum {string|null}
             */
            asideReason: "failing" | "limited" | "refused" | null;
            /**
             * Format: date-time
             * @description Until when it is set aside, in the process that answers.
             */
            asideUntil: string | null;
            /** @description Its number in the environment, or its name in upstreams.yaml. */
            name: string;
        };
        /** @description Text. */
        TextPart: {
            prompt_cache_breakpoint?: {
                /** @enum {string} */
                mode: "explicit";
            };
            text: string;
            /** @enum {string} */
            type: "text";
        };
        TierView: {
            /** @example free */
            id: string;
            /** @description How many models of the tier are served today. */
            models: number;
        };
        /** @description A function that the model can call, or a custom tool that takes free-form text. */
        Tool: {
            function: {
                /** @description Tells the model when and how to call it. */
                description?: string;
                name: string;
                /** @description JSON Schema of the arguments. */
                parameters?: Record<string, unknown>;
                /** @description Whether the arguments must follow the schema exactly. */
                strict?: boolean | null;
            };
            /** @enum {string} */
            type: "function";
        } | {
            custom: {
                description?: string;
                format?: {
                    /** @enum {string} */
                    type: "text";
                } | {
                    grammar: {
                        definition: string;
                        /** @enum {string} */
                        syntax: "lark" | "regex";
                    };
                    /** @enum {string} */
                    type: "grammar";
                };
                name: string;
            };
            /** @enum {string} */
            type: "custom";
        };
        ToolCall: {
            function: {
                /** @description JSON text, exactly as the model wrote it. */
                arguments: string;
                name: string;
            };
            /** @description Names the call in the `tool` message that answers it. */
            id: string;
            /** @enum {string} */
            type: "function";
        } | {
            custom: {
                input: string;
                name: string;
            };
            id: string;
            /** @enum {string} */
            type: "custom";
        };
        /** @description What a tool gave back. */
        ToolMessage: {
            /** @description Images only where the model’s API takes them here. */
            content: string | (components["schemas"]["TextPart"] | components["schemas"]["ImagePart"])[];
            /** @enum {string} */
            role: "tool";
            /** @description The `id` of the call that this answers. */
            tool_call_id: string;
        };
        UpdateKeyDto: {
            /**
             * @description The only addresses and ranges that it may be used from; null: any.
             * @example [
             *       "203.0.113.7",
             *       "10.0.0.0/8"
             *     ]
             */
            addresses?: string[] | null;
            /** @description A disabled key is refused until it is enabled again. */
            disabled?: boolean;
            /**
             * Format: date-time
             * @description Null: never.
             */
            expiresAt?: string | null;
            /** @description Of this key alone, beside what its owner has and never above it. */
            limits?: components["schemas"]["LimitsDto"];
            /** @description The only models that it may call, out of those that its owner may; null: all of them. */
            models?: string[] | null;
            name?: string;
            /** @description Whatever helps to know it again. */
            note?: string;
        };
        UpdatePlanDto: {
            /** @description For each user on it, all keys of that user together. */
            limits?: components["schemas"]["LimitsDto"];
            /** @example Pro */
            name?: string;
            /** @description Models beside those of the tiers, by their ids. */
            namedModels?: string[];
            /** @description If a user has several plans, the one with the highest rank applies. */
            rank?: number;
            /** @description A retired plan cannot be granted to new users; existing users keep it. */
            retired?: boolean;
            /**
             * @description Tiers of the catalog, whose models the plan opens; at least one, unless it names models.
             * @example [
             *       "free",
             *       "pro"
             *     ]
             */
            tiers?: string[];
        };
        UpdateUserDto: {
            /** @description True ends the user's sessions and takes the keys out of service. */
            disabled?: boolean;
            name?: string;
            /** @enum {string} */
            role?: "admin" | "member";
        };
        UpstreamCallView: {
            /** @description As a client would be told it. */
            error: string | null;
            /** @description Until the first piece of the answer. */
            firstTokenMs: number | null;
            /** @description Which of several keys it was made with. */
            key: string | null;
            /** @enum {string} */
            kind: "json" | "stream";
            /** @description The public model id. */
            model: string | null;
            /** @description Until the end, good or bad. */
            ms: number;
            ok: boolean;
            /** @description The upstream's own words, or why it was not reached. */
            reason: string | null;
        };
        UpstreamClocksView: {
            connect: number;
            firstEvent: number;
            head: number;
            idle: number;
            total: number;
        };
        UpstreamFailureView: {
            /** Format: date-time */
            at: string;
            /** @example upstream_error */
            code: string;
            /** @description The public model id. */
            model: string;
            requestId: string;
            /** @description The upstream's own HTTP status. */
            status: number | null;
        };
        UpstreamLimitView: {
            /** @description Of the concurrent calls of all processes: from 0 to 1; null: not limited. */
            calls: number | null;
            /** @description Null: not limited. */
            concurrentCalls: number | null;
            /** @description The number or name of the key, where the upstream has several. */
            key: string | null;
            /** @description What the upstream calls the model; null: the limits are those of the upstream. */
            model: string | null;
            /** @description Of this process's share of the requests: from 0 to 1; null: not limited. */
            requests: number | null;
            /** @description Null: not limited. */
            requestsPerMinute: number | null;
            /** @description Of this process's share of the tokens: from 0 to 1; null: not limited. */
            tokens: number | null;
            /** @description Null: not limited. */
            tokensPerMinute: number | null;
            /** @description Calls that wait for it in the process that answers. */
            waiting: number;
        };
        UpstreamsView: {
            models: components["schemas"]["CatalogModelView"][];
            /** @description The file that names the models. */
            modelsFile: string;
            /** @description The process that answers. */
            seenBy: components["schemas"]["SeenByView"];
            upstreams: components["schemas"]["UpstreamView"][];
            /** @description The file that names the upstreams. */
            upstreamsFile: string;
        };
        UpstreamTestView: {
            calls: components["schemas"]["UpstreamCallView"][];
            ok: boolean;
            upstream: string;
        };
        UpstreamView: {
            apiVersion: string | null;
            /** @description Attempts of the last 24 hours; retries count one by one. */
            attempts: number;
            /** @description How requests are authenticated: none, bearer, header, sigv4 or google. */
            auth: string;
            /** @description Without what may be secret in it. */
            baseUrl: string;
            /** @description The variable that sets the base URL; null: the file does. */
            baseUrlSetBy: string | null;
            /** @description The share of its input tokens in the last 24 hours that came from the cache of a provider. */
            cachedShare: number | null;
            clocks: components["schemas"]["UpstreamClocksView"];
            /** @description Those of them that failed. */
            failures: number;
            /**
             * @description How it has answered in the last 24 hours: failing when at least half of its newest 20 attempts failed by no fault of the request.
             * @enum {string}
             */
            health: "healthy" | "failing" | "unused" | "no_credential";
            /** @description Of the last 24 hours. */
            lastError: components["schemas"]["UpstreamFailureView"] | null;
            /**
             * Format: date-time
             * @description Of the last 24 hours.
             */
            lastSuccessAt: string | null;
            /** @description What its provider allows; empty: nothing is set. */
            limits: components["schemas"]["UpstreamLimitView"][];
            location: string | null;
            models: components["schemas"]["ServedModelView"][];
            /** @description Its key in upstreams.yaml. */
            name: string;
            project: string | null;
            protocol: string;
            /** @description Those of them that are set. */
            setVariables: string[];
            /**
             * @description Whether it can be called; not whether it answers.
             * @enum {string}
             */
            state: "live" | "no_credential";
            /**
             * @description The variables that give it its credential: one of these groups, all of the group together.
             * @example [
             *       [
             *         "OPENAI_API_KEY"
             *       ]
             *     ]
             */
            variables: string[][];
        };
        /** @description The tokens of a call: reported by the provider, else estimated. */
        Usage: {
            /** @description Of the answer, reasoning included. */
            completion_tokens: number;
            completion_tokens_details?: {
                /** @description Spent on thinking. */
                reasoning_tokens?: number;
            };
            /** @description Of the request, cached ones included. */
            prompt_tokens: number;
            prompt_tokens_details?: {
                /** @description Found in the provider’s cache. */
                cached_tokens?: number;
            };
            /** @description Both. */
            total_tokens: number;
        };
        UsageGroupPageView: {
            /** @description How many groups there are. */
            groupCount: number;
            groups: components["schemas"]["UsageGroupView"][];
        };
        UsageGroupView: {
            /** @description The display form of a key, the name of a user. */
            detail: string | null;
            /** @description Whether the series tell it apart; the others are together in `~other`. */
            hasSeries: boolean;
            /** @description A model's, key's, user's or upstream's id or a status; `~none`: no upstream was called, or the error was the caller's own. */
            id: string;
            label: string;
            totals: components["schemas"]["UsageTotalsView"];
        };
        UsagePointView: {
            /** @description By the group’s id, without groups that have no call in it; `~other` is all that have no series. */
            groups: {
                [key: string]: components["schemas"]["UsageTotalsView"];
            };
            /** Format: date-time */
            start: string;
        };
        UsageReportView: {
            /**
             * Format: date-time
             * @description As asked for, but the beginning of a quarter of an hour.
             */
            from: string;
            /** @enum {string} */
            granularity: "quarter" | "hour" | "day";
            /** @description The first 50 groups in the order of `rankBy`. */
            groups: components["schemas"]["UsageGroupView"][];
            /** @description Groups behind those; `/usage/groups` and an export have them. */
            groupsLeftOut: number;
            /** @description The groups that are left out, together. */
            others: components["schemas"]["UsageTotalsView"] | null;
            /** @description Of the stretch of the same length before `from`. */
            previous: components["schemas"]["UsageTotalsView"] | null;
            /** @description How far the replica that was read lies behind at most; null: the database itself was read. */
            replicaLagSeconds: number | null;
            /** @description Every quarter-hour, hour or day, those without a call, too. */
            series: components["schemas"]["UsagePointView"][];
            /**
             * Format: date-time
             * @description As asked for, but the end of a quarter of an hour, and not after the present one.
             */
            to: string;
            totals: components["schemas"]["UsageTotalsView"];
            /** @description What upstreams may bill beside the costs, by an estimate, and no caller is charged: attempts that failed or that another one outran, and calls that were left beyond what was reserved. Null where the report is of some users, keys or statuses only. */
            unchargedUsd: number | null;
            /** @description Answered calls of models that have no price now: they count as $0. By the model that was asked for; simulated ones are none. */
            unpricedCalls: number;
            /**
             * Format: date-time
             * @description Everything that had happened by then is in it.
             */
            upToDateAt: string;
            /** @example Europe/Berlin */
            zone: string;
        };
        UsageTotalsView: {
            /** @description Requests that their callers gave up. */
            aborted: number;
            cachedTokens: number;
            /**
             * @description The exact cost: whole nano-dollars (10⁻⁹ $).
             * @example 1234500
             */
            costNanodollars: string;
            /** @description The same in dollars, as near as a number can be. */
            costUsd: number;
            /** @description Failed and interrupted requests; one that its caller gave up is none. */
            errors: number;
            /** @description Cached ones included. */
            inputTokens: number;
            /** @description Reasoning ones included. */
            outputTokens: number;
            /** @description Milliseconds, to within 5 %; null: no call has it. */
            p50FirstTokenMs: number | null;
            /** @description Milliseconds, to within 5 %; null: no call has it. */
            p50TotalMs: number | null;
            /** @description Milliseconds, to within 5 %; null: no call has it. */
            p95FirstTokenMs: number | null;
            /** @description Milliseconds, to within 5 %; null: no call has it. */
            p95TotalMs: number | null;
            reasoningTokens: number;
            /** @description Accepted requests, running ones included. */
            requests: number;
            /** @description Requests under way: they have no tokens, cost or times yet. */
            running: number;
        };
        UserLimitsDto: {
            /** @description US dollars a day, in UTC; as text exact to the nano-dollar. */
            budgetDayUsd?: (number | string | "plan") | null;
            /** @description US dollars a month, in UTC. */
            budgetMonthUsd?: (number | string | "plan") | null;
            /** @description US dollars for good. */
            budgetTotalUsd?: (number | string | "plan") | null;
            /** @description Calls under way. */
            concurrentCalls?: (number | "plan") | null;
            /** @description So many at once, refilled continuously. */
            requestsPerMinute?: (number | "plan") | null;
            tokensPerMinute?: (number | "plan") | null;
        };
        UserLimitsView: {
            /** @description Those that hold, with what is spent of them. */
            budgets: components["schemas"]["BudgetView"][];
            /** @description Where it says `plan`, the value of the plan holds. */
            own: components["schemas"]["OwnLimitsView"];
            /** @description What the plan says. */
            plan: components["schemas"]["LimitsView"];
            /** @description Those that hold, with what is used of them now. */
            rates: components["schemas"]["RateView"][];
            /** @description What holds, for all keys together. */
            values: components["schemas"]["LimitsView"];
        };
        /** @description What is asked. */
        UserMessage: {
            content: string | (components["schemas"]["TextPart"] | components["schemas"]["ImagePart"] | components["schemas"]["AudioPart"] | components["schemas"]["FilePart"])[];
            /** @description Tells participants of one role apart. */
            name?: string;
            /** @enum {string} */
            role: "user";
        };
        UserPageView: {
            items: components["schemas"]["UserView"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
            /** @description On the first page. */
            total: components["schemas"]["ListTotalView"] | null;
        };
        UserPlanView: {
            /** @example pro */
            id: string;
            /** @example Pro */
            name: string;
            /** Format: date-time */
            since: string | null;
            /**
             * Format: date-time
             * @description Null: it has no end.
             */
            until: string | null;
        };
        UserView: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            /** Format: uuid */
            id: string;
            /** @description API keys that work now. */
            keys: number;
            /** @enum {string} */
            kind: "person" | "service";
            /**
             * Format: date-time
             * @description Last use of the console, to the minute.
             */
            lastSeenAt: string | null;
            /** @description May be empty. */
            name: string;
            plan: components["schemas"]["UserPlanView"];
            /** @enum {string} */
            role: "admin" | "member";
            /**
             * @description Who vouches for the user.
             * @enum {string}
             */
            source: "local" | "oidc" | "service";
            /** @description Of this month (UTC) so far. */
            spentThisMonth: components["schemas"]["SpendingView"];
            /**
             * @description Invited: a link to a first password was made and not used yet.
             * @enum {string}
             */
            status: "active" | "disabled" | "invited";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    Account_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Account_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Account_changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Account_listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSessionView"][];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Account_closeSessions: {
        parameters: {
            query?: {
                /** @description Leave the session that asks. */
                keepCurrent?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosedSessionsView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Account_closeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Audit_list: {
        parameters: {
            query?: {
                /** @description An action, or a kind of them. */
                action?: string;
                /** @description A user’s id, or a part of the name of who did it. */
                actor?: string;
                /** @description `next` of the page before. */
                cursor?: string;
                /** @description From this instant on. */
                from?: string;
                /** @description A part of who, what, the address or the request id. */
                q?: string;
                /** @description A kind of thing, or one thing by its id. */
                target?: string;
                /** @description Before this instant. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPageView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Audit_actions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Audit_export: {
        parameters: {
            query?: {
                /** @description An action, or a kind of them. */
                action?: string;
                /** @description A user’s id, or a part of the name of who did it. */
                actor?: string;
                format?: "csv" | "json";
                /** @description From this instant on. */
                from?: string;
                /** @description A part of who, what, the address or the request id. */
                q?: string;
                /** @description A kind of thing, or one thing by its id. */
                target?: string;
                /** @description Before this instant. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_list: {
        parameters: {
            query?: {
                /** @description `next` of the page before, of a list with the same `sort`. */
                cursor?: string;
                /** @description Only these ids, with commas between them. */
                ids?: string[];
                limit?: number;
                /** @description Words that have to be found, in any case. */
                q?: string;
                /** @description `all` users' keys: for admins. */
                scope?: "mine" | "all";
                sort?: "name" | "-name" | "key" | "-key" | "owner" | "-owner" | "status" | "-status" | "models" | "-models" | "spent" | "-spent" | "used" | "-used" | "created" | "-created" | "expires" | "-expires";
                /** @description `current`: all but revoked ones. `expiring` ones end within a week and are `active`, too; those of a disabled owner count as `disabled`. */
                status?: "all" | "current" | "active" | "expiring" | "expired" | "disabled" | "revoked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPageView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKeyView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateKeyDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_activity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyActivityView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateKeyDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKeyView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_activities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyIdsDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyCallsView"][];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_changeAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeKeysDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"][];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Limits_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLimitsView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ConsoleModels_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelView"][];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Oidc_callback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in, to the console; otherwise to the page that says why. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Oidc_failure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastSignInFailureView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Oidc_start: {
        parameters: {
            query?: {
                /** @description The path of the console to show after the sign-in. */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider; where that fails, to the console's page that says why. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Overview_get: {
        parameters: {
            query?: {
                /** @description Whose calls: one's own, or for admins everybody's. */
                scope?: "mine" | "all";
                /** @description The time zone whose days and months count, by IANA's name. */
                zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Overview_firstCall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirstCallView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    PasswordLinks_check: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordLinkCheck"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordLinkOwnerView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    PasswordLinks_use: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordLinkUse"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Payments_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentsView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Payments_checkout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanToBuy"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Payments_portal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    StripeWebhook_heed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Heeded, now or before. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Plans_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlansView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Plans_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePlanDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Plans_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePlanDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Plans_holders: {
        parameters: {
            query?: {
                /** @description `next` of the page before, of a list with the same `sort`. */
                cursor?: string;
                limit?: number;
                /** @description Words that have to be found, in any case. */
                q?: string;
                sort?: "user" | "-user" | "since" | "-since" | "until" | "-until" | "source" | "-source";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanHoldersView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Playground_createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaygroundKeyView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Session_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Session_open: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Session_close: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Settings_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingGroupView"][];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Settings_reload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastReloadView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Setup_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Setup_complete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetupRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Upstreams_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamsView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Upstreams_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamTestView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Usage_report: {
        parameters: {
            query: {
                /** @description With the stretch of time before. */
                compare?: "true" | "false";
                /** @description Calls that began at this instant or later. */
                from: string;
                /** @description `auto`: hours up to three days, else days. Quarter-hours up to a week, hours up to 93 days. */
                granularity?: "auto" | "quarter" | "hour" | "day";
                /** @description `user` and `upstream` are for admins. */
                groupBy?: "model" | "key" | "user" | "upstream" | "status" | "none";
                /** @description Ids of API keys. Several: repeat it, or put commas between them. */
                keys?: string[];
                /** @description Model ids. Several: repeat it, or put commas between them. */
                models?: string[];
                /** @description The order of the groups; the first ten of them, fewer in a long series, have a series of their own. By a time only the 500 users or keys with the most requests are ranked, and the others come behind them. */
                rankBy?: "requests" | "errors" | "tokens" | "inputTokens" | "cachedTokens" | "outputTokens" | "reasoningTokens" | "costNanodollars" | "p50TotalMs" | "p95TotalMs" | "p50FirstTokenMs" | "p95FirstTokenMs";
                /** @description For admins: everybody's calls. */
                scope?: "mine" | "all";
                /** @description How calls ended; `open` ones are under way, `refused` ones never became calls and stand in no sum. Several: repeat it, or put commas between them. */
                statuses?: string[];
                /** @description Calls that began before this instant. */
                to: string;
                /** @description Ids of users; for admins. Several: repeat it, or put commas between them. */
                users?: string[];
                /** @description The IANA time zone whose hours and days count. */
                zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReportView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Usage_calls: {
        parameters: {
            query: {
                /** @description `next` of the page before. */
                cursor?: string;
                /** @description Calls that began at this instant or later. */
                from: string;
                /** @description Ids of API keys. Several: repeat it, or put commas between them. */
                keys?: string[];
                limit?: number;
                /** @description Model ids. Several: repeat it, or put commas between them. */
                models?: string[];
                /** @description For admins: everybody's calls. */
                scope?: "mine" | "all";
                /** @description How calls ended; `open` ones are under way, `refused` ones never became calls and stand in no sum. Several: repeat it, or put commas between them. */
                statuses?: string[];
                /** @description Calls that began before this instant. */
                to: string;
                /** @description Ids of users; for admins. Several: repeat it, or put commas between them. */
                users?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallPageView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Usage_call: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDetailView"];
                };
            };
            /** @description There is none with this id, or it is somebody else's. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Usage_export: {
        parameters: {
            query: {
                /** @description With the stretch of time before. */
                compare?: "true" | "false";
                format?: "csv" | "json";
                /** @description Calls that began at this instant or later. */
                from: string;
                /** @description `auto`: hours up to three days, else days. Quarter-hours up to a week, hours up to 93 days. */
                granularity?: "auto" | "quarter" | "hour" | "day";
                /** @description `user` and `upstream` are for admins. */
                groupBy?: "model" | "key" | "user" | "upstream" | "status" | "none";
                /** @description Ids of API keys. Several: repeat it, or put commas between them. */
                keys?: string[];
                /** @description The sums by hour or day and group, or the single calls. */
                kind: "report" | "calls";
                /** @description Model ids. Several: repeat it, or put commas between them. */
                models?: string[];
                /** @description The order of the groups; the first ten of them, fewer in a long series, have a series of their own. By a time only the 500 users or keys with the most requests are ranked, and the others come behind them. */
                rankBy?: "requests" | "errors" | "tokens" | "inputTokens" | "cachedTokens" | "outputTokens" | "reasoningTokens" | "costNanodollars" | "p50TotalMs" | "p95TotalMs" | "p50FirstTokenMs" | "p95FirstTokenMs";
                /** @description For admins: everybody's calls. */
                scope?: "mine" | "all";
                /** @description How calls ended; `open` ones are under way, `refused` ones never became calls and stand in no sum. Several: repeat it, or put commas between them. */
                statuses?: string[];
                /** @description Calls that began before this instant. */
                to: string;
                /** @description Ids of users; for admins. Several: repeat it, or put commas between them. */
                users?: string[];
                /** @description The IANA time zone whose hours and days count. */
                zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Usage_groups: {
        parameters: {
            query: {
                /** @description With the stretch of time before. */
                compare?: "true" | "false";
                /** @description Calls that began at this instant or later. */
                from: string;
                /** @description `auto`: hours up to three days, else days. Quarter-hours up to a week, hours up to 93 days. */
                granularity?: "auto" | "quarter" | "hour" | "day";
                /** @description `user` and `upstream` are for admins. */
                groupBy?: "model" | "key" | "user" | "upstream" | "status" | "none";
                /** @description Ids of API keys. Several: repeat it, or put commas between them. */
                keys?: string[];
                /** @description Model ids. Several: repeat it, or put commas between them. */
                models?: string[];
                /** @description Of 50 groups each; the report itself has the first. */
                page?: number;
                /** @description The order of the groups; the first ten of them, fewer in a long series, have a series of their own. By a time only the 500 users or keys with the most requests are ranked, and the others come behind them. */
                rankBy?: "requests" | "errors" | "tokens" | "inputTokens" | "cachedTokens" | "outputTokens" | "reasoningTokens" | "costNanodollars" | "p50TotalMs" | "p95TotalMs" | "p50FirstTokenMs" | "p95FirstTokenMs";
                /** @description For admins: everybody's calls. */
                scope?: "mine" | "all";
                /** @description How calls ended; `open` ones are under way, `refused` ones never became calls and stand in no sum. Several: repeat it, or put commas between them. */
                statuses?: string[];
                /** @description Calls that began before this instant. */
                to: string;
                /** @description Ids of users; for admins. Several: repeat it, or put commas between them. */
                users?: string[];
                /** @description The IANA time zone whose hours and days count. */
                zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageGroupPageView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Users_list: {
        parameters: {
            query?: {
                /** @description `next` of the page before, of a list with the same `sort`. */
                cursor?: string;
                /** @description Only these ids, with commas between them. */
                ids?: string[];
                limit?: number;
                /** @description Words that have to be found, in any case. */
                q?: string;
                role?: "admin" | "member";
                sort?: "email" | "-email" | "role" | "-role" | "plan" | "-plan" | "status" | "-status" | "source" | "-source" | "keys" | "-keys" | "spent" | "-spent" | "seen" | "-seen";
                source?: "local" | "oidc" | "service";
                /** @description Several: with commas between them. */
                status?: ("active" | "disabled" | "invited")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPageView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Users_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedUserView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Users_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Users_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUserDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    UserLimits_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLimitsView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    UserLimits_set: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserLimitsDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLimitsView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Users_createLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordLinkView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    UserPlan_grant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantPlanDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldPlanView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    UserPlan_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldPlanView"];
                };
            };
            /** @description What went wrong, in the one shape of errors. */
            default: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    isLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status?: "ok";
                    };
                };
            };
        };
    };
    isReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status?: "ok";
                        /** @description Only while the calls of some users cannot be opened in time. */
                        warning?: string;
                    };
                };
            };
            /** @description `service_unavailable`: not now. */
            503: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /**
             * @description The answer: one JSON object, or with `stream` server-sent events.
             *
             *     One event is one line `data: {chunk}` and a blank line; the last is `data: [DONE]`. While the provider is
             *     silent, a comment `: ping` comes at least every 15 seconds. An error after the first chunk is `data: {"error":{…}}`, and
             *     then the answer ends without `[DONE]`.
             */
            200: {
                headers: {
                    /** @description Milliseconds until the head of the answer. */
                    "openai-processing-ms"?: string;
                    /** @description Sampling parameters that the model refused and that were left out. */
                    "x-gateway-ignored-parameters"?: string;
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    /**
                     * @example data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":1790000000,"model":"gpt-5.4-nano","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"},"finish_reason":null}]}
                     *
                     *     data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":1790000000,"model":"gpt-5.4-nano","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
                     *
                     *     data: [DONE]
                     */
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            /** @description The request breaks the format (`invalid_value`, …) or asks what the model cannot (`unsupported_value`). */
            400: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_api_key`: the key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_permissions`, `ip_not_allowed`: the owner is disabled; the address is not on the key’s list. */
            403: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `model_not_found`: the model does not exist, or is not yours to call. */
            404: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `request_too_large`: the body is over the limit of 32 MB. */
            413: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: the body is not JSON in UTF-8. */
            415: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream_rate_limited`: the provider limits the gateway; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: a fault of the gateway. */
            500: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream_error`, `upstream_unreachable` or `upstream_incomplete`: the provider failed. */
            502: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `overloaded`, `service_unavailable`: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream_timeout`: the provider was too slow. */
            504: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: {
                format?: "array" | "list";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models, in one of two shapes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelSummary"][] | components["schemas"]["ModelList"];
                };
            };
            /** @description The request breaks the format (`invalid_value`, …) or asks what the model cannot (`unsupported_value`). */
            400: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_api_key`: the key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_permissions`, `ip_not_allowed`: the owner is disabled; the address is not on the key’s list. */
            403: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: a fault of the gateway. */
            500: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `overloaded`, `service_unavailable`: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The model’s id; slashes stand as they are. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            /** @description `invalid_api_key`: the key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_permissions`, `ip_not_allowed`: the owner is disabled; the address is not on the key’s list. */
            403: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `model_not_found`: the model does not exist, or is not yours to call. */
            404: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: a fault of the gateway. */
            500: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `overloaded`, `service_unavailable`: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The answer’s `x-request-id`, or the completion’s `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallExplanation"];
                };
            };
            /** @description `invalid_api_key`: the key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_permissions`, `ip_not_allowed`: the owner is disabled; the address is not on the key’s list. */
            403: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `model_not_found`: the model does not exist, or is not yours to call. */
            404: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: a fault of the gateway. */
            500: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `overloaded`, `service_unavailable`: try again after `Retry-After` seconds. */
            503: {
                headers: {
                    /** @description Names this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
