import type { ApiKey } from '../../access/api-key.ts'
import { isDisabledByFile } from '../../access/declared-status.ts'
import { type Actor, owned, type Reach } from '../who/actor.ts'
import type { ControlParts, ControlStores } from '../parts.ts'
import { managed, notFound, Problem } from '../problem.ts'

/** The key of the path, when it is there and the actor's own (or one that the actor's role reaches). Throws Problem. */
export async function ownedKey(
  call: { readonly actor: Actor; readonly reach: Reach; readonly params: { readonly id: string } },
  { store }: ControlParts,
): Promise<ApiKey> {
  const key = owned(call, await store.keys.findById(call.params.id), 'API key')
  if (key.status === 'deleted') throw notFound('API key')
  return key
}

/** Throws Problem for a key of the declarative file. */
export function requireUnmanaged(key: ApiKey): ApiKey {
  if (key.isManaged) throw managed('API key')
  return key
}

/**
 * Throws Problem where the declarative file says that the account or key is disabled, and it is to be enabled by hand. What a
 * person disabled can be enabled here, and everything can be disabled: a leaked key does not wait for the file.
 */
export async function requireMayEnable(
  what: string,
  of: { readonly id: string; readonly isManaged: boolean },
  { settings }: Pick<ControlStores, 'settings'>,
): Promise<void> {
  if (!(await isDisabledByFile(of, settings))) return
  throw new Problem('managed', `The declarative file disables this ${what}: enable it there.`)
}
