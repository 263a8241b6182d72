/** How a command opens the database, whose tables may have to be brought up to this version first. */
import { rmSync } from 'node:fs'
import type { MigrationStep } from '../../store/migration-step.ts'
import type { OpenInstallationOptions } from '../opening/open-installation.ts'
import { StoppedBySignal } from '../stopped-by-signal.ts'
import type { CliHost, Screen } from './cli-host.ts'
import { endBySignal } from './end-by-signal.ts'
import { Progress, TimedStep } from './progress.ts'

const STOPPED = 'Stopped. The tables change as a whole or not at all: the next command or start does what is left.'

interface OpeningOptions {
  readonly copiesFirst?: boolean
  /** A directory of this work alone, which goes away with it. */
  readonly draft?: string
  /** Takes the lines of a log; on a terminal nothing. Default: they are remarks like any other. */
  readonly log?: (line: string) => void
  /** A signal ends the process at once from the beginning, also where that is the first of a container. */
  readonly endsBySignal?: boolean
}

/** Says how far the copy and the steps are, where there are any, and lets a signal end them with nothing changed. */
export function opening(
  host: CliHost,
  { copiesFirst = true, draft, log, endsBySignal = false }: OpeningOptions = {},
): OpenInstallationOptions & Disposable {
  const isLogged = log !== undefined && !host.isTerminal
  const screen: Screen = {
    isTerminal: host.isTerminal,
    nowMs: () => host.nowMs(),
    remark: (text) => (isLogged ? log(text.trimEnd()) : host.remark(text)),
  }
  let shown: { end(): void } | null = null
  let copying: Progress | null = null
  let stoppedBy: NodeJS.Signals | null = null
  let unhook = endsBySignal ? host.onStopSignal((signal) => host.endBy(signal)) : null
  const over = (): void => {
    shown?.end()
    unhook?.()
    shown = unhook = null
  }
  return {
    openStore: host.openStore,
    randomBytes: (count) => host.randomBytes(count),
    nowMs: () => host.nowMs(),
    copiesFirst,
    onCopying(done, all) {
      if (copying === null) {
        unhook?.()
        unhook = host.onStopSignal((signal) => {
          if (stoppedBy !== null) host.endBy(signal)
          stoppedBy = signal
        })
        shown = copying = new Progress(screen, 'Copying the database, whose tables are changed then')
      }
      if (stoppedBy !== null) throw new StoppedBySignal(STOPPED, stoppedBy)
      copying.at(done, all)
    },
    onCopy(path) {
      over()
      screen.remark(`The database as it was before is in ${path}.\n`)
    },
    onStep({ name, number, of }: MigrationStep) {
      over()
      unhook = endBySignal(host, draft === undefined ? STOPPED : 'Stopped. Nothing was left behind.', () => {
        if (draft !== undefined) rmSync(draft, { recursive: true, force: true })
      })
      shown = new TimedStep(screen, `Changing the tables, step ${number} of ${of}: ${name}`)
    },
    [Symbol.dispose]: over,
  }
}
