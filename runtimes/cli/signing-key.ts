import { type Command, Option } from 'commander';
import { toInstant } from '../../domain/shared/instant.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { KEY_USES, type KeyUse, SIGNED } from '../../domain/signing/key-use.ts';
import { nextKey, type SigningKeyView, signingKeyView } from '../../domain/signing/signing-key-ring.ts';
import { confirmed } from './ask.ts';
import { addCommand, answerFrom, onNewService, onService, operatorPermit, runsOn } from './command.ts';
import { tableOf } from './print.ts';

type Options = { use: KeyUse; yes?: boolean };

/** The next steps after a key has become the next one. */
const NEXT: Readonly<Record<KeyUse, string>> = {
  policy: 'Activate it after ten minutes, when clients have seen it.',
  license: 'Activate it after ten minutes, when clients have seen it.',
  artifact: 'Put its SUPublicEDKey (artifact-key --all) into the next version of every application, then activate it.',
};

/** The losses when an earlier key can no longer sign; null if clients lose nothing. */
const ACTIVATION_LOSSES: Readonly<Record<KeyUse, string | null>> = {
  policy: null,
  license: null,
  artifact:
    'The old key can never sign again. Installed copies with the old SUPublicEDKey then accept an ' +
    'update only if it contains the new key and both are signed with the same Apple certificate; they accept no ' +
    'package and no patch.',
};

const REVOCATION_LOSSES: Readonly<Record<KeyUse, string | null>> = {
  policy: null,
  license: 'Tokens that it signed no longer verify; offline applications stop until they check their license.',
  artifact: 'Files that it signed count as unsigned; publish them again as versions with another SUPublicEDKey.',
};

const says = (use: KeyUse, { kid, state }: SigningKeyView): string => {
  if (state === 'current') return `Key ${kid} signs ${SIGNED[use]} from now on.`;
  return state === 'next' ? `Key ${kid} is listed as the next key. ${NEXT[use]}` : `Key ${kid} no longer signs.`;
};

/** The key in the given file; undefined if no file is named. */
const keyFrom = async (file: string | undefined) => {
  if (file === undefined) return ok(undefined);
  const [{ readPrivately }, { keyPartsOf, parseSigningKey }] = await Promise.all([
    import('../../adapters/crypto/secret-file.ts'),
    import('../../adapters/crypto/ed25519-keys.ts'),
  ]);
  const key = parseSigningKey(readPrivately(file) ?? '');
  return key
    ? ok(keyPartsOf(key))
    : refuse('no_key', {
        message: `There is no Ed25519 private key in ${file}; name a PKCS#8 PEM or Sparkle’s export.`,
      });
};

const create = runsOn(onNewService, async (service, { use, from }: Options & { from?: string }) => {
  const own = await keyFrom(from);
  if (!own.ok) return own;
  const created = await service.get('createSigningKey')(operatorPermit(), use, own.value);
  return answerFrom(created, (key) => says(use, key));
});

/** Prints to standard error, because standard output has only the result. */
const scheduled = (kid: string, from: string): void => {
  process.stderr.write(
    `Key ${kid} signs from ${from} on, when every instance knows it; the command waits until then.\n`,
  );
};

const activate = runsOn(onService, async (service, options: Options & { now?: boolean }) => {
  const { use, now = false } = options;
  const { ring } = await service.get('signingKeyRings')[use].read();
  const agreement = await confirmed(options, nextKey(ring, toInstant(Date.now())) ? ACTIVATION_LOSSES[use] : null);
  if (!agreement.ok) return agreement;
  const input = { unlisted: now, scheduled };
  const activated = await service.get('activateSigningKey')(operatorPermit(), use, input);
  return answerFrom(activated, (key) => says(use, key));
});

const revoke = runsOn(onService, async (service, kid: string, options: Options) => {
  const { use } = options;
  const { ring } = await service.get('signingKeyRings')[use].read();
  const hasSigned = ring.some((key) => key.kid === kid && key.current_from !== null);
  const agreement = await confirmed(options, hasSigned ? REVOCATION_LOSSES[use] : null);
  if (!agreement.ok) return agreement;
  return answerFrom(
    await service.get('revokeSigningKey')(operatorPermit(), use, kid),
    (current) => `Key ${kid} is revoked and no longer listed.${current ? ` ${says(use, current)}` : ''}`,
    (current) => ({ revoked: kid, current: current?.kid ?? null }),
  );
});

const keysText = tableOf<SigningKeyView>({ key: 'kid' }, 'state', 'created_at', { 'in use from': 'current_from' });

const list = runsOn(onService, async (service, { use }: Options) => {
  const { ring } = await service.get('signingKeyRings')[use].read();
  const now = toInstant(Date.now());
  return answerFrom(ok(ring.map((key) => signingKeyView(ring, key, now))), keysText);
});

const YES = ['--yes', 'do not ask for confirmation'] as const;

const command = (group: Command, name: string, description: string): Command =>
  addCommand(group, name, description).addOption(
    new Option('--use <use>', 'what the key signs').choices(KEY_USES).default('policy'),
  );

export const signingKeyCommands = (program: Command): void => {
  const group = program
    .command('signing-key')
    .description('keys that sign the client policy, license tokens and files of releases');
  command(group, 'create', 'create a key: the first is in use at once, a later one is listed as the next')
    .option(
      '--from <file>',
      'import the Ed25519 private key in this file, readable by you alone, instead of creating one',
    )
    .action(create);
  command(group, 'list', 'list the keys').action(list);
  command(group, 'activate', 'activate the next key; the previous key still verifies')
    .option('--now', 'at once, before clients and instances know the next key; for a lost current key')
    .option(...YES)
    .action(activate);
  command(group, 'revoke', 'revoke a key: its signatures are no longer valid; the next key takes its place')
    .argument('<kid>', 'the key as `list` shows it; put -- before a key that begins with a hyphen')
    .option(...YES)
    .action(revoke);
};

/** Reading the keys creates a missing first one. */
const print = runsOn(onNewService, async (service, { all = false }: { all?: boolean }) => {
  const { sparkleKey } = await import('../../adapters/crypto/artifact-signer.ts');
  const { ring } = await service.get('signingKeyRings').artifact.read();
  const now = toInstant(Date.now());
  if (!all) {
    const public_key = await service.get('artifactSigner').publicKey();
    return ok({ json: { public_key }, text: public_key });
  }
  const keys = ring.map((key) => {
    const { kid, state, created_at, current_from } = signingKeyView(ring, key, now);
    return { public_key: sparkleKey(key), kid, state, created_at, current_from };
  });
  return answerFrom(ok(keys), tableOf({ SUPublicEDKey: 'public_key', key: 'kid' }, 'state'));
});

export const artifactKeyCommand = (program: Command): void => {
  addCommand(
    program,
    'artifact-key',
    'print the SUPublicEDKey for Mac applications; creates the file key if there is none',
  )
    .option('--all', 'every key with its id: current, next and old')
    .action(print);
};
