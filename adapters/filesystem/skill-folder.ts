import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { inPathOrder } from '../../domain/design/documents/skill.ts';
import type { SkillPackage, SkillText } from '../../ports/outbound/design/documents.ts';

type Package = Awaited<ReturnType<SkillPackage['read']>>;

/**
 * The value of a field in the frontmatter of SKILL.md, which is at the top of the file between lines of three hyphens.
 */
const fieldOf = (text: string, name: string): string => {
  const [, frontmatter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const line = frontmatter.split('\n').find((one) => one.startsWith(`${name}: `));
  if (line === undefined) throw new Error(`SKILL.md has no ${name}.`);
  return line.slice(name.length + 2).trim();
};

/** The skill package in a folder: every Markdown file below it, and no other. The files are read once. */
export class SkillFolder implements SkillPackage {
  readonly #folder: string;
  #read: Promise<Package> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(): Promise<Package> {
    this.#read ??= this.#open();
    return this.#read;
  }

  async #open(): Promise<Package> {
    const names = await readdir(this.#folder, { recursive: true });
    const texts = names.filter((name) => name.endsWith('.md'));
    const files = inPathOrder(await Promise.all(texts.map((name) => this.#file(name))));
    const skill = files.find(({ path }) => path === 'SKILL.md')?.text ?? '';
    return { name: fieldOf(skill, 'name'), version: fieldOf(skill, 'version'), files };
  }

  async #file(name: string): Promise<SkillText> {
    const bytes = await readFile(join(this.#folder, name));
    return {
      path: name.replaceAll(sep, '/'),
      sha256: hash('sha256', bytes, 'hex'),
      size: bytes.length,
      text: bytes.toString('utf8'),
    };
  }
}
