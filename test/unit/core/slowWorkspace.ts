/** The real workspace tools on files in memory, where every step takes time on a virtual clock. */
import type { VirtualClock } from '../../../src/core/clock.ts';
import { createRegistry, type Registry } from '../../../src/core/tools.ts';
import type { DeclarationProfile } from '../../../src/tools/declarations.ts';
import { createFiles } from '../../../src/tools/files.ts';
import { createLocalMatcher } from '../../../src/tools/localMatcher.ts';
import { createMemoryDisk, type MemoryDisk, type MemoryNode } from '../../../src/tools/memoryDisk.ts';
import { createMemoryDocuments, type MemoryDocuments } from '../../../src/tools/memoryDocuments.ts';
import { unicodeOnly } from '../../../src/tools/memoryFiles.ts';
import type { Disk, FileStat } from '../../../src/tools/ports.ts';
import { createSession } from '../../../src/tools/session.ts';
import { createWorkspaceTools } from '../../../src/tools/workspaceTools.ts';
import { nap } from './helpers.ts';

export const ROOT = 'file:///w';

export interface SlowWorkspace {
  readonly registry: Registry;
  readonly documents: MemoryDocuments;
  readonly disk: MemoryDisk;
  /** A file's text, by its path below the root. */
  text(path: string): string | undefined;
}

/**
 * @param initial files by their path below the root
 * @param times how many milliseconds a call idles before it begins, and how many every step of the disk takes
 */
export function slowWorkspace(
  clock: VirtualClock,
  initial: Readonly<Record<string, MemoryNode>>,
  profile: DeclarationProfile,
  times: { begin(): number; step(): number } = { begin: () => 0, step: () => 1 },
): SlowWorkspace {
  const disk = createMemoryDisk();
  disk.put(ROOT, 'folder');
  for (const [path, content] of Object.entries(initial)) disk.put(`${ROOT}/${path}`, content);
  const documents = createMemoryDocuments(disk);
  const files = createFiles({
    roots: () => [{ name: 'w', uri: ROOT }],
    disk: slow(disk, () => nap(clock, times.step())),
    documents,
    codec: unicodeOnly(),
  });
  const ports = { files, matcher: createLocalMatcher(), session: createSession() };
  const tools = createWorkspaceTools(ports, { profile }).map((tool) => ({
    ...tool,
    async run(...args: Parameters<typeof tool.run>) {
      await nap(clock, times.begin());
      return tool.run(...args);
    },
  }));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    registry: createRegistry(tools),
    documents,
    disk,
    text(path) {
      const bytes = disk.bytes(`${ROOT}/${path}`);
      return bytes && decoder.decode(bytes);
    },
  };
}

/** Every step takes time before and after, so that calls meet in the middle of each other. */
function slow(disk: Disk, pause: () => Promise<void>): Disk {
  const step = async <T>(work: () => Promise<T>) => {
    await pause();
    const done = await work();
    await pause();
    return done;
  };
  return {
    realUri: (uri) => step(() => disk.realUri(uri)),
    // When a file changed is the one thing that may differ: that is what running side by side is for.
    stat: (uri) => step(async () => withoutTime(await disk.stat(uri))),
    list: (uri) => step(() => disk.list(uri)),
    readBytes: (uri, most) => step(() => disk.readBytes(uri, most)),
    replaceBytes: (uri, before, after) => step(() => disk.replaceBytes(uri, before, after)),
    createFile: (uri, bytes) => step(() => disk.createFile(uri, bytes)),
  };
}

function withoutTime(stat: FileStat | undefined): FileStat | undefined {
  return stat && { ...stat, mtime: 0 };
}
