import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MemoryVolume } from '../../../src/tools/memoryDisk.ts';
import { createMemoryFiles } from '../../../src/tools/memoryFiles.ts';

/** Names that some volume takes for another of them. */
const names = [
  'a',
  'A',
  'Ab',
  'aB',
  '\u00e9',
  'e\u0301',
  '\u00c9',
  'E\u0301x',
  '\u00e9x',
  '1',
  'ß',
  'ss',
  'Ж',
  'ж',
];

/** In every volume something tells what it does with names; without, keys merge, which other tests show. */
const telling = ['tell', 'tell\u00e9'];

const volume = fc.record({ ignoresCase: fc.boolean(), ignoresForm: fc.boolean() });
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });

/** How one name of a path is written: numbers decide, so that shrinking writes it plainly. */
const style = fc.record({ case: fc.nat(2), form: fc.nat(2), before: fc.nat(4) });
const spelling = fc.record({
  link: fc.nat(2),
  tail: fc.nat(2),
  styles: fc.array(style, { minLength: 6, maxLength: 6 }),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never;

const workspace = fc.record({
  outer: volume,
  inner: volume,
  files: fc.array(fc.record({ mounted: fc.boolean(), path }), { minLength: 1, maxLength: 8 }),
});
type Workspace = typeof workspace extends fc.Arbitrary<infer T> ? T : never;

/** `/w` on one volume, `/w/m` on another, `/w/out` and `/w/m/in` links to them. */
function open({ outer, inner, files: paths }: Workspace) {
  const files = createMemoryFiles({}, { ...outer, mounts: { 'file:///w/m': inner } });
  for (const name of telling) {
    files.disk.put(`file:///w/${name}`, '');
    files.disk.put(`file:///w/m/${name}`, '');
  }
  files.disk.put('file:///w/out', { link: '/w/m' });
  files.disk.put('file:///w/m/in', { link: '../../w' });
  const stored = paths.filter((one) => put(one, files));
  return { files, stored };
}

type Stored = Workspace['files'][number];

function put(file: Stored, { disk }: ReturnType<typeof createMemoryFiles>): boolean {
  try {
    disk.put(uriOf(file), '');
    return disk.bytes(uriOf(file)) !== undefined;
  } catch {
    return false; // something in its path is a file
  }
}

function uriOf({ mounted, path: segments }: Stored): string {
  return ['file:///w', ...(mounted ? ['m'] : []), ...segments].join('/');
}

/** The same file, written as freely as its volumes allow. */
function respell({ mounted, path: segments }: Stored, { outer, inner }: Workspace, how: Spelling): string {
  const folders = how.link === 0 ? ['w'] : how.link === 1 ? ['w', 'm', 'in'] : ['w', 'out', 'in'];
  const all = [...folders, ...(mounted ? [how.link === 2 ? 'out' : 'm'] : []), ...segments];
  const own = mounted ? inner : outer;
  const written = all.map((name, i) => {
    const [before, after] = [all.slice(0, i), all.slice(i + 1)];
    const { case: letters, form, before: filler } = how.styles[Math.min(i, 5)]!;
    const habits = i >= all.length - segments.length ? own : holderOf(before, outer, inner);
    const cased =
      !habits.ignoresCase || letters === 0 ? name : letters === 1 ? upper(name) : name.toLowerCase();
    const formed = !habits.ignoresForm || form === 0 ? cased : cased.normalize(form === 1 ? 'NFC' : 'NFD');
    return ['', './', 'other/../', '/', after.length > 0 ? './/./' : ''][filler] + formed;
  });
  return `file:///${written.join('/')}${['', '/', '/.'][how.tail]}`;
}

/** `ß` has no capital of one letter that a volume would take for it. */
function upper(name: string): string {
  return name.replace(/[^ß]/gu, (one) => one.toUpperCase());
}

/** The habits of the folder that names so far lead to. */
function holderOf(before: readonly string[], outer: MemoryVolume, inner: MemoryVolume): MemoryVolume {
  return ['m', 'out'].includes(before.at(-1) ?? '') ? inner : outer;
}

test('cases 2 and 3: any two spellings of one file have one key, before and after it exists', async () => {
  await fc.assert(
    fc.asyncProperty(
      workspace,
      fc.tuple(spelling, spelling, spelling),
      path,
      fc.boolean(),
      async (ws, how, tail, mounted) => {
        const { files, stored } = open(ws);
        const created = { mounted, path: tail };
        const before = await files.keyOf(respell(created, ws, how[0]));
        const after = put(created, files) ? [created] : [];
        for (const file of [...stored, ...after]) {
          const spelled = [uriOf(file), ...how.map((one) => respell(file, ws, one))];
          const keys = await Promise.all(spelled.map((uri) => files.keyOf(uri)));
          expect(new Set(keys).size, spelled.join(' ')).toBe(1);
          expect(await files.keyOf(keys[0]!)).toBe(keys[0]);
          expect(await files.realResource(uriOf(file))).toBe(keys[0]);
          if (file === created) expect(keys[0]).toBe(before);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('case 3: two files never have one key where names are told apart', async () => {
  await fc.assert(
    fc.asyncProperty(workspace, async ({ files: paths }) => {
      const { files, stored } = open({ outer: {}, inner: {}, files: paths } as Workspace);
      const uris = new Set(stored.map(uriOf));
      const keys = await Promise.all([...uris].map((uri) => files.keyOf(uri)));
      expect(new Set(keys).size).toBe(uris.size);
    }),
    { numRuns: 100 },
  );
});
