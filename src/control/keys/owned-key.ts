import type { ApiKey } from '../../access/api-key.ts'
import { type Actor, owned } from '../who/actor.ts'
import type { ControlParts } from '../parts.ts'
import { managed, notFound } from '../api/problem.ts'

/** The key of the path, when it is there and the actor's own (or the actor is an admin). Throws Problem. */
export async function ownedKey(
  call: { readonly actor: Actor; readonly params: { readonly id: string } },
  { store }: ControlParts,
): Promise<ApiKey> {
  const key = owned(call.actor, await store.keys.findById(call.params.id), 'API key')
  if (key.status === 'deleted') throw notFound('API key')
  return key
}

/** Throws Problem for a key of the declarative file. */
export function requireUnmanaged(key: ApiKey): ApiKey {
  if (key.isManaged) throw managed('API key')
  return key
}
