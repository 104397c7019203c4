import type { Command } from 'commander';
import { ok } from '../../domain/shared/outcome.ts';
import { answer, leaf, onNewOperations } from './command.ts';

type Options = { json?: boolean };

/** Opening the service makes the key where there is none. */
export const artifactKeyCommand = (program: Command): void => {
  leaf(
    program,
    'artifact-key',
    'print the SUPublicEDKey of Mac applications; makes the key that signs files if there is none',
  ).action((options: Options) =>
    answer(options, () =>
      onNewOperations(async (service) => {
        const public_key = service.get('artifactSigner').publicKey();
        return ok({ json: { public_key }, text: public_key });
      }),
    ),
  );
};
