import { runCommandLine } from '../../src/app/cli/command-line.ts'
import type { CliHost } from '../../src/app/cli/cli-host.ts'
import { processCliHost } from '../../src/app/cli/process-cli-host.ts'
import type { CommandOutcome, Environment } from './gateway-process.ts'

/** Everything that a command reaches for but its streams: as in a process of its own. */
const { openStore, nowMs, randomBytes, machine, processId } = processCliHost()

/**
 * Runs one command of the command line in this process, on a store that it opens and closes as always. For what a command
 * does: a process of its own costs a third of a second of a processor. `runTollgate` is for what processes do.
 */
export async function runHere(environment: Environment, args: readonly string[], stdin = ''): Promise<CommandOutcome> {
  const stdout: string[] = []
  const stderr: string[] = []
  const host: CliHost = {
    environment,
    input: (async function* () {
      yield stdin
    })(),
    print: (text) => void stdout.push(text),
    remark: (text) => void stderr.push(text),
    openStore,
    nowMs,
    randomBytes,
    machine,
    processId,
    onHangUp: () => {},
    onStopSignal() {
      throw new Error(`tollgate ${args.join(' ')} would go on: run it as a process`)
    },
    exit() {},
  }
  const code = await runCommandLine(args, host)
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}
