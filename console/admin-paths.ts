/** The pages of those who run the place, by their paths below `/console`. */
export const ADMIN_PATHS = {
  operations: '/admin',
  upstreams: '/admin/upstreams',
  upstream: '/admin/upstreams/$upstreamId',
  accounts: '/admin/accounts',
  account: '/admin/accounts/$accountId',
  audit: '/admin/audit',
} as const
