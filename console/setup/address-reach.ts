/** Where an address can be reached from: this machine alone, its network, or everywhere. */
export type AddressReach = 'machine' | 'network' | 'everywhere'

/** Judged by how the host is written: a name that only some networks know is not distinguished from one of the Internet. */
export function reachOf(origin: string): AddressReach {
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '')
  if (/^(127\.|localhost$|.+\.localhost$|::1$|0\.0\.0\.0$)/.test(host)) return 'machine'
  return PRIVATE.test(host) || !/[.:]/.test(host) ? 'network' : 'everywhere'
}

/** RFC 1918, link-local and carrier-grade addresses, unique local ones of IPv6, and names that stay in a network. */
const PRIVATE =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)|\.(local|lan|internal|home\.arpa|intranet)$/

/** The address by which a container of Docker reaches this machine. */
export function addressInContainer(address: string): string {
  return address.replace(
    /^(https?:\/\/)(127\.\d+\.\d+\.\d+|localhost|\[::1\]|0\.0\.0\.0)(?=[:/]|$)/,
    '$1host.docker.internal',
  )
}
