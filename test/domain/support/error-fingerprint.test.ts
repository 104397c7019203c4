import { describe, expect, test } from 'vitest';
import {
  errorSignature,
  exceptionName,
  fingerprintOf,
  isFingerprint,
  topFrames,
} from '../../../domain/support/fingerprint.ts';

const report = (more: object = {}) => ({
  app_bundle_id: 'com.example.timer',
  error_type: 'crash',
  error_message: 'It broke',
  stack_trace: null,
  ...more,
});

const TRACES: readonly [string, string, string, readonly string[]][] = [
  [
    'Swift and Objective-C',
    '0   Timer    0x0000000104a3c1f8 $s5Timer4tickyyF + 120\n1   libswiftCore.dylib  0x00007fff2041a3b0 swift_unexpectedError + 632\n2  Timer 0x0000000104a00000 -[AppDelegate start:] + 20',
    '0   Timer    0x0000000209b3c1f8 $s5Timer4tickyyF + 124\n1   libswiftCore.dylib  0x00007fff3041a3b0 swift_unexpectedError + 632\n2  Timer 0x0000000209b00000 -[AppDelegate start:] + 24',
    ['Timer $s5Timer4tickyyF', 'libswiftCore.dylib swift_unexpectedError', 'Timer -[AppDelegate start:]'],
  ],
  [
    'V8 JavaScript',
    'TypeError: x\n    at Table.row (/Users/jane/src/table.js:10:7)\n    at async draw (file:///srv/app/draw.mjs:3:1)\n    at /srv/app/main.js:1:1',
    'TypeError: x\n    at Table.row (C:\\build\\7\\src\\table.js:12:9)\n    at async draw (file:///opt/x/draw.mjs:4:1)\n    at /opt/main.js:2:1',
    ['Table.row table.js', 'draw draw.mjs', 'main.js'],
  ],
  [
    'bundled JavaScript',
    'render@https://shop.example/static/app.3f2a1b9c.js?v=7:10:5\nmain@https://shop.example/static/app.3f2a1b9c.js?v=7:1:1',
    'render@https://beta.shop.example/static/app.77aa01bc.js?v=8:11:5\nmain@https://beta.shop.example/static/app.77aa01bc.js?v=8:1:2',
    ['render app.js', 'main app.js'],
  ],
  [
    'Python, with the innermost frame last',
    'Traceback (most recent call last):\n  File "/srv/app.py", line 10, in main\n    run()\n  File "/srv/run.py", line 3, in run\n    raise ValueError("x")\nValueError: x',
    'Traceback (most recent call last):\n  File "/home/bob/app.py", line 12, in main\n    run()\n  File "/home/bob/run.py", line 4, in run\n    raise ValueError("y")\nValueError: y',
    ['run run.py', 'main app.py'],
  ],
  [
    'an application without symbols',
    '0   Timer   0x0000000104a3c1f8 0x104a00000 + 246264\n1   Timer   0x0000000104a3c200 0x104a00000 + 246272',
    '0   Timer   0x0000000209b3c1f8 0x209b00000 + 246264\n1   Timer   0x0000000209b3c200 0x209b00000 + 246272',
    ['Timer', 'Timer'],
  ],
  [
    'Go',
    'goroutine 1 [running]:\nmain.(*Server).render(0xc000012345, 0x1)\n\t/srv/main.go:10 +0x1d\ngithub.com/acme/x.Run(...)\n\t/srv/x.go:3',
    'goroutine 7 [running]:\nmain.(*Server).render(0xc000099999, 0x2)\n\t/ci/main.go:12 +0x2f\ngithub.com/acme/x.Run(...)\n\t/ci/x.go:4',
    ['main.(*Server).render', 'x.Run'],
  ],
  [
    'Go, with the start of a goroutine',
    'goroutine 1 [running]:\nmain.run()\n\t/srv/main.go:10 +0x1d\ncreated by net/http.(*Server).Serve in goroutine 1\n\t/srv/x.go:3',
    'goroutine 7 [running]:\nmain.run()\n\t/ci/main.go:12 +0x2f\ncreated by net/http.(*Server).Serve in goroutine 22\n\t/ci/x.go:4',
    ['main.run', 'http.(*Server).Serve'],
  ],
  [
    'Java',
    'java.lang.IllegalStateException: x\n\tat com.acme.Main.run(Main.java:7)\n\tat com.acme.Main.main(Main.java:3)',
    'java.lang.IllegalStateException: y\n\tat com.acme.Main.run(Main.java:9)\n\tat com.acme.Main.main(Main.java:4)',
    ['com.acme.Main.run Main.java', 'com.acme.Main.main Main.java'],
  ],
];

describe('the fingerprint of an error', () => {
  test.each(
    TRACES,
  )('the fingerprint of a trace of %s is the same on every device and build', (_, one, other, frames) => {
    expect(topFrames(one, 5)).toEqual(frames);
    const text = (stack_trace: string) => errorSignature(report({ stack_trace })).text;
    expect(text(one)).toBe(text(other));
  });

  test('the signature of an error contains no address, line number or folder', () => {
    for (const [, one, other] of TRACES) {
      for (const stack_trace of [one, other]) {
        const { text } = errorSignature(report({ stack_trace }));
        expect(text).not.toMatch(/0x|jane|bob|\/srv|\/home|:\d/);
      }
    }
  });

  test.each([
    { app_bundle_id: 'com.example.other' },
    { error_type: 'warning' },
    { error_message: 'RangeError: It broke' },
    { stack_trace: 'TypeError: x\n    at Table.column (/a/table.js:10:7)' },
  ])('the signature of an error changes with %j', (more) => {
    const stack_trace = 'TypeError: x\n    at Table.row (/a/table.js:10:7)';
    expect(errorSignature(report({ stack_trace, ...more })).text).not.toBe(
      errorSignature(report({ stack_trace })).text,
    );
  });

  test.each([
    ['Row 12 of 50 is gone', 'Row 7 of 9 is gone'],
    ['No file "/Users/jane/a.txt"', 'No file "/Users/bob/b.txt"'],
    ['Order 9f86d081-884c-4d65-9a2f-eaa0c55ad015 failed', 'Order 00000000-884c-4d65-9a2f-eaa0c55ad015 failed'],
    ['Pointer 0x7fff2041 freed', 'Pointer 0x104a3c1f freed'],
  ])('an error without a stack trace has the same signature for the messages %j and %j', (one, other) => {
    const text = (error_message: string) => errorSignature(report({ error_message })).text;
    expect(text(one)).toBe(text(other));
    expect(text(one)).not.toBe(text('The disk is full'));
  });

  test.each([
    ['TypeError: x is undefined', null, 'TypeError'],
    ['Uncaught java.lang.IllegalStateException: no', null, 'java.lang.IllegalStateException'],
    ['Exception Type: EXC_BAD_ACCESS (SIGSEGV)', null, 'EXC_BAD_ACCESS'],
    [
      'It broke',
      'java.lang.IllegalStateException: x\n\tat com.acme.Main.run(Main.java:7)',
      'java.lang.IllegalStateException',
    ],
    ['It broke', 'Traceback (most recent call last):\n  File "a.py", line 1, in b\nKeyError: 5\n', 'KeyError'],
    ['It broke', null, null],
  ])('the exception of the message %j with the trace %j is %s', (error_message, stack_trace, name) => {
    expect(exceptionName(report({ error_message, stack_trace }))).toBe(name);
  });

  test('only the five top frames count', () => {
    const text = (...names: string[]) =>
      errorSignature(report({ stack_trace: names.map((name) => `    at ${name} (/a/app.js:1:1)`).join('\n') })).text;
    const top = ['a', 'b', 'c', 'd'] as const;
    expect(text(...top, 'e', 'f')).toBe(text(...top, 'e', 'other'));
    expect(text(...top, 'e')).not.toBe(text(...top, 'other'));
  });

  test('a fingerprint names its method and is told apart from other ids', () => {
    const fingerprint = fingerprintOf('ab'.repeat(32));
    expect(fingerprint).toBe(`v1:${'ab'.repeat(16)}`);
    expect(isFingerprint(fingerprint)).toBe(true);
    for (const other of ['123', 'v1:', `v1:${'AB'.repeat(16)}`, `${fingerprint}0`])
      expect(isFingerprint(other)).toBe(false);
  });

  test.each([
    'at ',
    'at (',
    'a@',
    '@a:1',
    '0 a ',
    '0  0x1 ',
    'a.',
    'a.(',
    'main.',
    '  File "',
    '\n',
    ' ',
    '0x1',
    '"',
    '/',
    'Error',
    `${'.'.repeat(200)}${'('.repeat(299)}\n`,
    `${'('.repeat(10)}${'.'.repeat(150)}${'('.repeat(200)}${')'.repeat(139)}\n`,
  ])('a fingerprint is computed in linear time: 50,000 characters of %j', (unit) => {
    const text = unit.repeat(50_000 / unit.length);
    for (const stack_trace of [text, text.replaceAll(/.{1,500}/g, '$&\n')]) {
      const started = performance.now();
      errorSignature(report({ stack_trace, error_message: text.slice(0, 10_000) }));
      expect(performance.now() - started).toBeLessThan(300);
    }
  });
});
