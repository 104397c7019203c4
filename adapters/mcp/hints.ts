import type { ToolSpec } from '../../ports/inbound/endpoint.ts';
import type { Listing } from './tool.ts';

type Hints = Required<
  Pick<NonNullable<Listing['annotations']>, `${string}Hint` & keyof NonNullable<Listing['annotations']>>
>;

const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean): Hints => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  // Every tool acts in the store alone.
  openWorldHint: false,
});

/** The hints of each effect (MCP, ToolAnnotations). A client that sees no hint assumes the worst. */
export const HINTS: Readonly<Record<ToolSpec['effect'], Hints>> = {
  reads: hints(true, false, true),
  adds: hints(false, false, false),
  replaces: hints(false, true, true),
  destroys: hints(false, true, true),
};
