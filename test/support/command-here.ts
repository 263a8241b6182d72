import { runCommandLine } from '../../src/app/cli/command-line.ts'
import { processCliHost } from '../../src/app/cli/process-cli-host.ts'
import { cliHostByHand } from './cli-host-by-hand.ts'
import type { CommandOutcome, Environment } from './gateway-process.ts'

/** Everything that a command reaches for but its streams: as in a process of its own. */
const { openStore, nowMs, randomBytes, machine, processId } = processCliHost()

/**
 * Runs one command of the command line in this process, on a store that it opens and closes as always. For what a command
 * does: a process of its own costs a third of a second of a processor. `runTollgate` is for what processes do.
 */
export async function runHere(environment: Environment, args: readonly string[], stdin = ''): Promise<CommandOutcome> {
  const { host, printed, remarked } = cliHostByHand({
    environment,
    input: (async function* () {
      yield stdin
    })(),
    openStore,
    nowMs,
    randomBytes,
    machine,
    processId,
    onStopSignal() {
      if (args[0] !== 'start') return () => {}
      throw new Error(`tollgate ${args.join(' ')} would go on: run it as a process`)
    },
  })
  const code = await runCommandLine(args, host)
  return { code, stdout: printed.join(''), stderr: remarked.join('') }
}
