import { formatUsd } from '../../core/money.ts'
import type { LedgerProof } from '../../metering/funds/ledger.ts'
import { readEnvironment } from '../installation/environment.ts'
import { openDatabase } from '../installation/open-installation.ts'
import type { CommandRun } from './command.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure, type CliHost } from './cli-host.ts'

/** Opening the store migrates it, so there is nothing else to do. */
export const migrate: CommandRun = async (_call, host) => {
  const store = await openDatabase(readEnvironment(host.environment), host)
  await store.close()
  host.print(`The ${store.engine} database is up to date.\n`)
  return 0
}

/**
 * The last line begins with `ok` or `broken`, so that a program can read it. Overruns are charges whose lease had been closed
 * by then, as when a gateway was frozen: the books agree, but a limit may have been passed by them.
 */
export const checkLedger: CommandRun = (_call, host) =>
  withStore(host, async (store) => sayProof(await store.ledger.prove(), host))

/** Returns the exit code. */
export function sayProof(
  { accounts, entries, records, charged, overruns, disagreements }: LedgerProof,
  host: CliHost,
): number {
  for (const disagreement of disagreements) host.print(`${disagreement}\n`)
  const isOk = disagreements.length === 0
  const verdict = isOk ? 'ok' : `broken, ${disagreements.length} disagreements`
  const counts = `${accounts} accounts, ${entries} ledger entries, ${records} usage records, $${formatUsd(charged)} charged`
  const beyond = overruns === 0 ? '' : `, ${overruns} ${overruns === 1 ? 'overrun' : 'overruns'}`
  host.print(`${verdict}: ${counts}${beyond}\n`)
  return isOk ? 0 : 1
}

export const importLater: CommandRun = async () => {
  throw new CommandFailure('Importing from another gateway is not available yet.')
}
