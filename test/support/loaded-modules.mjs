import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Loaded before a program, it writes the address of each module that the program loads into the file LOADED_MODULES. */
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES ?? '', `${url}\n`);
    return next(url, context);
  },
});
