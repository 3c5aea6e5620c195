// Child processes and failures that end in a sentence. Only Node builtins: this runs before anything is installed.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** An expected failure: its message is a sentence for the person at the terminal, printed without a stack. */
export class Failure extends Error {}

/** The text of anything that was thrown. */
export function reason(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Exits on a signal instead of dying of it: then the `exit` listeners end child processes and remove folders. */
export function exitOnSignal() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  // npm that is ended alone tells nobody: its shell dies, and we would run on without a parent.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid !== parent && process.exit(130), 1000).unref();
}

/** Runs `main`, and ends the process with the code it returns; a failure is printed as its sentence. */
export async function runMain(main) {
  exitOnSignal();
  let code = 1;
  try {
    code = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error);
  }
  // Whoever reads our output through a pipe may stop at our exit: let it drain first.
  setTimeout(() => process.exit(code), 100);
}

/**
 * Runs a program and resolves to its exit code and output, whatever the code.
 * `show` passes the output through as it comes; the child is ended when this process ends.
 */
export function run(command, args, { show = false, signal, timeout, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, signal, timeout });
    const kill = () => child.kill('SIGTERM');
    process.once('exit', kill);
    let output = '';
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text;
      stdout += text;
      if (show) process.stdout.write(text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (show) process.stderr.write(text);
    });
    child.once('error', (error) => {
      process.removeListener('exit', kill);
      reject(new Failure(`${basename(command)} could not be started: ${error.message}.`));
    });
    child.once('close', (code, endedBy) => {
      process.removeListener('exit', kill);
      resolve({ code: code ?? 1, endedBy, output, stdout });
    });
  });
}

/** npm tries again, but says within seconds that there is no registry to reach. */
const PATIENCE = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];

/** Runs npm, the same that runs us if one does; fails with a sentence. */
export async function npm(args, options = {}) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli && basename(cli) === 'npm-cli.js' ? [process.execPath, [cli]] : ['npm', []];
  const shell = command === 'npm' && process.platform === 'win32'; // there npm is a script, not a program
  const { code, output, stdout } = await run(command, [...first, ...args, ...PATIENCE], {
    shell,
    ...options,
  });
  if (code === 0) return stdout;
  throw new Failure(npmFailure(args, output));
}

function npmFailure(args, output) {
  const said = output
    .split('\n')
    .filter(
      (line) =>
        /npm (error|ERR!)/.test(line) && !/complete log|npm (error|ERR!)\s+(at |\w+: )|[{}]$/.test(line),
    )
    .slice(0, 6)
    .join('\n');
  if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output))
    return `The npm registry could not be reached. Look at the network and at \`npm config get registry\`, then run the same command again; what was fetched is kept.\n${said}`;
  if (/EACCES|EROFS|EPERM/.test(output))
    return `npm was not allowed to write. Look at who owns this folder and npm's cache (\`npm config get cache\`), then run the same command again.\n${said}`;
  if (/ENOSPC/.test(output)) return `The disk is full: about 1.5 GB are needed.\n${said}`;
  return `npm ${args[0]} failed.\n${said || output.slice(-2000)}`;
}

/** Whether a process with this id lives on this machine. */
export function alive(pid) {
  try {
    process.kill(pid, 0);
    // A process that ended but was not collected still answers; Linux tells the difference.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Seconds since `start` (of performance.now), for people. */
export function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
