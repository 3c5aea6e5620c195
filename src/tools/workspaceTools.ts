import type { Tool } from '../core/tools.ts';
import type { DeclarationProfile } from './declarations.ts';
import { createEditTool } from './edit.ts';
import { createGlobTool } from './glob.ts';
import { createGrepTool } from './grep.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createListTool } from './list.ts';
import type { Files, Matcher } from './ports.ts';
import { createReadTool } from './read.ts';
import type { Session } from './session.ts';
import { createStatTool } from './stat.ts';
import { createWriteTool } from './write.ts';

/** What the workspace tools work with. One `session` per conversation: it remembers what the model has seen. */
export interface WorkspacePorts {
  readonly files: Files;
  readonly matcher: Matcher;
  readonly session: Session;
}

export interface WorkspaceToolsOptions {
  readonly profile: DeclarationProfile;
  readonly limits?: Partial<Limits>;
}

/** The tools of DESIGN section 7 that work on files: read, list, stat, glob, grep, edit, write. */
export function createWorkspaceTools(ports: WorkspacePorts, options: WorkspaceToolsOptions): Tool[] {
  const limits = { ...defaultLimits, ...options.limits };
  return [
    createReadTool(ports, limits),
    createListTool(ports, limits),
    createStatTool(ports),
    createGlobTool(ports, limits),
    createGrepTool(ports, limits),
    createEditTool(ports, options.profile),
    createWriteTool(ports, options.profile),
  ];
}
