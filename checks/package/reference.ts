import { join } from 'node:path';
import {
  Application,
  type Context,
  Converter,
  type DeclarationReflection,
  Logger,
  LogLevel,
  ReflectionKind,
} from 'typedoc';
import { ENTRIES, PROJECT } from './entries.ts';

const nameOf = new Map(ENTRIES.map(({ name, source }) => [join(PROJECT, source), name]));

/** Keeps what TypeDoc warns of. */
class Warnings extends Logger {
  readonly messages: string[] = [];

  override log(message: string, level: LogLevel): void {
    super.log(message, level);
    if (level >= LogLevel.Warn) this.messages.push(message);
  }
}

/** Names each module as an import names it, in place of its path. */
const byEntry = (context: Context, reflection: DeclarationReflection): void => {
  if (!reflection.kindOf(ReflectionKind.Module)) return;
  const [file = ''] =
    context.getSymbolFromReflection(reflection)?.declarations?.map((at) => at.getSourceFile().fileName) ?? [];
  reflection.name = nameOf.get(file)?.replace(/^account-service\//, '') ?? reflection.name;
};

/**
 * Writes the reference of all entries as pages into a folder, and returns what TypeDoc warns of: links that lead
 * nowhere, and types that a public signature names and no entry has.
 */
export const writeReference = async (folder: string): Promise<readonly string[]> => {
  const app = await Application.bootstrap({
    entryPoints: ENTRIES.map(({ source }) => join(PROJECT, source)),
    tsconfig: join(PROJECT, 'tsconfig.build.json'),
    name: 'account-service',
    includeVersion: true,
    readme: join(PROJECT, 'checks', 'package', 'reference.md'),
    excludePrivate: true,
    disableSources: true,
    skipErrorChecking: true,
    validation: { notExported: true, invalidLink: true, notDocumented: false },
    logLevel: 'Warn',
  });
  const warnings = new Warnings();
  app.logger = warnings;
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, byEntry);
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc could not read the sources.');
  app.validate(project);
  await app.generateDocs(project, folder);
  return warnings.messages;
};
