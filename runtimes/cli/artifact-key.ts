import type { Command } from 'commander';
import { sparkleKey } from '../../adapters/crypto/artifact-signer.ts';
import { toInstant } from '../../domain/shared/instant.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { signingKeyView } from '../../domain/signing/signing-key-ring.ts';
import { type Answered, answer, leaf, onNewOperations } from './command.ts';
import { table } from './print.ts';

type Options = { json?: boolean; all?: boolean };

const print = (all: boolean): Answered =>
  onNewOperations(async (service) => {
    const { ring } = await service.get('signingKeyRings').artifact.read();
    const now = toInstant(Date.now());
    const keys = ring.map((key) => {
      const { kid, state, created_at, current_from } = signingKeyView(ring, key, now);
      return { public_key: sparkleKey(key), kid, state, created_at, current_from };
    });
    if (all) {
      const rows = keys.map(({ public_key, kid, state }) => [public_key, kid, state]);
      return ok({ json: keys, text: table(['SUPublicEDKey', 'key', 'state'], rows) });
    }
    const public_key = await service.get('artifactSigner').publicKey();
    return ok({ json: { public_key }, text: public_key });
  });

/** Reading the keys makes the first one where there is none. */
export const artifactKeyCommand = (program: Command): void => {
  leaf(
    program,
    'artifact-key',
    'print the SUPublicEDKey of Mac applications; makes the key that signs files if there is none',
  )
    .option('--all', 'every key, with its id: the one in use, the next one, and the old ones')
    .action((options: Options) => answer(options, () => print(options.all === true)));
};
