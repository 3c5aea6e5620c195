import { describe, expect, it } from 'vitest';
import { boundaryViolations, importsOf } from '../harness/boundaries.mjs';

describe('import boundaries', () => {
  it('hold in every source file', () => {
    expect(boundaryViolations()).toEqual([]);
  });

  it.each([
    ['src/core/a.ts', "import { readFile } from 'node:fs';", 'without Node'],
    ['src/core/a.ts', "import fs from 'fs';", 'without Node'],
    ['src/core/a.ts', "import type { Uri } from 'vscode';", 'may know VS Code'],
    ['src/core/a.ts', "type Uri = import('vscode').Uri;", 'may know VS Code'],
    ['src/core/plan/a.ts', "import { root } from '../../tools/paths.ts';", 'may import only src/core'],
    ['src/core/a.ts', "export * from '../host/panel.ts';", 'may import only src/core'],
    ['src/core/a.ts', "import { html } from 'lit-html';", 'may use only'],
    ['src/core/a.ts', 'const later = await import(name);', 'plain string'],
    ['src/tools/a.ts', "import { window } from 'vscode';", 'may know VS Code'],
    ['src/tools/a.ts', "import { join } from 'node:path';", 'without Node'],
    ['src/protocol/a.ts', "import { read } from '../tools/read.ts';", 'may import only'],
    ['src/protocol/a.ts', "import picomatch from 'picomatch';", 'no package at all'],
    ['src/cli/a.ts', "import { read } from '../tools/read.ts';", 'may import only'],
    ['src/host/a.ts', "import { draw } from '../../webview/main.ts';", 'may import only'],
    ['src/host/a.ts', "const { join } = require('path');", 'write node:path'],
    ['src/extension.ts', "import { open } from '../test/ui/workbench.mjs';", 'may import only'],
    ['webview/a.ts', "import { plan } from '../src/core/plan/plan.ts';", 'makes none'],
    ['webview/a.ts', "import type { Wave } from '../src/core/plan/plan.ts';", 'makes none'],
    ['webview/a/b.ts', "const { run } = await import('../../src/core/dispatch/run.ts');", 'makes none'],
    ['webview/a.ts', "export { declare } from '../src/core/declare.ts';", 'asks for none'],
    ['webview/a.ts', "import { show } from '../src/host/panel.ts';", 'may import only'],
    ['scripts/a.ts', '', 'belongs to no part'],
  ])('catch %s with %s', (file, text, sentence) => {
    expect(boundaryViolations([[file, text]])).toEqual([expect.stringContaining(sentence)]);
  });

  it.each([
    [
      'src/core/a.ts',
      "import { Validator } from '@cfworker/json-schema'; import './b.ts'; import '../core/plan/c.ts';",
    ],
    ['src/tools/a.ts', "import ignore from 'ignore'; import type { Call } from '../core/model.ts';"],
    ['src/host/a.ts', "import * as vscode from 'vscode'; import { join } from 'node:path';"],
    [
      'src/cli/a.ts',
      "import { readFileSync } from 'node:fs'; import { simulate } from '../core/simulate.ts';",
    ],
    ['webview/a.ts', "import { RULES } from '../src/core/plan/rules.ts'; const m = await import('mermaid');"],
    ['webview/a.ts', "import { repeat } from 'lit-html/directives/repeat.js';"],
  ])('let %s import what it needs: %s', (file, text) => {
    expect(boundaryViolations([[file, text]])).toEqual([]);
  });

  it('see imports of every kind, and none in strings and comments', () => {
    const text = `
      import a from 'static'; import type { B } from 'type'; import { type C } from 'inlineType';
      export * from 'reexportAll'; export { d } from 'reexport'; export type { E } from 'reexportType';
      const f = await import('dynamic'); type G = typeof import('importType'); import h = require('importEquals');
      const i = require('require'); // import 'comment'
      const j = "import 'string'";
    `;
    expect(importsOf('a.ts', text).sort()).toEqual(
      [
        'static',
        'type',
        'inlineType',
        'reexportAll',
        'reexport',
        'reexportType',
        'dynamic',
        'importType',
        'importEquals',
        'require',
      ].sort(),
    );
  });
});
