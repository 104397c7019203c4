import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Imported before a program, it writes the URLs of all modules that the program has loaded to the file LISTED when the
 * program ends.
 */
const loaded = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    loaded.add(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env['LISTED'] ?? '', [...loaded].join('\n')));
