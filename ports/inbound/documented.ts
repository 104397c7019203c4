/** The texts of an MCP tool, written for agents: when to use it, what follows, and what it costs. */
export type ToolDocumentation = {
  /** The title; by default the summary of the endpoint. */
  readonly title?: string;
  readonly description: string;
};

/** The texts and example inputs of an endpoint, for the reference, for agents and for tests. */
export type EndpointDocumentation<G extends string = string> = {
  readonly group: G;
  readonly summary: string;
  readonly description: string;
  readonly tool?: ToolDocumentation;
  /** The path parameters that the reference fills in, if not the usual ones. The sample store has these values. */
  readonly pathExamples?: Readonly<Record<string, string | number>>;
  /** The body that the reference fills in. The demo account of the sample store can send it unchanged. */
  readonly bodyExample?: Readonly<Record<string, unknown>>;
  /** The meaning of the number in the header named by the output's `countedBy`. */
  readonly counted?: string;
};

/** The hash of a file in examples. */
export const EXAMPLE_SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** The texts of endpoints in one group of the reference. */
export const inGroup = <const G extends string, const D extends Readonly<Record<string, object>>>(group: G, texts: D) =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, { group, ...text }])) as {
    readonly [Id in keyof D]: D[Id] & { readonly group: G };
  };
