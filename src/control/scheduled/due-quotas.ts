import type { ApiKey } from '../../access/api-key.ts'
import { changesBetween } from '../../access/audit.ts'
import { afterRaise } from '../../access/quota-raise.ts'
import type { IdPrefix } from '../../core/ids.ts'
import type { ControlStores } from '../parts.ts'

/** How many raises one look ends; those that are left have the next one. */
const AT_ONCE = 200

/**
 * Ends the raises of quotas that are due: each is an edit back to the quota from before, with its audit entry in one
 * transaction, in the name of who raised it. Of all nodes that try at once, one does. Resolves to the keys.
 */
export async function endDueRaises(
  store: Pick<ControlStores, 'together' | 'keys' | 'groups'>,
  { nowMs, newId }: { readonly nowMs: number; readonly newId: (prefix: IdPrefix) => string },
): Promise<readonly string[]> {
  const ids = await store.keys.raisesDue(nowMs, AT_ONCE)
  if (ids.length === 0) return []
  // Views and their schemas are not loaded by a gateway that has nothing to end.
  const { auditedKey } = await import('../views/key-view.ts')
  const groups = await store.groups.groups()
  const ended: string[] = []
  for (const id of ids) {
    const isEnded = await store.together(async ({ keys, audit }) => {
      const answer = await keys.edit(id, (key) => (isDue(key, nowMs) ? afterRaise(key) : key), nowMs)
      if (answer === null || answer.seq === null || answer.before.quotaRaise === undefined) return false
      const { before, after } = answer
      const changes = changesBetween(auditedKey(before, groups), auditedKey(after, groups))
      const about = { subject: id, accountId: after.accountId, via: 'none', address: '' } as const
      const { by: actor } = answer.before.quotaRaise
      await audit.write({ ...about, id: newId('aud'), createdAt: nowMs, actor, action: 'key.end_raise', changes })
      return true
    })
    if (isEnded) ended.push(id)
  }
  return ended
}

function isDue({ quotaRaise }: ApiKey, nowMs: number): boolean {
  return quotaRaise !== undefined && quotaRaise.endsAt <= nowMs
}
