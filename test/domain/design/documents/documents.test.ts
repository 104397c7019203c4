import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DesignDocument,
  type DocumentVersion,
  isSlug,
  MAX_DOCUMENTS,
  MAX_PENDING,
  MAX_VERSIONS,
  VERSION_STATES,
  type VersionState,
} from '../../../../domain/design/documents/document.ts';
import { markdownTitle } from '../../../../domain/design/documents/markdown-title.ts';
import { packageLines } from '../../../../domain/design/documents/skill.ts';
import {
  drafted,
  judgeDocuments,
  readable,
  reviewed,
  submitted,
} from '../../../../domain/design/documents/version-life.ts';

const NOW = '2026-11-21T08:00:00.000Z';
const AUTHOR = { id: 1, name: 'author' };
const OTHER = { id: 2, name: 'other' };

const aVersion = (more: Partial<DocumentVersion> = {}): DocumentVersion => ({
  slug: 'buttons',
  number: 2,
  base_version: 1,
  state: 'draft',
  author: AUTHOR,
  sha256: 'a'.repeat(64),
  size: 9,
  created_at: NOW,
  submitted_at: null,
  review: null,
  ...more,
});

const aDocument = (more: Partial<DesignDocument> = {}): DesignDocument => ({
  slug: 'buttons',
  title: 'buttons',
  latest_version: 2,
  current_version: 1,
  created_at: NOW,
  updated_at: NOW,
  ...more,
});

const aDraft = (base_version: number, author = AUTHOR) => ({
  slug: 'buttons',
  base_version,
  author,
  text: { body: '# Buttons', sha256: 'b'.repeat(64), size: 9 },
});

describe('a slug', () => {
  test.each(['a', '0', 'buttons', 'focus-ring', 'v2-1', 'a'.repeat(100)])('the text %s is a slug', (slug) => {
    expect(isSlug(slug)).toBe(true);
  });

  test.each([
    '',
    '-',
    'a-',
    '-a',
    'a--b',
    'A',
    'a_b',
    'a b',
    'a/b',
    '..',
    'é',
    'a'.repeat(101),
    'a\n',
  ])('the text %j is not a slug', (slug) => expect(isSlug(slug)).toBe(false));
});

describe('the title of a Markdown text', () => {
  test.each([
    ['# Buttons', 'Buttons'],
    ['text\n\n## Focus ring ##\n', 'Focus ring'],
    ['###### Deep', 'Deep'],
    ['   # Indented', 'Indented'],
    ['#\tTab', 'Tab'],
    ['# C# and F#', 'C# and F#'],
    ['Underlined\n===', 'Underlined'],
    ['Second level\n---', 'Second level'],
    ['#\n\n# After an empty one', 'After an empty one'],
    ['```\n# a comment\n```\n# Real', 'Real'],
    ['~~~~\n```\n# still code\n~~~~\n# Real', 'Real'],
    ['# One\r\n# Two', 'One'],
    ['# A\u202ename', 'A name'],
    [`# ${'x'.repeat(300)}`, 'x'.repeat(200)],
  ])('the title of %j is %j', (body, title) => expect(markdownTitle(body)).toBe(title));

  test.each([
    '',
    'text',
    '#no space',
    '####### seven',
    '    # code',
    '```\n# open fence',
    '---',
    '- item\n---',
    '# \u200b',
  ])('the text %j has no title', (body) => expect(markdownTitle(body)).toBeNull());

  test('any text has one visible line of at most 200 characters as its title, or none', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('#', '=', '-', '`', '~', ' ', '\n', '\r', '\t', 'a', '\u202e', '😀') }),
        (body) => {
          const title = markdownTitle(body);
          if (title !== null) expect(title).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,400}$/u);
          expect([...(title ?? '')].length).toBeLessThanOrEqual(200);
        },
      ),
    );
  });

  test.each([
    '# '.repeat(131_072),
    `${'a\n'.repeat(100_000)}`,
    '#'.repeat(262_144),
    '`'.repeat(262_144),
    `# ${' #'.repeat(131_000)}`,
  ])('the title of a text of 256 KiB is found within 200 ms', (body) => {
    const started = performance.now();
    markdownTitle(body);
    expect(performance.now() - started).toBeLessThan(200);
  });
});

describe('a draft', () => {
  test('a draft of a new document is its version 1 with the slug as its title', () => {
    expect(drafted(aDraft(0), undefined, undefined, NOW)).toMatchObject({
      value: {
        document: { title: 'buttons', latest_version: 1, current_version: 0 },
        text: { number: 1, state: 'draft', author: AUTHOR, base_version: 0 },
      },
    });
  });

  test('a draft is the next version, and the current version stays unchanged', () => {
    const made = drafted(aDraft(1), aDocument({ title: 'Old' }), aVersion({ number: 1, state: 'approved' }), NOW);
    expect(made).toMatchObject({ value: { document: { latest_version: 3, current_version: 1, title: 'Old' } } });
  });

  test('a draft on a missing base is refused by the field base_version', () => {
    expect(drafted(aDraft(9), aDocument(), undefined, NOW)).toMatchObject({
      code: 'validation_failed',
      data: { errors: { base_version: [expect.stringMatching(/^The base version field/)] } },
    });
  });

  test.each(
    VERSION_STATES,
  )('a draft on a version that is %s is refused only if the version is somebody else’s draft', (state) => {
    const base = aVersion({ state });
    expect(drafted(aDraft(2), aDocument(), base, NOW).ok).toBe(true);
    expect(drafted(aDraft(2, OTHER), aDocument(), base, NOW).ok).toBe(state !== 'draft');
  });

  test('a draft beyond the maximum number of versions is refused', () => {
    const full = (latest_version: number) => drafted(aDraft(0), aDocument({ latest_version }), undefined, NOW).ok;
    expect([full(MAX_VERSIONS - 1), full(MAX_VERSIONS)]).toEqual([true, false]);
  });

  test('a draft of a new document is refused if the store has its maximum number of documents', () => {
    expect(judgeDocuments(MAX_DOCUMENTS - 1).ok).toBe(true);
    expect(judgeDocuments(MAX_DOCUMENTS)).toMatchObject({ code: 'document_limit_reached' });
  });
});

describe('a submission', () => {
  test('a submission puts the caller’s own draft up for review', () => {
    expect(submitted(aVersion(), AUTHOR, 0, NOW)).toMatchObject({ value: { state: 'in_review', submitted_at: NOW } });
  });

  test('a submission of a missing draft or of someone else’s draft finds nothing', () => {
    expect(submitted(undefined, AUTHOR, 0, NOW)).toMatchObject({ code: 'not_found' });
    expect(submitted(aVersion(), OTHER, 0, NOW)).toMatchObject({ code: 'not_found' });
  });

  test.each(
    VERSION_STATES.filter((state) => state !== 'draft'),
  )('a submission of a version that is %s is refused with the state', (state) => {
    expect(submitted(aVersion({ state }), AUTHOR, 0, NOW)).toMatchObject({
      code: 'document_state_conflict',
      data: { state },
    });
  });

  test('a submission is refused while the maximum number of versions awaits a verdict', () => {
    expect(submitted(aVersion(), AUTHOR, MAX_PENDING - 1, NOW).ok).toBe(true);
    expect(submitted(aVersion(), AUTHOR, MAX_PENDING, NOW)).toMatchObject({ code: 'document_limit_reached' });
  });
});

describe('a verdict', () => {
  const judge = (
    verdict: 'approved' | 'changes_requested' | 'rejected',
    version: DocumentVersion,
    document = aDocument(),
    bases = new Map<number, number>(),
  ) => reviewed({ verdict, reason: 'So.', reviewer: OTHER }, { version, document, body: '# Buttons\n', bases }, NOW);
  const pending = aVersion({ state: 'in_review' });

  test('an approval makes the version current, with its heading as the title', () => {
    expect(judge('approved', pending)).toMatchObject({
      value: {
        version: {
          state: 'approved',
          review: { verdict: 'approved', reason: 'So.', reviewer: OTHER, reviewed_at: NOW },
        },
        document: { current_version: 2, title: 'Buttons', updated_at: NOW },
      },
    });
  });

  test.each(['changes_requested', 'rejected'] as const)('the verdict %s leaves the document unchanged', (verdict) => {
    const document = aDocument();
    expect(judge(verdict, pending, document)).toMatchObject({ value: { version: { state: verdict }, document } });
  });

  test('an approval on an outdated base is refused with the current number, while other verdicts are accepted', () => {
    const document = aDocument({ latest_version: 3, current_version: 3 });
    expect(judge('approved', pending, document)).toMatchObject({ data: { current_version: 3 } });
    expect(judge('rejected', pending, document).ok).toBe(true);
    expect(judge('changes_requested', pending, document).ok).toBe(true);
  });

  test('a revision of a rejected version can be approved with and without a current version', () => {
    const revision = aVersion({ number: 4, base_version: 3, state: 'in_review' });
    const bases = new Map([
      [3, 2],
      [2, 1],
      [1, 0],
    ]);
    expect(judge('approved', revision, aDocument({ latest_version: 4, current_version: 1 }), bases).ok).toBe(true);
    expect(judge('approved', revision, aDocument({ latest_version: 4, current_version: 0 }), bases).ok).toBe(true);
  });

  test('a revision is refused if another version became current after its base', () => {
    const revision = aVersion({ number: 4, base_version: 3, state: 'in_review' });
    const document = aDocument({ latest_version: 4, current_version: 2 });
    expect(judge('approved', revision, document, new Map([[3, 1]]))).toMatchObject({ data: { current_version: 2 } });
  });

  test.each(
    VERSION_STATES.filter((state) => state !== 'in_review'),
  )('a verdict on a version that is %s is refused with the state', (state) => {
    expect(judge('approved', aVersion({ state }))).toMatchObject({ code: 'document_state_conflict', data: { state } });
  });

  test('an approval never makes an older version current', () => {
    const numbers = fc.record({
      number: fc.integer({ min: 1, max: 50 }),
      base: fc.integer({ min: 0, max: 49 }),
      current: fc.integer({ min: 0, max: 50 }),
      state: fc.constantFrom<VersionState>(...VERSION_STATES),
    });
    fc.assert(
      fc.property(numbers, ({ number, base, current, state }) => {
        fc.pre(base < number);
        const document = aDocument({ latest_version: 50, current_version: current });
        const judged = judge('approved', aVersion({ number, base_version: base, state }), document);
        expect(judged.ok).toBe(state === 'in_review' && base === current);
        if (judged.ok) expect(judged.value.document.current_version).toBeGreaterThan(current);
      }),
    );
  });
});

test.each(VERSION_STATES)('a version that is %s is read unless it is a draft', (state) => {
  const text = { ...aVersion({ state }), body: '' };
  expect(readable({ slug: 'buttons', number: 2 }, aDocument(), text).ok).toBe(state !== 'draft');
});

test('the lines of a skill package are those of sha256sum, in the order of paths', () => {
  const files = [
    { path: 'references/a.md', sha256: 'b'.repeat(64), size: 1 },
    { path: 'SKILL.md', sha256: 'a'.repeat(64), size: 2 },
  ];
  expect(packageLines(files)).toBe(`${'a'.repeat(64)}  SKILL.md\n${'b'.repeat(64)}  references/a.md\n`);
  expect(packageLines(files.toReversed())).toBe(packageLines(files));
});
