import { type Actor, isAdmin } from './actor.ts'
import type { Viewer } from '../keys/catalogue.ts'
import type { ControlStores } from '../parts.ts'

/** Reads what decides which groups and models an actor is shown. */
export async function viewerOf(
  actor: Actor,
  { subscriptions, keys }: Pick<ControlStores, 'subscriptions' | 'keys'>,
  nowMs: number,
): Promise<Viewer> {
  if (actor.kind === 'admin_token') return { isAdmin: true, subscriptions: [], keyGroupIds: new Set(), nowMs }
  const { id } = actor.account
  const [live, keyGroupIds] = await Promise.all([subscriptions.live(id, nowMs), keys.groupIdsOf(id)])
  return { isAdmin: isAdmin(actor), subscriptions: live, keyGroupIds, nowMs }
}

/** Reads the same for an account that an admin acts for: its groups decide, not the admin's. */
export async function viewerOfAccount(
  accountId: string,
  { subscriptions, keys }: Pick<ControlStores, 'subscriptions' | 'keys'>,
  nowMs: number,
): Promise<Viewer> {
  const [live, keyGroupIds] = await Promise.all([subscriptions.live(accountId, nowMs), keys.groupIdsOf(accountId)])
  return { isAdmin: false, subscriptions: live, keyGroupIds, nowMs }
}
