export const setup = {
  title: 'Open your shop’s console',
  lead: 'You become the first person who runs this shop. Later you sign in with a link by mail or with a passkey.',
  email: 'Your email address',
  name: 'Your name',
  nameHint: 'It stands beside each change that you make.',
  go: 'Open the console',
  unusableTitle: 'This link has ended',
  unusable:
    'It has expired, a later start of the service replaced it, or the shop has its first person already. Start the service again for a new link, or sign in.',
  signIn: 'Sign in',
  refused: {
    account_suspended: 'The account of this address is suspended. Use another address.',
    email_malformed: 'This is not an email address.',
    name_is_empty: 'Enter your name.',
    member_exists: 'This address runs the shop already. Sign in.',
    too_many_members: 'The shop has too many people.',
    setup_not_usable: 'This link has ended. Sign in, or start the service again for a new link.',
    too_many_attempts: 'Too many attempts. Try again in a minute.',
  },
};

export type SetupWords = typeof setup;
