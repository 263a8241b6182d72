import type { UpstreamDialect } from '../core/upstream-dialect.ts'
import { azure } from './dialects/azure/azure.ts'
import { bedrock } from './dialects/bedrock/bedrock.ts'
import type { Dialect, DialectUpstream } from './dialects/dialect.ts'
import { vertex } from './dialects/vertex/vertex.ts'

export type { Dialect, ModelListing } from './dialects/dialect.ts'

/** How upstreams of each cloud are spoken with. */
const DIALECTS: Readonly<Record<UpstreamDialect, (of: DialectUpstream) => Dialect>> = { azure, bedrock, vertex }

/** How an upstream of a cloud is spoken with. */
export function dialectOf(name: UpstreamDialect, of: DialectUpstream): Dialect {
  return DIALECTS[name](of)
}
