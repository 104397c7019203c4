import { buffered } from '../../adapters/lambda-events/buffered.ts';
import { agents } from '../composition/areas/agents.ts';
import { collect } from '../composition/areas/collect.ts';
import { designMcp } from '../composition/areas/design-mcp.ts';
import { documents } from '../composition/areas/documents.ts';
import { gallery } from '../composition/areas/gallery.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { designRoutes } from '../composition/hosts.ts';
import { bellAt } from '../composition/job-bell.ts';
import { open } from './open.ts';

const { service, host, uploads } = await open('design', process.env, (settings, engines, { jobsQueueUrl }) =>
  bootstrap(settings, { ...engines, jobBell: bellAt(jobsQueueUrl) }, [agents, collect, documents, gallery, designMcp]),
);

/** The design host without the files that it streams (media.ts). The design MCP loads with its first message. */
export const handler = buffered(host('design', designRoutes(service, { uploads })));
