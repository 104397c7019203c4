import type { Command } from 'commander';
import { ok } from '../../domain/shared/outcome.ts';
import { answer, leaf } from './command.ts';
import { configuration, configuredUrls } from './given.ts';

export const openapiCommand = (program: Command): void => {
  leaf(program, 'openapi', 'print the OpenAPI document, with the public addresses of the configuration').action(
    (chosen: { json?: boolean }) =>
      answer(chosen, async () => {
        const { openApiDocument } = await import('../../adapters/openapi/document.ts');
        const json = openApiDocument(configuredUrls(await configuration()));
        return ok({ json, text: JSON.stringify(json, null, 2) });
      }),
  );
};
