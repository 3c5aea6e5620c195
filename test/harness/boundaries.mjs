// Import boundaries: which part of the house may import which. Dependencies point one way, and core knows nobody.
// Every source file is parsed, reachable or not, and types count as imports too.

import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The parts of the house, the most specific first. `own` and `packages` are all that a part may import: folders or
 * files of ours, and npm packages. `node` allows Node's own modules. `never` are exceptions from `own`, with a reason.
 */
const PARTS = [
  {
    path: 'src/core',
    own: ['src/core'],
    packages: ['@cfworker/json-schema', '@streamparser/json', 'jsonc-parser'],
  },
  { path: 'src/protocol', own: ['src/core', 'src/protocol'], packages: [] },
  {
    path: 'src/tools',
    own: ['src/core', 'src/tools'],
    packages: ['ignore', 'picomatch', 'diff', 'jsonc-parser'],
  },
  { path: 'src/cli', own: ['src/core', 'src/cli'], packages: [], node: true },
  {
    path: 'src/host',
    own: ['src/core', 'src/tools', 'src/protocol', 'src/host'],
    packages: ['vscode', 'ignore', 'picomatch', 'jsonc-parser'],
    node: true,
  },
  {
    path: 'src/extension.ts',
    own: ['src/core', 'src/tools', 'src/protocol', 'src/host'],
    packages: ['vscode'],
    node: true,
  },
  {
    path: 'webview',
    own: ['src/core', 'src/protocol', 'webview'],
    packages: ['lit-html', 'mermaid'],
    never: [
      {
        path: 'src/core/plan',
        except: ['src/core/plan/rules.ts'],
        reason: 'the page draws plans, it makes none',
      },
      { path: 'src/core/dispatch', reason: 'the page draws runs, it makes none' },
      { path: 'src/core/declare.ts', reason: 'the page shows declarations, it asks for none' },
    ],
  },
];

/** The files to check, as paths with `/` below the project's root. */
function sourceFiles() {
  return ['src', 'webview'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).split(sep).join('/')),
  );
}

/**
 * Every import in `text`: static, dynamic, re-exported, of types, and by require. A dynamic import or require whose
 * target is computed is given as undefined, for nobody could check it.
 * @param {string} file
 * @param {string} text
 * @returns {(string | undefined)[]}
 */
export function importsOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const found = [];
  const add = (source) => found.push(source?.type === 'Literal' ? String(source.value) : undefined);
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => node.source && add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    TSExternalModuleReference: (node) => add(node.expression),
    CallExpression: (node) =>
      node.callee.type === 'Identifier' && node.callee.name === 'require' && add(node.arguments[0]),
  }).visit(program);
  return found;
}

/**
 * What is wrong with the imports of the given sources (path to text), or of all source files: one sentence each.
 * @param {Iterable<[string, string]>} [sources]
 * @returns {string[]}
 */
export function boundaryViolations(
  sources = sourceFiles().map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
) {
  const sentences = [];
  for (const [file, text] of sources) {
    const part = PARTS.find(({ path }) => within(file, path));
    if (!part) {
      sentences.push(
        `${file} belongs to no part of the house: add its folder to test/harness/boundaries.mjs.`,
      );
      continue;
    }
    for (const imported of importsOf(file, text)) {
      const wrong = judge(part, file, imported);
      if (wrong) sentences.push(`${file} imports ${imported ?? 'something computed'}: ${wrong}.`);
    }
  }
  return sentences;
}

function judge(part, file, imported) {
  if (imported === undefined) return 'an import has to be a plain string, so that it can be checked';
  if (!imported.startsWith('.')) return judgePackage(part, imported);
  const target = posix.join(posix.dirname(file), imported);
  const banned = part.never?.find(
    ({ path, except = [] }) => within(target, path) && !except.includes(target),
  );
  if (banned) return banned.reason;
  if (!part.own.some((path) => within(target, path))) return `${part.path} may import only ${list(part.own)}`;
}

function judgePackage(part, imported) {
  if (isBuiltin(imported)) {
    if (!part.node) return `${part.path} has to run without Node`;
    return imported.startsWith('node:') ? undefined : `write node:${imported}`;
  }
  const name = imported.split('/', imported.startsWith('@') ? 2 : 1).join('/');
  if (part.packages.includes(name)) return undefined;
  if (name === 'vscode') return 'only src/host and src/extension.ts may know VS Code';
  return `${part.path} may use only ${part.packages.length ? list(part.packages) : 'no package at all'}`;
}

function within(file, path) {
  return file === path || file.startsWith(`${path}/`);
}

function list(names) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const violations = boundaryViolations();
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
