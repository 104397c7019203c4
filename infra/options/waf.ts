import type { Context } from '../context.ts';

/** A web application firewall. `rate` is the most requests of one address in five minutes. */
export type Waf = { readonly rate: number };

/**
 * Requests in five minutes. The service itself allows an address 300 calls without a key and 3,000 files in that time,
 * and 600 calls to each account behind it. So 10,000 lets ten accounts behind one address use all that the service
 * allows them, and files beside them. A laptop that sends 1,000 requests a second is shut out: at this rate after ten
 * seconds, and by WAF's own delay after about a minute.
 */
const RATE = 10_000;

/** The bounds of AWS for a rule by rate. */
const BOUNDS = { least: 10, most: 2_000_000_000 };

/** The firewall that the context asks for by `waf=true`, and its rate by `wafRate`. */
export const wafOf = (context: Context): Waf | undefined => {
  const rate = context.whole('wafRate', BOUNDS);
  if (context.flag('waf')) return { rate: rate ?? RATE };
  if (rate === undefined) return undefined;
  throw new Error('-c wafRate has an effect with -c waf=true only.');
};
