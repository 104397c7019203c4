import type { Command } from 'commander';
import { ok } from '../../domain/shared/outcome.ts';
import type { OwnEndpoints } from '../../ports/inbound/documentation/area-documentation.ts';
import type { Area } from '../composition/area.ts';
import { type Answered, answer, leaf } from './command.ts';
import { configuration, options } from './given.ts';

/** Throws where the document would leave an endpoint of a team's own out. */
const checked = async (areas: readonly Area[]): Promise<OwnEndpoints> => {
  const [{ checkAreas }, { loadOwnEndpoints }] = await Promise.all([
    import('../composition/check-areas.ts'),
    import('../composition/own-endpoints.ts'),
  ]);
  await checkAreas(areas);
  return loadOwnEndpoints(areas);
};

const openapi = async (): Answered => {
  const { areas = [] } = options();
  const [{ openApiDocument }, config, { configuredUrls }, own] = await Promise.all([
    import('../../adapters/openapi/document.ts'),
    configuration(),
    import('./configured-urls.ts'),
    areas.length > 0 ? checked(areas) : undefined,
  ]);
  const json = openApiDocument(configuredUrls(config), own);
  return ok({ json, text: JSON.stringify(json, null, 2) });
};

export const openapiCommand = (program: Command): void => {
  leaf(program, 'openapi', 'print the OpenAPI document, with the public addresses of the configuration').action(
    (chosen: { json?: boolean }) => answer(chosen, openapi),
  );
};
