/** The ways in which clients of new-api and one-api read what is left of a key. */
export type BalanceForm = 'subscription' | 'usage' | 'token'

const PATHS: ReadonlyMap<string, BalanceForm> = new Map([
  ['/v1/dashboard/billing/subscription', 'subscription'],
  ['/dashboard/billing/subscription', 'subscription'],
  ['/v1/dashboard/billing/usage', 'usage'],
  ['/dashboard/billing/usage', 'usage'],
  ['/api/usage/token', 'token'],
  ['/api/usage/token/', 'token'],
])

/** The form of balance that a request asks for; null: something else is asked for. */
export function balanceForm(method: string, path: string): BalanceForm | null {
  return method === 'GET' || method === 'HEAD' ? (PATHS.get(path) ?? null) : null
}

/** Whether it is the one way whose path is below that of the console API. */
export function isBalanceBelowApi(method: string | undefined, url = ''): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return path.startsWith('/api/') && balanceForm(method ?? '', path) !== null
}

/** Where a signed-in Claude Code reads its dollars: the one path of the gateway’s that is below the console API’s. */
export const CLAUDE_USAGE_PATH = '/api/oauth/usage'
