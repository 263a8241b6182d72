import { shownLines } from '../../src/core/shown-text.ts'
import type { CliHost } from '../../src/app/cli/cli-host.ts'

export interface CliHostByHand {
  readonly host: CliHost
  readonly printed: readonly string[]
  readonly remarked: readonly string[]
}

/**
 * What a command touches outside itself, noted instead of shown. Without `parts` it has no database, no random bytes, an
 * empty input and the time 0; and nothing ends it.
 */
export function cliHostByHand(parts: Partial<CliHost> = {}): CliHostByHand {
  const printed: string[] = []
  const remarked: string[] = []
  const host: CliHost = {
    environment: {},
    input: (async function* () {})(),
    print: (text) => void printed.push(shownLines(text)),
    printExactly: (text) => void printed.push(text),
    remark: (text) => void remarked.push(text),
    isTerminal: false,
    openStore: () => Promise.reject(new Error('a database was opened')),
    nowMs: () => 0,
    randomBytes: () => Buffer.alloc(0),
    machine: 'here',
    processId: 1,
    onStopSignal: () => () => {},
    onHangUp: () => {},
    exit: () => {},
    endBy: () => {},
    ...parts,
  }
  return { host, printed, remarked }
}
