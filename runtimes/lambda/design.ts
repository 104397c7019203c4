import { buffered } from '../../adapters/lambda-events/buffered.ts';
import { agents } from '../composition/areas/agents.ts';
import { designMcp } from '../composition/areas/design-mcp.ts';
import { documents } from '../composition/areas/documents.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { designRoutes } from '../composition/hosts.ts';
import { open } from './open.ts';

const { service, host, uploads } = await open('design', process.env, (settings, engines) =>
  bootstrap(settings, engines, [agents, documents, designMcp]),
);

/** The design host without the files that it streams (media.ts). The design MCP loads with its first message. */
export const handler = buffered(host('design', designRoutes(service, { uploads })));
