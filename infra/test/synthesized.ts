import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { addStacks, checkedApp, type Stacks } from '../account-service.ts';
import { bundleOf, FUNCTIONS } from '../bundles/functions.ts';

/** Creates folders in place of built bundles. The stacks don't depend on their content. */
export const emptyBundles = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-service-infra-'));
  for (const name of FUNCTIONS) {
    await mkdir(bundleOf(name, folder));
    await writeFile(join(bundleOf(name, folder), 'index.mjs'), `export const handler = '${name}';\n`);
  }
  return folder;
};

export type Synthesized = { readonly stacks: Stacks; readonly templates: Readonly<Record<keyof Stacks, Template>> };

/** Synthesizes the templates for a context. Throws if a check has an unexplained finding. */
export const synthesized = (bundles: string, context: Readonly<Record<string, string>> = {}): Synthesized => {
  const app = checkedApp(context);
  const stacks = addStacks(app, bundles);
  const { data, service, operations } = stacks;
  return {
    stacks,
    templates: {
      data: Template.fromStack(data),
      service: Template.fromStack(service),
      operations: Template.fromStack(operations),
    },
  };
};

// biome-ignore lint/suspicious/noExplicitAny: a template holds what CloudFormation takes, and a wrong look fails the test
export type Properties = Record<string, any>;

/** The resources of a type, by their logical ids. */
export const resourcesOf = (template: Template, type: string): [string, Properties][] =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties]);
