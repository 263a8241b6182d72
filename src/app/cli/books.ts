import { formatUsd } from '../../core/money.ts'
import type { LedgerProof, ProveOptions } from '../../metering/funds/ledger.ts'
import type { Store } from '../../store/store.ts'
import { readEnvironment } from '../installation/environment.ts'
import { archivedRecords } from '../retention/archive-file.ts'
import { archiveDirectory } from '../retention/retention-run.ts'
import type { CommandRun } from './command.ts'
import { CountedProgress } from './progress.ts'
import { endBySignal } from './end-by-signal.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure, type CliHost } from './cli-host.ts'

/**
 * The last line begins with `ok` or `broken`, so that a program can read it. Overruns are charges whose lease had been closed
 * by then, as when a gateway was frozen: the books agree, but a limit may have been passed by them.
 */
export const checkLedger: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    // It only reads.
    const unhook = endBySignal(host, 'Stopped. Nothing is changed; the next run begins anew.')
    const progress = new CountedProgress(host)
    try {
      const prove = call.has('archive') ? proveWithArchive : (options: ProveOptions) => store.ledger.prove(options)
      const proof = await prove({ onProgress: progress.at }, { store, host })
      progress.end()
      return sayProof(proof, host)
    } finally {
      unhook()
    }
  })

/** Throws CommandFailure where not every archive is there as it was written. */
async function proveWithArchive(
  options: Pick<Required<ProveOptions>, 'onProgress'>,
  { store, host }: { readonly store: Store; readonly host: CliHost },
): Promise<LedgerProof> {
  const directory = archiveDirectory(readEnvironment(host.environment))
  const archives = await store.retention.archives()
  const { records, unusable } = await archivedRecords(directory, archives, options.onProgress)
  if (unusable.length === 0) return store.ledger.prove({ ...options, archive: records })
  for (const { name, damage } of unusable) host.print(`${name}: ${DAMAGES[damage]}\n`)
  throw new CommandFailure(
    `${unusable.length} archives in ${directory} cannot be read, so the records in them cannot be proved: put them back, or leave out --archive to prove their sums.`,
  )
}

const DAMAGES = { missing: 'it is not there', changed: 'it is not what was written' } as const

/** Returns the exit code. */
export function sayProof(
  { accounts, entries, records, retired, charged, overruns, disagreements }: LedgerProof,
  host: CliHost,
): number {
  for (const disagreement of disagreements) host.print(`${disagreement}\n`)
  const isOk = disagreements.length === 0
  const verdict = isOk ? 'ok' : `broken, ${counted(disagreements.length, 'disagreement')}`
  const inAll = `${counted(accounts, 'account')}, ${entries === 1 ? '1 ledger entry' : `${entries} ledger entries`}, ${counted(records, 'usage record')}`
  const counts = `${inAll}, $${formatUsd(charged)} charged`
  const gone = retired === 0 ? '' : `, ${counted(retired, 'record')} deleted`
  const beyond = overruns === 0 ? '' : `, ${counted(overruns, 'overrun')}`
  host.print(`${verdict}: ${counts}${gone}${beyond}\n`)
  return isOk ? 0 : 1
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
