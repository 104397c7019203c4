import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { addStacks, checkedApp, type Stacks } from '../account-service.ts';
import { BUNDLED, bundleOf } from '../bundles/functions.ts';
import { type StageName, stageOf } from '../stage.ts';

/** Folders in place of built bundles, shared by every run. The stacks don't depend on their content. */
export const bundles = join(import.meta.dirname, '..', 'node_modules', '.cache', 'account-service-bundles');
for (const name of BUNDLED) {
  mkdirSync(bundleOf(name, bundles), { recursive: true });
  writeFileSync(join(bundleOf(name, bundles), 'index.mjs'), `export const handler = '${name}';\n`);
}

/** The name of a stage, `dev` by default, and the settings in its file. */
export type Given = { readonly stage?: StageName; readonly [setting: string]: unknown };

/** The stacks of a stage. Throws if a setting is invalid. */
export const stacksOf = ({ stage = 'dev', ...settings }: Given = {}): Stacks =>
  addStacks(checkedApp(), stageOf(stage, settings), bundles);

export type Synthesized = {
  readonly stacks: Stacks;
  /** The templates of the stacks, except those that the settings did not ask for. */
  readonly templates: Readonly<Record<keyof Stacks, Template>>;
};

const made = new Map<string, Synthesized>();

/** Synthesizes the templates of a stage, once per process. Throws if a check has an unexplained finding. */
export const synthesized = (given: Given = {}): Synthesized => {
  const key = JSON.stringify(given);
  const before = made.get(key);
  if (before) return before;
  const stacks = stacksOf(given);
  const templates = Object.fromEntries(
    Object.entries(stacks).flatMap(([name, stack]) => (stack ? [[name, Template.fromStack(stack)]] : [])),
  );
  const result = { stacks, templates } as Synthesized;
  made.set(key, result);
  return result;
};

// biome-ignore lint/suspicious/noExplicitAny: a template holds what CloudFormation takes, and a wrong look fails the test
export type Properties = Record<string, any>;

/** The resources of a type, by their logical ids. */
export const resourcesOf = (template: Template, type: string): [string, Properties][] =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties]);
