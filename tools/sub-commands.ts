/** A command that is given a word, which names the program that runs: `npm run bench -- soak --rate 100`. */
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Takes the arguments behind its word. Resolves with false when something is not as it should be. */
export type Program = (argv: readonly string[]) => Promise<boolean>

export interface SubCommand {
  /** One line of the usage. */
  readonly does: string
  /** Loads the code of the program, when it runs. */
  readonly load: () => Promise<Program>
}

/** Says what was asked for wrongly. No stack is printed with it. */
export class UsageError extends Error {}

/**
 * Runs the program that the first argument names. Resolves with the exit code: 1 when the program fails, 2 when it was
 * asked for wrongly.
 */
export async function runSubCommand(
  command: string,
  programs: Readonly<Record<string, SubCommand>>,
  [word = '', ...argv]: readonly string[],
): Promise<0 | 1 | 2> {
  const program = Object.hasOwn(programs, word) ? programs[word] : undefined
  if (program === undefined) {
    console.error(usageOf(command, programs))
    return 2
  }
  try {
    const run = await program.load()
    return (await run(argv)) ? 0 : 1
  } catch (error) {
    console.error(error instanceof UsageError ? error.message : error)
    return error instanceof UsageError ? 2 : 1
  }
}

/** Parses arguments as `parseArgs` does, and throws a UsageError for what is wrong. */
export function parsed<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function usageOf(command: string, programs: Readonly<Record<string, SubCommand>>): string {
  const words = Object.keys(programs)
  const width = Math.max(...words.map((word) => word.length))
  const lines = Object.entries(programs).map(([word, { does }]) => `  ${word.padEnd(width)}  ${does}`)
  return [`npm run ${command} -- ${words.join('|')} [flags]`, ...lines].join('\n')
}
