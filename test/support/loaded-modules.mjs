import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Preloaded: appends the URL of each loaded module to the file LOADED_MODULES. */
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES ?? '', `${url}\n`);
    return next(url, context);
  },
});
