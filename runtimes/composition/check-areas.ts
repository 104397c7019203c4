import { describedTools } from '../../adapters/mcp/tool-listing.ts';
import { soundDocument } from '../../adapters/openapi/sound-document.ts';
import { overreachOf, withOwn } from '../../ports/inbound/documentation/whole-documentation.ts';
import { byHost } from '../../ports/inbound/hosts.ts';
import type { Area } from './area.ts';
import { EVERY_AREA } from './areas/everything.ts';
import { oneLine } from './faults.ts';
import { withAreas } from './own-areas.ts';
import { loadOwnEndpoints, servedEndpoints } from './own-endpoints.ts';

const sentence = ({ message, cause }: Error): string =>
  cause === undefined ? message : `${message} ${oneLine(cause)}`;

/**
 * Checks areas of a team's own with all of this package, for a unit test of the team: throws what a start would throw,
 * and, because a start loads no documentation, for each endpoint that the reference or MCP would leave out, and each
 * text of this package that the documentation describes.
 */
export const checkAreas = async (areas: readonly Area[]): Promise<void> => {
  servedEndpoints(withAreas(EVERY_AREA, areas));
  const own = await loadOwnEndpoints(areas);
  const faults = [
    ...(own.faults ?? []),
    ...overreachOf(own),
    ...soundDocument(
      byHost((host) => `https://${host}.example.com`),
      own,
    ).faults,
    ...describedTools(own.endpoints, withOwn(own)).faults,
  ];
  if (faults.length > 0) throw new AggregateError(faults, faults.map(sentence).join(' '));
};
