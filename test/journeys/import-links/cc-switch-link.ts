/** CC Switch's links, read by its documented rules: `ccswitch://v1/import?resource=provider&app=…`. */

const APPS = ['claude', 'codex', 'gemini', 'grokbuild', 'opencode', 'openclaw', 'hermes']

const KNOWN = [
  'resource',
  'app',
  'name',
  'endpoint',
  'apiKey',
  'model',
  'haikuModel',
  'sonnetModel',
  'opusModel',
  'homepage',
  'notes',
  'icon',
  'enabled',
  'config',
  'configFormat',
  'usageEnabled',
  'usageScript',
  'usageBaseUrl',
  'usageApiKey',
  'usageAutoInterval',
]

export type CcSwitchProvider = Readonly<Record<string, string>>

/** Throws for whatever CC Switch refuses, and for a parameter that it doesn't know. */
export function readCcSwitchLink(link: string): CcSwitchProvider {
  const url = new URL(link)
  if (url.protocol !== 'ccswitch:' || url.host !== 'v1' || url.pathname !== '/import')
    throw new Error(`no link: ${link}`)
  const read = Object.fromEntries(url.searchParams)
  for (const name of Object.keys(read)) if (!KNOWN.includes(name)) throw new Error(`unknown parameter ${name}`)
  if (url.searchParams.size !== Object.keys(read).length) throw new Error('a parameter stands there twice')
  if (read['resource'] !== 'provider' || !APPS.includes(read['app'] ?? '')) throw new Error('no such resource or app')
  for (const needed of ['name', 'endpoint', 'apiKey', 'model'])
    if (!read[needed]) throw new Error(`${needed} is missing`)
  for (const endpoint of (read['endpoint'] ?? '').split(',')) {
    if (!/^https?:$/.test(new URL(endpoint).protocol)) throw new Error(`the endpoint ${endpoint} is not a web address`)
  }
  if (read['usageScript'] !== undefined) checkUsage(read)
  return read
}

/** Sent over TLS or to this machine, and to the host that serves the provider. */
function checkUsage(read: Readonly<Record<string, string>>): void {
  const base = new URL(read['usageBaseUrl'] ?? '')
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(base.hostname)
  if (base.protocol !== 'https:' && !isLoopback) throw new Error('the usage script must ask over https')
  if (base.host !== new URL(read['endpoint'] ?? '').host) throw new Error('the usage script asks another host')
  if (!/^[1-9]\d*$/.test(read['usageAutoInterval'] ?? '1')) throw new Error('the interval takes minutes')
}

interface UsageScript {
  readonly request: { readonly url: string; readonly method: string; readonly headers: Record<string, string> }
  extractor(answer: unknown): Record<string, unknown>
}

/** What CC Switch would send, and what it would show of the answer. */
export function usageOf(read: CcSwitchProvider, answer: unknown) {
  const values: Record<string, string | undefined> = {
    baseUrl: read['usageBaseUrl'],
    apiKey: read['usageApiKey'] ?? read['apiKey'],
  }
  const source = Buffer.from(read['usageScript'] ?? '', 'base64')
    .toString()
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
  // CC Switch evaluates the script too: one expression, an object in parentheses.
  // oxlint-disable-next-line no-eval
  const script = (0, eval)(source) as UsageScript
  return { request: script.request, shown: script.extractor(answer) }
}
