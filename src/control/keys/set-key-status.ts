import type { KeyStatus } from '../../access/api-key.ts'
import type { KeysBulk } from '../../contract/keys.ts'
import type { Actor } from '../who/actor.ts'
import { existing } from '../problem.ts'
import type { ApiCall } from '../api/route.ts'
import type { ControlParts } from '../parts.ts'
import { keyStatusSet } from '../audit/key-notes.ts'
import { ownedKey, requireMayEnable, requireUnmanaged } from './owned-key.ts'

const STATUS_AFTER = { enable: 'active', disable: 'disabled', delete: 'deleted' } as const satisfies Record<
  KeysBulk['action'],
  KeyStatus
>

/**
 * Enables, disables or deletes a key. One from the declarative file can be disabled, and enabled again where the file does not
 * disable it; null: it was so already. Throws Problem.
 */
export async function setKeyStatus(
  call: Pick<ApiCall<'account'>, 'change' | 'nowMs'> & { readonly actor: Actor },
  parts: ControlParts,
  { id, action }: { readonly id: string; readonly action: KeysBulk['action'] },
): Promise<{ readonly seq: number } | null> {
  const key = await ownedKey({ actor: call.actor, reach: 'change', params: { id } }, parts)
  if (action === 'delete') requireUnmanaged(key)
  if (action === 'enable') await requireMayEnable('API key', key, parts.store)
  const status = STATUS_AFTER[action]
  if (key.status === status) return null
  return call.change(async ({ keys }, audit) => {
    const changed = existing(await keys.setStatus(id, status, call.nowMs), 'API key')
    await audit(keyStatusSet(key, status))
    return changed
  })
}
