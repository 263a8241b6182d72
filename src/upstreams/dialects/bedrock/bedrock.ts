import type { Dialect, DialectUpstream } from '../dialect.ts'

export function bedrock(_of: DialectUpstream): Dialect {
  return { outbound: (request) => request, inbound: (_request, handler) => handler }
}
