import { Failure, UsageFailure } from '../host.ts'
import { shown } from './shown.ts'

/** What people paste behind the address of a gateway, and what is not part of it. */
const NOT_OF_IT = /\/(?:v1(?:\/.*)?|v1beta(?:\/.*)?|console(?:\/.*)?|device|client\.tgz)?$/

/**
 * The address of a gateway as a person types it, without a slash at its end. A host alone is taken by HTTPS, this computer
 * by HTTP. Throws where it is not an address, or would send secrets over the network in plain text.
 */
export function readAddress(typed: string): string {
  const text = typed.trim()
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${isLoopbackText(text) ? 'http' : 'https'}://${text}`
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new UsageFailure(
      `"${shown(text, 100)}" is not the address of a gateway, such as https://gateway.example.com.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageFailure('The address of a gateway has no user name and no password.')
  }
  const path = url.pathname.replace(NOT_OF_IT, '')
  if (!/^[A-Za-z0-9._~/-]*$/.test(path))
    throw new UsageFailure('The path of the address has characters that it cannot have.')
  const address = `${url.origin}${path.replace(/\/+$/, '')}`
  if (!isSafe(url)) {
    throw new Failure(
      `${address} is HTTP without TLS, which would send your sign-in in plain text: use its https:// address.`,
    )
  }
  return address
}

/** Whether what is sent there stays on this computer or is encrypted. */
function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** An endpoint that a gateway names. Null where it is of another origin than the address, to which no token is sent. */
export function endpointOf(address: string, value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null
  const url = new URL(value)
  return url.origin === new URL(address).origin && url.username === '' ? url.href : null
}

/** A page for a browser, which may be on another host. Null where a browser must not be sent there. */
export function pageOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2_000 || !URL.canParse(value)) return null
  const url = new URL(value)
  return isSafe(url) && url.username === '' && url.password === '' ? url.href : null
}

/** A name for the folder of a gateway, which no other address gets. */
export function folderNameOf(address: string): string {
  const rest = address.replace(/^https:\/\//, '').replace(/^http:\/\//, 'http_')
  return rest.replace(/[^A-Za-z0-9.-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)
}

function isLoopbackText(text: string): boolean {
  return isLoopback(/^(\[[^\]]*\]|[^:/]*)/.exec(text)?.[1] ?? '')
}

function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[a-z0-9-]+\.)*localhost)$/i.test(host)
}

/** Whether the address can only be reached on this computer. */
export function isOnThisComputer(address: string): boolean {
  return isLoopback(new URL(address).hostname)
}
