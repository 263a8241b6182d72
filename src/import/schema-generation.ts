import type { Product } from './import-plan.ts'
import { hasColumns, type SourceReader } from './source.ts'

/** What the releases of each product came to have one after the other, and the columns that show it. */
const GENERATIONS: Readonly<Record<Product, readonly (readonly [has: string, table: string, column: string])[]>> = {
  'new-api': [
    ['several keys for a channel', 'channels', 'channel_info'],
    ['fallback groups of keys', 'tokens', 'cross_group_retry'],
    ['plans', 'subscription_plans', 'id'],
    ['groups of a key’s own for auto', 'tokens', 'auto_groups'],
  ],
  'one-api': [
    ['settings of channels', 'channels', 'config'],
    ['system prompts of channels', 'channels', 'system_prompt'],
  ],
  sub2api: [
    ['limits by the minute', 'users', 'rpm_limit'],
    ['sign-in by other sites', 'auth_identities', 'issuer'],
    ['composite groups', 'composite_model_routes', 'public_model'],
    ['quotas of platforms', 'user_platform_quotas', 'platform'],
    ['prices of groups', 'groups', 'model_pricing'],
  ],
  litellm: [],
}

/** What tells the generation of a source, which names no version: what it has of that, the newest last. */
export function generationOf(source: Pick<SourceReader, 'columns'>, product: Product): readonly string[] {
  return GENERATIONS[product].flatMap(([has, table, column]) => (hasColumns(source, table, column) ? [has] : []))
}
