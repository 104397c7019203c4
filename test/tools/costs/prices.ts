import prices from './prices.json' with { type: 'json' };

/** List prices with their sources, and what is assumed beside them. */
export { prices };
