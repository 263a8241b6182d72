import { createHash } from 'node:crypto'
import type { Credential } from './credential.ts'

/**
 * The organisation at a provider that a credential belongs to: what is made there (encrypted reasoning, stored answers, files)
 * can be read there only. Credentials of several upstreams may share one; without a name each upstream is one of its own.
 */
export function providerOrgOf(upstreamId: string, credential: Pick<Credential, 'realm'> | null): string {
  const name = credential?.realm ?? null
  return name === null ? upstreamId : `${NAMED}${name}`
}

/** Begins no id of an upstream. */
const NAMED = 'realm '

/** Stands for an organisation in what clients keep: the same in every process and after a restart, and says nothing of its name. */
export function orgTag(providerOrg: string): string {
  return createHash('sha256').update(providerOrg).digest('base64url').slice(0, TAG_CHARACTERS)
}

/** 36 bits: there are few organisations, and a longer one would say more of its name. */
const TAG_CHARACTERS = 6
