/**
 * What the workspace tools need from the outside. `Files` and `Matcher` are all that a tool sees; `Disk`, `Documents`
 * and `Codec` are what files.ts builds `Files` from, so that the rules about unsaved text, encodings and the
 * workspace's border are written once and hold in memory, on a local disk and in VS Code (DESIGN section 7).
 *
 * Every URI is a string in the canonical form of uri.ts.
 */

/** A workspace folder. */
export interface Root {
  readonly name: string;
  readonly uri: string;
}

/** `other`: a device, a FIFO, a socket. */
export type FileKind = 'file' | 'folder' | 'other';

export interface FileStat {
  readonly kind: FileKind;
  /** In bytes, as stored. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Protected from changes, by its mode or by its file system. */
  readonly readOnly?: boolean;
  /** The same for all that lies on one volume, where the disk can tell. */
  readonly volume?: string;
}

/** One name in a folder; a link is told as a link, whatever it leads to. */
export interface Entry {
  readonly name: string;
  readonly kind: FileKind | 'link';
}

/** The text that the user sees: the editor's if it holds unsaved changes, else the disk's. Never holds the BOM. */
export interface TextFile {
  readonly text: string;
  /** VS Code's name of it: utf8, utf16le, utf16be, windows1252, … */
  readonly encoding: string;
  readonly bom: boolean;
  /** The text is (partly) not on disk. */
  readonly unsaved: boolean;
}

/** Replace `text.slice(start, end)`; edits of one change are sorted and don't overlap. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What to do with a file's text: change parts of it, or make it exactly this. */
export type TextChange = { readonly edits: readonly TextEdit[] } | { readonly content: string };

export interface ChangedFile {
  /** The text after all, as it is now: save actions of the editor included. */
  readonly text: string;
  readonly created: boolean;
  /** False where an unsaved new file was changed in its editor, which has no place on disk yet. */
  readonly saved: boolean;
  /** The editor's save actions (say, a formatter) changed more than was asked for. */
  readonly alteredBySave: boolean;
}

/** What the workspace's files tell beyond what the disk does. */
export interface WorkspaceStat extends FileStat {
  readonly unsaved: boolean;
  /** The URI that a link leads to, below the root as it was opened; absent where no link is on the way. */
  readonly leadsTo?: string;
}

/**
 * The workspace's files, as its user sees them. Every method but `keyOf` and `uriOf` refuses what lies outside the
 * roots, links resolved.
 */
export interface Files {
  readonly roots: readonly Root[];
  /**
   * The key of a declared resource (DESIGN section 2): for a file its real URI, names folded where its volume takes
   * other spellings for the same; existing or not, inside the workspace or not. An unsaved new file has the key of the
   * file that it is meant to become. Resources that are no URIs of files (`*`, `db:users`) come back unchanged.
   * @throws {ToolError} when the disk cannot resolve it
   */
  keyOf(resource: string): Promise<string>;
  /** The key of a file of the workspace, as tools report it: the same as `keyOf`, behind the border. */
  realResource(uri: string): Promise<string>;
  /** The way back, for people: the URI by which the user opened what has this key; any other resource unchanged. */
  uriOf(resource: string): Promise<string>;
  /** Whether names in a folder are known to be the same in other case, for patterns. */
  ignoresCase(uri: string): Promise<boolean>;
  stat(uri: string): Promise<WorkspaceStat | undefined>;
  list(uri: string): Promise<readonly Entry[]>;
  readText(uri: string, options?: { readonly maxBytes?: number }): Promise<TextFile>;
  /**
   * Reads, lets `decide` choose the change, and stores it, with no other change of this file through this port in
   * between. `decide` gets undefined for a file that doesn't exist; it may be asked again if the text changed
   * under it, and ends the change by throwing.
   */
  change(uri: string, decide: (now: TextFile | undefined) => TextChange): Promise<ChangedFile>;
}

/** Bytes by URI. Links are resolved by `realUri` only; the other methods get what it returned. */
export interface Disk {
  /** Resolves every link, also below a missing tail and through dangling links. */
  realUri(uri: string): Promise<string>;
  stat(uri: string): Promise<FileStat | undefined>;
  list(uri: string): Promise<readonly Entry[]>;
  /** Regular files only; never waits for a FIFO. */
  readBytes(uri: string, maxBytes: number): Promise<Uint8Array>;
  /**
   * Makes `before` into `after`, keeping mode and inode; never leaves a mixture behind if that can be avoided.
   * @throws {ToolError} `changed` when the file doesn't hold `before` any more.
   */
  replaceBytes(uri: string, before: Uint8Array, after: Uint8Array): Promise<void>;
  /** Makes missing folders too. @throws {ToolError} `exists` when something has that name. */
  createFile(uri: string, bytes: Uint8Array): Promise<void>;
}

/** A text open in the editor. */
export interface OpenDocument {
  readonly uri: string;
  readonly text: string;
  readonly unsaved: boolean;
  readonly encoding: string;
  /** It has never been on disk. */
  readonly untitled: boolean;
  /** Its one kind of line end; editors know no mixture. */
  readonly lineEnd: '\n' | '\r\n';
}

/** The texts open in the editor. */
export interface Documents {
  list(): readonly OpenDocument[];
  /** URIs that another kind of editor (a notebook, a custom editor) holds unsaved changes of. */
  unsavedElsewhere(): readonly string[];
  /** Applies all edits as one undo step. False when the document is no longer what it was. */
  apply(document: OpenDocument, edits: readonly TextEdit[], lineEnd: '\n' | '\r\n'): Promise<boolean>;
  /** False when it could not be saved. A document without unsaved changes counts as saved. */
  save(document: OpenDocument): Promise<boolean>;
  /** The text now; undefined when it was closed. */
  textOf(uri: string): string | undefined;
}

/** The encodings beyond UTF-8 and UTF-16, and which one a file without BOM is in. */
export interface Codec {
  /** `utf8`, `utf8bom`, … as the user set it for this file. */
  encodingFor(uri: string): string;
  decode(bytes: Uint8Array, encoding: string): Promise<string>;
  encode(text: string, encoding: string): Promise<Uint8Array>;
}

export interface MatchLimits {
  /** Hits of one text that are told. */
  readonly maxHits: number;
  /** Lines told before and after each hit. */
  readonly context: number;
  /** Characters told of one line. */
  readonly maxLineLength: number;
}

/** One line told by a search; `line` is 1-based. */
export interface FoundLine {
  readonly line: number;
  readonly hit: boolean;
  readonly text: string;
}

export interface Found {
  readonly lines: readonly FoundLine[];
  /** All matching lines, also those that are not told. */
  readonly hits: number;
}

/** A regular expression at work. */
export interface Matching extends AsyncDisposable {
  /** Matches line by line. @throws {ToolError} `timed-out`. */
  lines(text: string, limits: MatchLimits): Promise<Found>;
  /** Which of the strings match. @throws {ToolError} `timed-out`. */
  test(strings: readonly string[]): Promise<readonly boolean[]>;
}

/** Matching of regular expressions that others wrote, with an end (case 33). */
export interface Matcher {
  /** @throws {ToolError} `invalid-pattern` with the engine's own words. */
  start(pattern: string, flags: string, signal: AbortSignal): Promise<Matching>;
}
