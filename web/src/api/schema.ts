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
        /** Your sessions */
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
        /** Sign out one session */
        delete: operations["Account_closeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The alerts of the last 30 days, newest first, with the responses of the webhook */
        get: operations["Alerts_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one test message to the webhook and return its response */
        post: operations["Alerts_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The file that describes plans, users, projects and keys; applying it changes nothing */
        get: operations["Apply_export"];
        put?: never;
        /** Make the gateway what a file says: all of it or nothing, effective within a second */
        post: operations["Apply_apply"];
        delete?: never;
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
        /** Who changed what, newest first */
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
        /** The recent actions of the log */
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
        /** All matching entries as a file; the export is recorded as an entry */
        get: operations["Audit_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The budgets of which the largest part is spent, with a forecast
         * @description Budgets of up to 500 users, keys and projects that have spent something in the period. Those of projects include the budgets of their service accounts and keys.
         */
        get: operations["Budgets_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/budgets/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your budgets, and those of projects that you manage, of which 80 % or more is spent
         * @description Also budgets whose rest does not cover a call that was refused.
         */
        get: operations["Budgets_notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How often calls were answered from the cache, and what that saved */
        get: operations["Cache_report"];
        put?: never;
        post?: never;
        /** Delete cached answers: all, or those of a model or a project */
        delete: operations["Cache_clear"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/guards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The guards of gateway.yaml, where they apply, and what they found in the last 30 days */
        get: operations["Guards_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/guards/{kind}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The guards that a plan, a project or a key adds */
        get: operations["Guards_get"];
        /**
         * Set the guards of a plan, a project or a key
         * @description Managers of a project can add guards to it and its keys; only administrators remove them.
         */
        put: operations["Guards_set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/guards/{name}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a guard finds in a text; the text is not stored */
        post: operations["Guards_try"];
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
        /** Your API keys; for admins also everyone's */
        get: operations["Keys_list"];
        put?: never;
        /** Create an API key; only the response contains it */
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
        /** Revoke an API key permanently; effective within a second */
        delete: operations["Keys_revoke"];
        options?: never;
        head?: never;
        /** Change an API key, or disable and enable it; effective within a second */
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
    "/api/keys/{id}/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** For how long answers to calls of a key are cached */
        get: operations["Cache_ofKey"];
        /** Cache the answers to equal calls of a key; effective within a second */
        put: operations["Cache_setKey"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}/content-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Switch the content log of a key on or off; effective within a second
         * @description Only the owner, or a manager of its project, can switch it on; admins can also switch it off.
         */
        put: operations["Content_switchKey"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}/end-previous": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the previous secret of a rotated API key now; effective within a second */
        post: operations["Keys_endPrevious"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The limits that apply to an API key besides its own, with their current use */
        get: operations["Keys_inheritedLimits"];
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
        /** Give an API key a new secret; the previous one can stay valid for some time */
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
        /** Your limits, for all your keys together */
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
        /** The models that you can use; for admins also the others, with the reason */
        get: operations["ConsoleModels_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests, success and speed of these models in the last 24 hours, of all callers together */
        get: operations["ConsoleModels_activity"];
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
        /** The redirect address for the provider */
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
        /** Why this browser's last sign-in failed */
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
        /** Start a single sign-on */
        get: operations["Oidc_start"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The OpenAPI document of the operations that you can call */
        get: operations["OwnDocs_openApi"];
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
        /** Your usage today and this month, your plan, and recent errors */
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
        /** Whether your first request has succeeded; cheap enough to poll every two seconds */
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
        /** The owner of a one-time link */
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
         * Plans for sale, and your purchases
         * @description Only if payments are configured.
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
         * Buy a plan
         * @description Only if payments are configured.
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
         * Manage your purchases
         * @description Only if payments are configured.
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
         * @description Only if payments are configured.
         */
        post: operations["StripeWebhook_receive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every permission, and the roles that have it */
        get: operations["Permissions_list"];
        put?: never;
        post?: never;
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
        /** Create a plan */
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
        /** One plan */
        get: operations["Plans_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a plan, or retire it; effective within a second */
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
        /** The present and future users of a plan, and what granted it */
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
         * @description It works for 15 minutes on `/v1` with your own rights, and is not listed.
         */
        post: operations["Playground_createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your projects; for admins also all of them */
        get: operations["Projects_list"];
        put?: never;
        /** Create a project */
        post: operations["Projects_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A project with its members, limits and budgets */
        get: operations["Projects_get"];
        put?: never;
        post?: never;
        /** Archive a project, as `POST` to `/archive` does */
        delete: operations["Projects_remove"];
        options?: never;
        head?: never;
        /** Rename a project */
        patch: operations["Projects_rename"];
        trace?: never;
    };
    "/api/projects/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive a project permanently: its keys stop working within a second */
        post: operations["Projects_archive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** For how long answers to calls of a project are cached */
        get: operations["Cache_ofProject"];
        /** Cache the answers to equal calls of a project; effective within a second */
        put: operations["Cache_setProject"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/content-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Switch the content log of a project on or off, for all its keys; effective within a second
         * @description For managers of the project and admins.
         */
        put: operations["Content_switchProject"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The limits and budgets of a project, with their use */
        get: operations["Projects_limits"];
        /**
         * Set limits and budgets of a project; effective within a second
         * @description Managers cannot exceed what administrators set.
         */
        put: operations["Projects_setLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a member by e-mail address, or change the role */
        post: operations["Projects_addMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One member of a project */
        get: operations["Projects_member"];
        /** Add a member, or change the role */
        put: operations["Projects_setMember"];
        post?: never;
        /** Remove a member */
        delete: operations["Projects_removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The service accounts of a project, oldest first */
        get: operations["ServiceAccounts_list"];
        put?: never;
        /** Create a service account of a project; it needs no e-mail address */
        post: operations["ServiceAccounts_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{id}/service-accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One service account of a project */
        get: operations["ServiceAccounts_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename a service account of a project, or disable and enable it */
        patch: operations["ServiceAccounts_update"];
        trace?: never;
    };
    "/api/projects/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a project with its plan, managers and limits: all of it or nothing */
        post: operations["Projects_createComplete"];
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
        /** Every setting with the file or variable that sets it */
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
        /** The result of the last reload: the changes, or the mistakes that prevented them */
        get: operations["Settings_reload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings/scim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether SCIM is on, its base URL and its last request */
        get: operations["Settings_scim"];
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
        /** Whether setup is open */
        get: operations["Setup_get"];
        put?: never;
        /** Create the first administrator, and sign in */
        post: operations["Setup_complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your access tokens; also those of a service account, and for admins all */
        get: operations["Tokens_list"];
        put?: never;
        /**
         * Create an access token for `/api`; only the response contains it
         * @description In the console within 15 minutes of the sign-in. A token cannot create one that can do more.
         */
        post: operations["Tokens_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One access token */
        get: operations["Tokens_get"];
        put?: never;
        post?: never;
        /** Revoke an access token permanently; effective at once */
        delete: operations["Tokens_revoke"];
        options?: never;
        head?: never;
        /** Rename an access token, or change the addresses that can use it */
        patch: operations["Tokens_update"];
        trace?: never;
    };
    "/api/upstreams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every upstream and every model of the configuration, and which of them are live */
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
        /** Make real calls to an upstream, one JSON and one streamed; the provider charges for them */
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
        /** Usage in a period: in total, by group, and by hour or day */
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
         * @description By the id of the answer (`chatcmpl-…`, `resp_…`, `msg_…`), by its `x-request-id`, or by the id of a refused request.
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
    "/api/usage/calls/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The prompt and the answer of a request; the audit log records who viewed them
         * @description For the owner of the key, managers of its project, and admins.
         */
        get: operations["Content_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/calls/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The values of one filter, with the number of requests that have each */
        get: operations["Usage_facet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/calls/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many requests succeeded, failed and were refused, by hour or day */
        get: operations["Usage_histogram"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Errors by cause, over the whole range
         * @description Failed requests with the same upstream, status, error code and message, and refused ones with the same status and error code. Conditions on streaming, cost and duration do not apply.
         */
        get: operations["Usage_errors"];
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
        /** An export: the report with every group, or every single request */
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
        /** More groups of a report, page by page */
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
        /** Users, page by page */
        get: operations["Users_list"];
        put?: never;
        /** Invite a person, or create a service account */
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
        /** One user */
        get: operations["Users_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename a user, change e-mail address or role, disable or enable */
        patch: operations["Users_update"];
        trace?: never;
    };
    "/api/users/{id}/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace e-mail address and name by a pseudonym, and end keys and sessions; cannot be undone */
        post: operations["Users_forget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A user’s limits, for all keys together */
        get: operations["UserLimits_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Set a user's own limits and budgets, which replace the plan's; effective within a second */
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
         * Create a one-time link to a new password
         * @description Earlier links of the user stop working.
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
        /** The plan of a user, or of the user that represents a project */
        get: operations["UserPlan_get"];
        put?: never;
        /** Grant a user a plan from now on; granting it again sets a new end */
        post: operations["UserPlan_grant"];
        /** End every granted plan of a user; the default plan stays */
        delete: operations["UserPlan_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite up to 200 people: all of them or none
         * @description An error names the field of each faulty one, such as `users[3].email`.
         */
        post: operations["Users_createAll"];
        delete?: never;
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
         * @description Not while the database is unavailable, and not during a shutdown.
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
    "/v1/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Continue a text, or fill a gap in it
         * @description OpenAI’s older Completions, for editors. Only models whose provider has this API support it; others get a 400.
         */
        post: operations["createCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn texts into vectors
         * @description OpenAI’s embeddings, for models whose `kind` is `embedding`. Long lists are sent upstream in batches.
         */
        post: operations["createEmbeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The key itself: its owner’s project and plan, and what is left of its limits
         * @description It counts as no request of a limit.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation, in Anthropic’s format
         * @description Anthropic’s Messages format for every model. Use Anthropic’s SDKs with this gateway’s address, without `/v1`, as the base URL. Providers that have this API get the request unchanged.
         */
        post: operations["createMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the input tokens of a conversation
         * @description The provider’s count if it offers one, otherwise an estimate. Nothing is charged.
         */
        post: operations["countMessageTokens"];
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
         * The models that the key can use
         * @description Plain clients get an array of objects with five fields; clients that need it, such as OpenAI’s SDKs, and all clients of `/openai/v1` get OpenAI’s list. `format` chooses explicitly.
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
        /** One model with its context length, prices and capabilities */
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
         * The result of a call
         * @description For the owner of the key, with any of the owner’s keys. It never contains prompts or answers.
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
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation, in OpenAI’s Responses format
         * @description OpenAI’s Responses format for every model. Use any OpenAI SDK with this gateway’s address + `/v1` as the base URL. Providers that have this API get the request unchanged; for others it is translated, and fields that are left out are named in `x-gateway-ignored-parameters`.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A stored response
         * @description If the gateway stores responses; otherwise this URL does not exist. With any key of the same user, or of the same project.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a stored response
         * @description If the gateway stores responses; otherwise this URL does not exist. With any key of the same user, or of the same project.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}/input_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The input of a stored response
         * @description If the gateway stores responses; otherwise this URL does not exist. With any key of the same user, or of the same project.
         */
        get: operations["listResponseInputItems"];
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
            /** @description The current session. */
            current: boolean;
            /**
             * Format: date-time
             * @description The latest time at which it ends.
             */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description Accurate to the minute.
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
            /** @description Whether the account has a password. */
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
        /**
         * @description `waiting`: retried for up to a day; `failed`: no further attempts; `not_sent`: no webhook was set up.
         * @enum {string}
         */
        AlertDelivery: "sent" | "waiting" | "failed" | "not_sent";
        AlertPageView: {
            items: components["schemas"]["AlertView"][];
            /** @description The `cursor` of the next page; null after the last. */
            next: string | null;
            /** @description Null if no webhook is set up: alerts are listed but not sent. */
            webhook: components["schemas"]["AlertWebhookView"] | null;
        };
        AlertTestView: {
            /** @description The start of the webhook’s response, or why there was none. */
            answer: string;
            ok: boolean;
            /** @description The HTTP status; null if there was no response. */
            status: number | null;
        };
        AlertView: {
            /** @description The start of the webhook’s last response, or why there was none. */
            answer: string | null;
            /** @description The HTTP status; null if there was no response. */
            answerStatus: number | null;
            /** Format: date-time */
            at: string;
            attempts: number;
            /** @description `waiting`: retried for up to a day; `failed`: no further attempts; `not_sent`: no webhook was set up. */
            delivery: components["schemas"]["AlertDelivery"];
            id: string;
            /** @description An e-mail address, a key’s id or an upstream. */
            subject: string;
            text: string;
            /**
             * Format: date-time
             * @description The last attempt.
             */
            triedAt: string | null;
            /** @example budget_80 */
            type: string;
        };
        AlertWebhookView: {
            /**
             * @description The host of its URL; the rest may be secret.
             * @example hooks.example.com
             */
            host: string;
            /** @description Whether alerts are signed. */
            isSigned: boolean;
        };
        AnswerMessage: {
            content: string | null;
            /** @description The model’s reasoning, if the provider shows it. */
            reasoning_content?: string;
            /** @description Why the model gives no answer. */
            refusal: string | null;
            /** @enum {string} */
            role: "assistant";
            tool_calls?: components["schemas"]["ToolCall"][];
        };
        AppliedChangeView: {
            /** @enum {string} */
            action: "create" | "update" | "remove";
            /** @description The value afterwards. */
            after: unknown | null;
            /** @description The value before. */
            before: unknown | null;
            /** @description The changed field, such as `limits.budgetMonthUsd`; null: the whole of it. */
            field: string | null;
            /** @enum {string} */
            kind: "plan" | "user" | "project" | "member" | "service account" | "key";
            /** @example ~ project search limits.budgetMonthUsd 300 → 500 */
            line: string;
            /** @example crawler-prod of search/crawler */
            name: string;
            /** @description Where the file names it; empty for what is removed. */
            path: string[];
        };
        AppliedKeyView: {
            display: string;
            /** Format: uuid */
            id: string;
            /** @description The key itself; it is shown only once. */
            key: string;
            /**
             * @example [
             *       "projects",
             *       "search",
             *       "keys",
             *       "crawler-prod"
             *     ]
             */
            path: string[];
        };
        AppliedView: {
            changes: components["schemas"]["AppliedChangeView"][];
            dryRun: boolean;
            /** @description New keys. */
            keys: components["schemas"]["AppliedKeyView"][];
        };
        /** @description An earlier answer of the model. */
        AssistantMessage: {
            audio?: {
                id: string;
            } | null;
            /** @description May be missing when there is `tool_calls`, `refusal` or `audio`. */
            content?: (string | (components["schemas"]["TextPart"] | components["schemas"]["RefusalPart"])[]) | null;
            /** @deprecated */
            function_call?: {
                arguments: string;
                name: string;
            } | null;
            /** @description Distinguishes participants with the same role. */
            name?: string;
            refusal?: string | null;
            /** @enum {string} */
            role: "assistant";
            tool_calls?: components["schemas"]["ToolCall"][];
        };
        /** @description Audio. */
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
                /** @enum {string} */
                ttl?: "30m" | "12h";
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
            kind: "user" | "key" | "token" | "plan" | "project" | "session" | "upstream" | "export" | "call" | "cache";
            name: string;
        };
        BudgetStandingsView: {
            /** @description False if there are more owners of budgets; a smaller part of their budgets is spent. */
            isComplete: boolean;
            /** @description By the spent part, largest first. */
            items: components["schemas"]["BudgetStandingView"][];
        };
        BudgetStandingView: {
            amountUsd: number;
            /** @description A user’s name, or a key’s display form. */
            detail: string | null;
            /** @description The expected spending at the end of the month, at the rate of the last days with data, at most seven; only for monthly budgets. */
            forecastUsd: number | null;
            /** @description The days with data that the forecast is made from; null for daily budgets, which use the last hour. */
            historyDays: number | null;
            /** @description The id of the key, project or user; for a plan’s budget, the id of the user. */
            id: string;
            /** @description A user’s e-mail address, or the name of a key or project. */
            name: string;
            /**
             * @description Days and months in UTC.
             * @enum {string}
             */
            period: "day" | "month" | "total";
            /** @description The project whose budget, or whose plan’s or service account’s, it is. */
            projectId: string | null;
            /** @description Reserved by running calls. */
            reservedUsd: number;
            /**
             * Format: date-time
             * @description When it resets; null: never.
             */
            resetsAt: string | null;
            /**
             * Format: date-time
             * @description When it will be used up at that rate, of daily budgets at that of the last hour; null: not before it resets, or not within a year.
             */
            runsOutAt: string | null;
            /**
             * @description Where it is set.
             * @enum {string}
             */
            scope: "plan" | "user" | "key" | "project";
            spentUsd: number;
            /** @description The smallest amount that a call refused in this period would have reserved, if more than what is left, so that such calls are still refused; else null. US dollars. */
            uncoveredUsd: number | null;
        };
        BudgetView: {
            /** @description US dollars. */
            amountUsd: number;
            /** @description The spending before the budget was set is still being summed up; until then only later calls count. */
            calculating: boolean;
            /**
             * @description Days and months are in UTC.
             * @enum {string}
             */
            period: "day" | "month" | "total";
            /**
             * Format: date-time
             * @description When it resets; null: never.
             */
            resetsAt: string | null;
            /** @description The cost in US dollars of calls that have ended in this period. */
            spentUsd: number;
            /** @description The smallest amount that a call refused in this period would have reserved, if more than what is left, so that such calls are still refused; else null. US dollars. */
            uncoveredUsd: number | null;
        };
        CacheDto: {
            /**
             * @description A duration such as 1h, none, or default: as the model’s row says.
             * @example 1h
             */
            cache: string;
        };
        CacheReportView: {
            models: components["schemas"]["CacheUseView"][];
            projects: components["schemas"]["CacheUseView"][];
        };
        CacheUseView: {
            hits: number;
            misses: number;
            /** @description The id of a model, or the name of a project; empty for callers without a project. */
            name: string;
            /** @description What the calls would have cost that were answered from the cache. */
            savedUsd: number;
        };
        CacheWriteView: {
            /** @description Their price in proportion to the input price; null if the prices have changed since. */
            factor: number | null;
            /**
             * @description How long the provider keeps them.
             * @enum {integer}
             */
            minutes: 5 | 30 | 60 | 720;
            tokens: number;
        };
        CallAttemptView: {
            /** @description The name of the upstream's key, if it has several. */
            key?: string;
            /** @description The upstream's error message: at most 300 characters, without quotes from the prompt. */
            message?: string;
            /** @description How long it took, in milliseconds. */
            ms: number;
            /** @description `ok`, or the error’s code. */
            outcome: string;
            /** @description The provider's id of the request, for its support. */
            requestId?: string;
            /** @description Milliseconds after the start of the request. */
            startMs: number;
            /** @description The HTTP status; null or 0 if there was none. */
            status: number | null;
            upstream: string;
            upstreamModel: string;
            /** @description How long the request waited before it because every target was full, in milliseconds. */
            waitedMs?: number;
        };
        CallChargeView: {
            /** @description The prices of prompts with more input tokens than this applied; null: the usual prices. */
            aboveInputTokens: number | null;
            /**
             * @description How unreported tokens were estimated: from the received part of the answer, from the elapsed time, as the longest possible answer, or only the prompt. Null: the upstream reported them.
             * @enum {string|null}
             */
            basis: "visible" | "time" | "ceiling" | "prompt" | null;
            /** @description What the call would have cost: it was answered from the cache. Null: it was not. */
            cachedUsd: number | null;
            /** @description Input that was written to the provider's cache. */
            cacheWrites: components["schemas"]["CacheWriteView"][];
            /** @description The prices of the model have changed since the call. */
            hasOtherPrices: boolean;
            /** @description Calls of the provider's own tools. */
            hostedTools: components["schemas"]["HostedToolCallsView"][];
            /** @description Not charged, because the upstream failed during the answer. */
            isFree: boolean;
            /** @description The model has no price, so the call counts as $0. By its current configuration. */
            isUnpriced: boolean;
            /** @description The list price of the tokens in dollars; null if the prices have changed since, or there are none. */
            listUsd: number | null;
            /** @description The part of the cost for other attempts, whose answers were unusable, in dollars. */
            otherAttemptsUsd: number;
            /** @description The longest answer, in tokens, that a budget allowed; null if no budget shortened it. */
            outputCeiling: number | null;
            /** @description The cost above the reservation, in dollars; a budget may be exceeded by it. */
            overReservedUsd: number;
            /** @description The service tier that served; null: the requested one. */
            servedTier: string | null;
            /** @description Null: the list price. */
            serviceTier: components["schemas"]["ServiceTierView"] | null;
            /** @description Tokens of sound, which have prices of their own. */
            soundTokens: number;
            /**
             * @description What was probably reserved too low: `output`, `text`, a kind of media or a hosted tool. Null: nothing was.
             * @example file
             */
            underestimated: string | null;
        };
        CallContentView: {
            answer: components["schemas"]["LoggedChoiceView"][];
            /** @description Content is missing because it was larger than `contentLog.maxSize`. */
            isCut: boolean;
            /** @description The request; images, sound and files are replaced by a note of their size. */
            request: {
                [key: string]: unknown;
            };
        };
        CallDetailView: {
            /** @description The id in the client’s answer, such as `resp_…`: the provider’s own where its answer was passed on. */
            answerId: string | null;
            /**
             * @description The API that the client used.
             * @example chat.completions
             */
            api: string;
            attempts: components["schemas"]["CallAttemptView"][];
            cachedTokens: number;
            /** @description Null: the list price of the tokens that the upstream reported. */
            charge: components["schemas"]["CallChargeView"] | null;
            /** @description Where the request came from. `user:forget` removes it. */
            clientAddress: string | null;
            /**
             * @description The exact cost: whole nano-dollars (10⁻⁹ $).
             * @example 1234500
             */
            costNanodollars: string;
            /** @description The same in dollars, as a number. */
            costUsd: number;
            errorCode: string | null;
            finishReason: string | null;
            /** @description Milliseconds after the start. */
            firstTokenMs: number | null;
            /** @description What guards found, up to a second after its end. */
            guards: components["schemas"]["GuardHitView"][];
            /** @description Whether its prompt and answer are stored. */
            hasContent: boolean;
            /** @description The status that the client got; null: it had disconnected, or the request is running or older. */
            httpStatus: number | null;
            /**
             * @description `refused-…`: it was refused before it became a call.
             * @example chatcmpl-9f86d081884c7d65
             */
            id: string;
            /** @description Including cached ones. */
            inputTokens: number;
            /** @description Whether it was made in the playground, whose temporary key has no page. */
            isPlayground: boolean;
            /** @description The display form of the key’s secret at that time. */
            keyDisplay: string | null;
            /**
             * Format: uuid
             * @description Null: no key has the secret that was sent.
             */
            keyId: string | null;
            keyName: string;
            /** @description Whether you can read them; those of a project are for its managers. */
            mayReadContent: boolean;
            /** @description The error message for the caller of a refused request; of a failed one, the first line of the provider’s. */
            message: string | null;
            /** @description For a refused request the text that it named, which may not be a model; empty if unknown. */
            model: string;
            /** @description Including reasoning. */
            outputTokens: number;
            /** @description The user’s plan at that time; null if it was refused. */
            planId: string | null;
            /** @description The project that the key belongs to, if any. */
            project: components["schemas"]["CallProjectView"] | null;
            /** @description The project that the key belongs to, if any. */
            projectName: string | null;
            reasoningTokens: number;
            /** @description Why it was refused, as of now; null if it was not. */
            refusal: components["schemas"]["RefusalReasonView"] | null;
            /** @description The `x-request-id` of its answer. */
            requestId: string;
            /** @description The model that answered and is charged; null if none did, or unknown. */
            servedModel: string | null;
            simulated: boolean;
            /** Format: date-time */
            startedAt: string;
            status: components["schemas"]["CallStatus"];
            stream: boolean;
            /**
             * @description Null while it is running.
             * @enum {string|null}
             */
            tokenSource: "reported" | "estimated" | null;
            /** @description Milliseconds after the start. */
            totalMs: number | null;
            /** @description Null: none was called. */
            upstream: string | null;
            upstreamModel: string | null;
            /** @description The status of the provider’s answer to a failed request. */
            upstreamStatus: number | null;
            /** @description The client’s `User-Agent`, at most 200 characters. `user:forget` removes it. */
            userAgent: string | null;
            /**
             * Format: uuid
             * @description Null: the key is unknown.
             */
            userId: string | null;
            userName: string;
        };
        CallExplanation: {
            attempts: {
                /** @description How long it took. */
                ms: number;
                /** @description `ok`, `aborted`, `outrun` if another target answered first, or the error’s code. */
                outcome: string;
                /** Format: date-time */
                startedAt: string;
                /** @description The upstream’s status; 0 if there was no connection. */
                status: number | null;
                upstream: string;
                upstreamModel: string;
                /** @description How long the call waited before this attempt because every target was full. */
                waitedMs?: number;
            }[];
            completionId: string;
            /** @description A whole number. */
            costNanodollars: string;
            costUsd: number;
            errorCode: string | null;
            finishReason: string | null;
            firstTokenMs: number | null;
            /** @description The request’s id, as in `x-request-id`. */
            id: string;
            /** @description The requested model. */
            model: string;
            /** @description The model that answered and is charged. */
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
            /**
             * Format: date-time
             * @description Set if this page ends because 10,000 requests were examined: it then ends at this time, and `next` continues.
             */
            searchedTo: string | null;
            /**
             * Format: date-time
             * @description The list includes everything up to this time.
             */
            upToDateAt: string;
        };
        CallProjectView: {
            /** Format: uuid */
            id: string;
            /** @description Whether the key belongs to the project itself; false: to a service account of it. */
            isOwner: boolean;
            name: string;
        };
        /** @enum {string} */
        CallStatus: "open" | "settled" | "failed" | "aborted" | "interrupted" | "refused";
        CallView: {
            /** @description The id in the client’s answer, such as `resp_…`: the provider’s own where its answer was passed on. */
            answerId: string | null;
            /**
             * @description The API that the client used.
             * @example chat.completions
             */
            api: string;
            cachedTokens: number;
            /**
             * @description The exact cost: whole nano-dollars (10⁻⁹ $).
             * @example 1234500
             */
            costNanodollars: string;
            /** @description The same in dollars, as a number. */
            costUsd: number;
            errorCode: string | null;
            finishReason: string | null;
            /** @description Milliseconds after the start. */
            firstTokenMs: number | null;
            /** @description The status that the client got; null: it had disconnected, or the request is running or older. */
            httpStatus: number | null;
            /**
             * @description `refused-…`: it was refused before it became a call.
             * @example chatcmpl-9f86d081884c7d65
             */
            id: string;
            /** @description Including cached ones. */
            inputTokens: number;
            /** @description The display form of the key’s secret at that time. */
            keyDisplay: string | null;
            /**
             * Format: uuid
             * @description Null: no key has the secret that was sent.
             */
            keyId: string | null;
            keyName: string;
            /** @description The error message for the caller of a refused request; of a failed one, the first line of the provider’s. */
            message: string | null;
            /** @description For a refused request the text that it named, which may not be a model; empty if unknown. */
            model: string;
            /** @description Including reasoning. */
            outputTokens: number;
            /** @description The project that the key belongs to, if any. */
            projectName: string | null;
            reasoningTokens: number;
            /** @description The `x-request-id` of its answer. */
            requestId: string;
            /** @description The model that answered and is charged; null if none did, or unknown. */
            servedModel: string | null;
            simulated: boolean;
            /** Format: date-time */
            startedAt: string;
            status: components["schemas"]["CallStatus"];
            stream: boolean;
            /**
             * @description Null while it is running.
             * @enum {string|null}
             */
            tokenSource: "reported" | "estimated" | null;
            /** @description Milliseconds after the start. */
            totalMs: number | null;
            /** @description Null: none was called. */
            upstream: string | null;
            upstreamModel: string | null;
            /** @description The status of the provider’s answer to a failed request. */
            upstreamStatus: number | null;
            /**
             * Format: uuid
             * @description Null: the key is unknown.
             */
            userId: string | null;
            userName: string;
        };
        CatalogModelView: {
            /** @description The share of its input tokens of the last 24 hours that was read from a provider’s cache. */
            cachedShare: number | null;
            displayName: string;
            /** @description False: no price is configured, so its calls count as $0. */
            hasPrice: boolean;
            /** @description How it has answered recently. */
            health: components["schemas"]["ModelHealthView"] | null;
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
                /** @description Log probabilities of the tokens, if requested. */
                logprobs: Record<string, unknown> | null;
                message: components["schemas"]["AnswerMessage"];
            }[];
            /** @description Unix seconds. */
            created: number;
            /** @description `chatcmpl-…`, assigned by the gateway; the same in every chunk. */
            id: string;
            /** @description The model that answered: the requested one, or a fallback. */
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
                    /** @description The next piece of the model’s reasoning, if the provider shows it. */
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
                        /** @description The index of the call; the same in all of its pieces. */
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
                /** @description Log probabilities of the tokens, if requested. */
                logprobs?: Record<string, unknown> | null;
            }[];
            /** @description Unix seconds. */
            created: number;
            /** @description `chatcmpl-…`, assigned by the gateway; the same in every chunk. */
            id: string;
            /** @description The model that answered: the requested one, or a fallback. */
            model: string;
            /** @enum {string} */
            object: "chat.completion.chunk";
            usage?: components["schemas"]["Usage"] | null;
        };
        /** @description OpenAI’s Chat Completions request. A field that the model does not support gets a 400 that names it. */
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
            /** @description The maximum number of tokens in the answer, reasoning included. */
            max_completion_tokens?: number | null;
            /** @description The older name of `max_completion_tokens`; every model takes it. */
            max_tokens?: number | null;
            /** @description The conversation so far. */
            messages: components["schemas"]["ChatMessage"][];
            /** @description Your own labels. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description What the answer consists of. Not every model supports audio or images. */
            modalities?: ("text" | "audio" | "image")[] | null;
            /** @description A model id from `GET /v1/models`. */
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
            /** @description The number of answers. */
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
                ttl?: "30m" | "12h";
            };
            /**
             * @description How long the provider keeps the cached prompt.
             * @enum {string|null}
             */
            prompt_cache_retention?: "in_memory" | "24h" | null;
            /**
             * @description How much the model may reason.
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
            /** @description The same seed gives the same answer, as far as the provider supports it. */
            seed?: number | null;
            /**
             * @description The provider’s service level, which affects latency and price.
             * @enum {string|null}
             */
            service_tier?: "auto" | "default" | "flex" | "scale" | "priority" | "fast" | "ultrafast" | null;
            /** @description Sequences that end the answer. */
            stop?: (string | string[]) | null;
            /** @description Whether the provider may keep the answer. */
            store?: boolean | null;
            /** @description Stream the answer as server-sent events. */
            stream?: boolean | null;
            stream_options?: {
                /** @description Pad chunks to equal length, where the provider supports it. */
                include_obfuscation?: boolean;
                /** @description Send token usage in a last chunk, with `choices: []`. */
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
            /** @description Your identifier for the end user, for the provider’s abuse detection. */
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
        ClearedView: {
            cleared: number;
        };
        ClosedSessionsView: {
            /** @description The number of ended sessions. */
            closed: number;
        };
        ConfigChangeView: {
            /** @enum {string} */
            change: "added" | "removed" | "changed";
            /** @enum {string} */
            file: "gateway.yaml" | "upstreams.yaml" | "models.yaml" | "environment";
            /** @description A section of gateway.yaml, the name of an upstream, the id of a model or a variable. */
            name: string;
        };
        ConfigFaultView: {
            file: string;
            /** @example retry.attempts */
            key: string;
            /** @description Null outside the yaml files. */
            line: number | null;
            /** @description The model of models.yaml that has the mistake. */
            model: string | null;
            problem: string;
        };
        ContentLogDto: {
            /** @description Whether prompts and answers of its calls are stored, encrypted. */
            on: boolean;
        };
        CreatedKeyView: {
            /** @description Null: any. */
            addresses: string[] | null;
            /** @description Restrictions set by an administrator; the owner can only tighten them. Null: none. */
            bounds: components["schemas"]["KeyBoundsView"] | null;
            /** @description Its own budgets, with their spending. */
            budgets: components["schemas"]["BudgetView"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description Only an administrator can enable a key that an administrator disabled. Null: it is not disabled.
             * @enum {string|null}
             */
            disabledBy: "owner" | "administrator" | null;
            /**
             * @description The part of the key that stays visible.
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
            /** @description Of an identity, whose callers send tokens of this issuer; null: it is a key with a secret. */
            issuer: string | null;
            /** @description The key itself: shown only once and not stored. */
            key: string;
            /** @description Null: never used. */
            lastUsed: components["schemas"]["KeyLastUseView"] | null;
            /** @description The key’s own limits, in addition to its owner’s. */
            limits: components["schemas"]["LimitsView"];
            /** @description Whether prompts and answers of its calls are stored, encrypted. */
            logsContent: boolean;
            /** @description Null: all that its owner can use. */
            models: string[] | null;
            name: string;
            note: string;
            owner: components["schemas"]["KeyOwnerView"];
            /** @description The previous secret, while it is valid. */
            previous: components["schemas"]["PreviousSecretView"] | null;
            /** @description The project that it belongs to, if any. */
            project: components["schemas"]["ProjectRefView"] | null;
            /** @description Its own rates, with their current use. */
            rates: components["schemas"]["RateView"][];
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Null: never rotated.
             */
            rotatedAt: string | null;
            /**
             * Format: date-time
             * @description The last use of the present secret; `lastUsed` is that of either secret. Null: never.
             */
            secretUsedAt: string | null;
            /** @description Since the first of the month, in UTC. */
            spentThisMonth: components["schemas"]["SpendingView"];
            /** @enum {string} */
            status: "active" | "expired" | "disabled" | "revoked";
            /** @description Of an identity: its subject at the issuer. */
            subject: string | null;
        };
        CreatedTokenView: {
            /** @description Null: any. */
            addresses: string[] | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * @description The part of the token that stays visible.
             * @example gat_ab12…9xYz
             */
            display: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            lastUsed: components["schemas"]["TokenUseView"] | null;
            name: string;
            owner: components["schemas"]["TokenOwnerView"];
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * @example [
             *       "usage.read",
             *       "keys.write"
             *     ]
             */
            scopes: ("keys.read" | "keys.write" | "users.read" | "users.write" | "projects.read" | "projects.write" | "plans.read" | "plans.write" | "limits.write" | "guards.read" | "guards.write" | "usage.read" | "requests.read" | "content.read" | "audit.read" | "upstreams.read" | "upstreams.test" | "alerts.read" | "alerts.write" | "settings.read" | "tokens.write" | "apply" | "scim" | "account")[];
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /**
             * @description The token itself. It is shown only here.
             * @example gat_…
             */
            token: string;
        };
        CreatedUsersView: {
            /** @description All of them, if `dryRun` is true; otherwise none. */
            faults: components["schemas"]["UserFaultView"][];
            /** @description In the order of the request; none if `dryRun` is true. */
            users: components["schemas"]["CreatedUserView"][];
        };
        CreatedUserView: {
            /** @description Null for a service account, and if people sign in only with single sign-on. */
            link: components["schemas"]["PasswordLinkView"] | null;
            user: components["schemas"]["UserView"];
        };
        CreateKeyDto: {
            /**
             * @description The only addresses and ranges that it can be used from; null: any.
             * @example [
             *       "203.0.113.7",
             *       "10.0.0.0/8"
             *     ]
             */
            addresses?: string[] | null;
            /**
             * Format: date-time
             * @description Null: never, if the key policy allows it. If missing: after the policy's default lifetime.
             */
            expiresAt?: string | null;
            /** @description The key’s own limits, in addition to its owner’s and never above them. */
            limits?: components["schemas"]["LimitsDto"];
            /** @description The models that it can use, a subset of its owner's; null: all of the owner's models. */
            models?: string[] | null;
            /** @example alice-laptop */
            name: string;
            /** @description A note to recognize the key. */
            note?: string;
            /**
             * Format: uuid
             * @description The project that it belongs to; for managers of the project and admins. Not together with `userId`.
             */
            projectId?: string;
            /**
             * Format: uuid
             * @description A service account of the project, as the owner of the key.
             */
            serviceAccountId?: string;
            /**
             * Format: uuid
             * @description The owner, for example a service account; only for admins.
             */
            userId?: string;
        };
        CreatePlanDto: {
            /** @example team-a */
            id: string;
            /** @description For each of its users, over all keys of the user. */
            limits?: components["schemas"]["LimitsDto"];
            /** @example Pro */
            name?: string;
            /** @description Additional models, by id. */
            namedModels?: string[];
            /** @description If a user has several plans, the one with the highest rank applies. */
            rank?: number;
            /**
             * @description Tiers of the catalog whose models the plan includes; at least one, unless it has additional models.
             * @example [
             *       "free",
             *       "pro"
             *     ]
             */
            tiers?: string[];
        };
        CreateProjectDto: {
            /** @description The upper bounds of what its managers can set; needs `limits.write`. */
            limits?: components["schemas"]["LimitsDto"];
            /**
             * @description The e-mail addresses of people with an account.
             * @example [
             *       "grace@example.com"
             *     ]
             */
            managers?: string[];
            /** @example Search */
            name: string;
            /**
             * @description Granted without an end; needs `plans.write`.
             * @example pro
             */
            planId?: string;
        };
        CreateTokenDto: {
            /**
             * @description The only addresses and ranges that it can be used from; null: any.
             * @example [
             *       "203.0.113.7",
             *       "10.0.0.0/8"
             *     ]
             */
            addresses?: string[] | null;
            /**
             * Format: date-time
             * @description If missing: after the token policy's default lifetime.
             */
            expiresAt?: string | null;
            /** @example deploy */
            name: string;
            /**
             * @description The permissions that it has as long as its owner has them.
             * @example [
             *       "usage.read",
             *       "keys.write"
             *     ]
             */
            scopes: ("keys.read" | "keys.write" | "users.read" | "users.write" | "projects.read" | "projects.write" | "plans.read" | "plans.write" | "limits.write" | "guards.read" | "guards.write" | "usage.read" | "requests.read" | "content.read" | "audit.read" | "upstreams.read" | "upstreams.test" | "alerts.read" | "alerts.write" | "settings.read" | "tokens.write" | "apply" | "scim" | "account")[];
            /**
             * Format: uuid
             * @description The service account that owns it; if missing, you. You need each scope for everything.
             */
            serviceAccountId?: string;
        };
        CreateUserDto: {
            /** @example ada@example.com */
            email: string;
            /**
             * @description A service account has keys and cannot sign in.
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
        CreateUsersDto: {
            /** @description Only say what would prevent the creation. */
            dryRun?: boolean;
            users: components["schemas"]["InvitedUserDto"][];
        };
        /** @description The newer form of a `system` message. */
        DeveloperMessage: {
            content: string | components["schemas"]["TextPart"][];
            /** @description Distinguishes participants with the same role. */
            name?: string;
            /** @enum {string} */
            role: "developer";
        };
        /** @description The embeddings. */
        EmbeddingsAnswer: {
            /** @description In the order of the inputs. */
            data: {
                /** @description A list of numbers, or base64. */
                embedding: number[] | string;
                /** @description The position of the input, from 0. */
                index: number;
                /** @enum {string} */
                object: "embedding";
            }[];
            /** @description The model as the request named it. */
            model: string;
            /** @enum {string} */
            object: "list";
            usage: {
                prompt_tokens: number;
                total_tokens: number;
            };
        };
        /** @description A request for embeddings. */
        EmbeddingsRequest: {
            /** @description The number of dimensions, at most that of the model. */
            dimensions?: number;
            /**
             * @description Numbers, or base64 of little-endian 32-bit floats.
             * @enum {string}
             */
            encoding_format?: "float" | "base64";
            /** @description One input or up to 2,048: a text, a list of texts, a list of token ids, or a list of such lists. */
            input: string | string[] | number[] | number[][];
            /** @description The id of a model of the kind `embedding`. */
            model: string;
            /** @description Your identifier for the end user. */
            user?: string;
        };
        /** @description Every error has this format. Include the `x-request-id` of the response when you report a problem. */
        Error: {
            error: {
                /** @description For programs: `invalid_api_key`, `model_not_found`, `invalid_value`, … */
                code: string | null;
                /** @description The message for people; it contains no secret. */
                message: string;
                /** @description The path of the invalid field. */
                param: string | null;
                /** @description The type: `invalid_request_error`, `permission_error`, `server_error`, … */
                type: string;
            };
        };
        ErrorCausesView: {
            /** @description The most frequent first, at most 100. */
            causes: components["schemas"]["ErrorCauseView"][];
            /** @description The number of errors with other causes. */
            others: number;
        };
        ErrorCauseView: {
            /** @example upstream_error */
            code: string;
            count: number;
            /**
             * Format: date-time
             * @description Of refused requests, the start of the hour.
             */
            firstAt: string;
            /** @description Whether the upstream has not answered since; known to those who see upstreams. */
            isOngoing: boolean;
            /**
             * @description Whether an upstream failed, or the gateway refused.
             * @enum {string}
             */
            kind: "failed" | "refused";
            /** Format: date-time */
            lastAt: string;
            /** @description The id of the newest one; null if it is no longer stored. */
            lastId: string | null;
            /** @description Of the newest one: the message for the caller, or the first line of the provider’s. */
            message: string | null;
            /** @description At most ten. */
            models: string[];
            /** @description What removes the cause, as far as it is known. */
            remedy: string | null;
            /** @description Of a refused request, or of the provider’s answer. */
            status: number | null;
            upstream: string | null;
            /** @description How many users had it; requests with an unknown key have none. */
            users: number;
        };
        FailingUpstreamView: {
            /** @description Calls of the last 24 hours that show how it answers. */
            attempts: number;
            /** @description Of the last failure. */
            code: string | null;
            failures: number;
            /** @description Why it does not answer, if that is known. */
            faults: components["schemas"]["UpstreamFaultView"][];
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
                /** @enum {string} */
                ttl?: "30m" | "12h";
            };
            /** @enum {string} */
            type: "file";
        };
        FirstCallView: {
            /** Format: date-time */
            at: string | null;
            done: boolean;
            /** @description The newest failed or refused request, until one succeeds. */
            failure: components["schemas"]["OverviewErrorView"] | null;
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
        GuardAssignmentView: {
            /** @description The names of guards, including those that are no longer in gateway.yaml. */
            guards: string[];
            id: string;
            /** @enum {string} */
            kind: "plan" | "project" | "key";
            name: string;
        };
        GuardFindingView: {
            /** @enum {string} */
            action: "block" | "mask" | "report";
            /** @description The character after its last one. */
            end: number;
            /** @example a payment card number */
            kind: string;
            /** @description Its first character in the text. */
            start: number;
        };
        GuardHitView: {
            /** @enum {string} */
            action: "block" | "mask" | "report" | "pass";
            /** @description How often. */
            count: number;
            /** @description The guard’s name in gateway.yaml. */
            guard: string;
            /** @description What was found, for example `payment_card`. */
            kind: string;
            /** @enum {string} */
            side: "request" | "answer";
        };
        GuardNamesDto: {
            /** @description Names of guards in gateway.yaml. */
            guards: string[];
        };
        GuardsOfSubjectView: {
            /** @description The guards of gateway.yaml. */
            available: string[];
            /** @description The names of guards, including those that are no longer in gateway.yaml. */
            guards: string[];
            id: string;
            /** @description Guards that apply besides, until they are removed there. */
            inherited: components["schemas"]["InheritedGuardView"][];
            /** @enum {string} */
            kind: "plan" | "project" | "key";
            /** @description Whether you can remove guards; managers of a project can only add them. */
            mayRemove: boolean;
            name: string;
        };
        GuardsView: {
            /** @description The plans, projects and keys that add guards. */
            assignments: components["schemas"]["GuardAssignmentView"][];
            guards: components["schemas"]["GuardView"][];
            /** @description What guards found in the last 30 days. */
            hits: components["schemas"]["GuardHitView"][];
        };
        GuardView: {
            /** @description What it detects: built-in kinds, and its own patterns and word lists. */
            detects: string[];
            /** @enum {string} */
            do: "block" | "mask" | "report";
            /** @description Whether it applies to every call. */
            forAll: boolean;
            /** @description The line of its definition in gateway.yaml. */
            line: number | null;
            /** @description The models whose calls it applies to. */
            models: string[];
            name: string;
            /** @description `request`, `answer` or both. */
            on: string[];
            /** @description `webhook`, `presidio` or `moderation`; null: it detects itself. */
            service: string | null;
            /** @description The URL of the service, without its query; for `moderation` the upstream and its model. */
            serviceAddress: string | null;
        };
        HeldPlanView: {
            plan: components["schemas"]["PlanNameView"];
            /**
             * Format: date-time
             * @description Null: no start.
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
                /** @enum {string} */
                ttl?: "30m" | "12h";
            };
            /** @enum {string} */
            type: "image_url";
        };
        InheritedGuardView: {
            /**
             * @description `all`: it applies to every call.
             * @enum {string}
             */
            from: "all" | "plan" | "project";
            guard: string;
            /** @description The name of the plan or the project. */
            name: string | null;
        };
        InheritedLimitsView: {
            budgets: components["schemas"]["BudgetView"][];
            rates: components["schemas"]["RateView"][];
            /**
             * @description `plan`: the plan of its owner; `user`: its owner; `project`: its project. They count all their keys.
             * @enum {string}
             */
            scope: "plan" | "user" | "project";
        };
        InvitedUserDto: {
            /** @example ada@example.com */
            email: string;
            name?: string;
            /**
             * @description Granted without an end; needs `plans.write`.
             * @example pro
             */
            planId?: string;
            /**
             * @default member
             * @enum {string}
             */
            role: "admin" | "member";
        };
        KeyActivityView: {
            /** @description Admitted calls of the last 24 hours. */
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
            /** @description Admitted calls of the last 24 hours. */
            callsLast24h: number;
            /** Format: uuid */
            id: string;
        };
        KeyDetailsView: {
            /** @description Null: any. */
            addresses: string[] | null;
            /** @description Restrictions set by an administrator; the owner can only tighten them. Null: none. */
            bounds: components["schemas"]["KeyBoundsView"] | null;
            /** @description Its own budgets, with their spending. */
            budgets: components["schemas"]["BudgetView"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description Only an administrator can enable a key that an administrator disabled. Null: it is not disabled.
             * @enum {string|null}
             */
            disabledBy: "owner" | "administrator" | null;
            /**
             * @description The part of the key that stays visible.
             * @example svc_ab12…9xYz
             */
            display: string;
            /**
             * Format: date-time
             * @description Null: never.
             */
            expiresAt: string | null;
            /** @description The guards of its calls, and what adds each of them. */
            guards: components["schemas"]["KeyGuardView"][];
            /** Format: uuid */
            id: string;
            /** @description Of an identity, whose callers send tokens of this issuer; null: it is a key with a secret. */
            issuer: string | null;
            /** @description Null: never used. */
            lastUsed: components["schemas"]["KeyLastUseView"] | null;
            /** @description The key’s own limits, in addition to its owner’s. */
            limits: components["schemas"]["LimitsView"];
            /** @description Whether prompts and answers of its calls are stored, encrypted. */
            logsContent: boolean;
            /** @description Null: all that its owner can use. */
            models: string[] | null;
            name: string;
            note: string;
            owner: components["schemas"]["KeyOwnerView"];
            /** @description The previous secret, while it is valid. */
            previous: components["schemas"]["PreviousSecretView"] | null;
            /** @description The project that it belongs to, if any. */
            project: components["schemas"]["ProjectRefView"] | null;
            /** @description Its own rates, with their current use. */
            rates: components["schemas"]["RateView"][];
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Null: never rotated.
             */
            rotatedAt: string | null;
            /**
             * Format: date-time
             * @description The last use of the present secret; `lastUsed` is that of either secret. Null: never.
             */
            secretUsedAt: string | null;
            /** @description Since the first of the month, in UTC. */
            spentThisMonth: components["schemas"]["SpendingView"];
            /** @enum {string} */
            status: "active" | "expired" | "disabled" | "revoked";
            /** @description Of an identity: its subject at the issuer. */
            subject: string | null;
        };
        KeyGuardView: {
            /**
             * @description `all`: it applies to every call.
             * @enum {string}
             */
            from: "all" | "plan" | "project" | "key" | "model";
            guard: string;
            /** @description The name of the plan, the project or the key, or the id of the model, which adds it to its calls. */
            name: string | null;
        };
        KeyIdsDto: {
            ids: string[];
        };
        KeyLastUseView: {
            address: string | null;
            /**
             * Format: date-time
             * @description Accurate to a few seconds.
             */
            at: string;
            /** @description The model of the last call that named one. */
            model: string | null;
            /** @description As stated by the client. */
            userAgent: string | null;
        };
        KeyOwnerView: {
            /** @description Keys do not work while their owner is disabled. */
            disabled: boolean;
            /** @description Null for a project and its service accounts. */
            email: string | null;
            /** Format: uuid */
            id: string;
            /**
             * @description `project`: the key belongs to the project itself.
             * @enum {string}
             */
            kind: "person" | "service" | "project";
            /** @description May be empty if there is an e-mail address. */
            name: string;
        };
        KeyPageView: {
            items: components["schemas"]["KeyView"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
            /** @description Only on the first page. */
            total: components["schemas"]["ListTotalView"] | null;
        };
        KeyPolicyView: {
            /** @description The suggested lifetime of a new key. */
            defaultLifetimeDays: number | null;
            /** @description The longest lifetime of a key; null: no limit. */
            maxLifetimeDays: number | null;
        };
        KeyStanding: {
            /** @description The part of the key that stays visible. */
            display: string;
            /**
             * Format: date-time
             * @description Null: never.
             */
            expires_at: string | null;
            id: string;
            limits: {
                budgets: {
                    amount_usd: number;
                    /** @description `day`, `month` or `total`, in UTC. */
                    period: string;
                    remaining_usd: number;
                    /** @description The most that running calls can still cost. */
                    reserved_usd: number;
                    /** Format: date-time */
                    resets_at: string | null;
                    spent_usd: number;
                }[];
                concurrent_calls: {
                    limit: number;
                    used: number;
                } | null;
                requests_per_minute: {
                    limit: number;
                    remaining: number;
                    /** @description Time until all of it is available again. */
                    reset_ms: number;
                } | null;
                /** @description Whose limit it is: `key`, `user`, `project`, or `plan` for the plan’s limit of the owner. */
                scope: string;
                tokens_per_minute: {
                    limit: number;
                    remaining: number;
                    /** @description Time until all of it is available again. */
                    reset_ms: number;
                } | null;
            }[];
            models: string[] | null;
            name: string;
            /** @description `key` */
            object: string;
            /** @description The plan’s id. */
            plan: string;
            /** @description The name of the project that it belongs to. */
            project: string | null;
        };
        KeyView: {
            /** @description Null: any. */
            addresses: string[] | null;
            /** @description Restrictions set by an administrator; the owner can only tighten them. Null: none. */
            bounds: components["schemas"]["KeyBoundsView"] | null;
            /** @description Its own budgets, with their spending. */
            budgets: components["schemas"]["BudgetView"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description Only an administrator can enable a key that an administrator disabled. Null: it is not disabled.
             * @enum {string|null}
             */
            disabledBy: "owner" | "administrator" | null;
            /**
             * @description The part of the key that stays visible.
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
            /** @description Of an identity, whose callers send tokens of this issuer; null: it is a key with a secret. */
            issuer: string | null;
            /** @description Null: never used. */
            lastUsed: components["schemas"]["KeyLastUseView"] | null;
            /** @description The key’s own limits, in addition to its owner’s. */
            limits: components["schemas"]["LimitsView"];
            /** @description Whether prompts and answers of its calls are stored, encrypted. */
            logsContent: boolean;
            /** @description Null: all that its owner can use. */
            models: string[] | null;
            name: string;
            note: string;
            owner: components["schemas"]["KeyOwnerView"];
            /** @description The previous secret, while it is valid. */
            previous: components["schemas"]["PreviousSecretView"] | null;
            /** @description The project that it belongs to, if any. */
            project: components["schemas"]["ProjectRefView"] | null;
            /** @description Its own rates, with their current use. */
            rates: components["schemas"]["RateView"][];
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Null: never rotated.
             */
            rotatedAt: string | null;
            /**
             * Format: date-time
             * @description The last use of the present secret; `lastUsed` is that of either secret. Null: never.
             */
            secretUsedAt: string | null;
            /** @description Since the first of the month, in UTC. */
            spentThisMonth: components["schemas"]["SpendingView"];
            /** @enum {string} */
            status: "active" | "expired" | "disabled" | "revoked";
            /** @description Of an identity: its subject at the issuer. */
            subject: string | null;
        };
        LastReloadView: {
            /** @description Null: not since the start of the gateway. */
            last: components["schemas"]["ReloadView"] | null;
        };
        LastSignInFailureView: {
            /** @description Null if there was none recently. */
            failure: components["schemas"]["SignInFailureView"] | null;
        };
        LimitsDto: {
            /** @description US dollars per day, in UTC; as a string, exact to the nano-dollar. */
            budgetDayUsd?: (number | string) | null;
            /** @description US dollars per month, in UTC. */
            budgetMonthUsd?: (number | string) | null;
            /** @description US dollars in total; not for plans. */
            budgetTotalUsd?: (number | string) | null;
            /** @description Concurrent calls. */
            concurrentCalls?: number | null;
            /** @description The size of the bucket, which refills continuously. */
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
            /** @description Concurrent calls. */
            concurrentCalls: number | null;
            requestsPerMinute: number | null;
            tokensPerMinute: number | null;
        };
        ListTotalView: {
            count: number;
            /** @description False if there are more than were counted. */
            isExact: boolean;
        };
        LoggedChoiceView: {
            content: string;
            /** @description Null: the answer was cut off. */
            finishReason: string | null;
            index: number;
            reasoning: string;
            refusal: string;
            toolCalls: components["schemas"]["LoggedToolCallView"][];
        };
        LoggedToolCallView: {
            arguments: string;
            name: string;
        };
        MessagesAnswer: {
            content: components["schemas"]["MessagesBlock"][];
            /** @description `msg_…`. */
            id: string;
            model: string;
            /** @enum {string} */
            role: "assistant";
            /** @description `end_turn`, `max_tokens`, `stop_sequence`, `tool_use` or `refusal`. */
            stop_reason: string;
            /** @enum {string} */
            type: "message";
            usage: {
                cache_creation_input_tokens?: number;
                cache_read_input_tokens?: number;
                /** @description Neither read from a cache nor written to one. */
                input_tokens: number;
                /** @description Thinking included. */
                output_tokens: number;
            };
        };
        /** @description A part of a message; its other fields depend on its type. */
        MessagesBlock: {
            /** @description `text`, `image`, `document`, `tool_use`, `tool_result`, `thinking`, `redacted_thinking`, … */
            type: string;
        };
        MessagesCount: {
            input_tokens: number;
        };
        MessagesCountRequest: {
            /** @description The conversation so far. */
            messages: components["schemas"]["MessagesMessage"][];
            /** @description A model id from `GET /v1/models`. */
            model: string;
            /** @description `effort`: `low` to `max`; `format`: a JSON schema for the answer. */
            output_config?: Record<string, unknown>;
            /** @description What the model is and how it should answer. */
            system?: string | components["schemas"]["MessagesBlock"][];
            /** @description `type`: `enabled` with or without `budget_tokens`, `adaptive`, or `disabled`. */
            thinking?: Record<string, unknown>;
            /** @description `type`: `auto`, `any`, `tool` with a `name`, or `none`; `disable_parallel_tool_use`. */
            tool_choice?: Record<string, unknown>;
            tools?: Record<string, unknown>[];
        };
        MessagesError: {
            error: {
                message: string;
                /** @description `invalid_request_error`, `rate_limit_error`, … */
                type: string;
            };
            request_id: string;
            /** @enum {string} */
            type: "error";
        };
        MessagesMessage: {
            content?: string | components["schemas"]["MessagesBlock"][];
            /** @enum {string} */
            role: "user" | "assistant" | "system";
        };
        /** @description Anthropic’s Messages request. Other fields go to providers that have the Messages API. */
        MessagesRequest: {
            /** @description The maximum number of tokens in the answer, thinking included. */
            max_tokens: number;
            /** @description The conversation so far. */
            messages: components["schemas"]["MessagesMessage"][];
            /** @description `user_id`: your identifier for the end user. */
            metadata?: Record<string, unknown>;
            /** @description A model id from `GET /v1/models`. */
            model: string;
            /** @description `effort`: `low` to `max`; `format`: a JSON schema for the answer. */
            output_config?: Record<string, unknown>;
            /** @enum {string} */
            service_tier?: "auto" | "standard_only";
            stop_sequences?: string[];
            /** @description Stream the answer as server-sent events. */
            stream?: boolean;
            /** @description What the model is and how it should answer. */
            system?: string | components["schemas"]["MessagesBlock"][];
            temperature?: number;
            /** @description `type`: `enabled` with or without `budget_tokens`, `adaptive`, or `disabled`. */
            thinking?: Record<string, unknown>;
            /** @description `type`: `auto`, `any`, `tool` with a `name`, or `none`; `disable_parallel_tool_use`. */
            tool_choice?: Record<string, unknown>;
            tools?: Record<string, unknown>[];
            top_k?: number;
            top_p?: number;
        };
        /** @description A model in OpenAI’s format. */
        Model: {
            /** @description The APIs that it can be called by: `chat.completions`, `responses`, `messages`, `embeddings`. */
            apis: string[];
            /** @description A subset of `image_input`, `tools`, `json_schema` and `reasoning`. */
            capabilities: string[];
            /** @description The context length in tokens: question, history and answer. */
            context_len: number;
            /** @description The same as `context_len`, under another common name. */
            context_length: number;
            /** @description Unix seconds; 0 if unknown. */
            created: number;
            description: string;
            /** @description The numbers in a vector. */
            dimensions?: number;
            display_name: string;
            /** @description The value of `model` in requests; it can contain slashes. */
            id: string;
            /** @enum {string} */
            kind: "chat" | "embedding";
            /** @description The longest input, in tokens. */
            max_input_tokens?: number;
            /** @description The same as `context_len`. */
            max_model_len: number;
            /** @description The longest answer, in tokens; null if unknown. */
            max_output_tokens: number | null;
            modalities: {
                input: string[];
                output: string[];
            };
            /** @enum {string} */
            object: "model";
            owned_by: string;
            pricing: {
                /** @description Per million input tokens read from the provider’s cache. */
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
            /** @description Answered by the built-in simulator, because no provider is connected for it. */
            simulated: boolean;
            /** @description A plan includes the models of its tiers. */
            tier: string;
        };
        ModelActivityView: {
            /** @description Failed or interrupted. */
            errors: number;
            /** @description The model’s id. */
            id: string;
            /** @description The median time to the first token. Null: no streamed requests. */
            p50FirstTokenMs: number | null;
            /** @description 95% of the first tokens came within this time. */
            p95FirstTokenMs: number | null;
            /** @description Refused before a provider was called; not among `requests`. */
            refused: number;
            /** @description Requests of all users, including running ones but not refused ones. */
            requests: number;
            /** @description How many streamed requests the next fields are computed from: the successful ones among the newest 10,000 requests of all models. */
            streamed: number;
            succeeded: number;
            /** @description Output tokens, divided by the time from the first token to the end. */
            tokensPerSecond: number | null;
        };
        ModelHealthView: {
            /** @description How many of them the responding process has set aside. */
            asideTargets: number;
            /** @description The newest calls of the last 24 hours, 20 at most. */
            calls: number;
            /** @description How many of them failed for reasons other than the request. */
            failures: number;
            /**
             * @description By its newest calls of the last 24 hours: `failing` if at least half of them failed, or if all its targets are set aside; `degraded` if at least a tenth failed; `unused` if there are none.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "failing" | "unused" | "simulated";
            /** @description Its targets that have a credential; with several keys, one for each. */
            targets: number;
        };
        /** @description OpenAI’s list of models. */
        ModelList: {
            data: components["schemas"]["Model"][];
            /** @enum {string} */
            object: "list";
        };
        ModelPriceView: {
            /** @description Prices for long prompts, shortest first. */
            above: components["schemas"]["PriceStepView"][];
            /** @description US dollars per million input tokens read from the provider’s cache. */
            cachedInputUsdPerMTok: number;
            /**
             * @description US dollars per million input tokens written to the provider's cache, by the time that it keeps them. Without a price, they cost 1.25 times the input price for up to half an hour, and twice the input price for longer.
             * @example {
             *       "5m": 6.25
             *     }
             */
            cacheWriteUsdPerMTok: {
                [key: string]: number;
            };
            /**
             * @description US dollars per call by provider tool.
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
             * @description Factors of these prices by service tier.
             * @example {
             *       "priority": 2
             *     }
             */
            serviceTiers: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When this price ends; null: no end is known.
             */
            until: string | null;
        };
        /** @description A model in the format for plain clients. */
        ModelSummary: {
            /** @description The context length in tokens: question, history and answer. */
            context_len: number;
            description: string;
            display_name: string;
            /** @description The value of `model` in requests; it can contain slashes. */
            id: string;
            /** @description A plan includes the models of its tiers. */
            tier: string;
        };
        ModelTargetView: {
            /** @description The process that found out; null: this one. */
            asideBy: components["schemas"]["SeenByView"] | null;
            /**
             * @description Why it is set aside; null if it is not, or not with all its keys.
             * @enum {string|null}
             */
            asideReason: "failing" | "limited" | "refused" | "credential" | null;
            /**
             * Format: date-time
             * @description Until when it is set aside in the responding process.
             */
            asideUntil: string | null;
            /** @description Its state with each key; empty if the upstream has only one. */
            keys: components["schemas"]["TargetKeyView"][];
            live: boolean;
            /** @description The upstream’s name of it. */
            model: string;
            priority: number;
            upstream: string;
            weight: number;
        };
        ModelView: {
            /**
             * @description Other names that it can be called by.
             * @example []
             */
            aliases: string[];
            /** @description Whether you can use it now. */
            callable: boolean;
            /**
             * @description Null if unknown; nothing is then refused in advance.
             * @example [
             *       "image_input",
             *       "tools",
             *       "json_schema",
             *       "reasoning"
             *     ]
             */
            capabilities: string[] | null;
            /** @description The context length in tokens: question, history and answer. */
            contextLength: number;
            /**
             * Format: date
             * @description The day from which the provider no longer serves it; null: none is known.
             */
            deprecated: string | null;
            description: string;
            /** @description The numbers in a vector; null for chat models. */
            dimensions: number | null;
            displayName: string;
            /** @description False: no price is configured, so its calls count as $0. */
            hasPrice: boolean;
            /** @description How it has answered recently. */
            health: components["schemas"]["ModelHealthView"];
            /**
             * @description The value of `model` in requests; it can contain slashes.
             * @example gpt-6-luna
             */
            id: string;
            /**
             * @example [
             *       "text",
             *       "image"
             *     ]
             */
            inputModalities: string[];
            /**
             * @description Chat or embedding model: `/v1/embeddings` accepts only the latter.
             * @enum {string}
             */
            kind: "chat" | "embedding";
            /** @description The longest input, in tokens; null for chat models. */
            maxInputTokens: number | null;
            /** @description The longest answer, in tokens; null if unknown. */
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
            /** @description Whether requests can refer to files in the company's account at the provider. */
            providerFiles: boolean;
            /**
             * @description Why you cannot: your plan lacks its tier, or no provider has a credential. Only admins see such models.
             * @enum {string|null}
             */
            reason: "plan" | "no_credential" | null;
            /**
             * @description The model to use instead.
             * @example null
             */
            replacedBy: string | null;
            /** @description Answered by the built-in simulator, at no cost, because no provider is connected for it. */
            simulated: boolean;
            /** @description The one with the lowest number is suggested first: working ones before others, then the cheapest. */
            suggestionRank: number;
            /**
             * @description A plan includes the models of its tiers.
             * @example free
             */
            tier: string;
        };
        NewProjectMemberDto: {
            /**
             * @description The e-mail address of a person with an account.
             * @example grace@example.com
             */
            email: string;
            /**
             * @description A manager can create keys and set limits; a member can only see them.
             * @enum {string}
             */
            role: "manager" | "member";
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
            /** @description How many errors of the same key and model have the same code and message; the other fields describe the newest. */
            count: number;
            /** @description Its id in the list of requests; null if it is not in that list. */
            id: string | null;
            keyName: string | null;
            /** @description The error message for the caller of a refused request; of a failed one, the first line of the provider’s. */
            message: string | null;
            model: string | null;
            /** @description Finds the request in the gateway's log. */
            requestId: string;
            /** @description The HTTP status of the response, if known. */
            status: number | null;
            /** @description The upstream that a failed request tried last. */
            upstream: string | null;
            /** @description The status of the provider’s answer to a failed request. */
            upstreamStatus: number | null;
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
             * @description Null for the default plan.
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
            /** @description Failed requests, without those that their callers aborted. */
            errors: number;
            /** @description Requests that were refused before a model was called, which are not among `requests`. By the hour. */
            refused: number;
            requests: number;
            /** Format: date-time */
            start: string;
            /** @description Without simulated requests. The error rate is `errors / (succeeded + errors)`. */
            succeeded: number;
            /** @description Input and output tokens. */
            tokens: number;
        };
        OverviewSpanView: {
            /** Format: date-time */
            from: string;
            /** @description Hours of the day, or days of the month, including those without calls. */
            points: components["schemas"]["OverviewPointView"][];
            /** @description The same part of the previous day or month. */
            previous: components["schemas"]["OverviewTotalsView"];
            /** Format: date-time */
            to: string;
            totals: components["schemas"]["OverviewTotalsView"];
            /** @description Answered calls whose requested model has no price now; they count as $0. Simulated calls are not included. */
            unpricedCalls: number;
        };
        OverviewTotalsView: {
            /** @description Dollars. */
            costUsd: number;
            /** @description Failed requests, without those that their callers aborted. */
            errors: number;
            /** @description Requests that were refused before a model was called, which are not among `requests`. By the hour. */
            refused: number;
            requests: number;
            /** @description Without simulated requests. The error rate is `errors / (succeeded + errors)`. */
            succeeded: number;
            /** @description Input and output tokens. */
            tokens: number;
        };
        OverviewView: {
            /** @description The model to try first: the cheapest that works, never a failing one; null if there is none. */
            exampleModel: string | null;
            /** @description Upstreams that are failing; only for admins. */
            failing: components["schemas"]["FailingUpstreamView"][];
            /** Format: date-time */
            firstCallAt: string | null;
            /** @description Whether any request of the person has arrived, also a failed or refused one. */
            hasCalled: boolean;
            /** @description Whether a call of the person has ever succeeded. */
            hasCalledSuccessfully: boolean;
            /** @description Whether the person has a key that works. */
            hasKey: boolean;
            month: components["schemas"]["OverviewSpanView"];
            plan: components["schemas"]["OverviewPlanView"];
            /** @description The models that the pro plan would add. */
            proAdds: components["schemas"]["OverviewModelView"][];
            /** @description The newest ten; identical ones are combined. */
            recentErrors: components["schemas"]["OverviewErrorView"][];
            /** @description Whether the simulator answers for all of the person’s models, at no cost. */
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
            /** @description It will not be renewed after the paid period. */
            ends: boolean;
            /** Format: date-time */
            paidUntil: string | null;
            /** @example pro */
            planId: string;
            /** @description It is active, or can still be paid. */
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
            /** @description The part of the link's URL after the `#`. */
            token: string;
        };
        PasswordLinkOwnerView: {
            email: string;
            /** @description False for an invitation, without a password yet. */
            hasPassword: boolean;
            /** @description May be empty. */
            name: string;
        };
        PasswordLinkUse: {
            /** Format: password */
            password: string;
            /** @description The part of the link's URL after the `#`. */
            token: string;
        };
        PasswordLinkView: {
            /** Format: date-time */
            expiresAt: string;
            /** @description For the person; it is shown only once. */
            url: string;
        };
        PaymentLinkView: {
            /** @description A page of Stripe to open. */
            url: string;
        };
        PaymentsView: {
            /** @description The plans for sale. */
            offers: components["schemas"]["OfferView"][];
            /** @description Your purchases. */
            paid: components["schemas"]["PaidPlanView"][];
        };
        PermissionView: {
            description: string;
            /** @enum {string} */
            id: "keys.read" | "keys.write" | "users.read" | "users.write" | "projects.read" | "projects.write" | "plans.read" | "plans.write" | "limits.write" | "guards.read" | "guards.write" | "usage.read" | "requests.read" | "content.read" | "audit.read" | "upstreams.read" | "upstreams.test" | "alerts.read" | "alerts.write" | "settings.read" | "tokens.write" | "apply" | "scim" | "account";
            /** @description The roles that have it. */
            roles: components["schemas"]["RoleReachView"][];
        };
        PlanHoldersView: {
            items: components["schemas"]["PlanHolderView"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
        };
        PlanHolderView: {
            /** @description Whether the account is disabled. */
            disabled: boolean;
            /** @description Null for a project. */
            email: string | null;
            /** @enum {string} */
            kind: "person" | "service" | "project";
            name: string;
            /**
             * Format: uuid
             * @description The id of the project, if the holder is one.
             */
            projectId: string | null;
            /**
             * Format: date-time
             * @description Can be in the future.
             */
            since: string;
            /**
             * @description Who or what granted it.
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
            /** @description Your plan. */
            mine: components["schemas"]["HeldPlanView"];
            /** @description By rank, lowest first. */
            plans: components["schemas"]["PlanView"][];
            /** @description The tiers of the catalog. */
            tiers: components["schemas"]["TierView"][];
        };
        PlanToBuy: {
            /** @example pro */
            planId: string;
        };
        PlanView: {
            /** @description Guards of gateway.yaml for the calls of its users. */
            guards: string[];
            /** @example pro */
            id: string;
            /** @description Whether it is the default plan. */
            isDefault: boolean;
            /** @description It cannot be granted to new users; existing users keep it. */
            isRetired: boolean;
            /** @description For each of its users, over all keys of the user. Null for plans other than yours, unless you are an admin. */
            limits: components["schemas"]["LimitsView"] | null;
            /** @description The number of models that can be used with it now. */
            models: number;
            /** @example Pro */
            name: string;
            /** @description Additional models. */
            namedModels: string[];
            /** @description If a user has several plans, the one with the highest rank applies. */
            rank: number;
            /** @description Models of these tiers are included. */
            tiers: string[];
            /** @description The current number of users; null except for admins. */
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
            /** @description The last use of this secret. Null: never. */
            lastUsed: components["schemas"]["SecretUseView"] | null;
        };
        PriceStepView: {
            /** @description US dollars per million input tokens read from the provider’s cache. */
            cachedInputUsdPerMTok: number;
            /**
             * @description US dollars per million input tokens written to the provider's cache, by the time that it keeps them. Without a price, they cost 1.25 times the input price for up to half an hour, and twice the input price for longer.
             * @example {
             *       "5m": 6.25
             *     }
             */
            cacheWriteUsdPerMTok: {
                [key: string]: number;
            };
            /** @description They apply to prompts with more input tokens than this. */
            inputTokens: number;
            /** @description US dollars per million input tokens. */
            inputUsdPerMTok: number;
            /** @description US dollars per million output tokens, reasoning included. */
            outputUsdPerMTok: number;
        };
        ProjectBudgetView: {
            /** @description US dollars. */
            amountUsd: number;
            /** @description US dollars that new calls can use; at least 0. */
            leftUsd: number;
            /**
             * @description Days and months are in UTC.
             * @enum {string}
             */
            period: "day" | "month" | "total";
            /** @description The most that running calls can still cost, in US dollars. */
            reservedUsd: number;
            /**
             * Format: date-time
             * @description When it resets; null: never.
             */
            resetsAt: string | null;
            /** @description The cost in US dollars of calls that have ended in this period. */
            spentUsd: number;
            /** @description The smallest amount that a call refused in this period would have reserved, if more than what is left, so that such calls are still refused; else null. US dollars. */
            uncoveredUsd: number | null;
        };
        ProjectDetailView: {
            /**
             * Format: date-time
             * @description When it was archived and its keys stopped working.
             */
            archivedAt: string | null;
            /** @description The budgets of all its keys together. */
            budgets: components["schemas"]["ProjectBudgetView"][];
            /** @description Whether you can create keys and service accounts, add members, and set limits. */
            canManage: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** @description API keys that work now, including those of its service accounts. */
            keys: number;
            limits: components["schemas"]["ProjectLimitsView"];
            /** @description Whether prompts and answers of all its keys are stored, encrypted. */
            logsContent: boolean;
            /** @description The number of all its managers. */
            managerCount: number;
            /** @description The e-mail addresses of its managers; at most three. */
            managers: string[];
            memberList: components["schemas"]["ProjectMemberView"][];
            members: number;
            name: string;
            plan: components["schemas"]["UserPlanView"];
            /**
             * @description Your role; null for other admins.
             * @enum {string|null}
             */
            role: "manager" | "member" | null;
            serviceAccounts: number;
            /** @description Since the first of the month, in UTC. */
            spentThisMonth: components["schemas"]["SpendingView"];
            /**
             * Format: uuid
             * @description The user that represents it in plans: `/api/users/{id}/plan`.
             */
            userId: string;
        };
        ProjectLimitsView: {
            /** @description The upper bounds of what managers can set, as set by administrators; null: none. */
            bounds: components["schemas"]["LimitsView"];
            budgets: components["schemas"]["ProjectBudgetView"][];
            /** @description The rates with their current use. */
            rates: components["schemas"]["RateView"][];
            /** @description For all keys of the project together. */
            values: components["schemas"]["LimitsView"];
        };
        ProjectMemberDto: {
            /**
             * @description A manager can create keys and set limits; a member can only see them.
             * @enum {string}
             */
            role: "manager" | "member";
        };
        ProjectMemberView: {
            /** @description Whether the account is disabled. */
            disabled: boolean;
            email: string;
            /** @description May be empty. */
            name: string;
            /** @enum {string} */
            role: "manager" | "member";
            /**
             * @description `oidc`: from a group in single sign-on.
             * @enum {string}
             */
            source: "local" | "oidc";
            /** Format: uuid */
            userId: string;
        };
        ProjectNameDto: {
            /** @example Search */
            name: string;
        };
        ProjectPageView: {
            items: components["schemas"]["ProjectView"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
            /** @description Only on the first page. */
            total: components["schemas"]["ListTotalView"] | null;
        };
        ProjectRefView: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        ProjectView: {
            /**
             * Format: date-time
             * @description When it was archived and its keys stopped working.
             */
            archivedAt: string | null;
            /** @description The budgets of all its keys together. */
            budgets: components["schemas"]["ProjectBudgetView"][];
            /** @description Whether you can create keys and service accounts, add members, and set limits. */
            canManage: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** @description API keys that work now, including those of its service accounts. */
            keys: number;
            /** @description Whether prompts and answers of all its keys are stored, encrypted. */
            logsContent: boolean;
            /** @description The number of all its managers. */
            managerCount: number;
            /** @description The e-mail addresses of its managers; at most three. */
            managers: string[];
            members: number;
            name: string;
            plan: components["schemas"]["UserPlanView"];
            /**
             * @description Your role; null for other admins.
             * @enum {string|null}
             */
            role: "manager" | "member" | null;
            serviceAccounts: number;
            /** @description Since the first of the month, in UTC. */
            spentThisMonth: components["schemas"]["SpendingView"];
            /**
             * Format: uuid
             * @description The user that represents it in plans: `/api/users/{id}/plan`.
             */
            userId: string;
        };
        RateView: {
            /**
             * Format: date-time
             * @description When it is fully available again without further use; null for concurrent calls.
             */
            fullAt: string | null;
            limit: number;
            /** @enum {string} */
            name: "requestsPerMinute" | "tokensPerMinute" | "concurrentCalls";
            /** @description The current use; it can exceed the limit if calls used more tokens than estimated. */
            used: number;
        };
        /** @description Why the model gave no answer. */
        RefusalPart: {
            refusal: string;
            /** @enum {string} */
            type: "refusal";
        };
        RefusalReasonView: {
            /** @description What the caller can do. */
            remedy: string | null;
            /**
             * @description What refused it: whose limit or list; null: neither.
             * @enum {string|null}
             */
            scope: "plan" | "user" | "key" | "project" | null;
            sentence: string;
        };
        ReloadView: {
            /** Format: date-time */
            at: string;
            /**
             * @description What requested it: SIGHUP, the command line, or a change of the files.
             * @enum {string}
             */
            cause: "signal" | "command" | "files";
            changes: components["schemas"]["ConfigChangeView"][];
            faults: components["schemas"]["ConfigFaultView"][];
            /** @description Changed sections of gateway.yaml that need a restart. */
            needsRestart: string[];
        };
        RequestBarView: {
            /** @description Failed or interrupted. */
            failed: number;
            /** @description Running, or aborted by their callers. */
            others: number;
            /** @description Refused before a model was called. Counted by the hour: an hour counts in the step in which it starts. */
            refused: number;
            /** Format: date-time */
            start: string;
            succeeded: number;
        };
        RequestFacetOptionView: {
            count: number;
            /** @description The display form of a key, the name of a user. */
            detail: string | null;
            /** @description The value to filter by. For cost and duration, the minimum in dollars or ms. */
            id: string;
            label: string;
        };
        RequestFacetView: {
            /** @description Set if only the newest requests were counted: how many were examined. */
            newest: number | null;
            /** @description The first 50, most requests first. The filter by the same value does not apply to them. */
            options: components["schemas"]["RequestFacetOptionView"][];
        };
        RequestHistogramView: {
            /** @description Every hour or day, including those without requests. */
            bars: components["schemas"]["RequestBarView"][];
            /** Format: date-time */
            from: string;
            /** @description Set if only the newest requests were counted: how many were examined. */
            newest: number | null;
            /** @enum {string} */
            step: "hour" | "day";
            /** Format: date-time */
            to: string;
        };
        /** @description The answer, with the settings of the request. */
        ResponsesAnswer: {
            /** @description Unix seconds. */
            created_at: number;
            /** @description `resp_…`. */
            id: string;
            incomplete_details?: {
                /** @enum {string} */
                reason?: "max_output_tokens" | "content_filter";
            } | null;
            model: string;
            /** @enum {string} */
            object: "response";
            /** @description Reasoning, messages and calls, in their order. */
            output: components["schemas"]["ResponsesItem"][];
            /** @enum {string} */
            status: "completed" | "incomplete" | "failed" | "in_progress";
            usage?: {
                /** @description Tokens of the request, including cached ones. */
                input_tokens: number;
                input_tokens_details?: {
                    cache_write_tokens?: number;
                    cached_tokens?: number;
                };
                /** @description Tokens of the answer, including reasoning. */
                output_tokens: number;
                output_tokens_details?: {
                    reasoning_tokens?: number;
                };
                /** @description Both. */
                total_tokens: number;
            };
        };
        ResponsesDeletion: {
            /** @description Always `true`. */
            deleted: boolean;
            id: string;
            /** @enum {string} */
            object: "response";
        };
        /** @description A part of the conversation; its other fields depend on its type. Messages may leave the type out. */
        ResponsesItem: {
            /** @description `message`, `function_call`, `function_call_output`, `custom_tool_call`, `custom_tool_call_output` or `reasoning`; others for providers that have the Responses API. */
            type?: string;
        };
        ResponsesItemList: {
            data: components["schemas"]["ResponsesItem"][];
            first_id: string | null;
            /** @description Whether there are more items after `last_id`. */
            has_more: boolean;
            last_id: string | null;
            /** @enum {string} */
            object: "list";
        };
        /** @description OpenAI’s Responses request. Other fields go to providers that have the Responses API. */
        ResponsesRequest: {
            /** @description `reasoning.encrypted_content`, `message.output_text.logprobs`. */
            include?: string[];
            /** @description The whole conversation, or what follows `previous_response_id`. */
            input: string | components["schemas"]["ResponsesItem"][];
            /** @description What the model is and how it should answer. */
            instructions?: string | null;
            /** @description The maximum number of tokens in the answer, reasoning included. */
            max_output_tokens?: number | null;
            /** @description Your own labels. */
            metadata?: Record<string, unknown>;
            /** @description A model id from `GET /v1/models`. */
            model: string;
            /** @description Whether the model may call several tools in one answer. */
            parallel_tool_calls?: boolean;
            /** @description A stored response that this request continues, if the gateway stores them. */
            previous_response_id?: string | null;
            /** @description `effort`; `summary`: show the reasoning as an item. */
            reasoning?: Record<string, unknown>;
            /** @description Whether to store the response, if the gateway stores them; otherwise it is answered with `false`. */
            store?: boolean;
            /** @description Stream the answer as server-sent events. */
            stream?: boolean;
            /** @description Higher values give more varied answers. */
            temperature?: number | null;
            /** @description `format`: `text`, `json_object` or `json_schema`; `verbosity`. */
            text?: Record<string, unknown>;
            tool_choice?: ("none" | "auto" | "required") | Record<string, unknown>;
            tools?: Record<string, unknown>[];
            top_p?: number | null;
        };
        RoleReachView: {
            /**
             * @description For everything, in the project, or for what the person owns.
             * @enum {string}
             */
            reach: "all" | "project" | "own";
            /** @example project manager */
            role: string;
        };
        RotateKeyDto: {
            /**
             * @description How long the previous secret stays valid.
             * @enum {string}
             */
            overlap: "none" | "1h" | "24h" | "7d";
        };
        ScimStateView: {
            /** @description Groups of the identity provider. */
            groups: number;
            /** @description From where. */
            lastRequestAddress: string | null;
            /**
             * Format: date-time
             * @description The last use of an access token with this scope, accurate to the minute.
             */
            lastRequestAt: string | null;
            /**
             * Format: date-time
             * @description When the last usable access token with the scope `scim` ends; null: there is none, so SCIM is off.
             */
            tokenEndsAt: string | null;
            /**
             * @description The base URL for the identity provider.
             * @example https://gateway.example.com/scim/v2
             */
            url: string;
            /** @description Users whom the identity provider created or found. */
            users: number;
        };
        SecretUseView: {
            address: string | null;
            /**
             * Format: date-time
             * @description Accurate to a few seconds.
             */
            at: string;
            /** @description As stated by the client. */
            userAgent: string | null;
        };
        SeenByView: {
            host: string;
            /** @description Its id at the upstream. */
            process: number;
        };
        ServedModelView: {
            /** @description The public model id. */
            id: string;
            /** @description The upstream’s name of it. */
            upstreamModel: string;
        };
        ServiceAccountDto: {
            /** @description Keys of a disabled service account do not work. */
            disabled?: boolean;
            name?: string;
        };
        ServiceAccountView: {
            /** Format: date-time */
            createdAt: string;
            disabled: boolean;
            /** Format: uuid */
            id: string;
            /** @description API keys that work now. */
            keys: number;
            name: string;
            /** @description What administrators allowed its access tokens. */
            permissions: string[];
            /** @description Since the first of the month, in UTC. */
            spentThisMonth: components["schemas"]["SpendingView"];
        };
        ServiceTierView: {
            /** @description Its price in proportion to the list price. */
            factor: number;
            /** @example priority */
            name: string;
        };
        SessionLastingView: {
            /** @description It ends in this many seconds in any case. */
            endsInSeconds: number;
            /** @description It ends this many seconds after the last request, or up to 60 seconds earlier. */
            idleSeconds: number;
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
             * @description The base URL for API clients.
             * @example https://gateway.example.com/v1
             */
            baseUrl: string;
            /** @description How long the content log keeps prompts and answers; null: it cannot be switched on. */
            contentLogDays: number | null;
            keyPolicy: components["schemas"]["KeyPolicyView"];
            /** @description How long the session lasts. */
            lasting: components["schemas"]["SessionLastingView"] | null;
            /**
             * @description The base URL for apps that list models, with OpenAI’s list.
             * @example https://gateway.example.com/openai/v1
             */
            listBaseUrl: string;
            /** @description Whether plans are for sale; `GET /api/payments` has details. */
            payments: boolean;
            /** @description What the person may do for everything that the gateway has, beside what everyone may do. */
            permissions: ("keys.read" | "keys.write" | "users.read" | "users.write" | "projects.read" | "projects.write" | "plans.read" | "plans.write" | "limits.write" | "guards.read" | "guards.write" | "usage.read" | "requests.read" | "content.read" | "audit.read" | "upstreams.read" | "upstreams.test" | "alerts.read" | "alerts.write" | "settings.read" | "tokens.write" | "apply" | "scim" | "account")[];
            plan: components["schemas"]["SessionPlanView"] | null;
            /** @description The highest role of the person in any project, `manager` or `member`; null: in no project. */
            projectRole: string | null;
            signIn: components["schemas"]["SignInView"];
            /** @description Null: nobody is signed in. */
            user: components["schemas"]["SessionUserView"] | null;
            /** @description The gateway’s version; only with a session. */
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
             * @description For secrets, only whether they are set.
             * @enum {string|null}
             */
            secret: "set" | "not set" | null;
            /**
             * @description The variable or file that sets it or can set it.
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
            /** @description From the setup link (printed when the gateway starts, otherwise in `DATA_DIR/setup-link`); it works once. */
            token: string;
        };
        SetupView: {
            /** @description There is no administrator yet. */
            needed: boolean;
        };
        SignInFailureView: {
            /** @description The claim that the provider did not send, or the groups of which one is required. */
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
            /** @description Whether people can sign in with e-mail address and password. */
            local: boolean;
            oidc: components["schemas"]["SsoView"][];
            /** @description There is no administrator yet: the setup link creates the first. */
            setupNeeded: boolean;
        };
        SpendingView: {
            calls: number;
            /**
             * @description Integer nano-dollars.
             * @example 1250000
             */
            costNanodollars: string;
            /** @description The same in US dollars, as a number. */
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
            /** @description Distinguishes participants with the same role. */
            name?: string;
            /** @enum {string} */
            role: "system";
        };
        TargetKeyView: {
            /** @description The process that found out; null: this one. */
            asideBy: components["schemas"]["SeenByView"] | null;
            /**
             * @description Why it is set aside; null if it is not.
             * @enum {string|null}
             */
            asideReason: "failing" | "limited" | "refused" | "credential" | null;
            /**
             * Format: date-time
             * @description Until when it is set aside in the responding process.
             */
            asideUntil: string | null;
            /** @description Its number in the environment, or its name in upstreams.yaml. */
            name: string;
        };
        /** @description The continued text; also each event of a stream. */
        TextCompletion: {
            choices: {
                /** @enum {string|null} */
                finish_reason: "stop" | "length" | "content_filter" | null;
                index: number;
                logprobs: Record<string, unknown> | null;
                text: string;
            }[];
            /** @description Unix seconds. */
            created: number;
            id: string;
            /** @description The model as the request named it. */
            model: string;
            /** @enum {string} */
            object: "text_completion";
            usage?: components["schemas"]["Usage"];
        };
        /** @description A text to continue. */
        TextCompletionRequest: {
            best_of?: number;
            /** @description Repeat the prompt before the answer. */
            echo?: boolean;
            frequency_penalty?: number;
            logprobs?: number;
            /** @description The maximum number of tokens in the answer; 16 by default. */
            max_tokens?: number;
            /** @description A model id. */
            model: string;
            /** @description The number of answers to each prompt. */
            n?: number;
            presence_penalty?: number;
            /** @description The text to continue, or several. */
            prompt: string | string[] | number[] | number[][];
            seed?: number;
            stop?: string | string[];
            /** @description Stream the answer as server-sent events. */
            stream?: boolean;
            /** @description The text after the gap to fill, if the model can fill gaps. */
            suffix?: string;
            temperature?: number;
            top_p?: number;
            user?: string;
        };
        /** @description Text. */
        TextPart: {
            prompt_cache_breakpoint?: {
                /** @enum {string} */
                mode: "explicit";
                /** @enum {string} */
                ttl?: "30m" | "12h";
            };
            text: string;
            /** @enum {string} */
            type: "text";
        };
        TierView: {
            /** @example free */
            id: string;
            /** @description The number of models of the tier that are served now. */
            models: number;
        };
        TokenOwnerView: {
            /** Format: uuid */
            id: string;
            /** @description The e-mail address, or the name if there is none. */
            label: string;
        };
        TokenPageView: {
            items: components["schemas"]["TokenView"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
            /** @description Only on the first page. */
            total: components["schemas"]["ListTotalView"] | null;
        };
        TokenUseView: {
            address: string | null;
            /**
             * Format: date-time
             * @description Accurate to the minute.
             */
            at: string;
            userAgent: string | null;
        };
        TokenView: {
            /** @description Null: any. */
            addresses: string[] | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * @description The part of the token that stays visible.
             * @example gat_ab12…9xYz
             */
            display: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            lastUsed: components["schemas"]["TokenUseView"] | null;
            name: string;
            owner: components["schemas"]["TokenOwnerView"];
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * @example [
             *       "usage.read",
             *       "keys.write"
             *     ]
             */
            scopes: ("keys.read" | "keys.write" | "users.read" | "users.write" | "projects.read" | "projects.write" | "plans.read" | "plans.write" | "limits.write" | "guards.read" | "guards.write" | "usage.read" | "requests.read" | "content.read" | "audit.read" | "upstreams.read" | "upstreams.test" | "alerts.read" | "alerts.write" | "settings.read" | "tokens.write" | "apply" | "scim" | "account")[];
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
        };
        /** @description A function that the model can call, or a custom tool with free-form text input. */
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
            /** @description The `tool` message with the result refers to it. */
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
        /** @description The result of a tool call. */
        ToolMessage: {
            /** @description Images and files go into a user message behind the results where the model’s API takes only text here. */
            content: string | (components["schemas"]["TextPart"] | components["schemas"]["ImagePart"] | components["schemas"]["FilePart"])[];
            /** @enum {string} */
            role: "tool";
            /** @description The `id` of the tool call. */
            tool_call_id: string;
        };
        TriedTextDto: {
            text: string;
        };
        TriedTextView: {
            findings: components["schemas"]["GuardFindingView"][];
        };
        UpdateKeyDto: {
            /**
             * @description The only addresses and ranges that it can be used from; null: any.
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
            /** @description The key’s own limits, in addition to its owner’s and never above them. */
            limits?: components["schemas"]["LimitsDto"];
            /** @description The models that it can use, a subset of its owner's; null: all of the owner's models. */
            models?: string[] | null;
            name?: string;
            /** @description A note to recognize the key. */
            note?: string;
        };
        UpdatePlanDto: {
            /** @description For each of its users, over all keys of the user. */
            limits?: components["schemas"]["LimitsDto"];
            /** @example Pro */
            name?: string;
            /** @description Additional models, by id. */
            namedModels?: string[];
            /** @description If a user has several plans, the one with the highest rank applies. */
            rank?: number;
            /** @description A retired plan cannot be granted to new users; existing users keep it. */
            retired?: boolean;
            /**
             * @description Tiers of the catalog whose models the plan includes; at least one, unless it has additional models.
             * @example [
             *       "free",
             *       "pro"
             *     ]
             */
            tiers?: string[];
        };
        UpdateTokenDto: {
            /**
             * @description The only addresses and ranges that it can be used from; null: any.
             * @example [
             *       "203.0.113.7",
             *       "10.0.0.0/8"
             *     ]
             */
            addresses?: string[] | null;
            name?: string;
        };
        UpdateUserDto: {
            /** @description True ends the user's sessions and disables keys and access tokens. */
            disabled?: boolean;
            /** @example ada@example.com */
            email?: string;
            name?: string;
            /** @description What a service account may do with access tokens, for everything that the gateway has. */
            permissions?: ("keys.read" | "keys.write" | "users.read" | "users.write" | "projects.read" | "projects.write" | "plans.read" | "plans.write" | "limits.write" | "guards.read" | "guards.write" | "usage.read" | "requests.read" | "content.read" | "audit.read" | "upstreams.read" | "upstreams.test" | "alerts.read" | "alerts.write" | "settings.read" | "tokens.write" | "apply" | "scim")[];
            /** @enum {string} */
            role?: "admin" | "member";
        };
        UpstreamCallView: {
            /** @description The error for clients. */
            error: string | null;
            /** @description Until the first token. */
            firstTokenMs: number | null;
            /** @description The key that was used, if there are several. */
            key: string | null;
            /** @enum {string} */
            kind: "json" | "stream";
            /** @description The public model id. */
            model: string | null;
            /** @description Until the end of the call. */
            ms: number;
            ok: boolean;
            /** @description The upstream's message, or why it was not reached. */
            reason: string | null;
            /** @description That the credential is not renewed, although it is still valid. */
            warning: string | null;
        };
        UpstreamClocksView: {
            connect: number;
            firstEvent: number;
            head: number;
            idle: number;
            total: number;
        };
        UpstreamCredentialView: {
            /**
             * Format: date-time
             * @description Null: it does not end.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description Since when it cannot be fetched; null: the last attempt worked.
             */
            failingSince: string | null;
            /** @description False: the upstream is set aside. */
            isValid: boolean;
            /** @description Why it cannot be fetched. */
            reason: string | null;
            /** @description Where it comes from; null: none was fetched so far. */
            source: string | null;
        };
        UpstreamFailureView: {
            /** Format: date-time */
            at: string;
            /** @example upstream_error */
            code: string;
            /** @description The first line of the upstream's message. */
            message: string | null;
            /** @description The public model id. */
            model: string;
            requestId: string;
            /** @description The upstream's own HTTP status. */
            status: number | null;
        };
        UpstreamFaultView: {
            /** @example upstream_error */
            code: string;
            /** @description The number or name of the key, if the upstream has several. */
            key: string | null;
            /** @description The first line of the upstream's message. */
            message: string | null;
            /**
             * Format: date-time
             * @description The first failure after the last answer, looking back 7 days.
             */
            since: string;
            /** @description The upstream's HTTP status; null: there was no answer. */
            status: number | null;
        };
        UpstreamLimitView: {
            /** @description Used part of the concurrent calls of all processes, 0 to 1; null: no limit. */
            calls: number | null;
            /** @description Null: no limit. */
            concurrentCalls: number | null;
            /** @description The number or name of the key, if the upstream has several. */
            key: string | null;
            /** @description The upstream’s name of the model; null for limits of the upstream. */
            model: string | null;
            /** @description Used part of this process's share of the requests, 0 to 1; null: no limit. */
            requests: number | null;
            /** @description Null: no limit. */
            requestsPerMinute: number | null;
            /** @description Used part of this process's share of the tokens, 0 to 1; null: no limit. */
            tokens: number | null;
            /** @description Null: no limit. */
            tokensPerMinute: number | null;
            /** @description Calls that wait for it in the responding process. */
            waiting: number;
        };
        UpstreamsView: {
            models: components["schemas"]["CatalogModelView"][];
            /** @description The file of the models. */
            modelsFile: string;
            /** @description The responding process. */
            seenBy: components["schemas"]["SeenByView"];
            upstreams: components["schemas"]["UpstreamView"][];
            /** @description The file of the upstreams. */
            upstreamsFile: string;
        };
        UpstreamTestView: {
            calls: components["schemas"]["UpstreamCallView"][];
            ok: boolean;
            upstream: string;
        };
        UpstreamView: {
            apiVersion: string | null;
            /** @description Attempts of the last 24 hours, including retries. */
            attempts: number;
            /** @description How requests are authenticated: none, bearer, header, or the name of a signature, such as sigv4. */
            auth: string;
            /** @description Without its possibly secret parts. */
            baseUrl: string;
            /** @description The variable that sets the base URL; null: the file sets it. */
            baseUrlSetBy: string | null;
            /** @description The share of its input tokens of the last 24 hours that was read from a provider’s cache. */
            cachedShare: number | null;
            clocks: components["schemas"]["UpstreamClocksView"];
            /** @description The credential in the responding process; null: it has an API key or none. */
            credential: components["schemas"]["UpstreamCredentialView"] | null;
            /** @description How many of the attempts failed. */
            failures: number;
            /** @description Why it, or one of its keys, does not answer, until it answers again. */
            faults: components["schemas"]["UpstreamFaultView"][];
            /**
             * @description How it has answered in the last 24 hours: failing if at least half of its newest 20 attempts failed for reasons other than the request.
             * @enum {string}
             */
            health: "healthy" | "failing" | "unused" | "no_credential";
            /** @description In the last 24 hours. */
            lastError: components["schemas"]["UpstreamFailureView"] | null;
            /**
             * Format: date-time
             * @description In the last 24 hours.
             */
            lastSuccessAt: string | null;
            /** @description Its provider’s limits; empty if none are set. */
            limits: components["schemas"]["UpstreamLimitView"][];
            location: string | null;
            models: components["schemas"]["ServedModelView"][];
            /** @description Its key in upstreams.yaml. */
            name: string;
            project: string | null;
            protocol: string;
            /** @description Those of the variables that are set. */
            setVariables: string[];
            /**
             * @description Whether it can be called, not whether it answers.
             * @enum {string}
             */
            state: "live" | "no_credential";
            /**
             * @description The variables that can set its credential: all variables of one of these groups.
             * @example [
             *       [
             *         "OPENAI_API_KEY"
             *       ]
             *     ]
             */
            variables: string[][];
        };
        /** @description The tokens of a call: reported by the provider, otherwise estimated. */
        Usage: {
            /** @description Tokens of the answer, including reasoning. */
            completion_tokens: number;
            completion_tokens_details?: {
                /** @description Tokens of reasoning. */
                reasoning_tokens?: number;
            };
            /** @description Tokens of the request, including cached ones. */
            prompt_tokens: number;
            prompt_tokens_details?: {
                /** @description Read from the provider’s cache. */
                cached_tokens?: number;
            };
            /** @description Both. */
            total_tokens: number;
        };
        UsageGroupPageView: {
            /** @description The number of groups. */
            groupCount: number;
            groups: components["schemas"]["UsageGroupView"][];
        };
        UsageGroupView: {
            /** @description The display form of a key, the name of a user. */
            detail: string | null;
            /** @description Whether it has its own series; the others share `~other`. */
            hasSeries: boolean;
            /** @description The id of a model, key, user, project or upstream, or a status. `~none`: requests without one; of upstreams, also those whose caller caused the error. */
            id: string;
            label: string;
            totals: components["schemas"]["UsageTotalsView"];
        };
        UsagePointView: {
            /** @description By the group’s id, without groups that have no call; `~other` is all groups without a series. */
            groups: {
                [key: string]: components["schemas"]["UsageTotalsView"];
            };
            /** Format: date-time */
            start: string;
        };
        UsageReportView: {
            /**
             * Format: date-time
             * @description As requested, rounded to the start of a quarter-hour.
             */
            from: string;
            /** @enum {string} */
            granularity: "quarter" | "hour" | "day" | "month";
            /** @description The first 50 groups in the order of `rankBy`. */
            groups: components["schemas"]["UsageGroupView"][];
            /** @description The number of further groups; `/usage/groups` and an export have them. */
            groupsLeftOut: number;
            /** @description The sum of the further groups. */
            others: components["schemas"]["UsageTotalsView"] | null;
            /** @description The period of the same length before `from`. */
            previous: components["schemas"]["UsageTotalsView"] | null;
            /** @description The greatest possible lag of the replica; null if the primary was read. */
            replicaLagSeconds: number | null;
            /** @description Every quarter-hour, hour or day, including those without calls. */
            series: components["schemas"]["UsagePointView"][];
            /**
             * Format: date-time
             * @description As requested, rounded to the end of a quarter-hour, at most the current one.
             */
            to: string;
            totals: components["schemas"]["UsageTotalsView"];
            /** @description Estimated additional cost that upstreams may bill but no caller is charged for: attempts that failed or lost to another one, and abandoned calls, beyond their reservation. Null if the report is filtered by user, key or status. */
            unchargedUsd: number | null;
            /** @description Answered calls whose requested model has no price now; they count as $0. Simulated calls are not included. */
            unpricedCalls: number;
            /**
             * Format: date-time
             * @description The report includes everything up to this time.
             */
            upToDateAt: string;
            /** @example Europe/Berlin */
            zone: string;
        };
        UsageTotalsView: {
            /** @description Requests that their callers aborted. */
            aborted: number;
            cachedTokens: number;
            /**
             * @description The exact cost: whole nano-dollars (10⁻⁹ $).
             * @example 1234500
             */
            costNanodollars: string;
            /** @description The same in dollars, as a number. */
            costUsd: number;
            /** @description Failed and interrupted requests, without those that their callers aborted. */
            errors: number;
            /** @description Including cached ones. */
            inputTokens: number;
            /** @description Including reasoning. */
            outputTokens: number;
            /** @description Milliseconds, accurate to 5 %, of requests that an upstream answered successfully; null if there are none. */
            p50FirstTokenMs: number | null;
            /** @description Milliseconds, accurate to 5 %, of requests that an upstream answered successfully; null if there are none. */
            p50TotalMs: number | null;
            /** @description Milliseconds, accurate to 5 %, of requests that an upstream answered successfully; null if there are none. */
            p95FirstTokenMs: number | null;
            /** @description Milliseconds, accurate to 5 %, of requests that an upstream answered successfully; null if there are none. */
            p95TotalMs: number | null;
            reasoningTokens: number;
            /** @description Requests that the gateway refused before it called a model: because of their key, a limit or a mistake in them. Counted by the hour: an hour counts in the step in which it starts. */
            refused: number;
            /** @description Accepted requests, including running ones; without refused ones. */
            requests: number;
            /** @description Running requests: they have no tokens, cost or times yet. */
            running: number;
            /** @description Requests that the simulator answered, which are not among `succeeded`. */
            simulated: number;
            /** @description Requests that an upstream answered. The error rate is `errors / (succeeded + errors)`. Of an upstream, it includes requests that failed because of their callers, which are not errors of the upstream. */
            succeeded: number;
            /** @description How many requests the percentiles are of. */
            timed: number;
        };
        UserFaultView: {
            message: string;
            /** @example users[3].email */
            param: string;
        };
        UserLimitsDto: {
            /** @description US dollars per day, in UTC; as a string, exact to the nano-dollar. */
            budgetDayUsd?: (number | string | "plan") | null;
            /** @description US dollars per month, in UTC. */
            budgetMonthUsd?: (number | string | "plan") | null;
            /** @description US dollars in total. */
            budgetTotalUsd?: (number | string | "plan") | null;
            /** @description Concurrent calls. */
            concurrentCalls?: (number | "plan") | null;
            /** @description The size of the bucket, which refills continuously. */
            requestsPerMinute?: (number | "plan") | null;
            tokensPerMinute?: (number | "plan") | null;
        };
        UserLimitsView: {
            /** @description The effective budgets, with their spending. */
            budgets: components["schemas"]["BudgetView"][];
            /** @description `plan` means the plan’s value. */
            own: components["schemas"]["OwnLimitsView"];
            /** @description The plan’s values. */
            plan: components["schemas"]["LimitsView"];
            /** @description The effective rates, with their current use. */
            rates: components["schemas"]["RateView"][];
            /** @description The effective limits, for all keys together. */
            values: components["schemas"]["LimitsView"];
        };
        /** @description The user’s input. */
        UserMessage: {
            content: string | (components["schemas"]["TextPart"] | components["schemas"]["ImagePart"] | components["schemas"]["AudioPart"] | components["schemas"]["FilePart"])[];
            /** @description Distinguishes participants with the same role. */
            name?: string;
            /** @enum {string} */
            role: "user";
        };
        UserPageView: {
            items: components["schemas"]["UserView"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
            /** @description Only on the first page. */
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
             * @description Null: no end.
             */
            until: string | null;
        };
        UserView: {
            /** Format: date-time */
            createdAt: string;
            /** @description Null for service accounts of a project. */
            email: string | null;
            /** Format: uuid */
            id: string;
            /** @description API keys that work now. */
            keys: number;
            /** @enum {string} */
            kind: "person" | "service";
            /**
             * Format: date-time
             * @description Last use of the console, accurate to the minute.
             */
            lastSeenAt: string | null;
            /** @description May be empty if there is an e-mail address. */
            name: string;
            /** @description Of a service account; empty for people. */
            permissions: ("keys.read" | "keys.write" | "users.read" | "users.write" | "projects.read" | "projects.write" | "plans.read" | "plans.write" | "limits.write" | "guards.read" | "guards.write" | "usage.read" | "requests.read" | "content.read" | "audit.read" | "upstreams.read" | "upstreams.test" | "alerts.read" | "alerts.write" | "settings.read" | "tokens.write" | "apply" | "scim")[];
            plan: components["schemas"]["UserPlanView"];
            /** @description The project, if the user is a service account of one. */
            project: components["schemas"]["ProjectRefView"] | null;
            /** @enum {string} */
            role: "admin" | "member";
            /**
             * @description How the user signs in.
             * @enum {string}
             */
            source: "local" | "oidc" | "service";
            /** @description This month (UTC) so far. */
            spentThisMonth: components["schemas"]["SpendingView"];
            /**
             * @description Invited: the link to a first password was not used yet. Forgotten: disabled for good, under a pseudonym.
             * @enum {string}
             */
            status: "active" | "disabled" | "invited" | "forgotten";
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description Keep the current session. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Alerts_list: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Only about this upstream, user, key or project. */
                subject?: string;
                /** @description Only of these types. */
                types?: ("budget_80" | "budget_100" | "target_aside" | "target_back" | "credential_failing" | "credential_back" | "ledger_down" | "ledger_back" | "over_ceiling" | "test")[];
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
                    "application/json": components["schemas"]["AlertPageView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Alerts_test: {
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
                    "application/json": components["schemas"]["AlertTestView"];
                };
            };
            /** @description No webhook is set up. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Apply_export: {
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
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Apply_apply: {
        parameters: {
            query?: {
                /** @description Only say what would change. */
                dryRun?: "true" | "false";
                /** @description Remove what an earlier apply made and the file does not name any more. */
                prune?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
                "application/yaml": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppliedView"];
                };
            };
            /** @description Mistakes in the file: all of them, with their paths and lines. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description An action, or a kind of actions. */
                action?: string;
                /** @description The actor: a user’s id, or part of the name. */
                actor?: string;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Entries from this time on. */
                from?: string;
                /** @description Part of the actor, action, target, address or request id. */
                q?: string;
                /** @description A kind of target, or one target by its id. */
                target?: string;
                /** @description Entries before this time. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description An action, or a kind of actions. */
                action?: string;
                /** @description The actor: a user’s id, or part of the name. */
                actor?: string;
                format?: "csv" | "json";
                /** @description Entries from this time on. */
                from?: string;
                /** @description Part of the actor, action, target, address or request id. */
                q?: string;
                /** @description A kind of target, or one target by its id. */
                target?: string;
                /** @description Entries before this time. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Budgets_list: {
        parameters: {
            query?: {
                /** @description Whose budgets: your own, those of the projects that you are a member of, or for admins everyone's. Default: all that you may see. */
                scope?: "mine" | "projects" | "all";
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
                    "application/json": components["schemas"]["BudgetStandingsView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Budgets_notices: {
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
                    "application/json": components["schemas"]["BudgetStandingsView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Cache_report: {
        parameters: {
            query?: {
                days?: number;
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
                    "application/json": components["schemas"]["CacheReportView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Cache_clear: {
        parameters: {
            query?: {
                /** @description Only the answers of this model. */
                model?: string;
                /** @description Only the answers of this project. */
                project?: string;
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
                    "application/json": components["schemas"]["ClearedView"];
                };
            };
            /** @description There is no such project. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Guards_list: {
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
                    "application/json": components["schemas"]["GuardsView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Guards_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                kind: "plan" | "project" | "key";
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
                    "application/json": components["schemas"]["GuardsOfSubjectView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Guards_set: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                kind: "plan" | "project" | "key";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GuardNamesDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardsOfSubjectView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Guards_try: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriedTextDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriedTextView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description `next` of the previous page, of a list with the same `sort`. */
                cursor?: string;
                /** @description Only these ids, separated by commas. */
                ids?: string[];
                limit?: number;
                /** @description Only with exactly this name. */
                name?: string;
                /** @description Keys of this project and its service accounts, for its members and admins; `scope` is ignored. */
                project?: string;
                /** @description Words to search for, case-insensitive. */
                q?: string;
                /** @description Whose keys: your own, those of the projects that you are a member of, or for admins everyone's. */
                scope?: "mine" | "projects" | "all";
                sort?: "name" | "-name" | "key" | "-key" | "owner" | "-owner" | "status" | "-status" | "models" | "-models" | "spent" | "-spent" | "used" | "-used" | "created" | "-created" | "expires" | "-expires";
                /** @description `current`: all except revoked ones. `expiring` ones expire within a week and are also `active`; those of a disabled owner count as `disabled`. */
                status?: "all" | "current" | "active" | "expiring" | "expired" | "disabled" | "revoked";
                /** @description Only the keys of this user, with the scope `all`. */
                userId?: string;
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                    "application/json": components["schemas"]["KeyDetailsView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Cache_ofKey: {
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
                    "application/json": components["schemas"]["CacheDto"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Cache_setKey: {
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
                "application/json": components["schemas"]["CacheDto"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Content_switchKey: {
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
                "application/json": components["schemas"]["ContentLogDto"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Someone else’s key. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The gateway has no encryption key. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_endPrevious: {
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Keys_inheritedLimits: {
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
                    "application/json": components["schemas"]["InheritedLimitsView"][];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            query?: {
                /** @description The models that the keys of this project can use, for its members and admins. */
                project?: string;
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
                    "application/json": components["schemas"]["ModelView"][];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ConsoleModels_activity: {
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
                    "application/json": components["schemas"]["ModelActivityView"][];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description To the console if signed in; otherwise to the page with the reason. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description To the provider; on failure, to the console's page with the reason. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    OwnDocs_openApi: {
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
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description Whose calls: your own, those of the projects that you are a member of, or for admins everyone's. */
                scope?: "mine" | "projects" | "all";
                /** @description The IANA time zone for days and months. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    StripeWebhook_receive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event was handled, now or earlier. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Permissions_list: {
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
                    "application/json": components["schemas"]["PermissionView"][];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Plans_get: {
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
                    "application/json": components["schemas"]["PlanView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description `next` of the previous page, of a list with the same `sort`. */
                cursor?: string;
                limit?: number;
                /** @description Words to search for, case-insensitive. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_list: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, of a list with the same `sort`. */
                cursor?: string;
                /** @description Only these ids, separated by commas. */
                ids?: string[];
                limit?: number;
                /** @description Only with exactly this name. */
                name?: string;
                /** @description Words to search for, case-insensitive. */
                q?: string;
                /** @description `all`: every project, for admins. */
                scope?: "mine" | "all";
                sort?: "name" | "-name" | "created" | "-created" | "spent" | "-spent";
                status?: "active" | "archived" | "all";
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
                    "application/json": components["schemas"]["ProjectPageView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectNameDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetailView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_get: {
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
                    "application/json": components["schemas"]["ProjectDetailView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_remove: {
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
                    "application/json": components["schemas"]["ProjectDetailView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_rename: {
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
                "application/json": components["schemas"]["ProjectNameDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetailView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_archive: {
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
                    "application/json": components["schemas"]["ProjectDetailView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Cache_ofProject: {
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
                    "application/json": components["schemas"]["CacheDto"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Cache_setProject: {
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
                "application/json": components["schemas"]["CacheDto"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Content_switchProject: {
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
                "application/json": components["schemas"]["ContentLogDto"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The gateway has no encryption key. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_limits: {
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
                    "application/json": components["schemas"]["ProjectLimitsView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_setLimits: {
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
                "application/json": components["schemas"]["LimitsDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectLimitsView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_addMember: {
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
                "application/json": components["schemas"]["NewProjectMemberDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectMemberView"][];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                userId: string;
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
                    "application/json": components["schemas"]["ProjectMemberView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_setMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectMemberDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectMemberView"][];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                userId: string;
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
                    "application/json": components["schemas"]["ProjectMemberView"][];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ServiceAccounts_list: {
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
                    "application/json": components["schemas"]["ServiceAccountView"][];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ServiceAccounts_create: {
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
                "application/json": components["schemas"]["ProjectNameDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ServiceAccounts_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                accountId: string;
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
                    "application/json": components["schemas"]["ServiceAccountView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ServiceAccounts_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                accountId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceAccountDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Projects_createComplete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetailView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Settings_scim: {
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
                    "application/json": components["schemas"]["ScimStateView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Tokens_list: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, of a list with the same `sort`. */
                cursor?: string;
                limit?: number;
                /** @description Only with exactly this name. */
                name?: string;
                /** @description Words to search for, case-insensitive. */
                q?: string;
                /** @description `all`: the tokens of all users, for admins. */
                scope?: "mine" | "all";
                /** @description Only the tokens of this service account, for managers of its project and admins; `scope` is ignored. */
                serviceAccountId?: string;
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
                    "application/json": components["schemas"]["TokenPageView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Tokens_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTokenDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTokenView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Tokens_get: {
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
                    "application/json": components["schemas"]["TokenView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Tokens_revoke: {
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
                    "application/json": components["schemas"]["TokenView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Tokens_update: {
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
                "application/json": components["schemas"]["UpdateTokenDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description The APIs by which clients called, such as `chat.completions`. Several: repeat it, or separate them by commas. */
                apis?: string[];
                /** @description Include the previous period. */
                compare?: "true" | "false";
                /** @description Calls that started at this time or later. */
                from: string;
                /** @description `auto`: hours up to three days, otherwise days. Quarter-hours up to a week, hours up to 93 days. Days and months are those of `zone`. */
                granularity?: "auto" | "quarter" | "hour" | "day" | "month";
                /** @description `upstream` is for admins; `user` also for the calls of your projects. */
                groupBy?: "model" | "key" | "user" | "upstream" | "status" | "api" | "project" | "none";
                /** @description Ids of API keys. Several: repeat it, or separate them by commas. */
                keys?: string[];
                /** @description Model ids. Several: repeat it, or separate them by commas. */
                models?: string[];
                /** @description Ids of projects that you are a member of; admins can use any. `scope` is then ignored. Several: repeat it, or separate them by commas. */
                projects?: string[];
                /** @description The order of the groups; the first ten of them, fewer in a long series, have a series of their own. Rankings by a duration compare only the 500 users or keys with the most requests; the others follow. */
                rankBy?: "requests" | "errors" | "refused" | "tokens" | "inputTokens" | "cachedTokens" | "outputTokens" | "reasoningTokens" | "costNanodollars" | "p50TotalMs" | "p95TotalMs" | "p50FirstTokenMs" | "p95FirstTokenMs";
                /** @description Whose calls: your own, those of the projects that you are a member of, or for admins everyone's. */
                scope?: "mine" | "projects" | "all";
                /** @description Only requests that the simulator answered, or none of them. */
                simulated?: "true" | "false";
                /** @description The status of requests: `open` ones are running, `refused` ones were refused before a model was called, `unauthorized` ones are refused requests whose key was invalid (401). Several: repeat it, or separate them by commas. */
                statuses?: string[];
                /** @description Calls that started before this time. */
                to: string;
                /** @description Names of upstreams; for admins. Several: repeat it, or separate them by commas. */
                upstreams?: string[];
                /** @description Ids of users; for admins, and within projects for their members. Several: repeat it, or separate them by commas. */
                users?: string[];
                /** @description The IANA time zone for hours and days. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description The APIs by which clients called, such as `chat.completions`. Several: repeat it, or separate them by commas. */
                apis?: string[];
                /** @description Error codes, such as `upstream_error`. Several: repeat it, or separate them by commas. */
                codes?: string[];
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Calls that started at this time or later. */
                from: string;
                /** @description HTTP statuses: that the client got, or the provider’s of a failed request. Several: repeat it, or separate them by commas. */
                httpStatuses?: string[];
                /** @description Ids of API keys. Several: repeat it, or separate them by commas. */
                keys?: string[];
                limit?: number;
                /** @description Requests that cost at least this, in dollars. */
                minCostUsd?: number;
                /** @description Requests that took at least this, in ms. */
                minMs?: number;
                /** @description Model ids. Several: repeat it, or separate them by commas. */
                models?: string[];
                /** @description Ids of projects that you are a member of; admins can use any. `scope` is then ignored. Several: repeat it, or separate them by commas. */
                projects?: string[];
                /** @description Whose calls: your own, those of the projects that you are a member of, or for admins everyone's. */
                scope?: "mine" | "projects" | "all";
                /** @description Whether the simulator answered. */
                simulated?: "true" | "false";
                /** @description The status of requests: `open` ones are running, `refused` ones were refused before a model was called, `unauthorized` ones are refused requests whose key was invalid (401). Several: repeat it, or separate them by commas. */
                statuses?: string[];
                /** @description Whether the answer was streamed. */
                stream?: "true" | "false";
                /** @description Calls that started before this time. */
                to: string;
                /** @description Names of upstreams; for admins. Several: repeat it, or separate them by commas. */
                upstreams?: string[];
                /** @description Ids of users; for admins, and within projects for their members. Several: repeat it, or separate them by commas. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description There is no request with this id, or it belongs to someone else. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Content_show: {
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
                    "application/json": components["schemas"]["CallContentView"];
                };
            };
            /** @description Nothing is stored for this request, or it belongs to someone else. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was encrypted with a key that the gateway no longer has. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Usage_facet: {
        parameters: {
            query: {
                /** @description The APIs by which clients called, such as `chat.completions`. Several: repeat it, or separate them by commas. */
                apis?: string[];
                /** @description Error codes, such as `upstream_error`. Several: repeat it, or separate them by commas. */
                codes?: string[];
                /** @description Calls that started at this time or later. */
                from: string;
                /** @description HTTP statuses: that the client got, or the provider’s of a failed request. Several: repeat it, or separate them by commas. */
                httpStatuses?: string[];
                /** @description Ids of API keys. Several: repeat it, or separate them by commas. */
                keys?: string[];
                /** @description Requests that cost at least this, in dollars. */
                minCostUsd?: number;
                /** @description Requests that took at least this, in ms. */
                minMs?: number;
                /** @description Model ids. Several: repeat it, or separate them by commas. */
                models?: string[];
                /** @description `upstream` is for admins; `user` and `project` also for the requests of your projects. */
                of: "status" | "model" | "upstream" | "key" | "user" | "project" | "api" | "code" | "httpStatus" | "simulated" | "stream" | "cost" | "duration";
                /** @description Ids of projects that you are a member of; admins can use any. `scope` is then ignored. Several: repeat it, or separate them by commas. */
                projects?: string[];
                /** @description Whose calls: your own, those of the projects that you are a member of, or for admins everyone's. */
                scope?: "mine" | "projects" | "all";
                /** @description Whether the simulator answered. */
                simulated?: "true" | "false";
                /** @description The status of requests: `open` ones are running, `refused` ones were refused before a model was called, `unauthorized` ones are refused requests whose key was invalid (401). Several: repeat it, or separate them by commas. */
                statuses?: string[];
                /** @description Whether the answer was streamed. */
                stream?: "true" | "false";
                /** @description Calls that started before this time. */
                to: string;
                /** @description Names of upstreams; for admins. Several: repeat it, or separate them by commas. */
                upstreams?: string[];
                /** @description Ids of users; for admins, and within projects for their members. Several: repeat it, or separate them by commas. */
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
                    "application/json": components["schemas"]["RequestFacetView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Usage_histogram: {
        parameters: {
            query: {
                /** @description The APIs by which clients called, such as `chat.completions`. Several: repeat it, or separate them by commas. */
                apis?: string[];
                /** @description Error codes, such as `upstream_error`. Several: repeat it, or separate them by commas. */
                codes?: string[];
                /** @description Calls that started at this time or later. */
                from: string;
                /** @description HTTP statuses: that the client got, or the provider’s of a failed request. Several: repeat it, or separate them by commas. */
                httpStatuses?: string[];
                /** @description Ids of API keys. Several: repeat it, or separate them by commas. */
                keys?: string[];
                /** @description Requests that cost at least this, in dollars. */
                minCostUsd?: number;
                /** @description Requests that took at least this, in ms. */
                minMs?: number;
                /** @description Model ids. Several: repeat it, or separate them by commas. */
                models?: string[];
                /** @description Ids of projects that you are a member of; admins can use any. `scope` is then ignored. Several: repeat it, or separate them by commas. */
                projects?: string[];
                /** @description Whose calls: your own, those of the projects that you are a member of, or for admins everyone's. */
                scope?: "mine" | "projects" | "all";
                /** @description Whether the simulator answered. */
                simulated?: "true" | "false";
                /** @description The status of requests: `open` ones are running, `refused` ones were refused before a model was called, `unauthorized` ones are refused requests whose key was invalid (401). Several: repeat it, or separate them by commas. */
                statuses?: string[];
                /** @description Whether the answer was streamed. */
                stream?: "true" | "false";
                /** @description Calls that started before this time. */
                to: string;
                /** @description Names of upstreams; for admins. Several: repeat it, or separate them by commas. */
                upstreams?: string[];
                /** @description Ids of users; for admins, and within projects for their members. Several: repeat it, or separate them by commas. */
                users?: string[];
                /** @description The IANA time zone for days. */
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
                    "application/json": components["schemas"]["RequestHistogramView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Usage_errors: {
        parameters: {
            query: {
                /** @description The APIs by which clients called, such as `chat.completions`. Several: repeat it, or separate them by commas. */
                apis?: string[];
                /** @description Error codes, such as `upstream_error`. Several: repeat it, or separate them by commas. */
                codes?: string[];
                /** @description Calls that started at this time or later. */
                from: string;
                /** @description HTTP statuses: that the client got, or the provider’s of a failed request. Several: repeat it, or separate them by commas. */
                httpStatuses?: string[];
                /** @description Ids of API keys. Several: repeat it, or separate them by commas. */
                keys?: string[];
                /** @description Requests that cost at least this, in dollars. */
                minCostUsd?: number;
                /** @description Requests that took at least this, in ms. */
                minMs?: number;
                /** @description Model ids. Several: repeat it, or separate them by commas. */
                models?: string[];
                /** @description Ids of projects that you are a member of; admins can use any. `scope` is then ignored. Several: repeat it, or separate them by commas. */
                projects?: string[];
                /** @description Whose calls: your own, those of the projects that you are a member of, or for admins everyone's. */
                scope?: "mine" | "projects" | "all";
                /** @description Whether the simulator answered. */
                simulated?: "true" | "false";
                /** @description The status of requests: `open` ones are running, `refused` ones were refused before a model was called, `unauthorized` ones are refused requests whose key was invalid (401). Several: repeat it, or separate them by commas. */
                statuses?: string[];
                /** @description Whether the answer was streamed. */
                stream?: "true" | "false";
                /** @description Calls that started before this time. */
                to: string;
                /** @description Names of upstreams; for admins. Several: repeat it, or separate them by commas. */
                upstreams?: string[];
                /** @description Ids of users; for admins, and within projects for their members. Several: repeat it, or separate them by commas. */
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
                    "application/json": components["schemas"]["ErrorCausesView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description The APIs by which clients called, such as `chat.completions`. Several: repeat it, or separate them by commas. */
                apis?: string[];
                /** @description Error codes, such as `upstream_error`. Several: repeat it, or separate them by commas. */
                codes?: string[];
                /** @description Include the previous period. */
                compare?: "true" | "false";
                format?: "csv" | "json";
                /** @description Calls that started at this time or later. */
                from: string;
                /** @description `auto`: hours up to three days, otherwise days. Quarter-hours up to a week, hours up to 93 days. Days and months are those of `zone`. */
                granularity?: "auto" | "quarter" | "hour" | "day" | "month";
                /** @description `upstream` is for admins; `user` also for the calls of your projects. */
                groupBy?: "model" | "key" | "user" | "upstream" | "status" | "api" | "project" | "none";
                /** @description Instead of `groupBy`: the sums by several things at once, such as `project,model,user`. Several: repeat it, or separate them by commas. */
                groups?: string[];
                /** @description HTTP statuses: that the client got, or the provider’s of a failed request. Several: repeat it, or separate them by commas. */
                httpStatuses?: string[];
                /** @description Ids of API keys. Several: repeat it, or separate them by commas. */
                keys?: string[];
                /** @description The totals by time and group, or the single calls. */
                kind: "report" | "calls";
                /** @description Requests that cost at least this, in dollars. */
                minCostUsd?: number;
                /** @description Requests that took at least this, in ms. */
                minMs?: number;
                /** @description Model ids. Several: repeat it, or separate them by commas. */
                models?: string[];
                /** @description Ids of projects that you are a member of; admins can use any. `scope` is then ignored. Several: repeat it, or separate them by commas. */
                projects?: string[];
                /** @description The order of the groups; the first ten of them, fewer in a long series, have a series of their own. Rankings by a duration compare only the 500 users or keys with the most requests; the others follow. */
                rankBy?: "requests" | "errors" | "refused" | "tokens" | "inputTokens" | "cachedTokens" | "outputTokens" | "reasoningTokens" | "costNanodollars" | "p50TotalMs" | "p95TotalMs" | "p50FirstTokenMs" | "p95FirstTokenMs";
                /** @description Whose calls: your own, those of the projects that you are a member of, or for admins everyone's. */
                scope?: "mine" | "projects" | "all";
                /** @description Whether the simulator answered. */
                simulated?: "true" | "false";
                /** @description The status of requests: `open` ones are running, `refused` ones were refused before a model was called, `unauthorized` ones are refused requests whose key was invalid (401). Several: repeat it, or separate them by commas. */
                statuses?: string[];
                /** @description Whether the answer was streamed. */
                stream?: "true" | "false";
                /** @description Calls that started before this time. */
                to: string;
                /** @description Names of upstreams; for admins. Several: repeat it, or separate them by commas. */
                upstreams?: string[];
                /** @description Ids of users; for admins, and within projects for their members. Several: repeat it, or separate them by commas. */
                users?: string[];
                /** @description The IANA time zone for hours and days. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description The APIs by which clients called, such as `chat.completions`. Several: repeat it, or separate them by commas. */
                apis?: string[];
                /** @description Include the previous period. */
                compare?: "true" | "false";
                /** @description Calls that started at this time or later. */
                from: string;
                /** @description `auto`: hours up to three days, otherwise days. Quarter-hours up to a week, hours up to 93 days. Days and months are those of `zone`. */
                granularity?: "auto" | "quarter" | "hour" | "day" | "month";
                /** @description `upstream` is for admins; `user` also for the calls of your projects. */
                groupBy?: "model" | "key" | "user" | "upstream" | "status" | "api" | "project" | "none";
                /** @description Ids of API keys. Several: repeat it, or separate them by commas. */
                keys?: string[];
                /** @description Model ids. Several: repeat it, or separate them by commas. */
                models?: string[];
                /** @description Pages of 50 groups; the report itself has the first. */
                page?: number;
                /** @description Ids of projects that you are a member of; admins can use any. `scope` is then ignored. Several: repeat it, or separate them by commas. */
                projects?: string[];
                /** @description The order of the groups; the first ten of them, fewer in a long series, have a series of their own. Rankings by a duration compare only the 500 users or keys with the most requests; the others follow. */
                rankBy?: "requests" | "errors" | "refused" | "tokens" | "inputTokens" | "cachedTokens" | "outputTokens" | "reasoningTokens" | "costNanodollars" | "p50TotalMs" | "p95TotalMs" | "p50FirstTokenMs" | "p95FirstTokenMs";
                /** @description Whose calls: your own, those of the projects that you are a member of, or for admins everyone's. */
                scope?: "mine" | "projects" | "all";
                /** @description Only requests that the simulator answered, or none of them. */
                simulated?: "true" | "false";
                /** @description The status of requests: `open` ones are running, `refused` ones were refused before a model was called, `unauthorized` ones are refused requests whose key was invalid (401). Several: repeat it, or separate them by commas. */
                statuses?: string[];
                /** @description Calls that started before this time. */
                to: string;
                /** @description Names of upstreams; for admins. Several: repeat it, or separate them by commas. */
                upstreams?: string[];
                /** @description Ids of users; for admins, and within projects for their members. Several: repeat it, or separate them by commas. */
                users?: string[];
                /** @description The IANA time zone for hours and days. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description `next` of the previous page, of a list with the same `sort`. */
                cursor?: string;
                /** @description Only with exactly this e-mail address. */
                email?: string;
                /** @description Only with exactly this id at the identity provider that sends people by SCIM. */
                externalId?: string;
                /** @description Only these ids, separated by commas. */
                ids?: string[];
                limit?: number;
                /** @description Only with exactly this name. */
                name?: string;
                /** @description Words to search for, case-insensitive. */
                q?: string;
                role?: "admin" | "member";
                sort?: "email" | "-email" | "role" | "-role" | "plan" | "-plan" | "status" | "-status" | "source" | "-source" | "keys" | "-keys" | "spent" | "-spent" | "seen" | "-seen";
                source?: "local" | "oidc" | "service";
                /** @description Several: separated by commas. */
                status?: ("active" | "disabled" | "invited" | "forgotten")[];
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Users_forget: {
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    UserPlan_get: {
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    Users_createAll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUsersDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedUsersView"];
                };
            };
            /** @description The error. */
            default: {
                headers: {
                    /** @description The id of this request. */
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
            /** @description It does. */
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
            /** @description It does. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status?: "ok";
                        /** @description Present only while the calls of some users cannot be admitted in time. */
                        warning?: string;
                    };
                };
            };
            /** @description `service_unavailable`: it cannot serve now. */
            503: {
                headers: {
                    /** @description The id of this request. */
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
             *     silent, a comment `: ping` is sent at least every 15 seconds. An error after the first chunk is `data: {"error":{…}}`, and
             *     then the stream ends without `[DONE]`.
             */
            200: {
                headers: {
                    /** @description Milliseconds until the head of the response. */
                    "openai-processing-ms"?: string;
                    /** @description Parameters that were left out because the model or its API does not take them. */
                    "x-gateway-ignored-parameters"?: string;
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    /**
                     * @example data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":1790000000,"model":"gpt-6-luna","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"},"finish_reason":null}]}
                     *
                     *     data: {"id":"chatcmpl-…","object":"chat.completion.chunk","created":1790000000,"model":"gpt-6-luna","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
                     *
                     *     data: [DONE]
                     */
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            /**
             * @description - `invalid_json`: The body is not valid JSON.
             *     - `invalid_request`: The request is not well-formed HTTP, or its body ended early.
             *     - `invalid_type`: A field has the wrong type.
             *     - `missing_required_parameter`: A required field is missing.
             *     - `invalid_value`: A field has a value that is not allowed.
             *     - `unsupported_value`: The model does not support what a field asks for.
             *     - `unsupported_parameter`: The gateway or the model’s provider does not support the field.
             *     - `model_not_supported`: The model cannot be called at this address, such as a chat model at `/v1/embeddings`.
             *     - `context_length_exceeded`: The request is longer than the model can read.
             *     - `content_blocked`: A guard of the gateway blocked the request; `param` names the place.
             *     - `content_filter`: The provider’s content filter refused the request.
             */
            400: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `model_not_found`: The model does not exist, or you cannot use it.
             *     - `unknown_url`: There is nothing at this URL.
             */
            404: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `idempotency_in_progress`: A request with this `Idempotency-Key` is still running.
             *     - `idempotency_answer_not_kept`: The answer to this `Idempotency-Key` was too large to keep.
             */
            409: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `request_too_large`: The body is larger than the limit. */
            413: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `unsupported_media_type`: The body is not JSON in UTF-8. */
            415: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `idempotency_key_reused`: The `Idempotency-Key` was used with a different request. */
            422: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `upstream_error`: The provider failed, or refused the gateway’s credential.
             *     - `upstream_unreachable`: The provider cannot be reached.
             *     - `upstream_incomplete`: The provider ended the answer early.
             */
            502: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `upstream_timeout`: The provider was too slow. */
            504: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createCompletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextCompletionRequest"];
            };
        };
        responses: {
            /** @description The answer: one JSON object, or with `stream` server-sent events that end with `data: [DONE]`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextCompletion"];
                    "text/event-stream": components["schemas"]["TextCompletion"];
                };
            };
            /**
             * @description - `invalid_json`: The body is not valid JSON.
             *     - `invalid_request`: The request is not well-formed HTTP, or its body ended early.
             *     - `invalid_type`: A field has the wrong type.
             *     - `missing_required_parameter`: A required field is missing.
             *     - `invalid_value`: A field has a value that is not allowed.
             *     - `unsupported_value`: The model does not support what a field asks for.
             *     - `unsupported_parameter`: The gateway or the model’s provider does not support the field.
             *     - `model_not_supported`: The model cannot be called at this address, such as a chat model at `/v1/embeddings`.
             *     - `context_length_exceeded`: The request is longer than the model can read.
             *     - `content_blocked`: A guard of the gateway blocked the request; `param` names the place.
             *     - `content_filter`: The provider’s content filter refused the request.
             */
            400: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `model_not_found`: The model does not exist, or you cannot use it.
             *     - `unknown_url`: There is nothing at this URL.
             */
            404: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `idempotency_in_progress`: A request with this `Idempotency-Key` is still running.
             *     - `idempotency_answer_not_kept`: The answer to this `Idempotency-Key` was too large to keep.
             */
            409: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `request_too_large`: The body is larger than the limit. */
            413: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `unsupported_media_type`: The body is not JSON in UTF-8. */
            415: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `idempotency_key_reused`: The `Idempotency-Key` was used with a different request. */
            422: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `upstream_error`: The provider failed, or refused the gateway’s credential.
             *     - `upstream_unreachable`: The provider cannot be reached.
             *     - `upstream_incomplete`: The provider ended the answer early.
             */
            502: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `upstream_timeout`: The provider was too slow. */
            504: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createEmbeddings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            /** @description The vectors and the number of tokens used. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingsAnswer"];
                };
            };
            /** @description The request is not valid (`invalid_value`, …), an input is too long (`context_length_exceeded`), or the model makes no embeddings (`model_not_supported`). */
            400: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `model_not_found`: The model does not exist, or you cannot use it.
             *     - `unknown_url`: There is nothing at this URL.
             */
            404: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `idempotency_in_progress`: A request with this `Idempotency-Key` is still running.
             *     - `idempotency_answer_not_kept`: The answer to this `Idempotency-Key` was too large to keep.
             */
            409: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `request_too_large`: The body is larger than the limit. */
            413: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `unsupported_media_type`: The body is not JSON in UTF-8. */
            415: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `idempotency_key_reused`: The `Idempotency-Key` was used with a different request. */
            422: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `upstream_error`: The provider failed, or refused the gateway’s credential.
             *     - `upstream_unreachable`: The provider cannot be reached.
             *     - `upstream_incomplete`: The provider ended the answer early.
             */
            502: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `upstream_timeout`: The provider was too slow. */
            504: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyStanding"];
                };
            };
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description For providers that have the Messages API. */
                "anthropic-beta"?: string;
                /** @description `2026-10-21`, or `2023-06-01`. */
                "anthropic-version": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "claude-sonnet-5.5",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "Say hello."
                 *         }
                 *       ],
                 *       "max_tokens": 1000
                 *     }
                 */
                "application/json": components["schemas"]["MessagesRequest"];
            };
        };
        responses: {
            /** @description The answer: one JSON object, or with `stream` Anthropic’s server-sent events, with `ping` while the provider is silent and `error` in place of the end. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesAnswer"];
                    "text/event-stream": string;
                };
            };
            /** @description `invalid_request_error`: the request is not valid, or the model does not support it; also 409 and 422. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `authentication_error`: the key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `permission_error`: the owner is disabled, or the address is not on the key’s list. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `not_found_error`: the model does not exist, or you cannot use it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `request_too_large`: the body is larger than the limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `rate_limit_error`: a limit, a budget or the provider; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `api_error`: an error in the gateway, or with status 502 at the provider. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `timeout_error`: the provider was too slow. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `overloaded_error`: try again after `Retry-After` seconds. */
            529: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
        };
    };
    countMessageTokens: {
        parameters: {
            query?: never;
            header: {
                /** @description `2026-10-21`, or `2023-06-01`. */
                "anthropic-version": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "claude-sonnet-5.5",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "Say hello."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MessagesCountRequest"];
            };
        };
        responses: {
            /** @description The count. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesCount"];
                };
            };
            /** @description `invalid_request_error`: the request is not valid, or the model does not support it; also 409 and 422. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `authentication_error`: the key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `permission_error`: the owner is disabled, or the address is not on the key’s list. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `not_found_error`: the model does not exist, or you cannot use it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `request_too_large`: the body is larger than the limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `rate_limit_error`: a limit, a budget or the provider; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `api_error`: an error in the gateway, or with status 502 at the provider. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
                };
            };
            /** @description `overloaded_error`: try again after `Retry-After` seconds. */
            529: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesError"];
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
            /** @description The models, in one of two formats. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelSummary"][] | components["schemas"]["ModelList"];
                };
            };
            /**
             * @description - `invalid_json`: The body is not valid JSON.
             *     - `invalid_request`: The request is not well-formed HTTP, or its body ended early.
             *     - `invalid_type`: A field has the wrong type.
             *     - `missing_required_parameter`: A required field is missing.
             *     - `invalid_value`: A field has a value that is not allowed.
             *     - `unsupported_value`: The model does not support what a field asks for.
             *     - `unsupported_parameter`: The gateway or the model’s provider does not support the field.
             *     - `model_not_supported`: The model cannot be called at this address, such as a chat model at `/v1/embeddings`.
             *     - `context_length_exceeded`: The request is longer than the model can read.
             *     - `content_blocked`: A guard of the gateway blocked the request; `param` names the place.
             *     - `content_filter`: The provider’s content filter refused the request.
             */
            400: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description The model’s id; slashes are not escaped. */
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
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `model_not_found`: The model does not exist, or you cannot use it.
             *     - `unknown_url`: There is nothing at this URL.
             */
            404: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
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
                /** @description The answer’s `x-request-id`, or the `id` of its answer. */
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
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `model_not_found`: The model does not exist, or you cannot use it.
             *     - `unknown_url`: There is nothing at this URL.
             */
            404: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponsesRequest"];
            };
        };
        responses: {
            /** @description The answer: one JSON object, or with `stream` OpenAI’s server-sent events, with comments `: ping` while the provider is silent. An error after the first event is an `error` event and then `response.failed`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponsesAnswer"];
                    "text/event-stream": string;
                };
            };
            /**
             * @description - `invalid_json`: The body is not valid JSON.
             *     - `invalid_request`: The request is not well-formed HTTP, or its body ended early.
             *     - `invalid_type`: A field has the wrong type.
             *     - `missing_required_parameter`: A required field is missing.
             *     - `invalid_value`: A field has a value that is not allowed.
             *     - `unsupported_value`: The model does not support what a field asks for.
             *     - `unsupported_parameter`: The gateway or the model’s provider does not support the field.
             *     - `model_not_supported`: The model cannot be called at this address, such as a chat model at `/v1/embeddings`.
             *     - `context_length_exceeded`: The request is longer than the model can read.
             *     - `content_blocked`: A guard of the gateway blocked the request; `param` names the place.
             *     - `content_filter`: The provider’s content filter refused the request.
             */
            400: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `model_not_found`: The model does not exist, or you cannot use it.
             *     - `unknown_url`: There is nothing at this URL.
             */
            404: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `idempotency_in_progress`: A request with this `Idempotency-Key` is still running.
             *     - `idempotency_answer_not_kept`: The answer to this `Idempotency-Key` was too large to keep.
             */
            409: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `request_too_large`: The body is larger than the limit. */
            413: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `unsupported_media_type`: The body is not JSON in UTF-8. */
            415: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `idempotency_key_reused`: The `Idempotency-Key` was used with a different request. */
            422: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `upstream_error`: The provider failed, or refused the gateway’s credential.
             *     - `upstream_unreachable`: The provider cannot be reached.
             *     - `upstream_incomplete`: The provider ended the answer early.
             */
            502: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `upstream_timeout`: The provider was too slow. */
            504: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The response’s `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponsesAnswer"];
                };
            };
            /**
             * @description - `invalid_json`: The body is not valid JSON.
             *     - `invalid_request`: The request is not well-formed HTTP, or its body ended early.
             *     - `invalid_type`: A field has the wrong type.
             *     - `missing_required_parameter`: A required field is missing.
             *     - `invalid_value`: A field has a value that is not allowed.
             *     - `unsupported_value`: The model does not support what a field asks for.
             *     - `unsupported_parameter`: The gateway or the model’s provider does not support the field.
             *     - `model_not_supported`: The model cannot be called at this address, such as a chat model at `/v1/embeddings`.
             *     - `context_length_exceeded`: The request is longer than the model can read.
             *     - `content_blocked`: A guard of the gateway blocked the request; `param` names the place.
             *     - `content_filter`: The provider’s content filter refused the request.
             */
            400: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `model_not_found`: The model does not exist, or you cannot use it.
             *     - `unknown_url`: There is nothing at this URL.
             */
            404: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The response’s `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponsesDeletion"];
                };
            };
            /**
             * @description - `invalid_json`: The body is not valid JSON.
             *     - `invalid_request`: The request is not well-formed HTTP, or its body ended early.
             *     - `invalid_type`: A field has the wrong type.
             *     - `missing_required_parameter`: A required field is missing.
             *     - `invalid_value`: A field has a value that is not allowed.
             *     - `unsupported_value`: The model does not support what a field asks for.
             *     - `unsupported_parameter`: The gateway or the model’s provider does not support the field.
             *     - `model_not_supported`: The model cannot be called at this address, such as a chat model at `/v1/embeddings`.
             *     - `context_length_exceeded`: The request is longer than the model can read.
             *     - `content_blocked`: A guard of the gateway blocked the request; `param` names the place.
             *     - `content_filter`: The provider’s content filter refused the request.
             */
            400: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `model_not_found`: The model does not exist, or you cannot use it.
             *     - `unknown_url`: There is nothing at this URL.
             */
            404: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listResponseInputItems: {
        parameters: {
            query?: {
                /** @description The id of an item: the list begins after it. */
                after?: string;
                limit?: number;
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The response’s `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponsesItemList"];
                };
            };
            /**
             * @description - `invalid_json`: The body is not valid JSON.
             *     - `invalid_request`: The request is not well-formed HTTP, or its body ended early.
             *     - `invalid_type`: A field has the wrong type.
             *     - `missing_required_parameter`: A required field is missing.
             *     - `invalid_value`: A field has a value that is not allowed.
             *     - `unsupported_value`: The model does not support what a field asks for.
             *     - `unsupported_parameter`: The gateway or the model’s provider does not support the field.
             *     - `model_not_supported`: The model cannot be called at this address, such as a chat model at `/v1/embeddings`.
             *     - `context_length_exceeded`: The request is longer than the model can read.
             *     - `content_blocked`: A guard of the gateway blocked the request; `param` names the place.
             *     - `content_filter`: The provider’s content filter refused the request.
             */
            400: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `invalid_api_key`: The key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `insufficient_permissions`: The account of the key’s owner is disabled.
             *     - `ip_not_allowed`: Your address is not on the key’s list of allowed addresses.
             */
            403: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `model_not_found`: The model does not exist, or you cannot use it.
             *     - `unknown_url`: There is nothing at this URL.
             */
            404: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `rate_limit_exceeded`: A limit on requests, tokens or concurrent calls is reached; the message names it.
             *     - `insufficient_quota`: A budget is used up or too small for this call; the message names it.
             *     - `upstream_rate_limited`: The provider limits the gateway.
             */
            429: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description - `internal_error`: An error in the gateway. */
            500: {
                headers: {
                    /** @description The id of this request. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description - `guard_unavailable`: A guard of the gateway cannot check the call now.
             *     - `overloaded`: The provider or the gateway is overloaded.
             *     - `service_unavailable`: The gateway is shutting down or has no database.
             */
            503: {
                headers: {
                    /** @description The id of this request. */
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
