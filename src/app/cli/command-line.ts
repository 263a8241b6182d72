import { ConfigurationError } from '../installation/environment.ts'
import { COMMANDS } from './commands.ts'
import { findCommand, readCall } from './read-call.ts'
import { CommandFailure, UsageError } from './world.ts'
import type { World } from './world.ts'

/**
 * Runs what the arguments ask for (without the program's own name) and answers the exit code: 0 done, 1 not done, 2 not
 * understood. Everything that can be said to a person is one sentence on stderr.
 */
export async function runCommandLine(args: readonly string[], world: World): Promise<number> {
  try {
    return await run(args, world)
  } catch (error) {
    if (error instanceof UsageError) {
      world.remark(`${error.message}\n`)
      return 2
    }
    world.remark(`${sentenceOf(error)}\n`)
    return 1
  }
}

async function run(args: readonly string[], world: World): Promise<number> {
  const [first, ...others] = args
  if (first === '--version' || first === '-v' || first === 'version') {
    world.print(`${(await import('./version.ts')).version()}\n`)
    return 0
  }
  if (first === 'help' || args.some((arg) => arg === '--help' || arg === '-h')) {
    const words = (first === 'help' ? others : args).filter((arg) => !arg.startsWith('-'))
    const named = words.length === 0 ? null : findCommand(words).command
    const { helpFor, overview } = await import('./help.ts')
    world.print(named === null ? overview(COMMANDS) : helpFor(named))
    return 0
  }
  const { command, rest } = findCommand(args)
  const call = readCall(command, rest)
  return (await command.load())(call, world)
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof CommandFailure) return error.message
  // A defect or a database that does not answer: the place helps whoever has to find it.
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
