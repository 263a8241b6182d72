import { BlockList, isIP } from 'node:net'
import type { ApiKey, KeyWithOwner } from '../../access/api-key.ts'
import { stopOf } from '../../access/key-stop.ts'
import { explainedFault } from '../../causes/explained-fault.ts'

/** Throws the Fault that stops this caller whatever it asks for: the key's state, its owner's, the address it calls from. */
export function authorize(
  caller: KeyWithOwner,
  from: { address: string; nowMs: number; purpose?: 'for_calling' | 'read_only' },
): void {
  const stopped = stopOf(caller, from.nowMs, from.purpose)
  if (stopped !== null) throw stopped
  if (caller.key.allowedIps.length > 0 && !isAllowedAddress(caller.key, from.address)) {
    throw explainedFault('ip_not_allowed', { address: from.address })
  }
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
