import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bar, Part, Table } from './part.ts';

export type Ratio = Bar & { readonly name: string; readonly value: number };

export type Bench = {
  /** The date, the processor and other facts that the page names. */
  readonly machine: Readonly<Record<'date' | 'processor' | 'node' | 'platform' | 'load', string>>;
  readonly figures: Readonly<Record<string, number>>;
  readonly ratios: readonly Ratio[];
  readonly tables: Readonly<Record<string, Table>>;
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The values of the measured parts, and the titles of those that failed. */
export type Run = Omit<Bench, 'machine'> & { readonly failed: readonly string[] };

/** Measures one part after another, each in an empty folder. A failing part does not stop the others. */
export const runParts = async (parts: readonly Part[]): Promise<Run> => {
  const failed: string[] = [];
  const figures: Record<string, number> = {};
  const tables: Record<string, Table> = {};
  const ratios: Ratio[] = [];
  for (const { title, ratios: bars, measure } of parts) {
    say(`${title} …`);
    const from = performance.now();
    const folder = mkdtempSync(join(tmpdir(), 'account-service-bench-'));
    try {
      const measured = await measure(folder);
      for (const [name, value] of Object.entries(measured.figures)) figures[name] = rounded(value);
      for (const [name, bar] of Object.entries(bars)) {
        ratios.push({ name, value: rounded(measured.ratios[name] ?? Number.NaN), ...bar });
      }
      Object.assign(tables, measured.tables);
    } catch (error) {
      failed.push(title);
      say(`  failed: ${(error as Error).message}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    say(`  ${Math.round((performance.now() - from) / 1000)} s`);
  }
  return { figures, ratios, tables, failed };
};
