import { type Command, Option } from 'commander';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { KEY_USES, type KeyUse, SIGNED } from '../../domain/signing/key-use.ts';
import { nextKey, type SigningKeyView, signingKeyView } from '../../domain/signing/signing-key-ring.ts';
import { type Answered, answer, leaf, onNewOperations, onOperations } from './command.ts';
import { operatorPermit } from './operator.ts';
import { table } from './print.ts';

type Options = { json?: boolean; use: KeyUse; yes?: boolean };

/** The things to do after a key became the next one. */
const NEXT: Readonly<Record<KeyUse, string>> = {
  policy: 'Activate it once clients have had ten minutes to learn of it.',
  license: 'Activate it once clients have had ten minutes to learn of it.',
  artifact: 'Put its SUPublicEDKey (artifact-key --all) into the next version of every application, then activate it.',
};

/** The things that are lost when an earlier key can sign no more; null where clients lose nothing. */
const ACTIVATION_COSTS: Readonly<Record<KeyUse, string | null>> = {
  policy: null,
  license: null,
  artifact:
    'The key before it can never sign again. Copies in the field that have the earlier SUPublicEDKey then take an ' +
    'update only if the update has the new one and both are signed with the same Apple certificate; they take no ' +
    'package and no patch.',
};

const REVOCATION_COSTS: Readonly<Record<KeyUse, string | null>> = {
  policy: null,
  license: 'Tokens that it signed verify no more; applications that are offline stop until they check their license.',
  artifact: 'Files that it signed count as unsigned; publish them anew as versions with another SUPublicEDKey.',
};

const says = (use: KeyUse, { kid, state }: SigningKeyView): string => {
  if (state === 'current') return `Key ${kid} signs ${SIGNED[use]} from now on.`;
  return state === 'next' ? `Key ${kid} is listed as the next key. ${NEXT[use]}` : `Key ${kid} signs no more.`;
};

const told = (use: KeyUse, key: SigningKeyView) => ok({ json: key, text: says(use, key) });

/** Refuses what costs clients something, until the operator agrees. */
const unconfirmed = (costs: string | null, yes = false) =>
  costs === null || yes
    ? undefined
    : refuse('confirmation_needed', { message: `Nothing changed yet. ${costs} Add --yes to go on.` });

const create = (use: KeyUse): Answered =>
  onNewOperations(async (service) => {
    const created = await service.get('createSigningKey').execute(operatorPermit('signing-key create'), use);
    return created.ok ? told(use, created.value) : created;
  });

const activate = ({ use, yes, now = false }: Options & { now?: boolean }): Answered =>
  onOperations(async (service) => {
    const { ring } = await service.get('signingKeyRings')[use].read();
    const refused = unconfirmed(nextKey(ring) ? ACTIVATION_COSTS[use] : null, yes);
    if (refused) return refused;
    const activated = await service
      .get('activateSigningKey')
      .execute(operatorPermit('signing-key activate'), use, { unlisted: now });
    return activated.ok ? told(use, activated.value) : activated;
  });

const revoke = (kid: string, { use, yes }: Options): Answered =>
  onOperations(async (service) => {
    const { ring } = await service.get('signingKeyRings')[use].read();
    const hasSigned = ring.some((key) => key.kid === kid && key.current_from !== null);
    const refused = unconfirmed(hasSigned ? REVOCATION_COSTS[use] : null, yes);
    if (refused) return refused;
    const revoked = await service.get('revokeSigningKey').execute(operatorPermit('signing-key revoke'), use, kid);
    if (!revoked.ok) return revoked;
    const current = revoked.value;
    const text = `Key ${kid} is revoked, and listed no more.${current ? ` ${says(use, current)}` : ''}`;
    return ok({ json: { revoked: kid, current: current?.kid ?? null }, text });
  });

const list = (use: KeyUse): Answered =>
  onOperations(async (service) => {
    const keys = (await service.get('signingKeyRings')[use].read()).ring.map(signingKeyView);
    const rows = keys.map(({ kid, state, created_at, current_from }) => [kid, state, created_at, current_from]);
    return ok({ json: keys, text: table(['key', 'state', 'created', 'in use from'], rows) });
  });

const YES = ['--yes', 'do it, although clients lose something; without this, the command says what'] as const;

const command = (group: Command, name: string, description: string): Command =>
  leaf(group, name, description).addOption(
    new Option('--use <use>', 'the signatures that the key makes').choices(KEY_USES).default('policy'),
  );

export const signingKeyCommands = (program: Command): void => {
  const group = program
    .command('signing-key')
    .description('keys that sign the client policy, license tokens and files of releases');
  command(group, 'create', 'create a key: the first is in use at once, a later one is listed as the next').action(
    (options: Options) => answer(options, () => create(options.use)),
  );
  command(group, 'list', 'list the keys').action((options: Options) => answer(options, () => list(options.use)));
  command(group, 'activate', 'bring the next key into use; the previous key still verifies')
    .option('--now', 'even before clients can have learnt of the next key, because the current key is lost')
    .option(...YES)
    .action((options: Options & { now?: boolean }) => answer(options, () => activate(options)));
  command(
    group,
    'revoke',
    'take a key off the list, so that its signatures count no more; the next key takes its place',
  )
    .argument('<kid>', 'the key as `list` shows it; put -- before a key that begins with a hyphen')
    .option(...YES)
    .action((kid: string, options: Options) => answer(options, () => revoke(kid, options)));
};
