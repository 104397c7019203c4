/** The part of a stack trace that is read, in lines and characters per line. It bounds the work for any input. */
const MAX_LINES = 300;
const MAX_LINE = 500;

/** The last part of a path, without query, position and hashes of builds. */
const fileName = (path: string): string => {
  const plain = path.replace(/[?#].*$/, '').replace(/(?::\d{1,9}){0,2}\)?$/, '');
  const name = plain.slice(Math.max(plain.lastIndexOf('/'), plain.lastIndexOf('\\')) + 1);
  return name.replaceAll(/[.-](?=[0-9a-f]{0,64}\d)[0-9a-f]{6,64}(?=[.-])/gi, '');
};

/** A symbol without addresses, offsets, arguments and hashes of compilers. */
const symbol = (text: string): string =>
  text
    .replaceAll(/0x[0-9a-f]{1,16}/gi, '')
    .replace(/::h[0-9a-f]{16}\b/, '')
    .replace(/\s\+\s\d{1,12}.*$/, '')
    .replace(/\((?:[^()]{0,200})\)$/, '')
    .replace(/\s{2,}/g, ' ')
    .trim();

type FrameReader = (line: string) => string | undefined;

/**
 * V8, Java and .NET: `at render (/srv/app.js:10:5)`, `at async /srv/app.js:10:5`, `at com.acme.Main.run(Main.java:7)`.
 */
const atFrame: FrameReader = (line) => {
  const [, text] = /^\s{0,40}at (?:async |new )?(.{1,400})$/.exec(line) ?? [];
  if (text === undefined) return undefined;
  const open = text.lastIndexOf('(');
  if (open < 0) return fileName(text.trim());
  const file = fileName(text.slice(open + 1).replace(/\)\s*$/, ''));
  return `${symbol(text.slice(0, open))} ${file}`.trim();
};

/** Gecko and JavaScriptCore: `render@https://shop.example/app.js:10:5`. */
const geckoFrame: FrameReader = (line) => {
  const [, name, place] = /^([^@\s]{0,200})@(\S{1,400}?:\d{1,9}(?::\d{1,9})?)$/.exec(line.trim()) ?? [];
  return place === undefined ? undefined : `${name} ${fileName(place)}`.trim();
};

/** Apple: `3   Timer   0x0000000104a3c1f8 $s5Timer4tickyyF + 120`; without symbols only the image stays. */
const appleFrame: FrameReader = (line) => {
  const [, image, rest] = /^\s{0,8}\d{1,4}\s{1,8}(\S.{0,80}?)\s{1,60}0x[0-9a-f]{1,16}\s(.{1,300})$/i.exec(line) ?? [];
  return image === undefined ? undefined : `${image} ${symbol(rest as string)}`.trim();
};

/** Python: `File "/srv/app.py", line 10, in render`. */
const pythonFrame: FrameReader = (line) => {
  const [, path, name = ''] = /^\s{1,40}File "([^"]{1,400})", line \d{1,9}(?:, in (.{1,200}))?$/.exec(line) ?? [];
  return path === undefined ? undefined : `${name} ${fileName(path)}`.trim();
};

/** The name of a call in Go, before its arguments. */
const GO_NAME = /^[\w./*()-]{1,200}\.[\w.*()]{1,200}$/;

/** The leading characters of a call in Go. The last bracket among them opens the arguments. */
const GO_CALL = /^[\w./*()-]{1,400}/;

/**
 * Go: `main.(*Server).render(0xc000012345, 0x1)`. Its file is on the next line, which is ignored. The line is cut
 * before it is matched, because one pattern for the whole line would try every bracket with every dot.
 */
const goFrame: FrameReader = (line) => {
  const text = line.replace(/^created by /, '').replace(/\sin goroutine \d{1,9}$/, '()');
  if (!text.endsWith(')')) return undefined;
  const [called = ''] = GO_CALL.exec(text) ?? [];
  const name = called.slice(0, Math.max(0, called.lastIndexOf('(')));
  return GO_NAME.test(name) ? name.slice(name.lastIndexOf('/') + 1) : undefined;
};

const READERS: readonly FrameReader[] = [atFrame, pythonFrame, appleFrame, geckoFrame, goFrame];

/** True for a trace whose failing line is the last one, as in Python. */
const isLastFirst = (lines: readonly string[]): boolean =>
  lines.some((line) => /^Traceback \(most recent call last\)/.test(line));

/** The lines of a stack trace that are read: at most 300, each cut to 500 characters. */
export const stackLines = (stack: string): string[] =>
  stack.split(/\r\n|\n|\r/, MAX_LINES).map((line) => line.slice(0, MAX_LINE));

/**
 * The first `count` frames of a stack trace in a form that is the same on every device, build and version: without
 * addresses, line numbers, directories and hashes of builds. Reads traces of Swift and Objective-C, JavaScript, Python,
 * Go, Java and .NET; empty for any other trace.
 */
export const topFrames = (stack: string, count: number): string[] => {
  const lines = stackLines(stack);
  const frames = lines.flatMap((line) => {
    for (const read of READERS) {
      const frame = read(line);
      if (frame !== undefined) return frame === '' ? [] : [frame];
    }
    return [];
  });
  return (isLastFirst(lines) ? frames.reverse() : frames).slice(0, count);
};
