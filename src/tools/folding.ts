/**
 * Names that a volume may take for one and the same: those that differ in the case of letters, and those that differ
 * in the Unicode form of characters, composed (NFC) or decomposed (NFD). The two are independent: NTFS ignores case but
 * not form, a case-sensitive APFS form but not case (DESIGN section 2, case 3). Pure; who ignores what, volumes.ts asks.
 */

/** What a volume may ignore about a name. */
export type Trait = 'case' | 'form';

export const traits: readonly Trait[] = ['case', 'form'];

const ascii = /^[\0-\x7f]*$/;

/**
 * The one spelling of all names that are the same name where `ignored` traits don't count. Folding twice changes
 * nothing. In doubt it merges (`ß` and `SS`, `ı` and `I`, `ς` and `σ`), since no two volumes agree on these: two files
 * with one key only wait for each other, one file with two keys would be written twice at once.
 */
export function foldName(name: string, ignored: ReadonlySet<Trait>): string {
  if (!ignored.has('case')) return ignored.has('form') ? name.normalize('NFC') : name;
  return ignored.has('form') ? foldCase(name.normalize('NFD')).normalize('NFC') : foldCase(name);
}

/** Every trait at once: equal for names that any volume could take for the same. */
export function foldLoosely(name: string): string {
  return foldName(name, everyTrait);
}

const everyTrait: ReadonlySet<Trait> = new Set(traits);

/**
 * By single characters, so that no letter depends on its neighbours (a Σ at the end of a word). Lower case comes first
 * for capitals that no small letter leads back to (`ẞ`), upper case then joins small letters that share a capital.
 */
function foldCase(name: string): string {
  if (ascii.test(name)) return name.toLowerCase();
  const fold = (character: string) =>
    [...character.toLowerCase().toUpperCase()].map((one) => one.toLowerCase());
  return [...name].flatMap(fold).join('');
}

/** Whether the name has other spellings at all; most need no question to any disk. */
export function varies(name: string, trait: Trait): boolean {
  if (trait === 'form') return !ascii.test(name) && (isOther(name, 'NFC') || isOther(name, 'NFD'));
  return otherSpelling(name, 'case') !== undefined || (!ascii.test(name) && hasCase(name));
}

function isOther(name: string, form: 'NFC' | 'NFD'): boolean {
  return name.normalize(form) !== name;
}

function hasCase(name: string): boolean {
  return name.toLowerCase() !== name || name.toUpperCase() !== name || foldCase(name) !== name;
}

/**
 * Another spelling of the name that tells, by whether it leads anywhere, if a volume ignores the trait. For case only
 * letters of ASCII change: there are volumes that ignore the case of these and of no others, and none the other way
 * round. Undefined for names that tell nothing.
 */
export function otherSpelling(name: string, trait: Trait): string | undefined {
  if (trait === 'case') {
    const other = name.replace(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
    return other === name ? undefined : other;
  }
  if (ascii.test(name)) return undefined;
  const composed = name.normalize('NFC');
  const decomposed = name.normalize('NFD');
  if (composed === decomposed) return undefined;
  return name === composed ? decomposed : composed;
}
