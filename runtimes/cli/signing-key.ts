import type { Command } from 'commander';
import { type SigningKeyView, signingKeyView } from '../../domain/policy/signing-key-ring.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onNewOperations, onOperations } from './command.ts';
import { table } from './print.ts';

type Options = { json?: boolean };

const SAYS = {
  next: 'is listed as the next key. Activate it once clients have had ten minutes to learn of it.',
  current: 'signs the client policy from now on.',
  old: 'signs no more.',
} as const;

const told = (key: SigningKeyView) => ok({ json: key, text: `Key ${key.kid} ${SAYS[key.state]}` });

const create = (): Answered =>
  onNewOperations(async (service) => {
    const created = await service.get('createSigningKey').execute();
    return created.ok ? told(created.value) : created;
  });

const activate = (unlisted: boolean): Answered =>
  onOperations(async (service) => {
    const activated = await service.get('activateSigningKey').execute({ unlisted });
    return activated.ok ? told(activated.value) : activated;
  });

const revoke = (kid: string): Answered =>
  onOperations(async (service) => {
    const revoked = await service.get('revokeSigningKey').execute(kid);
    if (!revoked.ok) return revoked;
    const current = revoked.value?.kid ?? null;
    const signs = current === null ? '' : ` Key ${current} ${SAYS.current}`;
    return ok({ json: { revoked: kid, current }, text: `Key ${kid} is revoked, and listed no more.${signs}` });
  });

const list = (): Answered =>
  onOperations(async (service) => {
    const keys = (await service.get('signingKeyRings').read()).ring.map(signingKeyView);
    const rows = keys.map(({ kid, state, created_at, current_from }) => [kid, state, created_at, current_from]);
    return ok({ json: keys, text: table(['key', 'state', 'created', 'in use from'], rows) });
  });

export const signingKeyCommands = (program: Command): void => {
  const group = program.command('signing-key').description('keys that sign the client policy');
  leaf(group, 'create', 'create a key: the first is in use at once, a later one is listed as the next').action(
    (options: Options) => answer(options, create),
  );
  leaf(group, 'list', 'list the keys').action((options: Options) => answer(options, list));
  leaf(group, 'activate', 'bring the next key into use; the previous key still verifies')
    .option('--now', 'even before clients can have learnt of the next key, because the current key is lost')
    .action((options: Options & { now?: boolean }) => answer(options, () => activate(options.now === true)));
  leaf(group, 'revoke', 'take a key off the list, so that its signatures count no more; the next key takes its place')
    .argument('<kid>', 'the key as `list` shows it; put -- before a key that begins with a hyphen')
    .action((kid: string, options: Options) => answer(options, () => revoke(kid)));
};
