import { type Actor, isStaff } from './actor.ts'
import type { Viewer } from '../catalogue.ts'
import type { ControlStores } from '../parts.ts'

/** Reads what decides which groups and models an actor is shown. */
export async function viewerOf(
  actor: Actor,
  { subscriptions, keys }: Pick<ControlStores, 'subscriptions' | 'keys'>,
  nowMs: number,
): Promise<Viewer> {
  if (actor.kind === 'admin_token') return { isStaff: true, subscriptions: [], keyGroupIds: new Set(), nowMs }
  const { account } = actor
  const { id } = account
  const [live, keyGroupIds] = await Promise.all([subscriptions.live(id, nowMs), keys.groupIdsOf(id)])
  return { isStaff: isStaff(actor), account, subscriptions: live, keyGroupIds, nowMs }
}

/** Reads the same for an account that an admin acts for: its groups decide, not the admin's. */
export async function viewerOfAccount(
  accountId: string,
  { accounts, subscriptions, keys }: Pick<ControlStores, 'accounts' | 'subscriptions' | 'keys'>,
  nowMs: number,
): Promise<Viewer> {
  const [account, live, keyGroupIds] = await Promise.all([
    accounts.findById(accountId),
    subscriptions.live(accountId, nowMs),
    keys.groupIdsOf(accountId),
  ])
  return { isStaff: false, ...(account === null ? {} : { account }), subscriptions: live, keyGroupIds, nowMs }
}
