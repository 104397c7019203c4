import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { addStacks, checkedApp, type Stacks } from '../account-service.ts';
import { BUNDLED, bundleOf } from '../bundles/functions.ts';

/** Creates folders in place of built bundles. The stacks don't depend on their content. */
export const emptyBundles = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-service-infra-'));
  for (const name of BUNDLED) {
    await mkdir(bundleOf(name, folder));
    await writeFile(join(bundleOf(name, folder), 'index.mjs'), `export const handler = '${name}';\n`);
  }
  return folder;
};

export type Synthesized = {
  readonly stacks: Stacks;
  /** The templates of the stacks, without those that the context did not ask for. */
  readonly templates: Readonly<Record<keyof Stacks, Template>>;
};

/** Synthesizes the templates for a context. Throws if a check has an unexplained finding. */
export const synthesized = (bundles: string, context: Readonly<Record<string, string>> = {}): Synthesized => {
  const app = checkedApp(context);
  const stacks = addStacks(app, bundles);
  const made = Object.entries(stacks).flatMap(([name, stack]) => (stack ? [[name, Template.fromStack(stack)]] : []));
  return { stacks, templates: Object.fromEntries(made) };
};

// biome-ignore lint/suspicious/noExplicitAny: a template holds what CloudFormation takes, and a wrong look fails the test
export type Properties = Record<string, any>;

/** The resources of a type, by their logical ids. */
export const resourcesOf = (template: Template, type: string): [string, Properties][] =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties]);
