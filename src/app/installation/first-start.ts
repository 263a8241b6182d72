import { isProcessAlive } from '../../cluster/host-process.ts'
import type { FirstStart, FirstStartOptions } from './set-up.ts'
import { ACCOUNTS_LOOKED_AT, PROGRESS, type Progress, readProgress } from './set-up-progress.ts'

/**
 * Sets an empty installation up: an admin account with a one-time link, the group `default`, and with `wantsDemo` the demo
 * upstream with its models, a key and $10. Without demo objects only what is missing for signing in. null when
 * there is nothing (more) to do. A setup that was cut short is done again: a key whose secret was never shown is
 * deleted, and a new one shown. The audit has each of these in the name of the command line, which started the gateway.
 */
export async function prepareFirstStart(options: FirstStartOptions): Promise<FirstStart | null> {
  const { store } = options
  const unfinished = await readProgress(store.settings)
  if (unfinished === 'finished' || isInOtherHands(unfinished, options)) return null
  const plan = unfinished ?? (await planFor(options))
  if (plan === null) {
    await store.settings.write(PROGRESS, 'finished')
    return null
  }
  // Once in the life of an installation. What it writes into the audit takes the schemas of the API.
  const { setUp } = await import('./set-up.ts')
  return setUp(options, { unfinished, plan })
}

/** Another process of this host is at it: it will print the secrets. */
function isInOtherHands(progress: Progress | null, { thisProcess }: FirstStartOptions): boolean {
  if (progress === null || progress.host !== thisProcess.host || progress.processId === thisProcess.id) return false
  return isProcessAlive(progress.processId)
}

/** null: this installation was set up in another way. */
async function planFor({ store, wantsDemo, hasDeclaration }: FirstStartOptions): Promise<{ withDemo: boolean } | null> {
  const accounts = await store.accounts.list(ACCOUNTS_LOOKED_AT)
  for (const { id, role, status } of accounts) {
    if (role === 'admin' && status === 'active' && (await store.accounts.passwordHash(id)) !== null) return null
  }
  return { withDemo: wantsDemo && !hasDeclaration && accounts.length === 0 }
}
