import type { Command } from 'commander';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf } from './command.ts';
import { configuration } from './given.ts';

const openapi = async (): Answered => {
  const [{ openApiDocument }, config, { configuredUrls }] = await Promise.all([
    import('../../adapters/openapi/document.ts'),
    configuration(),
    import('./configured-urls.ts'),
  ]);
  const json = openApiDocument(configuredUrls(config));
  return ok({ json, text: JSON.stringify(json, null, 2) });
};

export const openapiCommand = (program: Command): void => {
  leaf(program, 'openapi', 'print the OpenAPI document, with the public addresses of the configuration').action(
    (chosen: { json?: boolean }) => answer(chosen, openapi),
  );
};
