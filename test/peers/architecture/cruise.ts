import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { projectFiles } from '../../support/project-files.ts';

export const PROJECT = join(import.meta.dirname, '..', '..', '..');

const LAYERS = ['domain', 'application', 'ports', 'adapters', 'runtimes', 'infra', 'examples'];

export type Rule = { readonly name: string; readonly comment: string };
export type Breach = { readonly rule: string; readonly from: string; readonly to: string };
export type Cruise = { readonly modules: readonly string[]; readonly breaches: readonly Breach[] };

const options = await extractDepcruiseOptions(join(PROJECT, 'test/peers/architecture/rules.mjs'));

/** The import rules, each with advice on fixing a violation. */
export const RULES: readonly Rule[] = (options.ruleSet?.forbidden ?? []).map(({ name, comment }) => ({
  name: name ?? '',
  comment: comment ?? '',
}));

const layersUnder = (baseDir: string): string[] => LAYERS.filter((layer) => existsSync(join(baseDir, layer)));

/** Every TypeScript file of the project's layers. */
export const layerFiles = (): string[] =>
  projectFiles().filter((name) => name.endsWith('.ts') && LAYERS.includes(name.split('/')[0] ?? ''));

/** Applies the import rules to the layers in a folder. `modules` are the folder's own files without packages. */
export const cruiseLayers = async (baseDir: string): Promise<Cruise> => {
  const layers = layersUnder(baseDir);
  const { output } = await cruise(layers, { ...options, baseDir });
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered with a text: ${output}`);
  return {
    modules: output.modules.map(({ source }) => source).filter((source) => layers.includes(source.split('/')[0] ?? '')),
    breaches: output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
};

/** Describes a violation by its import, its rule and the advice. */
export const explain = ({ rule, from, to }: Breach): string =>
  `${from} imports ${to} (${rule}). ${RULES.find(({ name }) => name === rule)?.comment ?? ''}`;
