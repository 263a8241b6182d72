import type { CliHost } from './cli-host.ts'

/**
 * Has a signal end the process at once with this sentence, until what it returns is called: for work that loses nothing wherever
 * it is cut. `clear` takes away what would be left lying. A sentence that changes with the work is asked for then.
 */
export function endBySignal(
  host: CliHost,
  sentence: string | (() => string),
  clear: () => void = () => {},
): () => void {
  return host.onStopSignal((signal) => {
    clear()
    host.remark(`${host.isTerminal ? '\n' : ''}${typeof sentence === 'string' ? sentence : sentence()}\n`)
    host.endBy(signal)
  })
}
