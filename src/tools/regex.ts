import { messageOf, ToolError } from './errors.ts';
import { cutAround, cutEnd, splitLines } from './lines.ts';
import type { Found, FoundLine, MatchLimits } from './ports.ts';

/**
 * Compiles what a model wrote: Unicode-aware where the pattern allows it, with a leading `(?i)` as other engines have
 * it. A pattern that begins with "-" is a pattern (case 35). @throws {ToolError} with the engine's words (case 33).
 */
export function compile(pattern: string, flags: string): RegExp {
  const inline = pattern.startsWith('(?i)');
  const source = inline ? pattern.slice(4) : pattern;
  const all = inline && !flags.includes('i') ? `${flags}i` : flags;
  try {
    return new RegExp(source, `${all}u`);
  } catch {
    try {
      return new RegExp(source, all);
    } catch (error) {
      throw new ToolError(
        'invalid-pattern',
        `${messageOf(error)}. Escape special characters with a backslash.`,
      );
    }
  }
}

/** Matches line by line, and tells the hits with the lines around them, long lines cut around the hit (case 42). */
export function searchLines(text: string, regex: RegExp, limits: MatchLimits): Found {
  const lines = splitLines(text);
  const told = new Map<number, FoundLine>();
  let hits = 0;
  for (const [i, line] of lines.entries()) {
    const match = regex.exec(line);
    if (match === null) continue;
    hits++;
    if (hits > limits.maxHits) continue;
    for (
      let near = Math.max(0, i - limits.context);
      near <= Math.min(lines.length - 1, i + limits.context);
      near++
    ) {
      if (near === i || told.has(near)) continue;
      told.set(near, { line: near + 1, hit: false, text: cutEnd(lines[near] ?? '', limits.maxLineLength) });
    }
    const end = match.index + match[0].length;
    told.set(i, { line: i + 1, hit: true, text: cutAround(line, match.index, end, limits.maxLineLength) });
  }
  return { lines: [...told.values()].sort((a, b) => a.line - b.line), hits };
}
