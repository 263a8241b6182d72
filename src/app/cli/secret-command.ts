import { timeOfId } from '../../core/ids.ts'
import type { Store } from '../../store/store.ts'
import { readEnvironment, type Settings } from '../installation/environment.ts'
import { requireInstallation } from '../opening/open-installation.ts'
import { makeNextSecret, promoteNextSecret, readNextSecret } from '../installation/secret.ts'
import { nextKnownSince, rotateSecret } from '../installation/secret-rotation.ts'
import { CommandFailure, type CliHost } from './cli-host.ts'
import type { CommandRun } from './command.ts'
import { CountedProgress } from './progress.ts'
import { withInstallation } from './with-installation.ts'

/** One step at each call: first it makes the next secret where it is a file, then it makes it the secret. */
export const rotate: CommandRun = async (_call, host) => {
  const settings = readEnvironment(host.environment)
  requireInstallation(settings)
  if (settings.secret === null && (await readNextSecret(settings.dataDir)) === null) return begin(settings, host)
  if (settings.secret !== null && settings.nextSecret === null) {
    throw new CommandFailure(
      'Give every gateway the new secret as TOLLGATE_SECRET_NEXT beside TOLLGATE_SECRET, restart them one by one, and run this with both.',
    )
  }
  return withInstallation(host, async ({ store, given: { current, next }, secret }) => {
    if (next === null) throw new CommandFailure('TOLLGATE_SECRET_NEXT is the same as TOLLGATE_SECRET: give a new one.')
    await refuseOlderGateways(store, next)
    const progress = new CountedProgress(host)
    const order = { current, next, hashSecret: secret, nowMs: host.nowMs() }
    await rotateSecret(store, order, (done, all) => progress.at('upstreams', done, all))
    progress.end()
    if (settings.secret === null) await promoteNextSecret(settings.dataDir)
    host.print('rotated: everything that is encrypted is encrypted with the new secret.\n')
    host.remark(
      settings.secret === null
        ? 'Nothing else has to be done. The old secret is in the file "secret.previous": backups from before need it.\n'
        : 'Now give every gateway the new secret as TOLLGATE_SECRET, without TOLLGATE_SECRET_NEXT, and restart them one by one.\n',
    )
    return 0
  })
}

async function begin(settings: Settings, host: CliHost): Promise<number> {
  await makeNextSecret(settings.dataDir, (count) => host.randomBytes(count))
  host.print('prepared: the next secret is in the file "secret.next" of the data directory.\n')
  host.remark('Restart the gateway, so that it knows both, and run this again.\n')
  return 0
}

/** Refuses gateways that were started before the next secret was known: they could not read what is encrypted with it. */
async function refuseOlderGateways(store: Store, next: string): Promise<void> {
  const since = await nextKnownSince(store.settings, next)
  const older = (await store.nodes.all()).filter(({ id }) => (timeOfId(id) ?? 0) < since)
  if (older.length === 0) return
  const hosts = older.map(({ host, processId }) => `process ${processId} on ${host}`)
  throw new CommandFailure(
    `These gateways were started before the next secret was there, and do not know it: ${hosts.join(', ')}. Restart them (one that was ended without warning counts for half a minute), and run this again.`,
  )
}
