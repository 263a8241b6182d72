import { shownLines } from '../../core/shown-text.ts'
import { ConfigurationError } from '../installation/environment.ts'
import { StoppedBySignal } from '../stopped-by-signal.ts'
import { COMMANDS } from './commands.ts'
import { findCommand, readCall } from './read-call.ts'
import { CommandFailure, UsageError } from './cli-host.ts'
import type { CliHost } from './cli-host.ts'

/**
 * Runs what the arguments ask for (without the program's own name) and returns the exit code: 0 done, 1 not done, 2 not
 * understood. Everything that can be said to a person is one sentence on stderr.
 */
export async function runCommandLine(args: readonly string[], host: CliHost): Promise<number> {
  try {
    return await run(args, host)
  } catch (error) {
    if (error instanceof UsageError) {
      host.remark(`${shownLines(error.message)}\n`)
      return 2
    }
    host.remark(`${shownLines(sentenceOf(error))}\n`)
    if (error instanceof StoppedBySignal) host.endBy(error.signal)
    return 1
  }
}

async function run(args: readonly string[], host: CliHost): Promise<number> {
  const [first, ...others] = args
  if (first === '--version' || first === '-v' || first === 'version') {
    host.print(`${(await import('../installation/version.ts')).version()}\n`)
    return 0
  }
  if (first === 'help' || args.some((arg) => arg === '--help' || arg === '-h')) {
    const words = (first === 'help' ? others : args).filter((arg) => !arg.startsWith('-'))
    const named = words.length === 0 ? null : findCommand(words).command
    const { helpFor, overview } = await import('./help.ts')
    host.print(named === null ? overview(COMMANDS) : helpFor(named))
    return 0
  }
  const { command, rest } = findCommand(args)
  const call = readCall(command, rest)
  return (await command.load())(call, host)
}

function sentenceOf(error: unknown): string {
  const isSentence = [ConfigurationError, CommandFailure, StoppedBySignal].some((kind) => error instanceof kind)
  if (isSentence && error instanceof Error) return error.message
  // A defect or a database that does not answer: the stack helps to find it.
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
