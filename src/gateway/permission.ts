import { BlockList, isIP } from 'node:net'
import type { ApiKey, KeyWithOwner } from '../access/api-key.ts'
import { Fault } from '../core/faults.ts'

/** Throws the Fault that stops this caller whatever it asks for: the key's state, its owner's, the address it calls from. */
export function permit(caller: KeyWithOwner, from: { address: string; nowMs: number }): void {
  const stopped = stopOf(caller, from.nowMs)
  if (stopped !== null) throw stopped
  if (caller.key.allowedIps.length > 0 && !isAllowedAddress(caller.key, from.address)) {
    throw new Fault(
      'ip_not_allowed',
      `This API key can't be used from ${from.address}. Call from an allowed address, or add this one to the key's allowed IPs.`,
    )
  }
}

/** The Fault for a key that may not be used any more, null for one that may. Also cuts what is running when it changes. */
export function stopOf({ key, account }: KeyWithOwner, nowMs: number): Fault | null {
  const ending = key.secretEnd
  if (key.status === 'deleted') {
    return new Fault(
      'key_deleted',
      `The API key ending in ${ending} was deleted ${at(key.statusChangedAt)}. Create a new key.`,
    )
  }
  if (key.status === 'disabled') {
    return new Fault(
      'key_disabled',
      `The API key ending in ${ending} was disabled ${at(key.statusChangedAt)}. Enable it again, or use another key.`,
    )
  }
  if (key.expiresAt !== null && nowMs >= key.expiresAt) {
    return new Fault(
      'key_expired',
      `The API key ending in ${ending} expired ${at(key.expiresAt)}. Extend its validity, or create a new key.`,
    )
  }
  if (account.status === 'disabled') {
    return new Fault(
      'account_disabled',
      'The account that owns this API key is disabled. Ask the operator of this gateway.',
    )
  }
  return null
}

const compiled = new WeakMap<ApiKey, BlockList>()

function isAllowedAddress(key: ApiKey, address: string): boolean {
  let list = compiled.get(key)
  if (list === undefined) {
    list = compile(key.allowedIps)
    compiled.set(key, list)
  }
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

function compile(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    const version = isIP(network)
    if (version === 0) continue
    const family = version === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(bits), family)
  }
  return list
}

function at(ms: number): string {
  return 'at ' + new Date(ms).toISOString().slice(0, 19) + 'Z'
}
