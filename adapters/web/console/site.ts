import type { FindMember } from '../../../application/access/members.ts';
import { principalOfMember } from '../../../domain/access/member.ts';
import { LOCALES } from '../../../domain/shared/locale.ts';
import type { Site } from '../account/site.ts';
import { shell as en } from './messages/en/shell.ts';
import { shell as ko } from './messages/ko/shell.ts';

/** The shop's console, which opens only for members. Its cookies are not those of the buyers' pages. */
export const consoleSite = (url: string, findMember: FindMember): Site => ({
  url,
  place: 'console',
  cookies: 'console',
  home: '/',
  welcome: '/',
  menu: ['security'],
  formBytes: 512 * 1024,
  isPublic: false,
  words: { en: en.site, ko: ko.site },
  languages: () => LOCALES,
  principalOf: async (session) => {
    const member = await findMember(session.account_id);
    return member ? principalOfMember(session, member) : null;
  },
});
