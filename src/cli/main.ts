/** The `waves` command: the core on scenario files, for CI and for people without an editor at hand. */
import { parseArgs } from 'node:util';
import { UsageError } from './input.ts';
import { planCommand } from './plan.ts';
import { simulateCommand } from './simulate.ts';

const USAGE = `Usage: waves COMMAND FILE [options]

  waves plan FILE       how the calls of a scenario are placed into waves, and why
  waves simulate FILE   run the scenario on a virtual clock

Options
  --strategy S          sequential, batches, first-fit or dataflow (default: the scenario's own, else sequential)
  --max-concurrency N   permits (default: the scenario's own, else the strategy's)
  --json                for programs
  --help                this text
FILE is a *.waves.json scenario, or - for standard input.
Exit codes: 0 done, 2 bad input.`;

async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        strategy: { type: 'string' },
        'max-concurrency': { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
    if (values.help) return print(USAGE);
    const [command, file, ...rest] = positionals;
    const run = command === 'plan' ? planCommand : command === 'simulate' ? simulateCommand : undefined;
    if (!run)
      throw new UsageError(command === undefined ? USAGE : `Unknown command "${command}".\n\n${USAGE}`);
    if (file === undefined) throw new UsageError(`waves ${command} needs a file.\n\n${USAGE}`);
    if (rest.length > 0)
      throw new UsageError(`waves ${command} takes one file; "${rest[0]}" is one too many.`);
    return print(
      await run(file, { strategy: values.strategy, cap: values['max-concurrency'], json: values.json }),
    );
  } catch (error) {
    if (!(error instanceof UsageError) && !isParseArgsError(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function isParseArgsError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

// A reader that goes away (waves … | head) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await main(process.argv.slice(2));
