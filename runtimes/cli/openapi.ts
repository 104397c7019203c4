import type { Command } from 'commander';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf } from './command.ts';

const openapi = async (): Answered => {
  const [{ openApiDocument }, { readConfig }, { configuredUrls }] = await Promise.all([
    import('../../adapters/openapi/document.ts'),
    import('../composition/config.ts'),
    import('./configured-urls.ts'),
  ]);
  const json = openApiDocument(configuredUrls(readConfig(process.env)));
  return ok({ json, text: JSON.stringify(json, null, 2) });
};

export const openapiCommand = (program: Command): void => {
  leaf(program, 'openapi', 'print the OpenAPI document, with the public addresses of the configuration').action(
    (options: { json?: boolean }) => answer(options, openapi),
  );
};
