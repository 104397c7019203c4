import type { Section } from './row.ts';
import { BODIES } from './sections/bodies.ts';
import { CONNECTIONS } from './sections/connections.ts';
import { DESIGN_HOST } from './sections/design-host.ts';
import { FIELDS_AND_HEADERS } from './sections/fields.ts';
import { FILES } from './sections/files.ts';
import { GALLERY } from './sections/gallery.ts';
import { MCP } from './sections/mcp.ts';
import { REPORTS } from './sections/reports.ts';
import { REQUESTS } from './sections/requests.ts';
import { SIGN_IN } from './sections/sign-in.ts';
import { STORED_DATA } from './sections/stored-data.ts';

/** The sections of docs/limits.md, in their order. */
export const SECTIONS: readonly Section[] = [
  REQUESTS,
  CONNECTIONS,
  BODIES,
  FIELDS_AND_HEADERS,
  STORED_DATA,
  REPORTS,
  FILES,
  DESIGN_HOST,
  GALLERY,
  SIGN_IN,
  MCP,
];
