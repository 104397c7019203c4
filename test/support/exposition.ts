/** A series in Prometheus's text format: its name, labels and value. */
export type Series = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** The metrics of a process, from Prometheus's text format. */
export type Scraped = {
  readonly text: string;
  /** The type of each metric by name. */
  readonly types: ReadonlyMap<string, string>;
  readonly series: readonly Series[];
  /** The sum of the series with this name and these labels; undefined if there is none. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
};

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;

const seriesOf = (line: string): Series => {
  const { name = '', labels = '', value } = LINE.exec(line)?.groups ?? {};
  if (name === '') throw new Error(`This is no line of the text format: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]);
  return {
    name,
    labels: Object.fromEntries(pairs),
    value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
  };
};

export const readExposition = (text: string): Scraped => {
  const lines = text.split('\n');
  const types = lines.flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    return name && type ? [[name, type] as const] : [];
  });
  const series = lines.filter((line) => line !== '' && !line.startsWith('#')).map(seriesOf);
  const value: Scraped['value'] = (name, labels = {}) => {
    const found = series.filter(
      (one) => one.name === name && Object.entries(labels).every(([label, wanted]) => one.labels[label] === wanted),
    );
    return found.length === 0 ? undefined : found.reduce((sum, one) => sum + one.value, 0);
  };
  return { text, types: new Map(types), series, value };
};

/** Reads the metrics at an address. */
export const scrape = async (url: string): Promise<Scraped> => {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`);
  return readExposition(await response.text());
};
