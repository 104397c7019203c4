/** A limit of AWS that a shop meets as it grows. */
export type Quota = {
  readonly name: string;
  readonly short: string;
  /** The amount that an account has at first. */
  readonly first: number;
  /** The AWS document that says so. */
  readonly source: string;
  /** The way to move the limit. */
  readonly moves: string;
};

/** The limits, by what the service needs of each. */
export const QUOTAS = {
  gateway: {
    short: 'requests',
    name: 'requests a second of API Gateway, of an account in a region',
    first: 10_000,
    source: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
    moves: 'ask AWS for more; the throttles of the stack, `throttleRate` and `throttleBurst`, follow',
  },
  lambda: {
    short: 'instances',
    name: 'instances of Lambda at once, of an account in a region',
    first: 1000,
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
    moves: 'ask AWS for more; new accounts begin with less than 1,000',
  },
  reads: {
    short: 'read units',
    name: 'read units a second of the table',
    first: 40_000,
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html',
    moves: 'ask AWS for more',
  },
  writes: {
    short: 'write units',
    name: 'write units a second of the table',
    first: 40_000,
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html',
    moves: 'ask AWS for more',
  },
} as const satisfies Record<string, Quota>;

export type Need = Readonly<Record<keyof typeof QUOTAS, number>>;
