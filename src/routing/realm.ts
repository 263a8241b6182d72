import { affinityHash } from './choose-target.ts'
import type { Credential } from './credential.ts'

/**
 * The organisation at a provider that a credential belongs to: what is made there (encrypted reasoning, stored answers, files)
 * can be read there only. Credentials of several upstreams may share one; without a name each upstream is one of its own.
 */
export function realmOf(upstreamId: string, credential: Pick<Credential, 'realm'> | null): string {
  const name = credential?.realm ?? null
  return name === null ? upstreamId : `${NAMED}${name}`
}

/** Begins no id of an upstream. */
const NAMED = 'realm '

/** Stands for a realm in what clients keep: the same in every process and after a restart, and says nothing of its name. */
export function realmTag(realm: string): string {
  return (affinityHash(realm) >>> 0).toString(36)
}
