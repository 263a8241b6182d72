/** What an edit can collide on, by the path that changes it, as the API has it. */
export const OBJECT_PATHS = {
  group: '/api/groups/{id}',
  model: '/api/models/{id}',
  upstream: '/api/upstreams/{id}',
  credential: '/api/upstreams/{id}/credentials/{name}',
  account: '/api/accounts/{id}',
  plan: '/api/plans/{id}',
  key: '/api/keys/{id}',
  settings: '/api/settings',
  payments: '/api/payment-settings',
  announcement: '/api/announcements/{id}',
} as const

export type ObjectKind = keyof typeof OBJECT_PATHS

/** null: none that this console knows. */
export function objectKindAt(path: string): ObjectKind | null {
  const found = path.split('/')
  const isThere = (kind: ObjectKind): boolean => {
    const parts = OBJECT_PATHS[kind].split('/')
    return parts.length === found.length && parts.every((part, at) => part.startsWith('{') || part === found[at])
  }
  return (Object.keys(OBJECT_PATHS) as ObjectKind[]).find(isThere) ?? null
}
