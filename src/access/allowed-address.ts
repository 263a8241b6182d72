import { BlockList, isIP } from 'node:net'
import type { ApiKey } from './api-key.ts'

const compiled = new WeakMap<Pick<ApiKey, 'allowedIps'>, BlockList>()

/** Whether the key may be used from this address. One without a list may from any. */
export function isAllowedFrom(key: Pick<ApiKey, 'allowedIps'>, address: string): boolean {
  if (key.allowedIps.length === 0) return true
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
