import { formatUsd } from '../../core/money.ts'
import type { LedgerProof } from '../../metering/funds/ledger.ts'
import type { Store } from '../../store/store.ts'
import { readEnvironment } from '../installation/environment.ts'
import { archivedRecords } from '../retention/archived-records.ts'
import { archiveDirectory } from '../retention/retention-run.ts'
import type { CommandRun } from './command.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure, type CliHost } from './cli-host.ts'

/**
 * The last line begins with `ok` or `broken`, so that a program can read it. Overruns are charges whose lease had been closed
 * by then, as when a gateway was frozen: the books agree, but a limit may have been passed by them.
 */
export const checkLedger: CommandRun = (call, host) =>
  withStore(host, async (store) =>
    sayProof(await (call.has('archive') ? proveWithArchive(store, host) : store.ledger.prove()), host),
  )

/** Throws CommandFailure where not every archive is there as it was written. */
async function proveWithArchive(store: Store, host: CliHost): Promise<LedgerProof> {
  const directory = archiveDirectory(readEnvironment(host.environment))
  const { records, unusable } = await archivedRecords(directory, await store.retention.archives())
  if (unusable.length === 0) return store.ledger.prove(records)
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
  const verdict = isOk ? 'ok' : `broken, ${disagreements.length} disagreements`
  const counts = `${accounts} accounts, ${entries} ledger entries, ${records} usage records, $${formatUsd(charged)} charged`
  const gone = retired === 0 ? '' : `, ${retired} records deleted`
  const beyond = overruns === 0 ? '' : `, ${overruns} ${overruns === 1 ? 'overrun' : 'overruns'}`
  host.print(`${verdict}: ${counts}${gone}${beyond}\n`)
  return isOk ? 0 : 1
}
