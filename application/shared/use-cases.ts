/** Functions that create use cases and other parts of a service, by name. Each takes the parts that it needs. */
export type Makers = Readonly<Record<string, (parts: never) => unknown>>;

/** The parts that these functions create, by name. */
export type Made<M extends Makers> = { readonly [Name in keyof M]: ReturnType<M[Name]> };
