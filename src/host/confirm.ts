import * as vscode from 'vscode';
import type { Write } from './writes.ts';

const LISTED = 20;

/** Asks once, in a modal dialog that lists every write. True when nothing is written, or the user agrees. */
export async function confirmWrites(writes: readonly Write[], callCount: number): Promise<boolean> {
  if (writes.length === 0) return true;
  const lines = writes.slice(0, LISTED).map(({ call, words }) => `#${call + 1}  ${words}`);
  if (writes.length > LISTED) lines.push(`… and ${writes.length - LISTED} more`);
  const counted = writes.length === 1 ? 'One of them writes' : `${writes.length} of them write`;
  const run = 'Run Batch';
  const answer = await vscode.window.showWarningMessage(
    `Run ${callCount} ${callCount === 1 ? 'call' : 'calls'} on this workspace?`,
    {
      modal: true,
      detail: `${writes.length === callCount ? 'All of them write' : counted}:\n\n${lines.join('\n')}`,
    },
    run,
  );
  return answer === run;
}
