import { join } from 'node:path';
import { freePort } from '../../../support/free-port.ts';
import { demoShot, fill, portsOf } from '../first-start.ts';
import { atMost, part } from '../part.ts';
import {
  BARE,
  bareInJavaScript,
  bundled,
  type Program,
  RunningProgram,
  scriptProgram,
  wallMillis,
} from '../programs.ts';
import { onSqlite } from '../service.ts';
import { median, takeTurns } from '../statistics.ts';

const STARTS = 7;
const COMMANDS = 9;

/** A program that loads Express and prints a line. */
const EXPRESS_LINE: Program = `node --input-type=module -e "import express from 'express'; express(); console.log('ready');"`;

/** Milliseconds from the start of a process to its answer to a license check. */
const startMillis = async (program: Program, env: Record<string, string>, key: string) => {
  const port = await freePort();
  const from = performance.now();
  const server = new RunningProgram(program, { ...env, ...portsOf(port) }, port);
  await server.answered(demoShot(key));
  const millis = performance.now() - from;
  await server.stop();
  return millis;
};

export const START = part({
  title: 'Start',
  ratios: {
    'time to the first response with a filled store: vs. a bare server': atMost(1.5),
    'time to the first response with a filled store, production bundle: vs. a bare server': atMost(1.5),
    'cli account list: time vs. a program that loads Express': atMost(1.5),
    'cli account list, production bundle: time vs. a program that loads Express': atMost(1.5),
  },
  figures: [
    'time to the first response with a filled store, ms',
    'start to the first answer, bare server, ms',
    'start to the first answer, bare server as JavaScript, ms',
    'cli account list, ms',
    'program that loads Express and prints a line, ms',
  ],
  measure: async (folder) => {
    const env = onSqlite(join(folder, 'data'));
    const service = scriptProgram('start');
    const inJavaScript = await bareInJavaScript(folder);
    const key = await fill(service, env);
    const ours = () => startMillis(service, env, key);
    const express = () => startMillis(BARE, {}, key);
    await takeTurns(1, ours, express);
    const start = await takeTurns(STARTS, ours, express);
    const production = bundled();
    const inProduction = () => startMillis(production.start, env, key);
    await takeTurns(1, inProduction, express);
    const productionStart = await takeTurns(STARTS, inProduction, express);
    const javaScript: number[] = [];
    for (let round = 0; round < STARTS; round++) javaScript.push(await startMillis(inJavaScript, {}, key));
    const list = () => wallMillis(scriptProgram('cli', 'account list'), env);
    const line = () => wallMillis(EXPRESS_LINE, {});
    await takeTurns(1, list, line);
    const cli = await takeTurns(COMMANDS, list, line);
    const listInProduction = () => wallMillis(production.list, env);
    await takeTurns(1, listInProduction, line);
    const productionCli = await takeTurns(COMMANDS, listInProduction, line);
    return {
      ratios: {
        'time to the first response with a filled store: vs. a bare server': start.ratio,
        'time to the first response with a filled store, production bundle: vs. a bare server': productionStart.ratio,
        'cli account list: time vs. a program that loads Express': cli.ratio,
        'cli account list, production bundle: time vs. a program that loads Express': productionCli.ratio,
      },
      figures: {
        'time to the first response with a filled store, ms': start.ours,
        'start to the first answer, bare server, ms': start.bare,
        'start to the first answer, bare server as JavaScript, ms': median(javaScript),
        'cli account list, ms': cli.ours,
        'program that loads Express and prints a line, ms': cli.bare,
      },
    };
  },
});
