import fc from 'fast-check';
import addressparser from 'nodemailer/lib/addressparser/index.js';
import { describe, expect, test } from 'vitest';
import { canonicalAddress, isSameAddress } from '../../../domain/accounts/address.ts';

/** ASCII in full width. */
const wide = (text: string): string =>
  text.replace(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));

const SAME = [
  [
    'user@xn--mnchen-3ya.de',
    'user@münchen.de',
    'USER@MÜNCHEN.DE',
    'user@XN--MNCHEN-3YA.de',
    ' user@mu\u0308nchen.de\n',
  ],
  ['user@xn--strae-oqa.de', 'user@straße.de'],
  ['user@xn--wgv71a119e.jp', 'user@日本語.jp', 'user@日本語。jp', wide('user@日本語.jp')],
  ['t@example.com', 'T@Example.COM', '\u00a0t@example.com\u3000', wide('t@example.com'), `${wide('T')}@example.com`],
  ['k@example.com', '\u212a@example.com'],
  ["o'brien+a_b.c-d@mail.example.co.uk", "O'Brien+a_b.c-d@mail.example.co.uk"],
  ['a@xn--e1afmkfd.xn--p1ai', 'a@пример.рф'],
  ['a@b.c', 'a@b.c'],
  [`${'a'.repeat(64)}@example.com`, `${'A'.repeat(64)}@example.com`],
  ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
];

const NONE = {
  'nothing at all': ['', ' ', '@', 'plain', 'a@', '@example.com'],
  'one label alone': ['a@b', 'a@localhost', 'a@example.', 'a@.com', 'a@example..com', 'a@example.com.'],
  'two signs': ['a@b@example.com', 'a@b＠example.com', '"a@b"@example.com'],
  'a name or brackets': [
    '<t@example.com>',
    'T <t@example.com>',
    'mailto:t@example.com',
    't@example.com>',
    't@example.com,',
  ],
  'quotes and comments': [
    '"t"@example.com',
    't(x)@example.com',
    't@(x)example.com',
    '"a b"@example.com',
    '"x@y.com z"@internal.example',
    't\\@example.com',
  ],
  'dots that no atom has': ['.a@example.com', 'a.@example.com', 'a..b@example.com'],
  'spaces and line breaks': [
    'a b@example.com',
    'a@exam ple.com',
    'a@example.com\r\nbcc:x@y.zz',
    'a\t@example.com',
    'a@b.com\0',
  ],
  'unseen characters': [
    't\u00ad@example.com',
    't\u200b@example.com',
    't@exam\u200bple.com',
    't@exam\u00adple.com',
  ].concat([
    '\u2060t@example.com',
    't@example.com\u200b',
    't@example.com\u200e',
    't\ufe0f@example.com',
    't@a\u200db.com',
  ]),
  'a lookalike before the sign': ['t\u0430@example.com', 'jos\u00e9@example.com', '\u4f60@example.com'],
  'an IP address, a port, a path or an escape': [
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a@[IPv6:::1]',
    'a@2130706433',
    'a@0x7f.1',
  ].concat([
    'a@example.com:25',
    'a@example.com/x',
    'a@example.com?x',
    'a@example.com#x',
    'a@ex%61mple.com',
    'a@x\\y.com',
    'a@1.2.3',
  ]),
  'a domain that no host has': ['a@-b.com', 'a@b-.com', 'a@a_b.com', `a@${'b'.repeat(64)}.com`, 'a@\u2488com'],
  'too many characters': [
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(60)}.`.concat(`${'c'.repeat(60)}.`.repeat(4), 'com'),
  ],
};

describe('the normal form of an email address', () => {
  test.each(
    SAME.map(([form = '', ...spellings]) => ({ form, spellings })),
  )('each spelling of $form has this normal form', ({ form, spellings }) => {
    expect(spellings.map(canonicalAddress)).toEqual(spellings.map(() => form));
  });

  test.each(Object.entries(NONE))('a text with %s has no normal form', (_, texts) => {
    expect(texts.filter((text) => canonicalAddress(text) !== null)).toEqual([]);
  });

  test('a look-alike domain is a different domain', () => {
    expect(canonicalAddress('t@ex\u0430mple.com')).toBe('t@xn--exmple-4nf.com');
    expect(isSameAddress('t@ex\u0430mple.com', 't@example.com')).toBe(false);
  });

  test('normalizing an address twice changes nothing, and a mailer reads the result as one address', () => {
    const near = fc.constantFrom(...SAME.flat(), ...Object.values(NONE).flat());
    const mixed = fc
      .tuple(near, fc.string({ unit: 'grapheme', maxLength: 3 }), fc.nat(30))
      .map(([text, more, at]) => text.slice(0, at) + more + text.slice(at));
    fc.assert(
      fc.property(fc.oneof(near, mixed, fc.emailAddress()), (text) => {
        const address = canonicalAddress(text);
        if (address === null) return;
        expect(address).toMatch(/^[!-~]{3,254}$/);
        expect(canonicalAddress(address)).toBe(address);
        expect(canonicalAddress(wide(address).replace(/＠.*/s, `@${address.split('@')[1]}`))).toBe(address);
        expect(addressparser(address)).toEqual([{ address, name: '' }]);
      }),
      { numRuns: 2000 },
    );
  });

  test('addresses without a normal form are compared as stored', () => {
    expect(isSameAddress(' A@B', 'a@b')).toBe(true);
    expect(isSameAddress('a@b', 'a@c')).toBe(false);
  });
});
