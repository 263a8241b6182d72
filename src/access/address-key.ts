import { isIPv6 } from 'node:net'

/**
 * What one subscriber of the internet may call its own: an IPv4 address, or the first half of an IPv6 address. Tries are
 * counted by it, since callers should not get more of them by using all the addresses that come with one connection.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  // The URL parser writes every address in one form.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1)
  const [front = '', back = ''] = plain.split('::')
  const head = front === '' ? [] : front.split(':')
  const tail = back === '' ? [] : back.split(':')
  const zeros = plain.includes('::') ? Array.from({ length: 8 - head.length - tail.length }, () => '0') : []
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
