import type { Context } from '../context.ts';

/** The container of infra/machine/Containerfile, as a service of tasks that take the whole of each host. */
export type ContainerOption = {
  /** The image in a registry, with a tag or a digest. */
  readonly image: string;
  readonly architecture: 'arm64' | 'x86_64';
  /** The fewest and the most tasks. */
  readonly tasks: { readonly least: number; readonly most: number };
};

const IMAGE = /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+(?::[\w.-]+|@sha256:[0-9a-f]{64})$/;
/** Two, so that one zone may fail. */
const TASKS = { least: 2, most: 10 };
const BOUNDS = { least: 1, most: 1000 };

/** The container that the context asks for; undefined where it names no image. Throws one sentence for a wrong value. */
export const containerOf = (context: Context): ContainerOption | undefined => {
  const image = context.text('containerImage');
  const architecture = context.oneOf('containerArchitecture', ['arm64', 'x86_64'], 'arm64');
  const least = context.whole('containerTasks', BOUNDS);
  const most = context.whole('containerMostTasks', BOUNDS) ?? Math.max(TASKS.most, least ?? 0);
  if (image === undefined) {
    if (least === undefined) return undefined;
    throw new Error(
      '-c containerTasks needs -c containerImage, the image of infra/machine/Containerfile in a registry.',
    );
  }
  if (!IMAGE.test(image)) {
    throw new Error(
      `-c containerImage takes an image with its registry and its tag or digest, such as 123456789012.dkr.ecr.eu-west-1.amazonaws.com/account-service:0.1.0; it is "${image}".`,
    );
  }
  const tasks = { least: least ?? TASKS.least, most };
  if (tasks.most < tasks.least) {
    throw new Error(`-c containerMostTasks takes at least the ${tasks.least} of -c containerTasks; it is "${most}".`);
  }
  return { image, architecture, tasks };
};
