/**
 * Corporate proxies, as variables of the environment name them. Node.js uses them only where it is made to, and before 24.14 not
 * even then.
 */
import { type Host, variable } from '../host.ts'

type Place = Pick<Host, 'env' | 'usesHttpsProxy'>

/**
 * Makes this process ask through the HTTPS proxy that its environment names. By HTTPS alone: HTTP never leaves this
 * computer, and an HTTP proxy would be sent its tokens in plain text. `env`: that of the process.
 */
export async function useHttpsProxy(env: Record<string, string | undefined>): Promise<void> {
  const name = named(env, 'https_proxy')
  if (name === undefined) return
  const http: { readonly setGlobalProxyFromEnv?: (env: Record<string, string | undefined>) => unknown } =
    await import('node:http')
  const forHttp = ['http_proxy', 'HTTP_PROXY'].map((each) => [each, env[each]] as const)
  try {
    // What is not given is read from the environment of the process.
    for (const [each] of forHttp) delete env[each]
    http.setGlobalProxyFromEnv?.({ https_proxy: env[name], no_proxy: exemptions(env) })
  } finally {
    for (const [each, value] of forHttp) if (value !== undefined) env[each] = value
  }
}

/** What is to be known of an HTTPS proxy where a gateway is not reached; empty where none is named for it. */
export function httpsProxyRemark({ env, usesHttpsProxy }: Place, url: string): string {
  const { protocol, hostname, host } = new URL(url)
  const name = named(env, 'https_proxy') ?? named(env, 'all_proxy')
  if (protocol !== 'https:' || name === undefined || isExempt(env, { hostname, host })) return ''
  if (usesHttpsProxy && /^https/i.test(name)) return ` It was asked through the HTTPS proxy that ${name} names.`
  return ` The HTTPS proxy that ${name} names was not used: take Node.js 24.14 or newer and HTTPS_PROXY, or name ${hostname} in NO_PROXY where it is reached without one.`
}

/** The variable as it is written, in small letters or capitals. */
function named(env: Host['env'], name: string): string | undefined {
  return [name, name.toUpperCase()].find((each) => variable({ env }, each) !== undefined)
}

function exemptions(env: Host['env']): string {
  return variable({ env }, 'no_proxy') ?? variable({ env }, 'NO_PROXY') ?? ''
}

function isExempt(env: Host['env'], { hostname, host }: Pick<URL, 'hostname' | 'host'>): boolean {
  return exemptions(env)
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const suffix = entry.replace(/^\*(?=\.)/, '')
      return (
        entry === '*' || entry === hostname || entry === host || (suffix.startsWith('.') && hostname.endsWith(suffix))
      )
    })
}
