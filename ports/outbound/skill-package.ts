import type { Skill, SkillFile } from '../../domain/documents/skill.ts';

/** A file of the package with its text, which is UTF-8. */
export type SkillText = SkillFile & { readonly text: string };

/** The skill package that comes with the service. It does not change while the process runs. */
export interface SkillPackage {
  read(): Promise<Omit<Skill, 'files'> & { readonly files: readonly SkillText[] }>;
}
