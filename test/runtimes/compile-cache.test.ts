import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { compiledCodeFolder } from '../../runtimes/composition/compile-cache.ts';

const root = mkdtempSync(join(tmpdir(), 'account-service-compile-cache-'));
afterAll(() => rmSync(root, { recursive: true }));

const KEEPER = join(import.meta.dirname, '..', '..', 'runtimes', 'composition', 'compile-cache.ts');
const program = join(root, 'program.ts');

const write = (answer: string): void =>
  writeFileSync(program, `const answer: string = '${answer}';\nprocess.stdout.write(answer);\n`);

/** Runs the program in a process of its own that keeps its compiled code in `folder`. */
const runKeeping = (folder: string): Promise<{ stdout: string; stderr: string }> => {
  const script = `
    const { keepCompiledCode } = await import(${JSON.stringify(KEEPER)});
    keepCompiledCode(${JSON.stringify(folder)});
    await import(${JSON.stringify(program)});`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
};

describe('compiled code that is kept', () => {
  it('is written into the folder', async () => {
    write('first');
    expect(await runKeeping(join(root, 'cache'))).toEqual({ stdout: 'first', stderr: '' });
    expect(readdirSync(join(root, 'cache'))).toHaveLength(1);
  });

  it('never runs in place of an edited source', async () => {
    write('before');
    await runKeeping(join(root, 'cache'));
    write('after');
    expect(await runKeeping(join(root, 'cache'))).toEqual({ stdout: 'after', stderr: '' });
  });

  it('lies among the packages of a checkout, and nowhere in a project that installed the package', () => {
    const checkout = join('/home', 'shop', 'account-service');
    expect(compiledCodeFolder(checkout)).toBe(join(checkout, 'node_modules', '.cache', 'account-service'));
    expect(compiledCodeFolder(join('/home', 'shop', 'node_modules', 'account-service'))).toBeUndefined();
  });

  it('is not needed: a folder that cannot be written changes nothing', async () => {
    write('first');
    writeFileSync(join(root, 'file'), '');
    expect(await runKeeping(join(root, 'file', 'cache'))).toEqual({ stdout: 'first', stderr: '' });
  });
});
