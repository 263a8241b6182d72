import { formatUsd } from '../../core/money.ts'
import { readEnvironment } from '../environment.ts'
import { openDatabase } from '../open-installation.ts'
import type { CommandRun } from './command.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure } from './world.ts'

/** Opening the store migrates it, so there is nothing else to do. */
export const migrate: CommandRun = async (_call, world) => {
  const store = await openDatabase(readEnvironment(world.environment), world)
  await store.close()
  world.print(`The ${store.engine} database is up to date.\n`)
  return 0
}

/** The last line begins with `ok` or `broken`, so that a program can read it. */
export const checkLedger: CommandRun = (_call, world) =>
  withStore(world, async (store) => {
    const { accounts, entries, records, charged, disagreements } = await store.ledger.prove()
    for (const disagreement of disagreements) world.print(`${disagreement}\n`)
    const isOk = disagreements.length === 0
    const verdict = isOk ? 'ok' : `broken, ${disagreements.length} disagreements`
    const counts = `${accounts} accounts, ${entries} ledger entries, ${records} usage records, $${formatUsd(charged)} charged`
    world.print(`${verdict}: ${counts}\n`)
    return isOk ? 0 : 1
  })

export const importLater: CommandRun = async () => {
  throw new CommandFailure('Importing from another gateway comes in a later version.')
}
